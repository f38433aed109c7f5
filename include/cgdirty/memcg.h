/* SPDX-License-Identifier: GPL-2.0 */
/*
 * cgdirty/memcg.h - what the kernel knows about a memory cgroup
 */
#ifndef CGDIRTY_MEMCG_H
#define CGDIRTY_MEMCG_H

#include <linux/cgroup-defs.h>
#include <linux/mmzone.h>

int cgd_memcg_init(void);

struct cgroup_subsys_state *cgd_memcg_root(void);
struct cgroup_subsys_state *cgd_memcg_child(struct cgroup_subsys_state *css,
					    const char *name);
bool cgd_memcg_has_file(struct cgroup_subsys_state *css, const char *name);
char *cgd_memcg_name(struct cgroup_subsys_state *css);
long cgd_memcg_pages(struct cgroup_subsys_state *css, enum node_stat_item item);
unsigned long cgd_memcg_dirtyable(struct cgroup_subsys_state *css);

#endif /* CGDIRTY_MEMCG_H */
