#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# run: the cgroup it makes, with its limit; the exit status; and that nothing is
# left behind.
. "$(dirname "$0")/lib.sh"

plan 23

# nothing_left: neither in the tree nor in the hierarchy.
nothing_left() {
	[[ -z $(find "$tree" "$cgroups" -name 'cgdirty-run-*') && -z $(find "$tree" -mindepth 1 -type d) ]]
}

look="cd '$machine'; find sys -name 'cgdirty-run-*'; cat sys/kernel/config/cgdirty/*/*/cgdirty-run-*/dirty_bytes"
look+="; cat sys/fs/cgroup/*/*/cgdirty-run-*/cgroup.procs"
ends "run" 0 run --limit 100M --background 10M -- sh -c "$look"
prints "makes a cgroup beside ours" sys/fs/cgroup/user.slice/user-0.slice/cgdirty-run-
prints "and a directory" sys/kernel/config/cgdirty/user.slice/user-0.slice/cgdirty-run-
prints "with the limit" 104857600
check "the command is put into it" equals "$(tail -n 1 "$machine/out")" 0
check "nothing is left behind" nothing_left

ends "its status" 7 run -l 1M -- sh -c 'exit 7'
check "nothing is left behind by a failure" nothing_left
# shellcheck disable=SC2016
ends "a signal" 137 run -l 1M -- sh -c 'kill -KILL $$'
check "nothing is left behind by a signal" nothing_left
ends "a command that is not there" 127 run -l 1M -- "$machine/none"
ends "one that cannot be run" 126 run -l 1M -- "$machine"
# shellcheck disable=SC2016
ends "options of the command are its own" 0 run sh -c 'echo "$0 $1"' --limit -x
prints "and reach it" "--limit -x"
check "without a limit as well, nothing is left behind" nothing_left
ends "a bad size" 2 run --limit 1X -- true
ends "no command" 2 run --limit 1M --

# The signal to us goes to the command, and we clean up.
CGDIRTY_ROOT=$machine LD_PRELOAD=$FAKE "$TOOL" run -l 1M -- \
	sh -c "trap 'exit 5' TERM; touch '$machine/ready'; for i in \$(seq 200); do sleep 0.05; done" &
for _ in {1..200}; do
	[[ ! -e $machine/ready ]] || break
	sleep 0.05
done
kill -TERM $!
wait $!
check "SIGTERM is passed on" test $? = 5
check "nothing is left behind" nothing_left

echo "" >"$cgroups/user.slice/user-0.slice/cgroup.subtree_control"
ends "where the parent has no memory controller to give" 0 run -l 1M -- \
	sh -c "cd '$cgroups'; find . -name 'cgdirty-run-*'"
prints "the cgroup is beside the one above" ./user.slice/cgdirty-run-
check "nothing is left behind" nothing_left
mv "$tree" "$tree.away"
ends "without the module" 3 run -l 1M -- true
finish
