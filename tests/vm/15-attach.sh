#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Attachment by path: whatever comes first, however it is named, and again
# after the cgroup has gone and come back.
# vm: --timeout 300
. ./lib.sh

plan 22

pending() {
	[[ $(<"$tree/$1/state") == pending ]]
}

# holds GROUP VALUE: attached, with that limit in force.
holds() {
	attached "$1" && [[ $(stat_of "$1" limit) == "$2" ]]
}

# survives NAME: directory first, then the cgroup; cgroup gone; cgroup back.
survives() {
	limit "$1" 8M &&
		wait_for 2 pending "$1" &&
		group "$1" &&
		wait_for 2 holds "$1" $((8 * MiB)) &&
		ungroup "$1" &&
		wait_for 2 pending "$1" &&
		[[ $(<"$tree/$1/dirty_bytes") == $((8 * MiB)) ]] &&
		group "$1" &&
		wait_for 2 holds "$1" $((8 * MiB)) &&
		unlimit "${1%%/*}" &&
		ungroup "${1%%/*}"
}

both_kept() {
	limit twin-a 3M && limit twin-b 4M && group twin-b && group twin-a &&
		wait_for 2 holds twin-a $((3 * MiB)) && wait_for 2 holds twin-b $((4 * MiB)) &&
		unlimit twin-a && unlimit twin-b && ungroup twin-a && ungroup twin-b
}

rounds() {
	for _ in {1..50}; do
		mkdir "$tree/r" && mkdir "$cgroups/r" && wait_for 2 attached r &&
			rmdir "$cgroups/r" "$tree/r" || return
		mkdir "$cgroups/r" && mkdir "$tree/r" && wait_for 2 attached r &&
			rmdir "$tree/r" "$cgroups/r" || return
	done
}

load

group first
limit first 4M
check "cgroup before directory" wait_for 2 holds first $((4 * MiB))
limit second 5M
check "directory before cgroup is pending" pending second
group second
check "and attaches when the cgroup comes" wait_for 2 holds second $((5 * MiB))

ungroup second
check "pending again when the cgroup goes" wait_for 2 pending second
check "its limit is kept" equals "$(<"$tree/second/dirty_bytes")" $((5 * MiB))
echo 6M >"$tree/second/dirty_bytes"
group second
check "attached again, with what was set meanwhile" wait_for 2 holds second $((6 * MiB))

unlimit second
group second/child
limit second/child 7M
check "a parent directory that was gone comes back with its child" \
	wait_for 2 holds second/child $((7 * MiB))
check "the parent has no limit" equals "$(<"$tree/second/dirty_bytes")" max
check "the parent is attached" attached second

deep=a/b/c/d/e/f/g/h/i/j/k/l/m/n/o/p
check "a path of 16 names" survives $deep
check "a name with spaces" survives "my little group"
check 'a name with \x2d' survives 'dev-disk\x2dby\x2did.mount'
check "a name in UTF-8" survives "größe-数据"
check "a name of 255 bytes" survives "$(printf 'n%.0s' {1..255})"
check "a name of 256 bytes is refused" test "$(mkdir "$tree/$(printf 'n%.0s' {1..256})" 2>/dev/null; echo $?)" = 1
check "a name with a leading dash" survives "-n"
check "names that differ in their last byte only" both_kept

# Many cgroups come and go while directories do.
check "100 rounds of cgroup and directory in either order" rounds

group other/first
limit other/first 9M
check "the same name elsewhere is another group" wait_for 2 holds other/first $((9 * MiB))
check "and the first keeps its own limit" holds first $((4 * MiB))

unlimit first
check "removing a directory takes its limit away" test ! -d "$tree/first"
check "every directory can be removed" test -z "$(unlimit second 2>&1; unlimit other 2>&1)"
finish
