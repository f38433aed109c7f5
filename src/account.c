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

static struct cgroup_subsys_state *owner_css(struct folio *folio)
{
	struct mem_cgroup *memcg = cgd_folio_memcg(folio);

	return memcg ? &memcg->css : NULL;
}

static __always_inline struct cgd_group *owner(struct folio *folio)
{
	struct cgroup_subsys_state *css = owner_css(folio);

	return css ? cgd_group_of(css) : NULL;
}

static __always_inline void account(struct folio *folio, enum cgd_item item,
				    long sign)
{
	struct cgd_group *group;

	rcu_read_lock();
	group = owner(folio);
	if (group)
		cgd_usage_add(group, item, sign * (long)folio_nr_pages(folio));
	rcu_read_unlock();
}

static bool counts_as_dirty(struct folio *folio)
{
	struct address_space *mapping = folio_mapping(folio);

	return mapping && mapping_can_writeback(mapping);
}

/**
 * cgd_account_dirtied() - a folio has become dirty
 * @folio: the folio
 * @mapping: that it belongs to
 *
 * Context: under the mapping's i_pages lock, in the dirtier's context.
 */
void cgd_account_dirtied(struct folio *folio, struct address_space *mapping)
{
	struct cgroup_subsys_state *css;
	struct cgd_group *group;

	if (!mapping_can_writeback(mapping))
		return;
	rcu_read_lock();
	css = owner_css(folio);
	group = css ? cgd_group_of(css) : NULL;
	if (group) {
		cgd_usage_add(group, CGD_DIRTY, folio_nr_pages(folio));
		cgd_inodes_note(group, mapping);
		if (unlikely(READ_ONCE(group->pressure)))
			cgd_throttle_mark(group, css);
	}
	rcu_read_unlock();
}

/**
 * cgd_account_cleaned() - a folio has lost its dirty flag in order to be written
 * @folio: locked, still in its mapping; it was dirty
 *
 * Context: any.
 */
void cgd_account_cleaned(struct folio *folio)
{
	if (counts_as_dirty(folio))
		account(folio, CGD_DIRTY, -1);
}

/**
 * cgd_account_cancelled() - a folio loses its dirty flag and is not written
 * @folio: still in its mapping; it was dirty
 *
 * Context: any.
 */
void cgd_account_cancelled(struct folio *folio)
{
	long pages = folio_nr_pages(folio);
	struct cgd_group *group, *pos;

	if (!counts_as_dirty(folio))
		return;
	rcu_read_lock();
	group = owner(folio);
	if (group) {
		cgd_usage_add(group, CGD_DIRTY, -pages);
		if (READ_ONCE(group->pressure))
			for (pos = group; pos; pos = pos->parent)
				cgd_throttle_progress(pos, pages);
	}
	rcu_read_unlock();
}

/**
 * cgd_account_writeback_started() - a folio is about to go under writeback
 * @folio: locked; may be under writeback already, then nothing changes
 *
 * Context: any.
 */
void cgd_account_writeback_started(struct folio *folio)
{
	if (!folio_test_writeback(folio))
		account(folio, CGD_WRITEBACK, 1);
}

/**
 * cgd_account_writeback_ended() - a folio's writeback is about to end
 * @folio: under writeback
 *
 * Context: any; often a softirq.
 */
void cgd_account_writeback_ended(struct folio *folio)
{
	account(folio, CGD_WRITEBACK, -1);
}
