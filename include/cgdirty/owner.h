/* SPDX-License-Identifier: GPL-2.0 */
/*
 * cgdirty/owner.h - which group the pages of a memcg count for
 */
#ifndef CGDIRTY_OWNER_H
#define CGDIRTY_OWNER_H

#include <linux/cgroup-defs.h>
#include <linux/rcupdate.h>

struct cgd_group;

/* In a slot: looked up, and nobody at or above is watched. */
#define CGD_UNWATCHED	((struct cgd_group *)1)

/**
 * struct cgd_slots - the answers so far, by css id
 * @size: length of @slot
 * @slot: the group, %CGD_UNWATCHED, or NULL if not looked up yet
 */
struct cgd_slots {
	unsigned int size;
	struct cgd_group *slot[];
};

extern struct cgd_slots __rcu *cgd_slots;

int cgd_owner_init(void);
void cgd_owner_exit(void);

struct cgd_group *cgd_owner_resolve(struct cgroup_subsys_state *css);
struct cgd_group *cgd_group_of_id(unsigned int id);

/**
 * cgd_owner_known() - what is known of whom the pages of a memcg count for
 * @css: of the memory controller; online, or dead and still owning pages
 *
 * Context: any, as an RCU reader, which also keeps the result.
 * Return: the group; %CGD_UNWATCHED if nobody at or above is attached; or NULL,
 * if cgd_owner_resolve() has to be asked.
 */
static __always_inline struct cgd_group *
cgd_owner_known(struct cgroup_subsys_state *css)
{
	struct cgd_slots *slots = rcu_dereference_raw(cgd_slots);

	if (unlikely((unsigned int)css->id >= slots->size))
		return NULL;
	return READ_ONCE(slots->slot[css->id]);
}

/**
 * cgd_group_of() - the group that the pages of a memcg count for
 * @css: of the memory controller; online, or dead and still owning pages
 *
 * Context: any, as an RCU reader, which also keeps the result.
 * Return: the nearest attached group at or above it, or NULL.
 */
static inline struct cgd_group *cgd_group_of(struct cgroup_subsys_state *css)
{
	struct cgd_group *group = cgd_owner_known(css);

	if (group == CGD_UNWATCHED)
		return NULL;
	return group ?: cgd_owner_resolve(css);
}

int cgd_owner_attach(struct cgroup_subsys_state *css, struct cgd_group *group);
void cgd_owner_detach(struct cgroup_subsys_state *css);
struct cgd_group *cgd_owner_attached(struct cgroup_subsys_state *css);
void cgd_owner_forget_all(void);
void cgd_owner_forget(int id);
void cgd_owner_grow(int id);

#endif /* CGDIRTY_OWNER_H */
