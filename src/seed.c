// SPDX-License-Identifier: GPL-2.0
/*
 * seed.c - pages that were dirty before a group was attached
 *
 * They are what the kernel counts for its memcg less what we have counted
 * since. Both count the same events from then on, so that difference stays; but
 * the two cannot be read at once, and what moves in between falsifies it. So
 * the calmest of some looks is taken.
 */
#include <linux/mm.h>

#include <cgdirty/group.h>
#include <cgdirty/memcg.h>
#include <cgdirty/seed.h>

/* Looks at a time. */
#define SEED_LOOKS	20

static const enum node_stat_item kernel_item[CGD_NR_ITEMS] = {
	[CGD_DIRTY] = NR_FILE_DIRTY,
	[CGD_WRITEBACK] = NR_WRITEBACK,
};

/* How far our counts are from the kernel's, and how much moved meanwhile. */
struct difference {
	long pages[CGD_NR_ITEMS];
	long moved;
};

static struct difference compare(struct cgd_group *group)
{
	struct difference d = { .moved = 0 };
	enum cgd_item item;

	for (item = 0; item < CGD_NR_ITEMS; item++) {
		long before = cgd_usage_pages(group, item);
		long kernel = cgd_memcg_pages(group->css, kernel_item[item]);
		long after = cgd_usage_pages(group, item);

		d.pages[item] = kernel - after;
		d.moved += abs(after - before);
	}
	return d;
}

/**
 * cgd_seed() - count in what was there before
 * @group: nothing is done if it is not attached, or exact already
 *
 * It is exact if nothing moved, and after a grace period (the kernel counts an
 * event just after we do) there is no difference any more. Otherwise another
 * look is due, see group->seeded.
 *
 * Context: process context under the groups' mutex; may sleep.
 */
void cgd_seed(struct cgd_group *group)
{
	struct difference best = { .moved = LONG_MAX }, d;
	enum cgd_item item;
	unsigned int i;

	if (group->seeded || !group->css)
		return;
	for (i = 0; i < SEED_LOOKS && best.moved; i++) {
		d = compare(group);
		if (d.moved < best.moved)
			best = d;
	}
	for (item = 0; item < CGD_NR_ITEMS; item++)
		atomic_long_add(best.pages[item], &group->pages[item]);
	if (best.moved)
		return;
	synchronize_rcu_expedited();
	d = compare(group);
	group->seeded = !d.moved && !d.pages[CGD_DIRTY] &&
			!d.pages[CGD_WRITEBACK];
}
