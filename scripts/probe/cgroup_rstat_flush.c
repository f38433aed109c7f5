// SPDX-License-Identifier: GPL-2.0
/*
 * Are a cgroup's per-CPU counts flushed by cgroup? Up to 6.15.
 */
#include <linux/cgroup.h>

void (*probe)(struct cgroup *) = cgroup_rstat_flush;
