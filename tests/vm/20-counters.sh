#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The counters are the kernel's own: to the page, in every situation in which
# a page's count begins, ends or changes hands.
# vm: --disk-rate 40M --timeout 600
. ./lib.sh

filesystems=(ext4 xfs btrfs)
plan $((${#filesystems[@]} * 26))

# Bounds on what is dirty are wide: the kernel's flusher may write a part of what
# a cgroup dirties first, whatever the sysctls say.
write_in() {
	within "$1" writer -c "${4:-4096}" -b "$3" "$2" >/dev/null
}

clear_all() {
	sync
	umount /mnt
	unlimit t
	ungroup t
	rmmod cgdirty
}

before_load() {
	group t/a
	mkdir -p /mnt/early
	write_in t/a /mnt/early 4M
	load
	mkdir -p "$tree/t/a"
	wait_for 2 attached t/a
	same_counts "$1: pages dirty before the module was loaded" t/a "$MiB"
	same_counts "$1: the parent has them too" t "$MiB"
	sync
	same_counts "$1: and they are clean after sync" t/a 0 0
}

before_mkdir() {
	group t/b
	mkdir /mnt/b
	write_in t/b /mnt/b 3M
	mkdir "$tree/t/b"
	wait_for 2 attached t/b
	same_counts "$1: pages dirty before the directory was made" t/b "$MiB"
}

removal_by_file() {
	mkdir /mnt/c
	writer -n 4 -b 2M /mnt/c >/dev/null
	group t/c
	mkdir "$tree/t/c"
	rm -r /mnt/c
	mkdir /mnt/c
	within t/c writer -n 4 -b 2M /mnt/c >/dev/null
	same_counts "$1: written" t/c $((4 * MiB)) $((17 * MiB / 2))
	truncate -s 1M /mnt/c/f.0
	same_counts "$1: truncated" t/c $((3 * MiB)) $((15 * MiB / 2))
	truncate -s 100001 /mnt/c/f.0
	same_counts "$1: truncated in the middle of a page" t/c $((3 * MiB)) $((13 * MiB / 2))
	fallocate -p -o 65536 -l 1M /mnt/c/f.1
	same_counts "$1: a hole punched into dirty pages" t/c $((2 * MiB)) $((11 * MiB / 2))
	rm /mnt/c/f.2
	same_counts "$1: unlinked" t/c "$MiB" $((7 * MiB / 2))
}

# Dirty again while the disk writes: the sync is slow enough for many rewrites.
redirty() {
	local sync_pid rounds=0
	mkdir /mnt/d
	group t/d
	mkdir "$tree/t/d"
	write_in t/d /mnt/d 16M
	sync -f /mnt/d/f.0 &
	sync_pid=$!
	while kill -0 $sync_pid 2>/dev/null; do
		write_in t/d /mnt/d 1M
		((++rounds))
	done
	diag "rewrote 1 MiB $rounds times during write-out"
	same_counts "$1: dirtied again during writeback" t/d
	write_in t/d /mnt/d 1M
	sync
	same_counts "$1: and clean after sync" t/d 0 0
	within t/d writer -m mmap -b 2M /mnt/d >/dev/null
	same_counts "$1: dirtied through a shared mapping" t/d "$MiB"
}

# Large folios, where the file system makes them: xfs does on every kernel that
# has folios, if only when it reads ahead; elsewhere what was seen is said.
large() {
	mkdir /mnt/l /mnt/l2
	group t/l
	mkdir "$tree/t/l"
	write_in t/l /mnt/l 4M 1M
	same_counts "$1: written by the megabyte" t/l $((2 * MiB))
	within t/l writer -m mmap -b 4M /mnt/l2 >/dev/null
	same_counts "$1: stores into read-ahead pages" t/l $((4 * MiB))
	if [[ $1 == xfs ]] && has_rstat; then
		check "$1: some of them in large folios" at_least "$(field "$counts" pages_large)" 262144
	else
		pass "$1: pages in large folios: $(($(field "$counts" pages_large) / 4096))"
	fi
	sync
	printf x | within t/l dd of=/mnt/l/f.0 bs=1 seek=100000 conv=notrunc status=none
	same_counts "$1: one byte of a clean file" t/l 4096 $((4 * MiB))
}

# The writer moves in the middle; what it wrote stays with whom it was charged.
migration() {
	local pid
	mkdir /mnt/m
	group t/m1
	group t/m2
	mkdir "$tree/t/m1" "$tree/t/m2"
	within t/m1 writer -c 4096 -t 1500 -b 4M /mnt/m >/dev/null &
	pid=$!
	wait_for 5 test -s /mnt/m/f.0
	while kill -0 $pid 2>/dev/null; do
		cat "$cgroups/t/m1/cgroup.procs" >"$scratch"
		while read -r member; do echo "$member" >"$cgroups/t/m2/cgroup.procs"; done <"$scratch" 2>/dev/null
		cat "$cgroups/t/m2/cgroup.procs" >"$scratch"
		while read -r member; do echo "$member" >"$cgroups/t/m1/cgroup.procs"; done <"$scratch" 2>/dev/null
	done
	wait $pid
	within t/m2 writer -b 1M -m write /mnt/m >/dev/null
	same_counts "$1: the group a writer left and came back to" t/m1 4096
	same_counts "$1: the group it went to" t/m2
}

# A cgroup goes with its dirty pages, its directory stays; then it comes back.
removal_of_cgroup() {
	mkdir /mnt/r
	group t/r
	mkdir "$tree/t/r"
	write_in t/r /mnt/r 4M
	ungroup t/r
	same_counts "$1: the parent of a removed cgroup" t "$MiB"
	group t/r
	wait_for 2 attached t/r
	same_counts "$1: a cgroup that came back" t/r 0 "$MiB"
	write_in t/r /mnt/r 2M
	same_counts "$1: the parent, after rewriting the old one's pages" t "$MiB"
	mv /mnt/r /mnt/r2
	mkdir /mnt/r
	write_in t/r /mnt/r 2M
	rmdir "$tree/t/r"
	same_counts "$1: the parent of a removed directory" t $((2 * MiB))
	mkdir "$tree/t/r"
	wait_for 2 attached t/r
	same_counts "$1: a directory that came back" t/r "$MiB"
}

# Ids of dead cgroups are given to new ones, while old pages are still dirty.
reused_ids() {
	local i
	mkdir -p /mnt/ids "$tree/t/id"
	for i in {1..40}; do
		mkdir "$cgroups/t/id"
		printf x | within t/id dd of="/mnt/ids/$i" status=none
		((i % 3)) || rm -f /mnt/ids/$((i - 1))
		rmdir "$cgroups/t/id"
		((i % 10)) || sync
	done
	same_counts "$1: after 40 cgroups of one name" t
	sync
	same_counts "$1: and clean after sync" t 0 0
}

scratch=$(mktemp)
no_flusher
for fs in "${filesystems[@]}"; do
	fresh "$fs" || diag "no $fs"
	favour_disk
	before_load "$fs"
	before_mkdir "$fs"
	removal_by_file "$fs"
	redirty "$fs"
	large "$fs"
	migration "$fs"
	removal_of_cgroup "$fs"
	reused_ids "$fs"
	write_in t/b /mnt/b 4M
	umount /mnt
	same_counts "$fs: nothing after umount" t 0 0
	mount /dev/vdb /mnt
	clear_all
done
finish
