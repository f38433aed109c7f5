// SPDX-License-Identifier: GPL-2.0
/*
 * Are a memory cgroup's counts in struct mem_cgroup, so that memcg_page_state()
 * is an inline function? Until 5.12; since then they are elsewhere.
 */
#include <linux/memcontrol.h>

long probe(struct mem_cgroup *memcg)
{
	return atomic_long_read(&memcg->vmstats[NR_FILE_DIRTY]);
}
