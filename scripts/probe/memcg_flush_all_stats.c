// SPDX-License-Identifier: GPL-2.0
/*
 * Does mem_cgroup_flush_stats() take nothing? From 5.15 to 6.7.
 */
#include <linux/memcontrol.h>

void (*probe)(void) = mem_cgroup_flush_stats;
