// SPDX-License-Identifier: GPL-2.0
/*
 * Can a dirtier say that it must not wait, and be answered -EAGAIN? Since 6.0,
 * which gave balance_dirty_pages() its third argument and its result.
 */
#include <linux/writeback.h>

int probe(struct address_space *mapping)
{
	return balance_dirty_pages_ratelimited_flags(mapping, BDP_ASYNC);
}
