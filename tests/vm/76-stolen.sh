#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Another user of a function, as a live patch is: the next best way is taken;
# where there is none, what is lost is said and the rest works; a hook that is
# required and cannot be had fails with one clear line.
# vm: --disk-rate 10M --timeout 300
. ./lib.sh

plan 13

steal() {
	insmod ./thief.ko functions="$1"
}

unhooked() {
	! grep -q cgdirty /sys/kernel/tracing/enabled_functions
}

give_back() {
	rmmod thief
}

# first NAME...: the first of these kernel functions that there is.
first() {
	local name
	for name; do
		if grep -qw "$name" /proc/kallsyms; then
			echo "$name"
			return
		fi
	done
}

write_some() {
	within s writer -c 4K -b 12M /mnt/s
}

caller=$(first balance_dirty_pages_ratelimited_flags balance_dirty_pages_ratelimited)
clean=$(first folio_clear_dirty_for_io clear_page_dirty_for_io)
group s
mkdir /mnt/s

steal balance_dirty_pages
check "loads while somebody holds balance_dirty_pages" load
limit s 2M
wait_for 2 attached s
diag "$(write_some) peak=$(stat_of s peak) throttled=$(stat_of s throttled)"
sed 's/^/# /' "$tree/hooks"
check "its caller is hooked instead" grep -q "^throttle .*$caller on " "$tree/hooks"
check "and the limit is kept" at_most "$(stat_of s peak)" $((3 * MiB))
sync
same_counts "and the counts are right" s 0 0
rmmod cgdirty
give_back

steal "balance_dirty_pages,$caller"
check "loads while somebody holds both" load
limit s 2M
wait_for 2 attached s
write_some >/dev/null
sed 's/^/# /' "$tree/hooks"
check "hooks says what is lost" grep -q '^throttle .*failed .*error .*: writers are not held' "$tree/hooks"
same_counts "the counts are right" s
check "and what is over the background is written out" at_least "$(stat_of s writeout_bytes)" "$MiB"
rmmod cgdirty
give_back

steal "$clean"
dmesg -C
check "does not load while somebody holds $clean" test "$(load 2>/dev/null; echo $?)" != 0
dmesg | sed 's/^/# /'
check "with one line that names it" test "$(dmesg | grep -c "cgdirty: .*$clean")" = 1
give_back

load
# The self-test's hooks go a moment after the load.
wait_for 5 unhooked
steal "$clean"
check "taken after the load: no directory can be made" test "$(mkdir "$tree/s" 2>/dev/null; echo $?)" != 0
give_back
check "given back: it can" mkdir "$tree/s"
wait_for 2 attached s
within s writer -b 2M /mnt/s >/dev/null
same_counts "and the counts are right" s 4096
finish
