// SPDX-License-Identifier: GPL-2.0
/*
 * Is the page cache made of folios, in all that concerns us? Folios came in
 * 5.16, their part in address_space_operations in 5.18.
 */
#include <linux/memcontrol.h>
#include <linux/pagemap.h>
#include <linux/writeback.h>
#include <trace/events/writeback.h>

struct mem_cgroup *owner(struct folio *folio, unsigned long *pages)
{
	*pages = folio_nr_pages(folio);
	return folio_memcg(folio);
}

struct address_space_operations operations = {
	.dirty_folio = filemap_dirty_folio,
};

static void dirty(void *data, struct folio *folio, struct address_space *mapping)
{
}

int dirty_event(void)
{
	return register_trace_writeback_dirty_folio(dirty, NULL);
}

/* What is hooked, as far as it is declared. */
bool (*clean)(struct folio *) = folio_clear_dirty_for_io;
void (*cancel)(struct folio *, struct bdi_writeback *) = folio_account_cleaned;

void start(struct folio *folio)
{
	__folio_start_writeback(folio, false);
}
