#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# No speed lost: dd, its final sync included, under a limit against dd without
# one, in turns in the same boot.
# vm: --disk-rate 20M --timeout 600
# timing: yes
. ./lib.sh

plan 3

total=$((120 * MiB))

# run GROUP: milliseconds that dd takes there, everything on the disk.
run() {
	local start
	start=$(now_ms)
	within "$1" dd if=/dev/zero of="/mnt/$1" bs=64K count=$((total / 65536)) conv=fsync status=none
	echo $(($(now_ms) - start))
	rm "/mnt/${1:?}"
	sync
}

# compare NAME: sums of three runs each, taken in turns.
compare() {
	local free=0 held=0 rate i
	for i in 1 2 3; do
		((free += $(run free), held += $(run held)))
		diag "after $i runs: free_ms=$free held_ms=$held"
	done
	rate=$((free * 1000 / held))
	diag "limit=$(<"$tree/held/dirty_bytes") rate=$rate/1000 of the unlimited one"
	((rate >= 980))
}

load
group free
group held
for value in 4M 16M; do
	limit held $value
	check "dd with a limit of $value reaches 98 % of the rate without" calmly compare
done
check "it was made to wait meanwhile" at_least "$(stat_of held throttled)" 1
finish
