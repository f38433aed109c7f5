#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Changes to a limit while eight write: up and down, at once, and nobody waits
# longer than 250 ms for it.
# vm: --disk-rate 20M --timeout 300
# timing: yes
. ./lib.sh

filesystems=(ext4 xfs btrfs)
plan $((${#filesystems[@]} * 2))

below() {
	local usage=$(($(key "$cgroups/$1/memory.stat" file_dirty) + $(key "$cgroups/$1/memory.stat" file_writeback)))
	((usage <= $2 + MiB))
}

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
	check "$1: a limit lowered to 2 MiB holds soon" wait_for 3 below v $((2 * MiB))
	wait "$pid"
	wrote=$(<"$scratch")
	diag "$wrote"
	check "$1: no write waits longer than 250 ms for a changing limit" \
		at_most "$(field "$wrote" longest_usec)" 250000
}

scratch=$(mktemp)
load
group v
for fs in "${filesystems[@]}"; do
	fresh "$fs" || diag "no $fs"
	live "$fs"
done
finish
