// SPDX-License-Identifier: GPL-2.0
/*
 * Does folio_memcg() tell which memory cgroup was charged? Since 5.16.
 */
#include <linux/memcontrol.h>

struct mem_cgroup *probe(struct folio *folio)
{
	return folio_memcg(folio);
}
