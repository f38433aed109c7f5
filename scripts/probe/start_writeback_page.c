// SPDX-License-Identifier: GPL-2.0
/*
 * Does writeback of a page start with __test_set_page_writeback()? Until 5.16.
 */
#include <linux/page-flags.h>

int (*probe)(struct page *, bool) = __test_set_page_writeback;
