// SPDX-License-Identifier: GPL-2.0
/*
 * Does mem_cgroup_flush_stats() take a memory cgroup? Since 6.8.
 */
#include <linux/memcontrol.h>

void (*probe)(struct mem_cgroup *) = mem_cgroup_flush_stats;
