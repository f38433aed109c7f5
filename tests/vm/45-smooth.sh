#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Smooth: no long waits for a lone writer on a slow disk, none longer than
# 250 ms for a crowd, and equal shares for the tasks of one group.
# vm: --disk-rate 20M --timeout 600
# timing: yes
. ./lib.sh

plan 10

# lone CHUNK LIMIT MODE [USEC]: the longest of the writes of a lone writer. A store
# may make a whole large folio dirty, so for stores the bound is that of any wait.
lone() {
	local wrote
	rm -rf /mnt/w
	mkdir /mnt/w
	echo "$2" >"$tree/w/dirty_bytes"
	wrote=$(within w writer -m "$3" -c "$1" -b 100M /mnt/w)
	diag "limit=$2 chunk=$1 $wrote"
	at_most "$(field "$wrote" longest_usec)" "${4:-150000}"
}

# crowd: sets the longest write of eight writers, and by how many thousandths of
# the mean their shares differ; fails if either is too much. What may be dirty
# before anybody is slowed goes to whoever starts first, so that is kept small
# against what is written in all.
crowd() {
	local wrote least most bytes
	rm -rf /mnt/w
	mkdir /mnt/w
	limit w 2M
	wrote=$(within w writer -v -n 8 -c 64K -b 128M -t 20000 /mnt/w)
	echo "${wrote%$'\n'*}"
	wrote=${wrote##*$'\n'}
	diag "$wrote"
	least=$(field "$wrote" least) most=$(field "$wrote" most) bytes=$(field "$wrote" bytes)
	longest=$(field "$wrote" longest_usec)
	differ=$(((most - least) * 1000 / (bytes / 8)))
	((longest <= 250000 && differ <= 50))
}

load
group w
mkdir "$tree/w"
check "64 KiB writes, 4 MiB limit" calmly lone 64K 4M write
check "64 KiB writes, 32 MiB limit" calmly lone 64K 32M write
check "4 KiB writes, 8 MiB limit" calmly lone 4K 8M write
check "64 KiB rewrites, 8 MiB limit" calmly lone 64K 8M rewrite
check "stores, 8 MiB limit" calmly lone 4K 8M mmap 250000
calmly crowd
check "eight writers: no wait longer than 250 ms" at_most "$longest" 250000
check "eight writers: shares within 5 %" at_most "$differ" 50
check "eight writers were made to wait" at_least "$(stat_of w throttled)" 8
fresh xfs
check "xfs: 64 KiB writes, 32 MiB limit" calmly lone 64K 32M write
fresh btrfs
lone 64K max write
check "btrfs: 64 KiB writes, 32 MiB limit" calmly lone 64K 32M write
finish
