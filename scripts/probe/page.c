// SPDX-License-Identifier: GPL-2.0
/*
 * Is the page cache made of pages, in all that concerns us? Until 5.16, and
 * their owner a plain pointer until 5.11, which made it a word with flags.
 */
#include <linux/memcontrol.h>
#include <linux/mm.h>
#include <linux/pagemap.h>
#include <trace/events/writeback.h>

struct mem_cgroup *owner(struct page *page)
{
	return page->mem_cgroup;
}

struct address_space_operations operations = {
	.set_page_dirty = __set_page_dirty_nobuffers,
};

static void dirty(void *data, struct page *page, struct address_space *mapping)
{
}

int dirty_event(void)
{
	return register_trace_writeback_dirty_page(dirty, NULL);
}

/* What is hooked, as far as it is declared. */
int (*clean)(struct page *) = clear_page_dirty_for_io;
void (*cancel)(struct page *, struct address_space *, struct bdi_writeback *) =
	account_page_cleaned;
int (*start)(struct page *, bool) = __test_set_page_writeback;
int (*end)(struct page *) = test_clear_page_writeback;
