#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Hostile input: four processes write whatever they like to every attribute and
# make directories of any name, while the cgroups of those names come and go. An
# argument says how many writes, SEED which.
# vm: --timeout 300
. ./lib.sh

plan 4

writes=${1:-10000}

# Cgroups for what hostile makes, there for half of the time.
come_and_go() {
	local names=(shared shared/ghost-1 own-0 own-1 ghost-1 ghost-2) i
	while :; do
		for name in "${names[@]}"; do
			mkdir "$cgroups/$name"
		done
		sleep 0.2
		for ((i = ${#names[@]} - 1; i >= 0; i--)); do
			rmdir "$cgroups/${names[i]}"
		done
		sleep 0.2
	done
}

load
come_and_go &
check "$writes hostile writes: each refused or accepted by the rules" \
	hostile "$tree" "$writes" "${SEED:-1}"
check "no directory is left" test -z "$(find "$tree" -mindepth 1 -type d)"
kill $!
wait 2>/dev/null
check "and it works as before" limit plain 8M
rmdir "$tree/plain"
check "rmmod" rmmod cgdirty
finish
