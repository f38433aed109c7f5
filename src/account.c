// SPDX-License-Identifier: GPL-2.0
/*
 * account.c - from the kernel's events to the counts of a group
 *
 * The kernel counts a page for its memcg at these same events, so our counts
 * move with memory.stat's. A page counts for the memcg it is charged to, not
 * for the task that dirtied it.
 */
#include <linux/rcupdate.h>

#include <cgdirty/account.h>
#include <cgdirty/group.h>
#include <cgdirty/owner.h>

/*
 * A reader with preemption or interrupts off is an RCU reader, for less than
 * rcu_read_lock(), which is two calls on a preemptible kernel. A kernel that
 * checks who reads wants to be told, too.
 */
static __always_inline void tell_rcu(void)
{
	if (IS_ENABLED(CONFIG_PROVE_RCU))
		rcu_read_lock();
}

static __always_inline void untell_rcu(void)
{
	if (IS_ENABLED(CONFIG_PROVE_RCU))
		rcu_read_unlock();
}

static __always_inline void begin(void)
{
	preempt_disable_notrace();
	tell_rcu();
}

static __always_inline void end(void)
{
	untell_rcu();
	preempt_enable_notrace();
}

/*
 * Most folios are nobody's, and this is all that is done for them. What follows
 * for the others stands in functions of its own, so that no register is saved
 * before it is known.
 */
static __always_inline struct cgd_group *known_owner(struct folio *folio)
{
	struct mem_cgroup *memcg = cgd_folio_memcg(folio);

	return memcg ? cgd_owner_known(&memcg->css) : CGD_UNWATCHED;
}

static struct cgd_group *owner(struct folio *folio, struct cgd_group *known)
{
	return known ?: cgd_owner_resolve(&cgd_folio_memcg(folio)->css);
}

static noinline void count(struct cgd_group *known, struct folio *folio,
			   enum cgd_item item, long sign)
{
	struct cgd_group *group = owner(folio, known);

	if (group)
		cgd_usage_add(group, item,
			      sign * (long)folio_nr_pages(folio));
}

static bool counts_as_dirty(struct folio *folio)
{
	struct address_space *mapping = folio_mapping(folio);

	return mapping && mapping_can_writeback(mapping);
}

/*
 * A mapping that has the dirty tag was noted when it got the first such page;
 * only under pressure, where every page counts, is it looked up all the same,
 * since that page may have been another group's.
 */
static noinline void dirtied(struct cgd_group *known, struct folio *folio,
			     struct address_space *mapping)
{
	struct cgd_group *group = owner(folio, known);
	bool pressure;

	if (!group || !mapping_can_writeback(mapping))
		return;
	cgd_usage_add(group, CGD_DIRTY, folio_nr_pages(folio));
	pressure = READ_ONCE(group->pressure);
	if (unlikely(pressure || !mapping_tagged(mapping, PAGECACHE_TAG_DIRTY)))
		cgd_inodes_note(group, mapping->host);
	if (unlikely(pressure))
		cgd_throttle_mark(group, &cgd_folio_memcg(folio)->css);
}

/**
 * cgd_account_dirtied() - a folio has become dirty
 * @folio: the folio
 * @mapping: that it belongs to
 *
 * Context: under the mapping's i_pages lock with interrupts off, in the
 * dirtier's context.
 */
void cgd_account_dirtied(struct folio *folio, struct address_space *mapping)
{
	struct cgd_group *known;

	tell_rcu();
	known = known_owner(folio);
	if (unlikely(known != CGD_UNWATCHED))
		dirtied(known, folio, mapping);
	untell_rcu();
}

static noinline void cleaned(struct cgd_group *known, struct folio *folio)
{
	if (counts_as_dirty(folio))
		count(known, folio, CGD_DIRTY, -1);
}

/**
 * cgd_account_cleaned() - a folio has lost its dirty flag in order to be written
 * @folio: locked, still in its mapping; it was dirty
 *
 * Context: any.
 */
void cgd_account_cleaned(struct folio *folio)
{
	struct cgd_group *known;

	begin();
	known = known_owner(folio);
	if (unlikely(known != CGD_UNWATCHED))
		cleaned(known, folio);
	end();
}

static noinline void cancelled(struct cgd_group *known, struct folio *folio)
{
	struct cgd_group *group = owner(folio, known), *pos;
	long pages = folio_nr_pages(folio);

	if (!group || !counts_as_dirty(folio))
		return;
	cgd_usage_add(group, CGD_DIRTY, -pages);
	if (READ_ONCE(group->pressure))
		for (pos = group; pos; pos = pos->parent)
			cgd_throttle_progress(pos, pages);
}

/**
 * cgd_account_cancelled() - a folio loses its dirty flag and is not written
 * @folio: still in its mapping; it was dirty
 *
 * Context: any.
 */
void cgd_account_cancelled(struct folio *folio)
{
	struct cgd_group *known;

	begin();
	known = known_owner(folio);
	if (unlikely(known != CGD_UNWATCHED))
		cancelled(known, folio);
	end();
}

/**
 * cgd_account_writeback_started() - a folio is about to go under writeback
 * @folio: locked; may be under writeback already, then nothing changes
 *
 * Context: any.
 */
void cgd_account_writeback_started(struct folio *folio)
{
	struct cgd_group *known;

	begin();
	known = known_owner(folio);
	if (unlikely(known != CGD_UNWATCHED) &&
	    !folio_test_writeback(folio))
		count(known, folio, CGD_WRITEBACK, 1);
	end();
}

/**
 * cgd_account_writeback_ended() - a folio's writeback is about to end
 * @folio: under writeback
 *
 * Context: any; often a softirq.
 */
void cgd_account_writeback_ended(struct folio *folio)
{
	struct cgd_group *known;

	begin();
	known = known_owner(folio);
	if (unlikely(known != CGD_UNWATCHED))
		count(known, folio, CGD_WRITEBACK, -1);
	end();
}
