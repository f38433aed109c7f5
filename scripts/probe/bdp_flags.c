// SPDX-License-Identifier: GPL-2.0
/*
 * Can a dirtier say that it must not wait, and be answered -EAGAIN? Since 6.0,
 * which gave balance_dirty_pages() its third argument and its result.
 */
#include <linux/writeback.h>

unsigned int flags = BDP_ASYNC;

int (*probe)(struct address_space *, unsigned int) = balance_dirty_pages_ratelimited_flags;
