#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Changes to a limit while eight write: up and down, at once, and no write takes
# longer than 250 ms for it; on btrfs, where a write may wait twice, 600 ms.
# vm: --disk-rate 20M --timeout 300
# timing: yes
. ./lib.sh

filesystems=(ext4 xfs btrfs)
declare -A most_ms=([ext4]=250 [xfs]=250 [btrfs]=600)
plan $((${#filesystems[@]} * 2))

below() {
	local usage=$(($(key "$cgroups/$1/memory.stat" file_dirty) + $(key "$cgroups/$1/memory.stat" file_writeback)))
	((usage <= $2 + MiB))
}

# live FS: sets whether the last limit held soon, and the longest write meanwhile.
live() {
	local pid value wrote
	rm -rf /mnt/v
	mkdir /mnt/v
	limit v 16M
	wait_for 2 attached v
	within v writer -n 8 -b 4M -t 4000 /mnt/v >"$scratch" &
	pid=$!
	for value in 4M 32M 1M 16M max 2M; do
		sleep 0.4
		echo "$value" >"$tree/v/dirty_bytes"
	done
	held=no
	wait_for 3 below v $((2 * MiB)) && held=yes
	wait "$pid"
	wrote=$(<"$scratch")
	diag "$wrote held=$held"
	longest=$(field "$wrote" longest_usec)
	[[ $held == yes ]] && ((longest <= most_ms[$1] * 1000))
}

scratch=$(mktemp)
load
group v
for fs in "${filesystems[@]}"; do
	fresh "$fs" || diag "no $fs"
	calmly live "$fs"
	check "$fs: a limit lowered to 2 MiB holds soon" equals "$held" yes
	check "$fs: no write takes longer than ${most_ms[$fs]} ms for a changing limit" \
		at_most "$longest" $((most_ms[$fs] * 1000))
done
finish
