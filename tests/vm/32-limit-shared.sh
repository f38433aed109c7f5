#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The limit holds whoever writes: strangers, the short-lived, children of a
# limited parent, and those who had written before there was a limit.
# vm: --disk-rate 20M --timeout 600
. ./lib.sh

filesystems=(ext4 xfs btrfs)
plan $((${#filesystems[@]} * 7))

# held NAME WATCHED LIMIT SAMPLER-OUTPUT: the watched group kept the limit, and
# came near it.
held() {
	local most=$(($3 + $(tolerance "$3"))) seen=${4##*$'\n'}
	local memory_peak peak
	memory_peak=$(field "$seen" memory_peak)
	peak=$(stat_of "$2" peak)
	diag "${4%%$'\n'*}"
	diag "$2: limit=$3 memory_peak=$memory_peak peak=$peak throttled=$(stat_of "$2" throttled)"
	check "$1" test $((memory_peak <= most && peak <= most && memory_peak >= $3 / 2)) = 1
}

watch() {
	local watched=$1 runner=$2
	shift 2
	sampler -w "$cgroups/$watched" -s "$tree/$watched/stat" -g "$cgroups/$runner" "$@"
}

# The pages belong to `owner`; a stranger without any limit rewrites them.
foreign() {
	mkdir /mnt/x
	group owner
	group stranger
	within owner writer -b 32M /mnt/x >/dev/null
	sync
	limit owner 4M
	wait_for 2 attached owner
	held "$1: a stranger's rewrites are held to the owner's limit" owner $((4 * MiB)) \
		"$(watch owner stranger writer -m shared -b 32M /mnt/x)"
	sync
	same_counts "$1: and counted for the owner" owner 0 0
}

# Two groups write halves of one file; each is held to its own.
halves() {
	local pid seen
	group left
	group right
	limit left 4M
	limit right 4M
	mkdir /mnt/h
	within left writer -c 64K -b 16M /mnt/h >/dev/null &
	pid=$!
	wait_for 5 test -s /mnt/h/f.0
	seen=$(watch right right writer -n 2 -c 64K -b 16M /mnt/h)
	wait "$pid"
	held "$1: one file, two groups: within the limit of each" right $((4 * MiB)) "$seen"
}

# Hundreds of processes, none of which writes enough to be stopped alone.
short_lived() {
	mkdir /mnt/s
	group s
	limit s 4M
	wait_for 2 attached s
	held "$1: 320 processes of one 64 KiB file each" s $((4 * MiB)) \
		"$(watch s s writer -m burst -n 32 -b 64K /mnt/s)"
}

# The tightest of a group's own limit and its ancestors' counts.
hierarchy() {
	local pid seen
	group p/a
	group p/b
	limit p 4M
	limit p/a 16M
	mkdir -p "$tree/p/b" /mnt/pa /mnt/pb
	wait_for 2 attached p/b
	within p/a writer -n 4 -b 6M /mnt/pa >/dev/null &
	pid=$!
	seen=$(watch p p/b writer -n 4 -b 6M /mnt/pb)
	wait "$pid"
	held "$1: two children within their parent's limit" p $((4 * MiB)) "$seen"
	sync
	same_counts "$1: the parent's count is its children's" p 0 0
}

# Dirty before anybody looked, and the flusher does not write it out.
late() {
	local wrote
	mkdir /mnt/l
	group l
	within l writer -n 4 -b 6M /mnt/l >/dev/null
	diag "$(key "$cgroups/l/memory.stat" file_dirty) bytes are dirty before there is a limit"
	limit l 4M
	mkdir /mnt/l/more
	wrote=$(within l writer -b 6M /mnt/l/more)
	diag "$wrote"
	check "$1: with more than its limit dirty from before, a writer goes on" equals "$(field "$wrote" bytes)" $((6 * MiB))
}

no_flusher
load
for fs in "${filesystems[@]}"; do
	fresh "$fs" || diag "no $fs"
	for part in foreign halves short_lived hierarchy late; do
		$part "$fs"
		sync
	done
	for g in owner left right s p l; do
		unlimit $g
		ungroup $g
	done
	ungroup stranger
done
finish
