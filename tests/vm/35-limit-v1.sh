#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The same on cgroup v1's memory hierarchy, where the kernel has one: paths,
# counts, limit, and a cgroup that comes back.
# vm: --disk-rate 20M --timeout 300
. ./lib.sh

v1=/v1

total=$((24 * MiB))

# v1_dirty GROUP: dirty and under writeback in the subtree, in the kernel's count.
v1_dirty() {
	echo $(($(key "$v1/$1/memory.stat" total_dirty) + $(key "$v1/$1/memory.stat" total_writeback)))
}

ours() {
	echo $(($(stat_of "$1" file_dirty) + $(stat_of "$1" file_writeback)))
}

# same GROUP: 5.10's own count leaves out up to 32 pages a CPU and group.
same() {
	local slack=0 a b
	has_rstat || slack=$((32 * 4096 * $(nproc) * 2))
	a=$(ours "$1") b=$(v1_dirty "$1")
	seen="ours $a, the kernel's $b"
	distance "$a" "$b" "$slack"
}

within_v1() {
	local group=$1
	shift
	(
		echo "$BASHPID" >"$v1/$group/cgroup.procs"
		exec "$@"
	)
}

# watch PID GROUP: the most that the kernel counts while that process runs.
watch() {
	local value
	peak=0
	while kill -0 "$1" 2>/dev/null; do
		value=$(v1_dirty "$2")
		((value <= peak)) || peak=$value
	done
	wait "$1"
}

# 5.10 makes a hierarchy of it only when asked to, as systemd does.
move_to_v1() {
	umount /sys/fs/cgroup && mkdir "$v1" && mount -t cgroup -o memory memory "$v1" &&
		echo 1 >"$v1/memory.use_hierarchy"
}

pending() {
	[[ $(<"$tree/$1/state") == pending ]]
}

# What handles a file that only the v1 controller has.
if ! grep -qw mem_cgroup_swappiness_write /proc/kallsyms; then
	plan 1
	skip "cgroup v1" "$(uname -r) is built without CONFIG_MEMCG_V1"
	finish
fi
plan 8
check "the memory controller moves to a v1 hierarchy" move_to_v1
load
mkdir -p "$tree/a/b"
echo 2M >"$tree/a/b/dirty_bytes"
check "a directory before its cgroup is pending" pending a/b
mkdir -p "$v1/a/b"
check "and attaches when that is made" wait_for 2 attached a/b
within_v1 a/b dd if=/dev/zero of=/mnt/f bs=64K count=$((total / 65536)) conv=fsync status=none &
watch $! a/b
diag "peak in the kernel's count $peak, in ours $(stat_of a/b peak)"
check "a limit of 2 MiB is kept" at_most "$peak" $((3 * MiB))
check "and was reached" at_least "$(stat_of a/b peak)" $MiB
within_v1 a/b dd if=/dev/zero of=/mnt/g bs=64K count=8 status=none
check "counts are the kernel's" wait_for 10 same a
diag "$seen"
rmdir "$v1/a/b"
check "a cgroup that goes leaves the directory pending" wait_for 2 pending a/b
mkdir "$v1/a/b"
wait_for 2 attached a/b
check "and one that comes back has the limit" equals "$(<"$tree/a/b/state") $(stat_of a/b limit)" "attached $((2 * MiB))"
finish
