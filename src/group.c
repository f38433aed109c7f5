// SPDX-License-Identifier: GPL-2.0
/*
 * group.c - the groups, whom they are attached to, and their counts
 *
 * What keeps what alive:
 * - a group: its directory, until cgd_group_remove(); then whoever has taken
 *   a reference; then a grace period for handlers that found it in a slot;
 * - group->parent: a reference of its own;
 * - group->css: online; our hook on its going offline detaches the group.
 *
 * Locks: groups_mutex serializes every change. It is taken under the kernel's
 * cgroup_mutex (a css goes online or offline), so nothing below it may take
 * that.
 */
#include <linux/cgroup.h>
#include <linux/hashtable.h>
#include <linux/kernfs.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/stringhash.h>
#include <linux/wait_bit.h>

#include <cgdirty/group.h>
#include <cgdirty/hooks.h>
#include <cgdirty/memcg.h>
#include <cgdirty/owner.h>
#include <cgdirty/seed.h>

/* Remainders are passed on in lots of at most this many pages. */
#define BATCH_MAX	16

/* A ratio is turned into pages anew after this long. */
#define DIRTYABLE_INTERVAL	(HZ / 10)

/* Pauses between looks at the kernel's counts. */
#define SEED_DELAY	(HZ / 10)
#define SEED_DELAY_MAX	(10 * HZ)

static DEFINE_MUTEX(groups_mutex);
static LIST_HEAD(top_groups);
static DEFINE_HASHTABLE(names, 10);
static void seed_all(struct work_struct *work);
static DECLARE_DELAYED_WORK(seed_work, seed_all);
static unsigned long seed_delay;

static atomic_t nr_allocated = ATOMIC_INIT(0);

/*
 * A css becomes visible in its cgroup only after our online hook has returned.
 * This one may be in that gap. Cleared before it can go away, when offline.
 */
static struct cgroup_subsys_state *newest_css;

/**
 * cgd_group_next() - walk a subtree, parents first
 * @pos: where the walk is, NULL to begin
 * @top: root of the subtree; NULL for all groups
 *
 * Context: under rcu_read_lock() or the groups' mutex.
 * Return: the next group, or NULL at the end.
 */
struct cgd_group *cgd_group_next(struct cgd_group *pos, struct cgd_group *top)
{
	struct cgd_group *next;

	if (!pos)
		return top ?: list_first_or_null_rcu(&top_groups,
						     struct cgd_group, sibling);
	next = list_first_or_null_rcu(&pos->children, struct cgd_group,
				      sibling);
	for (; !next && pos != top; pos = pos->parent) {
		struct list_head *head = pos->parent ? &pos->parent->children :
						       &top_groups;

		next = list_next_or_null_rcu(head, &pos->sibling,
					     struct cgd_group, sibling);
		if (!next && !pos->parent)
			break;
	}
	return next;
}

/* ---- limits ---- */

/*
 * Remainders may not hide more than an eighth of the room between freerun and
 * limit of any group above, all its members and CPUs taken together.
 */
static unsigned int quiet_batch(struct cgd_group *group)
{
	unsigned int batch = BATCH_MAX;
	struct cgd_group *pos;

	for (pos = group; pos; pos = pos->parent) {
		unsigned long room;

		if (pos->thresholds.limit == CGD_PAGES_MAX)
			continue;
		room = pos->thresholds.limit - pos->thresholds.freerun;
		room /= 8UL * pos->members * num_possible_cpus();
		batch = clamp_t(unsigned long, room, 1, batch);
	}
	return batch;
}

static void count_members(struct cgd_group *group, int change)
{
	for (; group; group = group->parent)
		group->members += change;
}

static void set_thresholds(struct cgd_group *group)
{
	unsigned long dirtyable = 0, old = group->thresholds.limit;
	struct cgd_thresholds t;

	if (cgd_knobs_need_dirtyable(&group->knobs))
		dirtyable = cgd_memcg_dirtyable(group->css);
	t = cgd_thresholds(&group->knobs, dirtyable);
	if (t.limit < old)
		cgd_throttle_lowered(group, old, t.limit);
	WRITE_ONCE(group->thresholds.limit, t.limit);
	WRITE_ONCE(group->thresholds.freerun, t.freerun);
	WRITE_ONCE(group->thresholds.background, t.background);
	WRITE_ONCE(group->dirtyable_stamp, jiffies);
}

static bool refresh_due(struct cgd_group *group)
{
	return cgd_knobs_need_dirtyable(&group->knobs) &&
	       time_after(jiffies, READ_ONCE(group->dirtyable_stamp) +
				   DIRTYABLE_INTERVAL);
}

/**
 * cgd_group_refresh() - turn ratios into pages, unless that was done just now
 * @group: the group
 *
 * Context: any that may take a mutex by trylock; never waits.
 */
void cgd_group_refresh(struct cgd_group *group)
{
	if (!refresh_due(group))
		return;
	/* A writer holds locks that an allocation under the mutex may want. */
	if (mutex_trylock(&groups_mutex)) {
		set_thresholds(group);
		mutex_unlock(&groups_mutex);
	}
}

/**
 * cgd_group_set() - put other limits into force
 * @group: the group
 * @knobs: the limits
 *
 * Context: process context; takes the groups' mutex.
 */
void cgd_group_set(struct cgd_group *group, const struct cgd_knobs *knobs)
{
	struct cgd_group *pos = NULL;

	mutex_lock(&groups_mutex);
	group->knobs = *knobs;
	set_thresholds(group);
	while ((pos = cgd_group_next(pos, group))) {
		WRITE_ONCE(pos->quiet_batch, quiet_batch(pos));
		/* Let the next event of each member look at once. */
		WRITE_ONCE(pos->batch, 1);
		WRITE_ONCE(pos->pressure, true);
	}
	mutex_unlock(&groups_mutex);
	if (cgd_group_usage(group) > READ_ONCE(group->thresholds.background))
		cgd_writeout_kick(group);
	cgd_throttle_release(group);
}

/* ---- attachment ---- */

static void seed_all(struct work_struct *work)
{
	struct cgd_group *pos = NULL;
	bool again = false;

	mutex_lock(&groups_mutex);
	while ((pos = cgd_group_next(pos, NULL))) {
		cgd_seed(pos);
		again |= pos->css && !pos->seeded;
	}
	if (again) {
		seed_delay = min(2 * seed_delay, SEED_DELAY_MAX);
		schedule_delayed_work(&seed_work, seed_delay);
	}
	mutex_unlock(&groups_mutex);
}

/* Without waiting for somebody to look at the group's stat. */
static void seed_later(void)
{
	seed_delay = SEED_DELAY;
	schedule_delayed_work(&seed_work, seed_delay);
}

static int attach(struct cgd_group *group, struct cgroup_subsys_state *css)
{
	int ret;

	lockdep_assert_held(&groups_mutex);
	ret = cgd_owner_attach(css, group);
	if (ret)
		return ret;
	WRITE_ONCE(group->css, css);
	cgd_inodes_open(group, true);
	return 0;
}

/* Its pages, whoever is below, count for the next group up from now on. */
static void detach(struct cgd_group *top)
{
	struct cgd_group *pos = NULL;

	lockdep_assert_held(&groups_mutex);
	while ((pos = cgd_group_next(pos, top))) {
		if (!pos->css)
			continue;
		cgd_owner_detach(pos->css);
		WRITE_ONCE(pos->css, NULL);
	}
	cgd_owner_forget_all();
	synchronize_rcu_expedited();
	while ((pos = cgd_group_next(pos, top))) {
		cgd_usage_fold(pos);
		cgd_inodes_open(pos, false);
	}
	while ((pos = cgd_group_next(pos, top))) {
		atomic_long_set(&pos->pages[CGD_DIRTY], 0);
		atomic_long_set(&pos->pages[CGD_WRITEBACK], 0);
		pos->seeded = false;
		WRITE_ONCE(pos->pressure, false);
		WRITE_ONCE(pos->batch, pos->quiet_batch);
		cgd_inodes_hand_on(pos);
		cgd_throttle_release(pos);
	}
}

static u32 name_key(struct cgd_group *parent, const char *name)
{
	return full_name_hash(parent, name, strlen(name));
}

static struct cgd_group *find(struct cgd_group *parent, const char *name)
{
	struct cgd_group *group;

	hash_for_each_possible(names, group, by_name, name_key(parent, name))
		if (group->parent == parent && !strcmp(group->name, name))
			return group;
	return NULL;
}

/**
 * cgd_group_css_online() - a memcg has come: attach the group of its path
 * @css: of the memory controller; not yet visible in its cgroup
 *
 * Context: process context under cgroup_mutex.
 */
void cgd_group_css_online(struct cgroup_subsys_state *css)
{
	struct cgd_group *parent = NULL, *group;
	char *name;

	name = cgd_memcg_name(css);
	mutex_lock(&groups_mutex);
	newest_css = css;
	cgd_owner_grow(css->id);
	cgd_owner_forget(css->id);
	if (!name || !css->parent)
		goto out;
	if (css->parent->parent) {
		parent = cgd_owner_attached(css->parent);
		if (!parent)
			goto out;
	}
	group = find(parent, name);
	if (!group)
		goto out;
	if (group->css)
		detach(group);	/* its cgroup is gone but not yet offline */
	if (attach(group, css))
		pr_warn_ratelimited("cgdirty: no memory to attach %s\n", name);
	else
		group->seeded = true;	/* nothing is charged to it yet */
	set_thresholds(group);
out:
	mutex_unlock(&groups_mutex);
	kfree(name);
}

/**
 * cgd_group_css_offline() - a memcg has gone: its pages fall to the next up
 * @css: of the memory controller
 *
 * Context: process context under cgroup_mutex.
 */
void cgd_group_css_offline(struct cgroup_subsys_state *css)
{
	struct cgd_group *group;

	mutex_lock(&groups_mutex);
	if (newest_css == css)
		newest_css = NULL;
	group = cgd_owner_attached(css);
	if (group && group->css == css)
		detach(group);
	mutex_unlock(&groups_mutex);
}

/**
 * cgd_group_hooks_off() - from now on nobody tells of cgroups that go
 *
 * Context: process context; no handler runs any more.
 */
void cgd_group_hooks_off(void)
{
	mutex_lock(&groups_mutex);
	newest_css = NULL;
	mutex_unlock(&groups_mutex);
}

/* The online css of the cgroup of that path, with a reference, or NULL. */
static struct cgroup_subsys_state *find_css(struct cgd_group *parent,
					    const char *name)
{
	struct cgroup_subsys_state *above, *css;

	lockdep_assert_held(&groups_mutex);
	above = parent ? parent->css : cgd_memcg_root();
	if (!above)
		return NULL;
	css = cgd_memcg_child(above, name);
	if (!css && newest_css && newest_css->parent == above) {
		char *newest = cgd_memcg_name(newest_css);

		if (newest && !strcmp(newest, name) &&
		    css_tryget_online(newest_css))
			css = newest_css;
		kfree(newest);
	}
	return css;
}

static int attach_to_existing(struct cgd_group *group)
{
	struct cgroup_subsys_state *css = find_css(group->parent, group->name);
	int ret;

	if (!css)
		return 0;
	cgd_owner_grow(css->id);
	ret = attach(group, css);
	/*
	 * It was online with groups_mutex held, and going offline takes that
	 * first: from here on the hook will tell us.
	 */
	css_put(css);
	if (ret)
		return ret;
	cgd_owner_forget_all();
	synchronize_rcu_expedited();
	cgd_seed(group);
	if (!group->seeded)
		seed_later();
	return 0;
}

/* ---- life ---- */

static void free_group(struct rcu_head *rcu)
{
	struct cgd_group *group = container_of(rcu, struct cgd_group, rcu);

	if (group->parent)
		cgd_group_put(group->parent);
	free_percpu(group->residual);
	kfree(group->name);
	kfree(group);
	if (atomic_dec_and_test(&nr_allocated))
		wake_up_var(&nr_allocated);
}

/**
 * cgd_group_put() - give a reference back
 * @group: the group
 *
 * Context: any.
 */
void cgd_group_put(struct cgd_group *group)
{
	if (refcount_dec_and_test(&group->users))
		call_rcu(&group->rcu, free_group);
}

/* A slot for each css there is; those to come are told by the hook. */
static void make_room(void)
{
	struct cgroup_subsys_state *pos, *root = cgd_memcg_root();
	int most = 0;

	rcu_read_lock();
	css_for_each_descendant_pre(pos, root)
		most = max(most, pos->id);
	rcu_read_unlock();
	cgd_owner_grow(most);
}

/*
 * A newline no cgroup may have in its name, and none can have that of a file
 * of its parent. What files a cgroup yet to come will have, the root tells.
 */
static bool name_possible(struct cgd_group *parent, const char *name)
{
	struct cgroup_subsys_state *above = parent ? parent->css : NULL;

	lockdep_assert_held(&groups_mutex);
	return !strchr(name, '\n') &&
	       !cgd_memcg_has_file(above ?: cgd_memcg_root(), name);
}

/**
 * cgd_group_create() - watch a path
 * @parent: group above, NULL for the top
 * @name: of the directory
 *
 * The first group arms the hooks.
 *
 * Context: process context; may sleep.
 * Return: the group, with one reference, or an ERR_PTR: -ENOMEM, -EINVAL for a
 * name that no cgroup can have, or why the hooks could not be armed.
 */
struct cgd_group *cgd_group_create(struct cgd_group *parent, const char *name)
{
	struct cgd_group *group;
	int ret = -ENOMEM;

	group = kzalloc(sizeof(*group), GFP_KERNEL);
	if (!group)
		return ERR_PTR(ret);
	atomic_inc(&nr_allocated);
	group->name = kstrdup(name, GFP_KERNEL);
	group->residual = alloc_percpu(struct cgd_residual);
	if (!group->name || !group->residual)
		goto err_free;
	group->parent = parent;
	if (parent)
		refcount_inc(&parent->users);
	refcount_set(&group->users, 1);
	INIT_LIST_HEAD(&group->children);
	group->thresholds = cgd_thresholds(&group->knobs, 0);
	cgd_throttle_init(&group->throttle);
	cgd_inodes_init_group(&group->inodes);
	cgd_writeout_init_group(&group->writeout);

	ret = cgd_hooks_get();
	if (ret)
		goto err_free;

	mutex_lock(&groups_mutex);
	if (!name_possible(parent, name)) {
		ret = -EINVAL;
		goto err_unlock;
	}
	count_members(group, 1);
	group->quiet_batch = quiet_batch(group);
	group->batch = group->quiet_batch;
	hash_add(names, &group->by_name, name_key(parent, name));
	if (list_empty(&top_groups))
		make_room();
	list_add_tail_rcu(&group->sibling,
			  parent ? &parent->children : &top_groups);
	ret = attach_to_existing(group);
	mutex_unlock(&groups_mutex);
	if (ret) {
		cgd_group_remove(group);
		return ERR_PTR(ret);
	}
	return group;

err_unlock:
	mutex_unlock(&groups_mutex);
	cgd_hooks_put();
err_free:
	free_group(&group->rcu);
	return ERR_PTR(ret);
}

/**
 * cgd_group_remove() - stop watching a path
 * @group: without groups below; the directory's reference is given up
 *
 * Context: process context; may sleep.
 */
void cgd_group_remove(struct cgd_group *group)
{
	mutex_lock(&groups_mutex);
	if (group->css)
		detach(group);
	hash_del(&group->by_name);
	list_del_rcu(&group->sibling);
	count_members(group, -1);
	cgd_throttle_release(group);
	mutex_unlock(&groups_mutex);
	cgd_hooks_put();
	cgd_group_put(group);
}

/**
 * cgd_group_get() - take a reference
 * @group: found under rcu_read_lock()
 *
 * Context: any.
 * Return: false if the group is already on its way out.
 */
bool cgd_group_get(struct cgd_group *group)
{
	return refcount_inc_not_zero(&group->users);
}

/**
 * cgd_group_attached() - whether a cgroup of this path is there
 * @group: the group
 *
 * Context: any.
 * Return: true if so.
 */
bool cgd_group_attached(struct cgd_group *group)
{
	return !!READ_ONCE(group->css);
}

/**
 * cgd_group_read() - counts and thresholds as they are now
 * @group: the group
 * @stat: receives them
 *
 * Context: process context; may sleep.
 */
void cgd_group_read(struct cgd_group *group, struct cgd_group_stat *stat)
{
	enum cgd_item item;

	mutex_lock(&groups_mutex);
	cgd_seed(group);
	if (refresh_due(group))
		set_thresholds(group);
	for (item = 0; item < CGD_NR_ITEMS; item++)
		stat->pages[item] = max(cgd_usage_pages(group, item), 0L);
	stat->peak_pages = max(READ_ONCE(group->peak_pages),
			       stat->pages[CGD_DIRTY] +
			       stat->pages[CGD_WRITEBACK]);
	stat->thresholds = group->thresholds;
	mutex_unlock(&groups_mutex);
}

/**
 * cgd_groups_exit() - wait until the last group is freed
 *
 * Context: process context, all directories and hooks being gone; may sleep.
 */
void cgd_groups_exit(void)
{
	cancel_delayed_work_sync(&seed_work);
	/* Sleepers and chunks under way may still hold some. */
	wait_var_event(&nr_allocated, !atomic_read(&nr_allocated));
	rcu_barrier();
}
