// SPDX-License-Identifier: GPL-2.0
/*
 * limit.c - from what was set to what is in force
 *
 * No moving part of the kernel is used here, so that the unit tests can build
 * this file in user space.
 */
#ifdef __KERNEL__
#include <linux/ctype.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/math64.h>
#include <linux/string.h>
#endif

#include <cgdirty/limit.h>

/* Digits of @text, as far as they go; false when none or too many. */
static bool take_number(const char **text, u64 *number)
{
	const char *c = *text;
	u64 n = 0;

	for (; isdigit(*c); c++) {
		unsigned int digit = *c - '0';

		if (n > (U64_MAX - digit) / 10)
			return false;
		n = n * 10 + digit;
	}
	if (c == *text)
		return false;
	*text = c;
	*number = n;
	return true;
}

/* A write ends with at most one newline, as echo leaves it. */
static bool at_end(const char *c)
{
	return !*c || (*c == '\n' && !c[1]);
}

static bool is_max(const char *text)
{
	return !strncmp(text, "max", 3) && at_end(text + 3);
}

/**
 * cgd_parse_bytes() - read a size
 * @text: decimal number with an optional suffix K, M, G or T, or "max"
 * @bytes: the size in bytes, 0 for "max"; untouched on error
 *
 * Context: any.
 * Return: 0, or -EINVAL for what is no size, below CGD_BYTES_MIN or too large.
 */
int cgd_parse_bytes(const char *text, u64 *bytes)
{
	unsigned int shift = 0;
	u64 n;

	if (is_max(text)) {
		*bytes = 0;
		return 0;
	}
	if (!take_number(&text, &n))
		return -EINVAL;
	switch (toupper(*text)) {
	case 'T':
		shift += 10;
		fallthrough;
	case 'G':
		shift += 10;
		fallthrough;
	case 'M':
		shift += 10;
		fallthrough;
	case 'K':
		shift += 10;
		text++;
	}
	if (!at_end(text) || n > U64_MAX >> shift || n << shift < CGD_BYTES_MIN)
		return -EINVAL;
	/* Beyond what a page count holds it could never be reached. */
	if (n << shift > (u64)S64_MAX)
		return -EINVAL;
	*bytes = n << shift;
	return 0;
}

/**
 * cgd_parse_ratio() - read a percentage
 * @text: decimal number from 1 to 100, or "max"
 * @percent: the number, 0 for "max"; untouched on error
 *
 * Context: any.
 * Return: 0, or -EINVAL.
 */
int cgd_parse_ratio(const char *text, unsigned int *percent)
{
	u64 n;

	if (is_max(text)) {
		*percent = 0;
		return 0;
	}
	if (!take_number(&text, &n) || !at_end(text) || n < 1 || n > 100)
		return -EINVAL;
	*percent = n;
	return 0;
}

static unsigned long in_force(u64 bytes, unsigned int percent,
			      unsigned long dirtyable_pages)
{
	unsigned long pages;

	if (bytes)
		return min_t(u64, bytes >> PAGE_SHIFT, CGD_PAGES_MAX - 1);
	if (!percent)
		return CGD_PAGES_MAX;
	pages = dirtyable_pages / 100 * percent +
		dirtyable_pages % 100 * percent / 100;
	return max_t(unsigned long, pages, CGD_PAGES_MIN);
}

/**
 * cgd_thresholds() - the thresholds that follow from the knobs
 * @knobs: what was set
 * @dirtyable_pages: what a percentage is a percentage of
 *
 * A background at or above the limit would leave nothing to slow writers in,
 * so there, as without one, half of the limit is taken. The midpoint rule is
 * that of dirty_freerun_ceiling() in mm/page-writeback.c.
 *
 * Context: any.
 * Return: the thresholds, in pages.
 */
struct cgd_thresholds cgd_thresholds(const struct cgd_knobs *knobs,
				     unsigned long dirtyable_pages)
{
	struct cgd_thresholds t;

	t.limit = in_force(knobs->dirty_bytes, knobs->dirty_ratio,
			   dirtyable_pages);
	t.background = in_force(knobs->background_bytes,
				knobs->background_ratio, dirtyable_pages);
	if (t.limit == CGD_PAGES_MAX) {
		t.freerun = CGD_PAGES_MAX;
		return t;
	}
	if (t.background >= t.limit)
		t.background = t.limit / 2;
	t.freerun = t.background + (t.limit - t.background) / 2;
	return t;
}
