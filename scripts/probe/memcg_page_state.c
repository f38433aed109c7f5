// SPDX-License-Identifier: GPL-2.0
/*
 * Does memcg_page_state() tell the kernel's own count? It is an inline function
 * before 6.1 and not exported since.
 */
#include <linux/memcontrol.h>

unsigned long (*probe)(struct mem_cgroup *, int) = memcg_page_state;
