#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# A machine whose memory controller is in a hierarchy of cgroup v1.
. "$(dirname "$0")/lib.sh"

plan 11

put proc/self/mountinfo '21 20 0:6 / /sys/fs/cgroup ro shared:4 - tmpfs tmpfs ro
22 21 0:7 / /sys/fs/cgroup/unified rw shared:5 - cgroup2 cgroup2 rw
23 21 0:8 / /sys/fs/cgroup/cpu,cpuacct rw shared:6 - cgroup cgroup rw,cpu,cpuacct
24 21 0:9 / /sys/fs/cgroup/memory rw shared:7 - cgroup cgroup rw,memory
25 20 0:10 / /sys/kernel/config rw shared:9 - configfs configfs rw
'
put proc/self/cgroup $'5:memory:/jobs/mine\n4:cpu,cpuacct:/\n0::/user.slice\n'
rm -r "$cgroups"
cgroups+=/memory
cgroup jobs/mine system.slice/nginx.service
rm "$cgroups"/jobs/mine/cgroup.subtree_control
printf 'dirty 1\nwriteback 1\ntotal_dirty 12288\ntotal_writeback 4096\n' >"$cgroups/jobs/mine/memory.stat"

ends "set --pid" 0 set --pid self dirty_bytes=1M
shows "is the cgroup of the memory controller" jobs/mine dirty_bytes 1048576
ends "a path of the file system" 0 set /sys/fs/cgroup/memory/jobs dirty_bytes=2M
shows "is taken for what it means" jobs dirty_bytes 2097152
ends "a unit" 0 set nginx.service dirty_bytes=3M
shows "is found" system.slice/nginx.service dirty_bytes 3145728
try unset jobs/mine
ends "list --all --json" 0 list --all --json
json "has the counts of the whole subtree" '.groups[] | select(.cgroup == "jobs/mine") | .file_dirty_bytes' 12288
ends "run" 0 run -l 1M -- sh -c "cd '$cgroups'; find . -name 'cgdirty-run-*'"
prints "makes its cgroup there" ./jobs/cgdirty-run-
try doctor
prints "doctor says which hierarchy it is" "in a cgroup v1 hierarchy"
finish
