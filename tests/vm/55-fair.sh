#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Fair in the background: groups with equal work are written out equally, and
# no number of groups makes a thread.
# vm: --disk-rate 40M --timeout 600
. ./lib.sh

plan 9

# written N: what has been written out for each of N groups, in bytes.
written() {
	local i
	for ((i = 0; i < $1; i++)); do
		stat_of "f/$i" writeout_bytes
	done
}

# halfway N MIB: half of what N groups of that much each have to write is done.
halfway() {
	local v sum=0
	for v in $(written "$1"); do
		((sum += v))
	done
	((sum >= $1 * $2 * MiB / 2))
}

# spread N MIB: N groups with as much dirty each, whose background thresholds are
# then lowered. Nobody is made to wait. Halfway, when all still have work, what was written for
# each is looked at: none may have got less than three quarters of another.
spread() {
	local i v least=0 most=0 waits=0 all=()
	for ((i = 0; i < $1; i++)); do
		group "f/$i"
		limit "f/$i" 128M
		mkdir -p "/mnt/f$i"
		wait_for 2 attached "f/$i"
	done
	for ((i = 0; i < $1; i++)); do
		within "f/$i" writer -c 64K -b "$2M" "/mnt/f$i" >/dev/null &
	done
	wait
	for ((i = 0; i < $1; i++)); do
		echo 256K >"$tree/f/$i/dirty_background_bytes"
	done
	wait_for 60 halfway "$1" "$2"
	mapfile -t all < <(written "$1")
	for v in "${all[@]}"; do
		((least == 0 || v < least)) && least=$v
		((v > most)) && most=$v
	done
	diag "written halfway: ${all[*]}"
	wait_for 60 all_below "$1" 262144
	for ((i = 0; i < $1; i++)); do
		((waits += $(stat_of "f/$i" throttled)))
	done
	check "$1 groups: written out alike" at_least $((least * 4)) $((most * 3))
	check "$1 groups: write-out goes down to the background threshold" all_below "$1" 262144
	check "$1 groups: nobody waited" equals "$waits" 0
	unlimit f
	ungroup f
	rm -r /mnt/f*
	sync
}

all_below() {
	local i
	for ((i = 0; i < $1; i++)); do
		(($(stat_of "f/$i" file_dirty) <= $2)) || return
	done
}

# Kernel threads that are not a pool's workers: pools grow and shrink.
threads() {
	echo $(($(pgrep -cP 2 .) - $(workers)))
}

workers() {
	pgrep -cP 2 ^kworker
}

many() {
	local i threads_before workers_before total=0
	threads_before=$(threads) workers_before=$(workers)
	group many/0
	mkdir "$tree/many"
	for ((i = 0; i < 500; i++)); do
		mkdir -p "$cgroups/many/$i" "$tree/many/$i"
		echo 256K >"$tree/many/$i/dirty_bytes"
	done
	wait_for 5 attached many/499
	mkdir /mnt/many
	for ((i = 0; i < 500; i += 10)); do
		within "many/$i" dd if=/dev/zero of="/mnt/many/$i" bs=64K count=8 status=none &
	done
	wait
	diag "threads $threads_before -> $(threads), workers $workers_before -> $(workers)"
	check "500 groups, 50 of them writing: no thread more" at_most "$(threads)" "$threads_before"
	check "and no worker a group" at_most "$(workers)" $((workers_before + 8))
	for ((i = 0; i < 500; i += 10)); do
		((total += $(stat_of "many/$i" writeout_bytes)))
	done
	diag "one of them: $(tr '\n' ' ' <"$tree/many/490/stat")"
	check "though they were written out" at_least "$total" $((50 * 131072))
}

no_flusher
load
spread 4 40
spread 8 30
many
finish
