// SPDX-License-Identifier: GPL-2.0
/*
 * owner.c - which group the pages of a memcg count for
 *
 * Every event of every page asks this, so the answer is kept in a table by css
 * id: two loads, however many groups there are. What is not in it is looked up
 * from the css upwards among the attached groups. When one of those comes or
 * goes, the table is emptied; slots_lock, raw and innermost, sees to it that
 * nobody puts an old answer into it after that.
 *
 * A css id is given to another css only after the first has been freed, and a
 * css that still owns pages is not freed. When a new one comes online, before
 * it owns any, its id is forgotten here.
 */
#include <linux/log2.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/xarray.h>

#include <cgdirty/group.h>
#include <cgdirty/owner.h>

struct cgd_slots __rcu *cgd_slots;
static DEFINE_RAW_SPINLOCK(slots_lock);
/* css->id to the group that is attached to just that css. */
static DEFINE_XARRAY(attached);

/**
 * cgd_owner_attach() - a group is attached to a css from now on
 * @css: the css
 * @group: the group
 *
 * Answers given before stay in the table until cgd_owner_forget_all().
 *
 * Context: process context; may sleep.
 * Return: 0 or -ENOMEM.
 */
int cgd_owner_attach(struct cgroup_subsys_state *css, struct cgd_group *group)
{
	return xa_err(xa_store(&attached, css->id, group, GFP_KERNEL));
}

/**
 * cgd_owner_detach() - no group is attached to a css any more
 * @css: the css
 *
 * Context: process context.
 */
void cgd_owner_detach(struct cgroup_subsys_state *css)
{
	xa_erase(&attached, css->id);
}

/**
 * cgd_owner_attached() - the group that is attached to just this css
 * @css: the css
 *
 * Context: any, under rcu_read_lock() or the groups' mutex.
 * Return: the group, or NULL.
 */
struct cgd_group *cgd_owner_attached(struct cgroup_subsys_state *css)
{
	return xa_load(&attached, css->id);
}

/**
 * cgd_owner_resolve() - look up whom the pages of a memcg count for
 * @css: of the memory controller
 *
 * The answer is kept.
 *
 * Context: any, as an RCU reader, which also keeps the result.
 * Return: the nearest attached group at or above it, or NULL.
 */
struct cgd_group *cgd_owner_resolve(struct cgroup_subsys_state *css)
{
	struct cgroup_subsys_state *pos;
	struct cgd_group *group = NULL;
	struct cgd_slots *table;
	unsigned long flags;

	raw_spin_lock_irqsave(&slots_lock, flags);
	for (pos = css; pos && !group; pos = pos->parent)
		group = xa_load(&attached, pos->id);
	table = rcu_dereference_protected(cgd_slots, true);
	if (css->id < table->size)
		WRITE_ONCE(table->slot[css->id], group ?: CGD_UNWATCHED);
	raw_spin_unlock_irqrestore(&slots_lock, flags);
	return group;
}

/**
 * cgd_group_of_id() - the same for a memcg known by its css id only
 * @id: of a css that was looked up before
 *
 * Context: any, under rcu_read_lock(), which also keeps the result.
 * Return: the group, or NULL if there is none or the lookup is out of date.
 */
struct cgd_group *cgd_group_of_id(unsigned int id)
{
	struct cgd_slots *table = rcu_dereference_raw(cgd_slots);
	struct cgd_group *group = NULL;

	if (id < table->size)
		group = READ_ONCE(table->slot[id]);
	return group == CGD_UNWATCHED ? NULL : group;
}

/**
 * cgd_owner_forget_all() - look all up again: a group has come or gone
 *
 * Context: any.
 */
void cgd_owner_forget_all(void)
{
	struct cgd_slots *table;
	unsigned long flags;
	unsigned int id;

	raw_spin_lock_irqsave(&slots_lock, flags);
	table = rcu_dereference_protected(cgd_slots, true);
	/* Not by memset(), which may clear a pointer byte by byte. */
	for (id = 0; id < table->size; id++)
		WRITE_ONCE(table->slot[id], NULL);
	raw_spin_unlock_irqrestore(&slots_lock, flags);
}

/**
 * cgd_owner_forget() - look one up again
 * @id: of a new css, which may have been another's before
 *
 * Context: any.
 */
void cgd_owner_forget(int id)
{
	struct cgd_slots *table;
	unsigned long flags;

	raw_spin_lock_irqsave(&slots_lock, flags);
	table = rcu_dereference_protected(cgd_slots, true);
	if (id < table->size)
		WRITE_ONCE(table->slot[id], NULL);
	raw_spin_unlock_irqrestore(&slots_lock, flags);
}

/**
 * cgd_owner_grow() - make room for a css
 * @id: of the css
 *
 * Without memory for it, lookups of the highest ids are just slower.
 *
 * Context: process context under the groups' mutex; may sleep.
 */
void cgd_owner_grow(int id)
{
	struct cgd_slots *old, *table;
	unsigned long flags;
	unsigned int size;

	old = rcu_dereference_protected(cgd_slots, true);
	if (old && id < old->size)
		return;
	size = roundup_pow_of_two(max(id + 1, 512));
	table = kvzalloc(struct_size(table, slot, size), GFP_KERNEL);
	if (!table)
		return;
	table->size = size;
	raw_spin_lock_irqsave(&slots_lock, flags);
	rcu_assign_pointer(cgd_slots, table);
	raw_spin_unlock_irqrestore(&slots_lock, flags);
	if (old) {
		synchronize_rcu();
		kvfree(old);
	}
}

/**
 * cgd_owner_init() - an empty table
 *
 * Return: 0 or -ENOMEM.
 */
int cgd_owner_init(void)
{
	cgd_owner_grow(0);
	return rcu_access_pointer(cgd_slots) ? 0 : -ENOMEM;
}

/**
 * cgd_owner_exit() - free the table, all hooks being gone
 */
void cgd_owner_exit(void)
{
	xa_destroy(&attached);
	kvfree(rcu_dereference_protected(cgd_slots, true));
}
