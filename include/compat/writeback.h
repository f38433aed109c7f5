/* SPDX-License-Identifier: GPL-2.0 */
/*
 * compat/writeback.h - balance_dirty_pages() and its flags
 *
 * fe6c9c6e3e3e ("mm: Add balance_dirty_pages_ratelimited_flags() function",
 * 6.0) gave it a flags word and a result.
 */
#ifndef CGD_COMPAT_WRITEBACK_H
#define CGD_COMPAT_WRITEBACK_H

#include <linux/backing-dev.h>
#include <linux/writeback.h>

#include "cgdirty-probed.h"

#ifdef HAVE_BDP_FLAGS

#define CGD_BDP_PROTO	struct bdi_writeback *wb, unsigned long pages_dirtied, \
			unsigned int flags
#define CGD_BDP_ARGS	wb, pages_dirtied, flags
#define CGD_BDP_CALLER_PROTO	struct address_space *mapping, unsigned int flags
#define CGD_BDP_CALLER_ARGS	mapping, flags
#define CGD_BDP_FLAGS	flags
#define CGD_BDP_RESULT	int
#define CGD_BDP_AGAIN	(-EAGAIN)
#define CGD_SYM_BDP_CALLER	"balance_dirty_pages_ratelimited_flags"

#else /* no flags, no result */

#define CGD_BDP_PROTO	struct bdi_writeback *wb, unsigned long pages_dirtied
#define CGD_BDP_ARGS	wb, pages_dirtied
#define CGD_BDP_CALLER_PROTO	struct address_space *mapping
#define CGD_BDP_CALLER_ARGS	mapping
#define CGD_BDP_FLAGS	0
#define CGD_BDP_RESULT	void
#define CGD_BDP_AGAIN	/* nobody asks not to wait */
#define CGD_SYM_BDP_CALLER	"balance_dirty_pages_ratelimited"
#define BDP_ASYNC	0x0001

#endif /* HAVE_BDP_FLAGS */

#endif /* CGD_COMPAT_WRITEBACK_H */
