#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Always removable: rmmod with a hundred writers asleep in the module, fifty
# times under load, and nothing is left behind.
# vm: --disk-rate 4M --timeout 900
. ./lib.sh

plan 12

hooked() {
	sort /sys/kernel/tracing/enabled_functions
}

# Kernel memory in KiB that a module could leave behind.
kernel_memory() {
	awk '/^(SUnreclaim|Percpu|VmallocUsed):/ { sum += $2 } END { print sum }' /proc/meminfo
}

ours() {
	dmesg | grep 'cgdirty: ' | grep -v 'module verification failed\|loading out-of-tree module'
}

sleepers_left() {
	local start pid
	group u
	limit u 1M
	wait_for 2 attached u
	mkdir /mnt/u
	within u writer -n 128 -b 4M /mnt/u >/dev/null &
	pid=$!
	check "a hundred writers are asleep" wait_for 60 at_least_sleepers 100
	diag "$(sleepers) writers are asleep"
	start=$(now_ms)
	check "rmmod" rmmod cgdirty
	diag "after $(($(now_ms) - start)) ms; $(sleepers) asleep"
	check "the writers go on" kill -0 $pid
	kill_group u
}

# round N: every second one is left as soon as it is there, the others only once
# somebody waits in it.
round() {
	modprobe cgdirty || return
	limit u 512K
	if (($1 % 2)); then
		wait_for 10 at_least_sleepers 1 || return
	fi
	rmmod cgdirty
}

rounds() {
	local i memory start
	start=$(now_ms)
	for i in {1..50}; do
		round "$i" || { diag "round $i failed"; return 1; }
		((i == 5)) && memory=$(kernel_memory)
	done
	memory=$(($(kernel_memory) - memory))
	diag "a round takes $((($(now_ms) - start) / 50)) ms"
	diag "kernel memory grew by $memory KiB in 45 rounds"
	grown=$memory
}

before=$(hooked)
load
sleepers_left
check "no module is left" test ! -d /sys/module/cgdirty
check "no tree is left" test ! -d "$tree"
check "no symbol is left" test -z "$(grep -w 'cgdirty\]' /proc/kallsyms)"
check "no function is hooked" equals "$(hooked)" "$before"
diag "log: $(ours | tr '\n' '|')"
check "the log has a line for the load and one for the unload" equals "$(ours | wc -l)" 2

sync
grown=-1
within u sh -c 'while :; do writer -n 3 -b 1M /mnt/u; rm /mnt/u/*; done' >/dev/null &
check "fifty loads and unloads under load" rounds
check "no memory is left behind" test $((grown >= -100000 && grown <= 1024)) = 1
check "no function is hooked after fifty" equals "$(hooked)" "$before"
kill_group u
check "and the disk can be unmounted" umount /mnt
finish
