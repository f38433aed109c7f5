#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Never a hang: a waiting writer can be killed and frozen, umount works while
# writers are held, and who asked not to wait gets EAGAIN.
# vm: --disk-rate 8M --timeout 600
. ./lib.sh

plan 18

# hold GROUP DIRECTORY: 16 writers, most of them waiting.
hold() {
	mkdir -p "$2"
	group "$1"
	limit "$1" 1M
	wait_for 2 attached "$1"
	within "$1" writer -n 16 -b 64M "$2" >/dev/null &
	wait_for 20 at_least_sleepers 12
	diag "$(sleepers) writers wait"
}

killed() {
	local start
	hold k /mnt/k
	start=$(now_ms)
	kill_group k || return
	diag "16 writers gone after $(($(now_ms) - start)) ms"
	at_most $(($(now_ms) - start)) $((1000 * slow))
}

frozen() {
	[[ $(key "$cgroups/$1/cgroup.events" frozen) == "$2" ]]
}

freeze() {
	local start
	hold k /mnt/k
	start=$(now_ms)
	echo 1 >"$cgroups/k/cgroup.freeze"
	check "16 waiting writers can be frozen" wait_for 2 frozen k 1
	diag "frozen after $(($(now_ms) - start)) ms"
	echo 0 >"$cgroups/k/cgroup.freeze"
	check "and thawed" wait_for 2 frozen k 0
	start=$(stat_of k writeout_bytes)
	check "and go on writing" wait_for 10 wrote_more_than k "$start"
	check "and killed while frozen" killed_frozen
}

wrote_more_than() {
	(($(stat_of "$1" writeout_bytes) > $2))
}

killed_frozen() {
	echo 1 >"$cgroups/k/cgroup.freeze"
	wait_for 2 frozen k 1 && kill_group k
	local result=$?
	echo 0 >"$cgroups/k/cgroup.freeze"
	return "$result"
}

nobody_waits() {
	(($(sleepers) == 0))
}

# What is dirty by then goes with the files, or it would keep the disk busy for long.
let_go() {
	hold g /mnt/g
	echo max >"$tree/g/dirty_bytes"
	check "nobody waits once there is no limit" wait_for 2 nobody_waits
	echo 1M >"$tree/g/dirty_bytes"
	check "and all do with a limit that is exceeded already" wait_for 20 at_least_sleepers 12
	rmdir "$tree/g"
	check "nobody waits once there is no directory" wait_for 2 nobody_waits
	kill_group g
	rm -r /mnt/g
}

# umount right behind the last writer's death, with the group's write-out under
# way, ten times over.
umounts() {
	for _ in {1..10}; do
		mkdir -p /mnt/u
		within k writer -n 8 -b 8M /mnt/u >/dev/null &
		wait_for 20 at_least_sleepers 4 || return
		kill_group k || return
		umount /mnt || return
		mount /dev/vdb /mnt || return
	done
}

# The mount point goes, the writers stay; with them the file system goes.
lazy() {
	hold k /mnt/k
	umount -l /mnt || return
	kill_group k
	wait_for 60 e2fsck -fp /dev/vdb >/dev/null 2>&1 && mount /dev/vdb /mnt
}

umount_ms() {
	local start
	mkdir -p /mnt/t
	within "$1" writer -b 4M /mnt/t >/dev/null
	start=$(now_ms)
	umount /mnt
	echo $(($(now_ms) - start))
	mount /dev/vdb /mnt
}

# RWF_NOWAIT where kernel and file system have it for writes to the page cache.
nowait() {
	local answer free held peak before
	mkdir /mnt/n
	# btrfs has it only for files that are written in place.
	[[ $1 != btrfs ]] || chattr +C /mnt/n
	answer=$(attr nowait /mnt/n/probe)
	if [[ $answer == EOPNOTSUPP ]] && ! { [[ $1 == xfs ]] && has_rstat; }; then
		skip "$1: who asked not to wait gets EAGAIN" "RWF_NOWAIT gives $answer on $1 here"
		skip "$1: and waits for nothing" "RWF_NOWAIT gives $answer on $1 here"
		return
	fi
	group n
	rmdir "$tree/n" 2>/dev/null
	free=$(within n writer -m nowait -b 8M /mnt/n)
	if [[ $1 != xfs ]] && (($(field "$free" again) > 100)); then
		diag "free: $free"
		skip "$1: who asked not to wait gets EAGAIN" "so does a writer without a limit, here"
		skip "$1: and waits for nothing" "a writer without a limit gets EAGAIN here"
		return
	fi
	sync
	limit n 2M
	wait_for 2 attached n
	before=$(stat_of n throttled)
	held=$(within n writer -m nowait -b 8M /mnt/n)
	peak=$(stat_of n peak)
	diag "free: $free"
	diag "held: $held peak=$peak throttled=$(stat_of n throttled)"
	if ((slow > 1 && peak <= 3 * MiB / 2)); then
		skip "$1: who asked not to wait gets EAGAIN" "the disk is quicker than a writer, here"
		skip "$1: and waits for nothing" "the disk is quicker than a writer, here"
		unlimit n
		return
	fi
	check "$1: who asked not to wait gets EAGAIN" test $(($(field "$free" again) < 100 * slow &&
		$(field "$held" again) > 100 && $(field "$held" again) > 2 * $(field "$free" again) &&
		$(field "$held" errors) == 0)) = 1
	check "$1: and waits for nothing" equals "$(stat_of n throttled)" "$before"
	unlimit n
}

load
check "16 waiting writers die at once" killed
freeze
let_go
check "umount behind killed writers, ten times" umounts
check "lazy umount under held writers; the file system is clean after" lazy
free_group=$(umount_ms .)
limit k 16M
echo 1M >"$tree/k/dirty_background_bytes"
held_group=$(umount_ms k)
diag "umount with 4 MiB dirty: $free_group ms without a limit, $held_group ms with write-out under way"
check "umount does not wait for our write-out" at_most "$held_group" $((free_group * 3 / 2 + 100 * slow))
check "no inode was busy after umount" test -z "$(dmesg | grep -i 'busy inodes')"
nowait ext4
fresh xfs
nowait xfs
fresh btrfs
nowait btrfs
finish
