#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Every wait ends when the disk dies: writers are held on a device whose table
# is then exchanged for dm's error target.
# vm: --disk-rate 8M --timeout 300
. ./lib.sh

filesystems=(xfs ext4 btrfs)
declare -A mkfs_options=([ext4]=-Fq [xfs]=-qfK [btrfs]=-qfK)
plan $((${#filesystems[@]} * 5))

# There is no udev in the guest to make device nodes.
export DM_DISABLE_UDEV=1
sectors=$(blockdev --getsz /dev/vdb)

table() {
	dmsetup suspend --noflush --nolockfs dying &&
		dmsetup load dying --table "0 $sectors $1" &&
		dmsetup resume dying
}

unmounted() {
	umount /mnt 2>/dev/null
}

gone() {
	! kill -0 "$1" 2>/dev/null
}

# die FS: 16 held writers of 16 MiB; the disk dies; all come to an end.
die() {
	local pid start
	wipefs -qa /dev/vdb
	dmsetup create dying --table "0 $sectors linear /dev/vdb 0"
	mkfs."$1" "${mkfs_options[$1]}" /dev/mapper/dying >/dev/null
	check "$1: made on a device that can die" mount /dev/mapper/dying /mnt
	mkdir /mnt/d
	group d
	limit d 1M
	wait_for 2 attached d
	within d writer -n 16 -b 5M /mnt/d >/dev/null 2>&1 &
	pid=$!
	check "$1: writers wait" wait_for 20 at_least_sleepers 12
	diag "$(sleepers) writers wait"
	start=$(now_ms)
	table error
	check "$1: all of them end when the disk dies" wait_for 60 gone $pid
	diag "$1: the last ended $(($(now_ms) - start)) ms after the disk"
	check "$1: nobody waits" equals "$(sleepers)" 0
	kill_group d
	check "$1: and it can be unmounted" wait_for 30 unmounted
	unlimit d
	dmsetup remove dying
}

load
modprobe dm-mod
umount /mnt
for fs in "${filesystems[@]}"; do
	die "$fs"
done
finish
