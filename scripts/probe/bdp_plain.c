// SPDX-License-Identifier: GPL-2.0
/*
 * Must every dirtier wait if it is told to? Until 6.0.
 */
#include <linux/writeback.h>

#ifdef BDP_ASYNC
#error there are flags
#endif

void (*probe)(struct address_space *) = balance_dirty_pages_ratelimited;
