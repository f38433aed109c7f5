// SPDX-License-Identifier: GPL-2.0
/*
 * Is the memory cgroup that was charged a plain pointer in struct page? Until
 * 5.11, which made it a word with flags (memcg_data).
 */
#include <linux/mm_types.h>

struct mem_cgroup *probe(struct page *page)
{
	return page->mem_cgroup;
}
