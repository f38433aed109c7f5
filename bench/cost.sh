#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# usage: cost.sh RUNS
#
# What accounting costs, in instructions: each work in each situation, RUNS times
# in turns, so that what drifts drifts for all. Prints lines of CSV: run,
# situation, work, bytes of one operation, instructions that it took.

set -euo pipefail

tree=/sys/kernel/config/cgdirty
cgroups=/sys/fs/cgroup

works=("new 512 4096" "new 4096 4096" "new 65536 256" "new 1048576 16"
	"clean 4096 4096" "dirty 4096 4096" "read 4096 4096" "store 4096 4096"
	"truncate 4096 4096" "life 4096 4096" "life 65536 256" "fsync 4096 256" "compile 16384 512")

# A disk that is done at once: nobody idles, so time is instructions only.
prepare() {
	modprobe brd rd_nr=1 rd_size=524288
	mkfs.ext4 -qF -O ^has_journal -E lazy_itable_init=0 /dev/ram0
	mkdir /disk
	mount /dev/ram0 /disk
	echo 0 >/proc/sys/vm/dirty_writeback_centisecs
	echo $((1 << 30)) >/proc/sys/vm/dirty_background_bytes
	echo $((2 << 30)) >/proc/sys/vm/dirty_bytes
	mkdir -p $cgroups/{other,g/a/b}
	local dir
	for dir in "$cgroups/g" "$cgroups/g/a"; do
		echo "+memory +io" >"$dir/cgroup.subtree_control"
	done
}

# measure RUN SITUATION CGROUP
measure() {
	local work kind bytes count
	echo $BASHPID >"$cgroups/$3/cgroup.procs"
	for work in "${works[@]}"; do
		read -r kind bytes count <<<"$work"
		echo "$1,$2,$kind,$bytes,$(./price "$kind" "$bytes" "$count" /disk/f)"
		rm -f /disk/f*
	done
}

hooked() {
	grep -q ' on hits' $tree/hooks
}

prepare
for ((run = 1; run <= $1; run++)); do
	(measure "$run" absent other/)
	(measure "$run" "absent in root" /)
	modprobe cgdirty
	# They stay for a second after the self-test.
	while hooked; do
		sleep 0.1
	done
	(measure "$run" empty other/)
	mkdir -p $tree/g/a/b
	(measure "$run" root /)
	(measure "$run" unwatched other/)
	(measure "$run" watched g/a/b/)
	echo 256M >$tree/g/dirty_bytes
	(measure "$run" limited g/a/b/)
	rmdir $tree/g/a/b $tree/g/a
	(measure "$run" "limited at the top" g/a/b/)
	rmmod cgdirty
done
