/* SPDX-License-Identifier: GPL-2.0 */
/*
 * compat/memcg.h - the kernel's own counters of a memory cgroup
 */
#ifndef CGD_COMPAT_MEMCG_H
#define CGD_COMPAT_MEMCG_H

#include <linux/cgroup.h>
#include <linux/memcontrol.h>
#include <linux/percpu.h>

#include "cgdirty-probed.h"

/*
 * The function that brings a cgroup's counters up to date; none before
 * memory's counters moved to rstat (2d146aa3aa84, 5.13). It takes the css
 * since a97915559f5c ("cgroup: change rstat function signatures from
 * cgroup-based to css-based", 6.16).
 */
#ifdef HAVE_CSS_RSTAT_FLUSH
#define CGD_SYM_RSTAT_FLUSH	"css_rstat_flush"
#define cgd_rstat_object	cgroup_subsys_state
#define cgd_rstat_object_of(css)	(css)
#else
#define CGD_SYM_RSTAT_FLUSH	"cgroup_rstat_flush"
#define cgd_rstat_object	cgroup
#define cgd_rstat_object_of(css)	((css)->cgroup)
#endif

#ifdef HAVE_MEMCG_PAGE_STATE_INLINE
/*
 * Exact count of item @idx in the subtree of @memcg: what is folded plus what
 * each CPU still holds back for each member. Under rcu_read_lock().
 */
static inline long cgd_memcg_exact(struct mem_cgroup *memcg, int idx)
{
	struct cgroup_subsys_state *pos;
	long pages = atomic_long_read(&memcg->vmstats[idx]);
	int cpu;

	css_for_each_descendant_pre(pos, &memcg->css)
		for_each_possible_cpu(cpu)
			pages += per_cpu_ptr(mem_cgroup_from_css(pos)->vmstats_percpu,
					     cpu)->stat[idx];
	return pages;
}
#endif

#endif /* CGD_COMPAT_MEMCG_H */
