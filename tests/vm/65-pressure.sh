#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Next to other limits and to those whom the disk waits for: memory.max and
# memory.high, a loop device and a FUSE server inside a limited group.
# vm: --disk-rate 20M --timeout 600
. ./lib.sh

plan 10

total=$((48 * MiB))

write_all() {
	within "$1" dd if=/dev/zero of="$2" bs=64K count=$((total / 65536)) conv=fsync status=none
}

elapsed() {
	local start
	start=$(now_ms)
	"$@" >&2 || return
	echo $(($(now_ms) - start))
}

# pressed KNOB VALUE
pressed() {
	local ms
	echo "$2" >"$cgroups/m/$1"
	ms=$(elapsed write_all m /mnt/big)
	check "dd of $((total / MiB)) MiB with $1=$2 and a limit of 2 MiB" test -n "$ms"
	diag "in $ms ms, peak $(stat_of m peak)," "$(tr '\n' ' ' <"$cgroups/m/memory.events")"
	check "nobody was killed" equals "$(key "$cgroups/m/memory.events" oom_kill)" 0
	echo max >"$cgroups/m/$1"
	rm /mnt/big
}

# The worker of the device is a kernel thread; its pages are the group's.
loop() {
	local free held device
	truncate -s 96M /mnt/image
	device=$(within l losetup -f --show /mnt/image) || return
	mkfs.ext4 -qF "$device"
	mkdir -p /loop
	mount "$device" /loop
	free=$(elapsed write_all l /loop/f) || return
	rm /loop/f
	sync
	limit l 4M
	wait_for 2 attached l
	held=$(elapsed write_all l /loop/f) || return
	diag "through a loop device: $free ms without a limit, $held ms with one, peak $(stat_of l peak)"
	umount /loop
	losetup -d "$device"
	at_most "$held" $((free * 3 / 2))
}

# The server writes what its client has dirtied, and is held to the same limit.
fuse() {
	local server mounted
	mkdir -p /fuse
	limit s 1M
	wait_for 2 attached s
	within s fused /fuse /mnt/back &
	server=$!
	wait_for 10 mountpoint -q /fuse || return
	mounted=$(elapsed within s timeout 120 dd if=/dev/zero of=/fuse/f bs=64K count=128 conv=notrunc status=none) || return
	diag "8 MiB through a FUSE server in the same group: $mounted ms, peak $(stat_of s peak), throttled $(stat_of s throttled)"
	umount /fuse && wait "$server"
}

load
modprobe loop
modprobe fuse
group m
limit m 2M
wait_for 2 attached m
pressed memory.max 24M
pressed memory.high 16M
check "the limit was kept" at_most "$(stat_of m peak)" $((3 * MiB))
check "and writers were made to wait for it" at_least "$(stat_of m throttled)" 1
group l
check "a loop device inside a limited group does not stall" loop
group s
check "a FUSE server in its client's group does not wait for itself" fuse
check "and what it was given is all there" equals "$(stat -c %s /mnt/back)" $((8 * MiB))
unlimit s
unlimit l
unlimit m
check "its pages are gone with it" wait_for 10 rmmod cgdirty
finish
