// SPDX-License-Identifier: GPL-2.0
/*
 * memcg.c - what the kernel knows about a memory cgroup
 *
 * Works on whichever hierarchy, v1 or v2, carries the memory controller: only
 * css pointers and the names of their cgroups are used.
 */
#include <linux/kernfs.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/vmstat.h>

#include <compat/memcg.h>
#include <cgdirty/hooks.h>
#include <cgdirty/memcg.h>

/**
 * cgd_memcg_init() - find the kernel's counters
 *
 * Context: process context.
 * Return: 0, or -ENOENT if this kernel has no way to read them.
 */
int cgd_memcg_init(void)
{
	return cgd_memcg_find_calls(cgd_symbol_address);
}

/**
 * cgd_memcg_root() - the root of the memory hierarchy
 *
 * Context: any.
 * Return: its css, which is never freed.
 */
struct cgroup_subsys_state *cgd_memcg_root(void)
{
	struct cgroup_subsys_state *css;

	rcu_read_lock();
	css = task_css_check(current, memory_cgrp_id, true);
	while (css->parent)
		css = css->parent;
	rcu_read_unlock();
	return css;
}

/* The entry @name in the directory of @css's cgroup, with a reference. */
static struct kernfs_node *find_node(struct cgroup_subsys_state *css,
				     const char *name)
{
	return kernfs_find_and_get(css->cgroup->kn, name);
}

/**
 * cgd_memcg_child() - look up a memcg by the name of its cgroup
 * @css: the memcg above, which stays online meanwhile
 * @name: one path component
 *
 * Context: process context; may sleep.
 * Return: an online css with a reference, or NULL if there is no such cgroup,
 * or none with a memory controller of its own.
 */
struct cgroup_subsys_state *cgd_memcg_child(struct cgroup_subsys_state *css,
					    const char *name)
{
	struct cgroup_subsys_state *child = NULL;
	struct kernfs_node *node = find_node(css, name);
	struct cgroup *cgroup;

	if (!node)
		return NULL;
	if (kernfs_type(node) == KERNFS_DIR) {
		rcu_read_lock();
		/* Cleared before the cgroup is freed, a grace period apart. */
		cgroup = rcu_dereference(*(void __rcu __force **)&node->priv);
		if (cgroup)
			child = rcu_dereference(cgroup->subsys[memory_cgrp_id]);
		if (child && !css_tryget_online(child))
			child = NULL;
		rcu_read_unlock();
	}
	kernfs_put(node);
	return child;
}

/**
 * cgd_memcg_has_file() - whether a name is taken by a file of the cgroup
 * @css: the memcg, which stays online meanwhile
 * @name: one path component
 *
 * Context: process context; may sleep.
 * Return: true if so; no cgroup below can have that name.
 */
bool cgd_memcg_has_file(struct cgroup_subsys_state *css, const char *name)
{
	struct kernfs_node *node = find_node(css, name);
	bool is_file = node && kernfs_type(node) == KERNFS_FILE;

	kernfs_put(node);
	return is_file;
}

/**
 * cgd_memcg_name() - the last component of a memcg's path
 * @css: not the root; under cgroup_mutex or with a reference
 *
 * Context: process context; may sleep.
 * Return: the name, to be freed with kfree(), or NULL without memory or for
 * the root.
 */
char *cgd_memcg_name(struct cgroup_subsys_state *css)
{
	char *path, *name = NULL;

	if (!css->parent)
		return NULL;
	/* "/" and the name; the relative path holds nothing else. */
	path = kmalloc(NAME_MAX + 2, GFP_KERNEL);
	if (!path)
		return NULL;
	if (kernfs_path_from_node(css->cgroup->kn, css->parent->cgroup->kn,
				  path, NAME_MAX + 2) > 0)
		name = kstrdup(strrchr(path, '/') + 1, GFP_KERNEL);
	kfree(path);
	return name;
}

/**
 * cgd_memcg_pages() - the kernel's exact count of pages of a subtree
 * @css: online
 * @item: what to count
 *
 * Context: process context; may sleep.
 * Return: pages.
 */
long cgd_memcg_pages(struct cgroup_subsys_state *css, enum node_stat_item item)
{
	return cgd_memcg_exact(css, item);
}

static unsigned long counter_room(struct page_counter *counter)
{
	unsigned long limit = min(READ_ONCE(counter->max),
				  READ_ONCE(counter->high));
	unsigned long usage = page_counter_read(counter);

	return limit > usage ? limit - usage : 0;
}

/**
 * cgd_memcg_dirtyable() - memory that a memcg could fill with dirty pages
 * @css: the memcg, or NULL for the system
 *
 * The least headroom under memory.max and memory.high of itself and all above
 * it, plus its file pages, and never more than the system's free and file
 * pages; after mem_cgroup_wb_stats() and global_dirtyable_memory().
 *
 * Context: process context, not asleep; @css stays online meanwhile.
 * Return: pages.
 */
unsigned long cgd_memcg_dirtyable(struct cgroup_subsys_state *css)
{
	unsigned long system, room = ULONG_MAX;
	struct cgroup_subsys_state *pos;
	long file;

	system = global_zone_page_state(NR_FREE_PAGES) +
		 global_node_page_state(NR_INACTIVE_FILE) +
		 global_node_page_state(NR_ACTIVE_FILE);
	if (!css)
		return system;
	for (pos = css; pos; pos = pos->parent)
		room = min(room, counter_room(&mem_cgroup_from_css(pos)->memory));
	file = cgd_memcg_state(mem_cgroup_from_css(css), NR_INACTIVE_FILE) +
	       cgd_memcg_state(mem_cgroup_from_css(css), NR_ACTIVE_FILE);
	file = max(file, 0L);
	return room > system ? system : min(room + file, system);
}
