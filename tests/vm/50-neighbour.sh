#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The others don't notice: tar -x beside a dd that is held to its limit, against
# tar -x on an idle machine, in turns in the same boot. The disk is slow, since what
# an emulated CPU needs for a dd is CPU that tar does not get.
# vm: --disk-rate 8M --timeout 900
# timing: yes
. ./lib.sh

plan 2

rounds=5

make_archive() {
	local i
	mkdir /tmp/files
	for i in {1..300}; do
		head -c 128K /dev/urandom >"/tmp/files/$i"
	done
	tar -cf /tmp/files.tar -C /tmp files
	rm -r /tmp/files
}

# extract: milliseconds that the neighbour's tar takes.
extract() {
	local start
	mkdir /mnt/out
	start=$(now_ms)
	within neighbour tar -xf /tmp/files.tar -C /mnt/out
	echo $(($(now_ms) - start))
	rm -r /mnt/out
}

antagonist() {
	within antagonist sh -c 'while :; do dd if=/dev/zero of=/mnt/big bs=1M count=256 conv=notrunc status=none; done' &
	wait_for 20 busy "$1"
}

busy() {
	(($(key "$cgroups/antagonist/memory.stat" file_dirty) >= $1))
}

stop() {
	kill_group antagonist
	sync
}

median() {
	printf '%s\n' "$@" | sort -n | sed -n $((($# + 1) / 2))p
}

# One of each in turn, so that whatever drifts drifts for both.
compare() {
	local i idle=() beside=() a b
	for ((i = 0; i < rounds; i++)); do
		idle+=("$(extract)")
		sync
		antagonist $((3 * MiB))
		beside+=("$(extract)")
		stop
	done
	a=$(median "${idle[@]}")
	b=$(median "${beside[@]}")
	diag "idle: ${idle[*]} ms, median $a"
	diag "beside a limited dd: ${beside[*]} ms, median $b"
	diag "ratio $((b * 1000 / a))/1000"
	((b * 10 <= a * 11))
}

load
make_archive
group antagonist
group neighbour
limit antagonist 8M
extract >/dev/null
sync
check "tar beside a limited dd takes at most 1.1 times as long as alone" calmly compare
check "dd was made to wait" at_least "$(stat_of antagonist throttled)" 1

# What it is spared: for the reader, not a promise.
unlimit antagonist
antagonist $((64 * MiB))
diag "beside a dd without a limit: $(extract) ms"
kill_group antagonist
finish
