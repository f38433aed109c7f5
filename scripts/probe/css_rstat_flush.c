// SPDX-License-Identifier: GPL-2.0
/*
 * Are a cgroup's per-CPU counts flushed by controller? Since 6.16.
 */
#include <linux/cgroup.h>

void (*probe)(struct cgroup_subsys_state *) = css_rstat_flush;
