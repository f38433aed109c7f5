#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Without memory: whatever the module is asked for, with each allocation on the
# way failing in turn, is done or refused with ENOMEM, and works afterwards.
# Needs a kernel that can make allocations fail. An argument, "load", has the
# module loaded like that, too, hundreds of times.
# vm: --timeout 300
. ./lib.sh

asks=(
	"mkdir $tree/f"
	"mkdir $tree/p"
	"mkdir $tree/p/q"
	"mkdir $cgroups/p/q"
	"write $tree/p/dirty_bytes 8M"
	"write $tree/p/dirty_ratio 10"
	"read $tree/p/stat"
	"read $tree/hooks"
)
[[ ${1:-} != load ]] || asks=("load $(modinfo -n cgdirty) cgdirty" "${asks[@]}")
plan $((${#asks[@]} + 2))

# injecting WHAT: of the tasks that ask for it, any allocation, and quietly.
injecting() {
	local dir=/sys/kernel/debug/$1
	[[ -d $dir ]] || return
	echo N >"$dir/ignore-gfp-wait"
	echo 0 >"$dir/verbose"
	[[ ! -e $dir/min-order ]] || echo 0 >"$dir/min-order"
}

if ! injecting failslab || ! injecting fail_page_alloc; then
	for ((i = 0; i < planned; i++)); do
		skip "without memory" "this kernel cannot make allocations fail"
	done
	finish
fi

# ready_for ASK...: what it needs to be there, and no more.
ready_for() {
	case $* in
	mkdir*/f) load ;;
	*cgroup/p/q) limit p/q 8M ;;
	mkdir*/p/q) limit p 8M && group p ;;
	write* | read*) wait_for 2 attached p ;;
	esac
}

for ask in "${asks[@]}"; do
	read -ra words <<<"$ask"
	ready_for "$ask"
	check "$ask" failnth "${words[@]}"
done
group p/q
check "it all works now" wait_for 2 attached p/q
unlimit p
check "rmmod" rmmod cgdirty
finish
