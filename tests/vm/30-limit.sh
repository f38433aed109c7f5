#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The limit is a limit: with 1, 8 and 64 writers of 4 KiB, for new pages, for
# rewrites and for stores through a shared mapping, on each file system.
# vm: --disk-rate 8M --timeout 900
. ./lib.sh

filesystems=(ext4 xfs btrfs)
modes=(write rewrite mmap)
crowds=(1 8 64)
plan $((1 + ${#filesystems[@]} + ${#filesystems[@]} * ${#modes[@]} * ${#crowds[@]}))

# use LIMIT: for the cases that follow.
use() {
	limit_bytes=$1
	most=$((limit_bytes + $(tolerance "$1")))
}

# kept FS MODE WRITERS: 20 MiB in all, by that many writers, in a new group.
kept() {
	local g=$1-$2-$3-$limit_bytes seen wrote peak
	mkdir "/mnt/$g"
	group "$g"
	limit "$g" "$limit_bytes"
	wait_for 2 attached "$g"
	seen=$(sampler -w "$cgroups/$g" -s "$tree/$g/stat" -g "$cgroups/$g" \
		writer -m "$2" -n "$3" -c 4096 -b $((20 * MiB / $3)) "/mnt/$g")
	wrote=${seen%%$'\n'*}
	seen=${seen##*$'\n'}
	peak=$(stat_of "$g" peak)
	diag "$g: $wrote"
	diag "$g: $seen"
	diag "$g: limit=$limit_bytes peak=$peak over=$(($(field "$seen" memory_peak) - limit_bytes))" \
		"throttled=$(stat_of "$g" throttled) throttled_usec=$(stat_of "$g" throttled_usec)"

	# By the kernel's count, by ours, and the writers did come up to it.
	(($(field "$wrote" bytes) == 20 * MiB && $(field "$wrote" errors) == 0)) &&
		(($(field "$seen" memory_peak) <= most && peak <= most)) &&
		(($(field "$seen" memory_peak) >= limit_bytes / 2)) &&
		(($(field "$seen" absurd) == 0 && $(stat_of "$g" throttled) > 0))
	local result=$?
	sync
	rm -r "/mnt/${g:?}"
	unlimit "$g"
	ungroup "$g"
	return "$result"
}

# What all this is measured against: without a limit it is exceeded.
exceeded() {
	local seen
	mkdir /mnt/free
	group free
	seen=$(sampler -w "$cgroups/free" -g "$cgroups/free" writer -b 24M /mnt/free)
	diag "free: ${seen##*$'\n'}"
	rm -r /mnt/free
	(($(field "$seen" memory_peak) > most))
}

load
use $((8 * MiB))
check "without a limit more than $((most / MiB)) MiB are dirty" exceeded
for fs in "${filesystems[@]}"; do
	fresh "$fs" || diag "no $fs"
	use "$MiB"
	check "$fs: 64 writers, write: within a limit of 1 MiB" kept "$fs" write 64
	use $((8 * MiB))
	for mode in "${modes[@]}"; do
		for crowd in "${crowds[@]}"; do
			check "$fs: $crowd writers, $mode: within the limit" kept "$fs" "$mode" "$crowd"
		done
	done
done
finish
