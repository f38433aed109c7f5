/* SPDX-License-Identifier: GPL-2.0 */
/*
 * cgdirty/limit.h - from what was set to what is in force
 *
 * Pure arithmetic on pages and bytes: no locks, no allocation, any context.
 */
#ifndef CGDIRTY_LIMIT_H
#define CGDIRTY_LIMIT_H

#ifdef __KERNEL__
#include <linux/types.h>
#include <linux/limits.h>
#include <asm/page.h>
#endif

#define CGD_BYTES_MIN	(256 * 1024ULL)
#define CGD_PAGES_MIN	(CGD_BYTES_MIN >> PAGE_SHIFT)
#define CGD_PAGES_MAX	ULONG_MAX	/* "max": no such threshold */

/**
 * struct cgd_knobs - what the administrator has set; 0 stands for "max"
 * @dirty_bytes: most dirty and under-writeback page cache, in bytes
 * @background_bytes: where write-out starts, in bytes
 * @dirty_ratio: the first as a percentage of dirtyable memory, 1 to 100
 * @background_ratio: the second likewise
 *
 * Of each pair of bytes and ratio at most one is set.
 */
struct cgd_knobs {
	u64 dirty_bytes;
	u64 background_bytes;
	unsigned int dirty_ratio;
	unsigned int background_ratio;
};

/**
 * struct cgd_thresholds - what is in force, in pages; CGD_PAGES_MAX for none
 * @limit: usage is never to be above it
 * @freerun: writers are slowed above it: midpoint of background and limit
 * @background: write-out runs above it
 */
struct cgd_thresholds {
	unsigned long limit;
	unsigned long freerun;
	unsigned long background;
};

int cgd_parse_bytes(const char *text, u64 *bytes);
int cgd_parse_ratio(const char *text, unsigned int *percent);
struct cgd_thresholds cgd_thresholds(const struct cgd_knobs *knobs,
				     unsigned long dirtyable_pages);

/**
 * cgd_knobs_need_dirtyable() - whether the result depends on dirtyable memory
 * @knobs: what was set
 *
 * Return: true if one of the ratios is set.
 */
static inline bool cgd_knobs_need_dirtyable(const struct cgd_knobs *knobs)
{
	return knobs->dirty_ratio || knobs->background_ratio;
}

#endif /* CGDIRTY_LIMIT_H */
