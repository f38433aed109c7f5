/* SPDX-License-Identifier: GPL-2.0 */
/*
 * compat/pagecache.h - what a filesystem does to a folio
 *
 * Folio names came with 5.16 to 5.19; before, pages had the same operations.
 */
#ifndef CGD_COMPAT_PAGECACHE_H
#define CGD_COMPAT_PAGECACHE_H

#include <linux/writeback.h>

#include <compat/folio.h>

#ifdef HAVE_FOLIO

#define CGD_AOPS_DIRTY	.dirty_folio = filemap_dirty_folio

/* A new folio at the start of @mapping, locked, with a reference, or NULL. */
static inline struct folio *cgd_new_folio(struct address_space *mapping)
{
	struct page *page = find_or_create_page(mapping, 0, GFP_KERNEL);

	return page ? page_folio(page) : NULL;
}

static inline void cgd_end_writeback(struct folio *folio)
{
	folio_end_writeback(folio);
}

#else /* pages */

#define CGD_AOPS_DIRTY	.set_page_dirty = __set_page_dirty_nobuffers

static inline struct folio *cgd_new_folio(struct address_space *mapping)
{
	return find_or_create_page(mapping, 0, GFP_KERNEL);
}

static inline void folio_mark_uptodate(struct folio *folio)
{
	SetPageUptodate(folio);
}

static inline void folio_mark_dirty(struct folio *folio)
{
	set_page_dirty(folio);
}

static inline void folio_clear_dirty_for_io(struct folio *folio)
{
	clear_page_dirty_for_io(folio);
}

static inline void folio_start_writeback(struct folio *folio)
{
	set_page_writeback(folio);
}

static inline void cgd_end_writeback(struct folio *folio)
{
	end_page_writeback(folio);
}

static inline void folio_unlock(struct folio *folio)
{
	unlock_page(folio);
}

static inline void folio_put(struct folio *folio)
{
	put_page(folio);
}

#endif /* HAVE_FOLIO */

#endif /* CGD_COMPAT_PAGECACHE_H */
