// SPDX-License-Identifier: GPL-2.0
/*
 * usage.c - how many pages a group has, and what follows from it
 *
 * A CPU adds to a remainder of its own. Once that is a batch, it is passed on
 * to the totals of the group and of all above it, and their thresholds are
 * looked at. Near a threshold the batch is one page.
 */
#include <linux/cpumask.h>

#include <cgdirty/group.h>

static void pass_on(struct cgd_group *group, enum cgd_item item, long pages)
{
	for (; group; group = group->parent)
		atomic_long_add(pages, &group->pages[item]);
}

/* A threshold counts as near while all CPUs' remainders could reach it. */
static bool beyond(struct cgd_group *group, unsigned long usage,
		   unsigned long threshold)
{
	return usage + group->quiet_batch * num_online_cpus() > threshold;
}

/**
 * cgd_usage_flush() - pass this CPU's remainder on and act on thresholds
 * @group: the owner
 * @item: of which to pass on
 *
 * Starts write-out where the background is exceeded, wakes writers where
 * pages have left, and notes whether @group is near a threshold.
 *
 * Context: any, under rcu_read_lock().
 */
void cgd_usage_flush(struct cgd_group *group, enum cgd_item item)
{
	long pages = this_cpu_xchg(group->residual->pages[item], 0);
	bool near = false, pressure = false;
	struct cgd_group *pos;

	for (pos = group; pos; pos = pos->parent) {
		const struct cgd_thresholds *t = &pos->thresholds;
		unsigned long usage;

		atomic_long_add(pages, &pos->pages[item]);
		usage = cgd_group_usage(pos);
		if (usage > READ_ONCE(pos->peak_pages))
			WRITE_ONCE(pos->peak_pages, usage);
		if (usage > READ_ONCE(t->background))
			cgd_writeout_kick(pos);
		/* A page cleaned for I/O has not left: it is on its way. */
		if (pages < 0 && item == CGD_WRITEBACK) {
			cgd_writeout_ended(pos, -pages);
			cgd_throttle_progress(pos, -pages);
		}
		near |= beyond(group, usage, READ_ONCE(t->background));
		pressure |= beyond(group, usage, READ_ONCE(t->freerun)) ||
			    READ_ONCE(pos->writeout.starved);
	}
	if (READ_ONCE(group->pressure) != pressure)
		WRITE_ONCE(group->pressure, pressure);
	if ((READ_ONCE(group->batch) == 1) != near)
		WRITE_ONCE(group->batch, near ? 1 : group->quiet_batch);
}

static long residual_pages(struct cgd_group *group, enum cgd_item item)
{
	long pages = 0;
	int cpu;

	for_each_possible_cpu(cpu)
		pages += READ_ONCE(per_cpu_ptr(group->residual,
					       cpu)->pages[item]);
	return pages;
}

/**
 * cgd_usage_pages() - exact count of a subtree, once it is quiet
 * @top: its root
 * @item: which pages
 *
 * Context: under rcu_read_lock() or the groups' mutex.
 * Return: pages; may be off, even negative, by what is moving right now.
 */
long cgd_usage_pages(struct cgd_group *top, enum cgd_item item)
{
	long pages = atomic_long_read(&top->pages[item]);
	struct cgd_group *pos = NULL;

	while ((pos = cgd_group_next(pos, top)))
		pages += residual_pages(pos, item);
	return pages;
}

/**
 * cgd_usage_fold() - pass on what all CPUs still hold back
 * @group: nothing counts for it any more
 *
 * Context: process context.
 */
void cgd_usage_fold(struct cgd_group *group)
{
	enum cgd_item item;
	int cpu;

	for (item = 0; item < CGD_NR_ITEMS; item++) {
		pass_on(group, item, residual_pages(group, item));
		for_each_possible_cpu(cpu)
			per_cpu_ptr(group->residual, cpu)->pages[item] = 0;
	}
}
