// SPDX-License-Identifier: GPL-2.0
/*
 * Is the 16-bit number of a memory cgroup called its private id? In 7.3, where
 * mem_cgroup_id() is the 64-bit number of the cgroup's directory.
 */
#include <linux/memcontrol.h>

unsigned short (*probe)(struct mem_cgroup *) = mem_cgroup_private_id;
