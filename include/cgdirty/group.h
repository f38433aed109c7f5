/* SPDX-License-Identifier: GPL-2.0 */
/*
 * cgdirty/group.h - who is watched, and how many pages it has
 *
 * A group is one directory of the tree. It is attached while a memory cgroup
 * of that path is online. A folio counts for the nearest attached group at or
 * above the memcg it is charged to; totals include the whole subtree.
 */
#ifndef CGDIRTY_GROUP_H
#define CGDIRTY_GROUP_H

#include <linux/atomic.h>
#include <linux/cgroup-defs.h>
#include <linux/percpu.h>
#include <linux/rcupdate.h>
#include <linux/refcount.h>

#include <cgdirty/inodes.h>
#include <cgdirty/limit.h>
#include <cgdirty/throttle.h>
#include <cgdirty/writeout.h>

enum cgd_item {
	CGD_DIRTY,
	CGD_WRITEBACK,
	CGD_NR_ITEMS,
};

/* Counts that this CPU has not yet added to the group's own; in pages. */
struct cgd_residual {
	int pages[CGD_NR_ITEMS];
};

/**
 * struct cgd_group - one directory of the tree
 * @residual: per-CPU remainders, at most @batch each way
 * @batch: a remainder of this many pages is passed on; 1 near a threshold
 * @pressure: this group or one above it is beyond its freerun
 * @parent: the group above, NULL at the top; a reference is held
 * @pages: totals of the subtree, less what is still in residuals
 * @thresholds: in force; changed under the groups' mutex, read anywhere
 * @peak_pages: highest usage seen
 * @throttle: its waiting writers
 * @inodes: what it has dirtied
 * @writeout: the work that writes that
 * @knobs: as set; under the groups' mutex
 * @quiet_batch: @batch when no threshold is near
 * @members: groups of the subtree, itself included; under the groups' mutex
 * @dirtyable_stamp: jiffies when a ratio was last turned into pages
 * @css: the memcg it is attached to, NULL while pending. Valid until that
 *	css has gone offline, when the group is detached
 * @seeded: pages from before the group was attached are counted in
 * @name: the last component of its path
 * @by_name: link in the table of names
 * @children: groups below, an RCU list
 * @sibling: link in @parent's children, or in the list of top groups
 * @users: references; the directory holds one, a sleeper one, a chunk one
 * @rcu: to free it once no handler can be using it
 */
struct cgd_group {
	struct cgd_residual __percpu *residual;
	unsigned int batch;
	bool pressure;
	struct cgd_group *parent;
	atomic_long_t pages[CGD_NR_ITEMS];
	struct cgd_thresholds thresholds;
	unsigned long peak_pages;
	struct cgd_throttle throttle;
	struct cgd_inodes inodes;
	struct cgd_writeout writeout;

	struct cgd_knobs knobs;
	unsigned int quiet_batch;
	unsigned int members;
	unsigned long dirtyable_stamp;
	struct cgroup_subsys_state *css;
	bool seeded;
	char *name;
	struct hlist_node by_name;
	struct list_head children;
	struct list_head sibling;
	refcount_t users;
	struct rcu_head rcu;
};

/* Numbers of a group for its `stat`, in pages. */
struct cgd_group_stat {
	unsigned long pages[CGD_NR_ITEMS];
	unsigned long peak_pages;
	struct cgd_thresholds thresholds;
};

void cgd_groups_exit(void);

struct cgd_group *cgd_group_create(struct cgd_group *parent, const char *name);
void cgd_group_remove(struct cgd_group *group);
bool cgd_group_get(struct cgd_group *group);
void cgd_group_put(struct cgd_group *group);
bool cgd_group_attached(struct cgd_group *group);
void cgd_group_read(struct cgd_group *group, struct cgd_group_stat *stat);
void cgd_group_set(struct cgd_group *group, const struct cgd_knobs *knobs);
void cgd_group_refresh(struct cgd_group *group);
struct cgd_group *cgd_group_next(struct cgd_group *pos, struct cgd_group *top);

void cgd_group_css_online(struct cgroup_subsys_state *css);
void cgd_group_css_offline(struct cgroup_subsys_state *css);
void cgd_group_hooks_off(void);

/* usage.c */
long cgd_usage_pages(struct cgd_group *top, enum cgd_item item);
void cgd_usage_fold(struct cgd_group *group);
void cgd_usage_flush(struct cgd_group *group, enum cgd_item item);

/**
 * cgd_usage_add() - count pages for a group and all above it
 * @group: the owner
 * @item: dirty or under writeback
 * @pages: how many; negative when they leave
 *
 * Context: any, under rcu_read_lock(). Touches this CPU's memory only, save
 * once in a batch.
 */
static __always_inline void cgd_usage_add(struct cgd_group *group,
					  enum cgd_item item, long pages)
{
	int left = this_cpu_add_return(group->residual->pages[item], pages);

	if (unlikely(abs(left) >= READ_ONCE(group->batch)))
		cgd_usage_flush(group, item);
}

/**
 * cgd_group_usage() - dirty and under-writeback pages of the subtree
 * @group: the group
 *
 * Context: any.
 * Return: pages, less what residuals still hold; never negative.
 */
static inline unsigned long cgd_group_usage(struct cgd_group *group)
{
	long pages = atomic_long_read(&group->pages[CGD_DIRTY]) +
		     atomic_long_read(&group->pages[CGD_WRITEBACK]);

	return max(pages, 0L);
}

#endif /* CGDIRTY_GROUP_H */
