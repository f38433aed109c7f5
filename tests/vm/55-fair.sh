#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Fair in the background: groups with equal work are written out equally, and
# no number of groups makes a thread.
# vm: --disk-rate 40M --disk-size 4G --memory 3G --timeout 600
# timing: yes
. ./lib.sh

plan 9

# counts N: the files with the kernel's counts for the N groups; on 5.10, where these
# are inexact, ours, which 20-counters.sh compares with the pages themselves.
counts() {
	local i
	for ((i = 0; i < $1; i++)); do
		if has_rstat; then
			echo "$cgroups/f/$i/memory.stat"
		else
			echo "$tree/f/$i/stat"
		fi
	done
}

# spread N MIB: N groups with as much dirty each, whose background thresholds are
# then lowered. Nobody is made to wait. While all still have work, what is on the
# disk of each is looked at.
spread() {
	local i waits=0 least most wrote
	local -a files
	for ((i = 0; i < $1; i++)); do
		group "f/$i"
		limit "f/$i" 300M
		mkdir -p "/mnt/f$i"
		wait_for 2 attached "f/$i"
	done
	for ((i = 0; i < $1; i++)); do
		within "f/$i" writer -c 64K -b "$2M" "/mnt/f$i" >/dev/null &
	done
	wait
	mapfile -t files < <(counts "$1")
	diag "$1 groups have dirtied $2 MiB each: $(for i in "${files[@]}"; do key "$i" file_dirty; done | tr '\n' ' ')"
	# All at once: who begins alone has the disk to itself.
	echo 256K | tee "$tree"/f/*/dirty_background_bytes >/dev/null
	wrote=$(abreast $(($2 * MiB)) "${files[@]}")
	diag "$wrote"
	least=$(field "$wrote" least) most=$(field "$wrote" most)
	wait_for 60 all_below "$1" 262144
	for ((i = 0; i < $1; i++)); do
		((waits += $(stat_of "f/$i" throttled)))
	done
	check "$1 groups: written out within 1 % of each other" alike "$least" "$most" $(($2 * MiB / 2))
	check "$1 groups: write-out goes down to the background threshold" all_below "$1" 262144
	check "$1 groups: nobody waited" equals "$waits" 0
	unlimit f
	ungroup f
	rm -r /mnt/f*
	sync
}

# alike LEAST MOST ENOUGH
alike() {
	at_least "$1" "$3" && at_most $((($2 - $1) * 100)) "$2"
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
# Nor by a cgroup's share of the machine's threshold, which is small with many.
echo $((20 << 30)) >/proc/sys/vm/dirty_background_bytes
echo $((40 << 30)) >/proc/sys/vm/dirty_bytes
load
spread 4 150
spread 8 150
many
finish
