/* SPDX-License-Identifier: GPL-2.0 */
/*
 * cgdirty/throttle.h - whether, how long and how a writer waits
 */
#ifndef CGDIRTY_THROTTLE_H
#define CGDIRTY_THROTTLE_H

#include <linux/atomic.h>
#include <linux/rbtree.h>
#include <linux/spinlock.h>
#include <linux/types.h>

struct bdi_writeback;
struct cgd_group;
struct cgroup_subsys_state;

/**
 * struct cgd_throttle - the queue in front of one group
 * @lock: guards what follows; taken with interrupts off, from any context
 * @waiters: sleeping tasks, by where they start in virtual time
 * @credit: what has been paid and not been taken, in 1/16 pages; negative if
 *	tasks went on without having passed
 * @now: virtual time, where the last task that passed began, in pages
 * @waiting: tasks between taking a ticket and going on
 * @queued: counts waits
 * @crowd: tasks that take turns, at least 1
 * @stride: pages after which a task has to call in; read without the lock
 * @ceiling: takes the limit's place while it is above it, in pages
 * @quarters: of a page, by which @ceiling is still to come down
 * @left: pages that have left while usage was at the ceiling
 * @progress: jiffies when pages last left the group
 * @stalled: a task has waited in vain for so long that others need not
 * @waits: times a task was made to wait
 * @waited_usec: for how long, all waits together
 */
struct cgd_throttle {
	raw_spinlock_t lock;
	struct rb_root_cached waiters;
	s64 credit;
	u32 now;
	unsigned int waiting;
	unsigned int queued;
	unsigned int crowd;
	int stride;
	unsigned long ceiling;
	unsigned long quarters;
	unsigned long left;
	unsigned long progress;
	bool stalled;
	atomic_long_t waits;
	atomic64_t waited_usec;
};

void cgd_throttle_init(struct cgd_throttle *throttle);
void cgd_throttle_stop(void);
void cgd_throttle_start(void);
void cgd_throttle_mark(struct cgd_group *group,
		       struct cgroup_subsys_state *css);
int cgd_throttle(struct bdi_writeback *wb, unsigned long pages_dirtied,
		 unsigned int flags);
void cgd_throttle_progress(struct cgd_group *group, unsigned long pages);
void cgd_throttle_release(struct cgd_group *group);
void cgd_throttle_lowered(struct cgd_group *group, unsigned long old,
			  unsigned long new);

#endif /* CGDIRTY_THROTTLE_H */
