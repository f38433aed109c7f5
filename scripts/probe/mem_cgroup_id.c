// SPDX-License-Identifier: GPL-2.0
/*
 * Is the 16-bit number of a memory cgroup mem_cgroup_id()? Up to 6.12.
 */
#include <linux/memcontrol.h>

unsigned short (*probe)(struct mem_cgroup *) = mem_cgroup_id;
