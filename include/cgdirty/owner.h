/* SPDX-License-Identifier: GPL-2.0 */
/*
 * cgdirty/owner.h - which group the pages of a memcg count for
 */
#ifndef CGDIRTY_OWNER_H
#define CGDIRTY_OWNER_H

#include <linux/cgroup-defs.h>

struct cgd_group;

int cgd_owner_init(void);
void cgd_owner_exit(void);

struct cgd_group *cgd_group_of(struct cgroup_subsys_state *css);
struct cgd_group *cgd_group_of_id(unsigned int id);

int cgd_owner_attach(struct cgroup_subsys_state *css, struct cgd_group *group);
void cgd_owner_detach(struct cgroup_subsys_state *css);
struct cgd_group *cgd_owner_attached(struct cgroup_subsys_state *css);
void cgd_owner_forget_all(void);
void cgd_owner_forget(int id);
void cgd_owner_grow(int id);

#endif /* CGDIRTY_OWNER_H */
