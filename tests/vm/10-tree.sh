#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The tree: attributes, what they take, what they refuse, and that a refused
# write changes nothing.
# vm: --timeout 300
. ./lib.sh

plan 68

knobs=(dirty_bytes dirty_ratio dirty_background_bytes dirty_background_ratio)

put() {
	attr put "$tree/$1" "$2"
}

shows() {
	local value
	value=$(<"$tree/$1")
	equals "$value" "$2"
}

# takes ATTRIBUTE VALUE SHOWN
takes() {
	check "$1 takes '$2'" equals "$(put "g/$1" "$2")" OK
	check "$1 then shows $3" shows "g/$1" "$3"
}

# refuses ATTRIBUTE VALUE: with EINVAL, and shows what it showed before.
refuses() {
	local before
	before=$(<"$tree/g/$1")
	if equals "$(put "g/$1" "$2")" EINVAL && shows "g/$1" "$before"; then
		pass "$1 refuses ${2@Q}"
	else
		fail "$1 refuses ${2@Q}"
	fi
}

refused_name() {
	! mkdir "$tree/$1" 2>/dev/null && [[ ! -d $tree/$1 ]]
}

check "the module is not loaded" test ! -d /sys/module/cgdirty
check "modprobe" load
check "the tree is there" test -d "$tree"
check "there is a version" test -n "$(<"$tree/version")"
check "and it is modinfo's" equals "$(<"$tree/version")" "$(modinfo -F version cgdirty)"
check "features are one word a line" grep -qE '^[a-z0-9_]+$' "$tree/features"
check "features: no line is anything else" test -z "$(grep -vE '^[a-z0-9_]+$' "$tree/features")"
check "hooks can be read" test -n "$(<"$tree/hooks")"
check "modinfo shows a licence" equals "$(modinfo -F license cgdirty)" GPL
check "modinfo shows a description" test -n "$(modinfo -F description cgdirty)"

check "mkdir" mkdir "$tree/g"
check "state is pending without a cgroup" shows g/state pending
for knob in "${knobs[@]}"; do
	check "$knob is max at first" shows "g/$knob" max
done
group g
check "attaches by itself" wait_for 2 attached g
for k in file_dirty file_writeback limit background peak throttled throttled_usec \
	writeout_bytes writeout_usec; do
	diag "$k $(stat_of g $k)"
done
check "stat has all its keys" test -z "$(for k in file_dirty file_writeback limit background \
	peak throttled throttled_usec writeout_bytes writeout_usec; do
	[[ $(stat_of g $k) =~ ^(max|[0-9]+)$ ]] || echo "$k"
done)"
check "stat is one key and one value a line" test -z "$(grep -vE '^[a-z_]+ (max|[0-9]+)$' "$tree/g/stat")"

takes dirty_bytes 100M 104857600
check "the limit is in force" equals "$(stat_of g limit)" 104857600
check "the background is half of it" equals "$(stat_of g background)" 52428800
takes dirty_bytes 262144 262144
takes dirty_bytes 2G 2147483648
takes dirty_bytes 1T 1099511627776
takes dirty_ratio 20 20
check "a ratio resets dirty_bytes" shows g/dirty_bytes max
takes dirty_bytes 8M 8388608
check "bytes reset dirty_ratio" shows g/dirty_ratio max
takes dirty_background_bytes 1024K 1048576
check "the background set is in force" equals "$(stat_of g background)" 1048576
put g/dirty_background_bytes 8M >/dev/null
check "a background at the limit is half of it" equals "$(stat_of g background)" 4194304
takes dirty_background_ratio 5 5
check "a ratio resets dirty_background_bytes" shows g/dirty_background_bytes max

# Percentages are of the least headroom of the group and its ancestors.
about() {
	local in_force
	in_force=$(stat_of "$1" limit)
	[[ $in_force != max ]] && ((in_force <= $2 && in_force >= $2 * 9 / 10))
}

group g/below
mkdir "$tree/g/below"
check "a directory in a directory attaches" wait_for 2 attached g/below
put g/below/dirty_ratio 25 >/dev/null
echo 64M >"$cgroups/g/below/memory.max"
check "25 % of memory.max=64M are in force" wait_for 3 about g/below $((16 * MiB))
echo 32M >"$cgroups/g/memory.high"
check "25 % of an ancestor's memory.high=32M are in force" wait_for 3 about g/below $((8 * MiB))
echo max >"$cgroups/g/memory.high"
check "a directory with another in it cannot be removed" test "$(rmdir "$tree/g" 2>/dev/null; echo $?)" = 1
check "rmdir" rmdir "$tree/g/below"
ungroup g/below

refuses dirty_bytes 0
refuses dirty_bytes 262143
refuses dirty_bytes 100X
refuses dirty_bytes 1M1
refuses dirty_bytes -1M
refuses dirty_bytes 18446744073709551615T
refuses dirty_bytes $'\n'
refuses dirty_ratio 0
refuses dirty_ratio 101
refuses dirty_ratio 10M

# 300 writes to every attribute, of a group and at the top, none of them valid.
for knob in "${knobs[@]}" state stat ../version ../features ../hooks; do
	check "300 garbage writes to ${knob#../} are refused and change nothing" \
		attr garbage "$tree/g/$knob" 300 "${SEED:-1}"
done

check "dirty_bytes takes max" equals "$(put g/dirty_bytes max)" OK
check "a name with a newline is refused" refused_name $'a\nb'
finish
