#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# With no directory in the tree nothing is hooked; what cannot be hooked is
# said, and the rest works.
# vm: --disk-rate 20M --timeout 300
. ./lib.sh

plan 7

hooked() {
	sort /sys/kernel/tracing/enabled_functions
}

unhooked() {
	[[ $(hooked) == "$before" ]]
}

before=$(hooked)
load
check "loaded, with no directory: no function is hooked" wait_for 5 unhooked
hooked | sed 's/^/# hooked: /'
sed 's/^/# /' "$tree/hooks"
mkdir "$tree/h"
group h
check "with a directory, functions are" test "$(hooked)" != "$before"
wait_for 2 attached h
mkdir /mnt/h
echo 1M >"$tree/h/dirty_bytes"
within h writer -b 8M /mnt/h >/dev/null
sed 's/^/# /' "$tree/hooks"
rmdir "$tree/h"
check "without a directory again: no function is hooked" wait_for 5 unhooked

mkdir "$tree/h"
wait_for 2 attached h
same_counts "hooked again, the counts are right" h
within h writer -b 1M /mnt/h >/dev/null
same_counts "and go on being right" h 4096
check "rmmod with a directory in the tree" rmmod cgdirty
check "leaves no function hooked" unhooked
finish
