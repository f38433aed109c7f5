/* SPDX-License-Identifier: GPL-2.0 */
/*
 * compat/folio.h - one set of names for the page cache's unit
 *
 * Kernels before folios (7b230db3b8d3 "mm: Introduce struct folio", 5.16)
 * account each page by itself, so there a folio is a page and counts as one.
 */
#ifndef CGD_COMPAT_FOLIO_H
#define CGD_COMPAT_FOLIO_H

#include <linux/backing-dev.h>
#include <linux/memcontrol.h>
#include <linux/mm.h>
#include <linux/pagemap.h>

#include "cgdirty-probed.h"

#ifdef HAVE_FOLIO

#define CGD_CLEAR_DIRTY_RESULT		bool
#define CGD_SYM_CLEAR_DIRTY_FOR_IO	"folio_clear_dirty_for_io"
#define CGD_SYM_ACCOUNT_CLEANED		"folio_account_cleaned"
#define CGD_SYM_START_WRITEBACK		"__folio_start_writeback"
#define CGD_SYM_END_WRITEBACK		"__folio_end_writeback"
#define CGD_SYM_TRACE_DIRTY		"writeback_dirty_folio"

/* The memcg that @folio is charged to, or NULL; under rcu_read_lock(). */
static inline struct mem_cgroup *cgd_folio_memcg(struct folio *folio)
{
	return folio_memcg(folio);
}

#else /* pages */

#define folio page

#define CGD_CLEAR_DIRTY_RESULT		int
#define CGD_SYM_CLEAR_DIRTY_FOR_IO	"clear_page_dirty_for_io"
#define CGD_SYM_ACCOUNT_CLEANED		"account_page_cleaned"
#define CGD_SYM_START_WRITEBACK		"__test_set_page_writeback"
#define CGD_SYM_END_WRITEBACK		"test_clear_page_writeback"
#define CGD_SYM_TRACE_DIRTY		"writeback_dirty_page"

static inline struct mem_cgroup *cgd_folio_memcg(struct folio *folio)
{
	return READ_ONCE(folio->mem_cgroup);
}

static inline long folio_nr_pages(struct folio *folio)
{
	return 1;
}

static inline bool folio_test_writeback(struct folio *folio)
{
	return PageWriteback(folio);
}

static inline struct address_space *folio_mapping(struct folio *folio)
{
	return page_mapping(folio);
}

#endif /* HAVE_FOLIO */

#endif /* CGD_COMPAT_FOLIO_H */
