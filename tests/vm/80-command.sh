#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The command cgdirty with the module itself: each verb does to the tree and to
# writers what it says.
# vm: --timeout 300 --file docs/man/cgdirty.4
. ./lib.sh

plan 46

# ends NAME STATUS ARGUMENT...: the command ends with that status; what it says is shown.
ends() {
	local name=$1 wanted=$2 status=0
	shift 2
	cgdirty "$@" >out 2>err || status=$?
	sed 's/^/# /' err
	[[ $status == "$wanted" ]] || diag "status $status"
	check "$name" test "$status" = "$wanted"
}

shows() {
	equals "$(<"$tree/$1")" "$2"
}

# The manual has just the files and the keys that there are.
in_manual() {
	grep -qE "^\.It (Pa|Cm) ([a-z_]+ , )*$1( ,|\$)" cgdirty.4 || { diag "$1 is not in the manual" && false; }
}

all_in_manual() {
	local name missing=0
	while read -r name _; do
		in_manual "$name" || missing=1
	done < <(find "$tree" "$tree/g" -maxdepth 1 -type f -printf '%f\n' && cat "$tree/g/stat")
	((!missing))
}

all_in_tree() {
	local name missing=0
	while read -r name; do
		[[ -e $tree/$name || -e $tree/g/$name ]] || { diag "no $name" && missing=1; }
	done < <(sed -n 's/^\.It Pa //p' cgdirty.4)
	while read -r name; do
		[[ $(stat_of g "$name") ]] || { diag "no key $name" && missing=1; }
	done < <(sed -n 's/^\.It Cm //p' cgdirty.4 | sed 's/ , /\n/g')
	((!missing))
}

group g/below
ends "set without the module" 3 set g dirty_bytes=8M
ends "doctor without the module" 3 doctor
check "doctor says what to do" grep -q 'cgdirty load' out
ends "unload without the module" 0 unload
umount /sys/kernel/config
ends "load" 0 load
check "loads it, and mounts configfs" loaded
check "the tree is there" test -d "$tree"
ends "load once more" 0 load

ends "set" 0 set g dirty_bytes=8M dirty_background_bytes=1M
check "is in the tree" shows g/dirty_bytes $((8 * MiB))
check "is in force" equals "$(stat_of g limit)" $((8 * MiB))
check "is kept" grep -qx dirty_bytes=8M /etc/cgdirty.d/99-set.conf
check "the manual has every file and key" all_in_manual
check "and no other" all_in_tree
ends "set --runtime" 0 set --runtime g/below dirty_bytes=64M
ends "show" 0 show g/below
check "says which limit holds" grep -q 'limit 8M from g (its own is 64M)' out
ends "set of a cgroup that is not there" 1 set g/belwo dirty_bytes=8M
check "suggests one that is" grep -q 'did you mean g/below?' err
ends "set --force" 0 set --force later dirty_ratio=10
check "waits for it" shows later/state pending
group later
check "and takes hold" wait_for 2 attached later
ends "list" 0 list
check "has all three" equals "$(grep -c attached out)" 3
ends "list --json" 0 list --json
check "is JSON" equals "$(jq -r '[.groups[].cgroup] | join(" ")' out)" "g g/below later"
ends "metrics" 0 metrics
check "can be parsed" equals "$(python3 -c 'import sys
from prometheus_client.parser import text_string_to_metric_families as parse
print(sum(f.name == "cgdirty_limit_bytes" for f in parse(sys.stdin.read())))' <out)" 1
ends "doctor finds no fault with the module and its hooks" 0 doctor
sed 's/^/# /' out

# Gone with a reboot, and back with apply.
ends "unload" 0 unload
check "unloads" test ! -d /sys/module/cgdirty
rm -r /run/cgdirty
ends "load again" 0 load
ends "apply" 0 apply
check "what was kept is back" shows g/dirty_bytes $((8 * MiB))
check "what was not is not" test ! -d "$tree/g/below"

ends "unset" 0 unset later
check "takes it away" test ! -d "$tree/later"
ends "unset the other" 0 unset g
check "takes the file away, too" test ! -e /etc/cgdirty.d/99-set.conf

# A writer under run, from within a cgroup, is held to its limit and its cgroup goes.
group shell
echo $$ >"$cgroups/shell/cgroup.procs"
ends "run" 3 run --limit 4M -- sh -c 'dd if=/dev/zero of=/mnt/file bs=1M count=24 status=none
	cat /sys/kernel/config/cgdirty/cgdirty-run-*/stat; exit 3'
sed 's/^/# /' out
check "the writer was held to the limit" at_most "$(key out peak)" $((4 * MiB + $(tolerance $((4 * MiB)))))
check "and did write that much" at_least "$(key out peak)" $((2 * MiB))
check "nothing is left behind" test -z "$(find "$tree" "$cgroups" -name 'cgdirty-run-*')"

exec {held}<"$tree/version"
ends "unload while a file of the tree is open" 1 unload
check "says who has it open" grep -q "process $$ .* has $tree/version open" err
exec {held}<&-
ends "unload" 0 unload
finish
