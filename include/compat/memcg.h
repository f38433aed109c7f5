/* SPDX-License-Identifier: GPL-2.0 */
/*
 * compat/memcg.h - the kernel's own counters of a memory cgroup
 */
#ifndef CGD_COMPAT_MEMCG_H
#define CGD_COMPAT_MEMCG_H

#include <linux/cgroup.h>
#include <linux/memcontrol.h>
#include <linux/percpu.h>
#include <linux/static_call.h>

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

/* All that is needed is in the kernel's headers. */
static inline int cgd_memcg_find_calls(unsigned long (*find)(const char *name))
{
	return 0;
}

static inline long cgd_memcg_state(struct mem_cgroup *memcg, int idx)
{
	return memcg_page_state(memcg, idx);
}

/*
 * Exact count of item @idx in the subtree of @css: what is folded plus what
 * each CPU still holds back for each member.
 */
static inline long cgd_memcg_exact(struct cgroup_subsys_state *css, int idx)
{
	struct cgroup_subsys_state *pos;
	long pages;
	int cpu;

	rcu_read_lock();
	pages = atomic_long_read(&mem_cgroup_from_css(css)->vmstats[idx]);
	css_for_each_descendant_pre(pos, css)
		for_each_possible_cpu(cpu)
			pages += per_cpu_ptr(mem_cgroup_from_css(pos)->vmstats_percpu,
					     cpu)->stat[idx];
	rcu_read_unlock();
	return pages;
}

#else /* neither function is exported */

/*
 * A static call becomes a direct call, which asks for no landing pad that the
 * kernel may have sealed. Defined here, for the one file that includes this.
 */
static unsigned long cgd_no_page_state(struct mem_cgroup *memcg, int idx)
{
	return 0;
}

static void cgd_no_flush(struct cgd_rstat_object *object)
{
}

DEFINE_STATIC_CALL(cgd_page_state, cgd_no_page_state);
DEFINE_STATIC_CALL(cgd_rstat_flush, cgd_no_flush);

/* Look both up with @find; -ENOENT if one is not there. */
static inline int cgd_memcg_find_calls(unsigned long (*find)(const char *name))
{
	unsigned long state = find("memcg_page_state");
	unsigned long flush = find(CGD_SYM_RSTAT_FLUSH);

	if (!state || !flush)
		return -ENOENT;
	static_call_update(cgd_page_state, (void *)state);
	static_call_update(cgd_rstat_flush, (void *)flush);
	return 0;
}

static inline long cgd_memcg_state(struct mem_cgroup *memcg, int idx)
{
	return static_call(cgd_page_state)(memcg, idx);
}

/* Exact count of item @idx in the subtree of @css; may sleep. */
static inline long cgd_memcg_exact(struct cgroup_subsys_state *css, int idx)
{
	static_call(cgd_rstat_flush)(cgd_rstat_object_of(css));
	return cgd_memcg_state(mem_cgroup_from_css(css), idx);
}

#endif /* HAVE_MEMCG_PAGE_STATE_INLINE */

#endif /* CGD_COMPAT_MEMCG_H */
