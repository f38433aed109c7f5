// SPDX-License-Identifier: GPL-2.0
/*
 * inodes.c - the inodes that a group has dirtied
 *
 * Inodes are remembered without a reference, so nothing here keeps a
 * filesystem from being unmounted: an entry goes at the latest when its inode
 * is evicted (hook on clear_inode()). While an entry is in its bucket, under
 * the bucket's lock, the inode is there. To write, a reference to the inode
 * is taken together with s_umount, by trylock, so an unmount never waits for
 * more than a chunk.
 *
 * Locks: i_pages lock or list_lock or i_lock -> bucket lock -> inodes_lock.
 * Hence i_lock is only tried for under a bucket lock.
 */
#include <linux/hash.h>
#include <linux/log2.h>
#include <linux/slab.h>

#include <compat/folio.h>
#include <compat/inode.h>
#include <cgdirty/group.h>
#include <cgdirty/inodes.h>

/* A bucket for so much memory: a cached inode takes about 1 KiB at least. */
#define BUCKET_BYTES	SZ_256K

/* Inodes looked at in the kernel's lists at a time. */
#define ADOPT_MAX	1024

/* An inode some group has dirtied; in its bucket and in the group's list. */
struct dirty_inode {
	struct hlist_node by_inode;
	struct list_head in_group;
	struct inode *inode;
	struct cgd_group *group;
};

struct bucket {
	raw_spinlock_t lock;
	struct hlist_head head;
};

static struct bucket *buckets;
static unsigned int bucket_bits;
static struct kmem_cache *cache;

static struct bucket *bucket_of(const struct inode *inode)
{
	return &buckets[hash_ptr(inode, bucket_bits)];
}

static struct dirty_inode *find(struct bucket *bucket, struct inode *inode,
				struct cgd_group *group)
{
	struct dirty_inode *entry;

	hlist_for_each_entry(entry, &bucket->head, by_inode)
		if (entry->inode == inode && entry->group == group)
			return entry;
	return NULL;
}

/* Under the bucket's lock. */
static void drop(struct dirty_inode *entry)
{
	struct cgd_inodes *inodes = &entry->group->inodes;

	lockdep_assert_held(&bucket_of(entry->inode)->lock);
	hlist_del(&entry->by_inode);
	raw_spin_lock(&inodes->lock);
	list_del(&entry->in_group);
	raw_spin_unlock(&inodes->lock);
	kmem_cache_free(cache, entry);
}

/**
 * cgd_inodes_note() - remember that a group has dirtied pages of an inode
 * @group: the owner of the pages
 * @inode: the inode
 *
 * Context: any, where the inode cannot be evicted: under the i_pages lock, or
 * under that of a list which it is on.
 */
void cgd_inodes_note(struct cgd_group *group, struct inode *inode)
{
	struct bucket *bucket = bucket_of(inode);
	struct cgd_inodes *inodes = &group->inodes;
	struct dirty_inode *entry;
	unsigned long flags;
	bool open;

	raw_spin_lock_irqsave(&bucket->lock, flags);
	if (find(bucket, inode, group))
		goto out;
	entry = kmem_cache_alloc(cache, GFP_NOWAIT | __GFP_NOWARN);
	if (!entry) {
		/* The kernel's own lists still have it, see adopt. */
		WRITE_ONCE(group->writeout.starved, true);
		goto out;
	}
	entry->inode = inode;
	entry->group = group;
	raw_spin_lock(&inodes->lock);
	open = inodes->open;
	if (open)
		list_add_tail(&entry->in_group, &inodes->list);
	raw_spin_unlock(&inodes->lock);
	if (open)
		hlist_add_head(&entry->by_inode, &bucket->head);
	else
		kmem_cache_free(cache, entry);
out:
	raw_spin_unlock_irqrestore(&bucket->lock, flags);
}

/**
 * cgd_inodes_forget() - an inode is being evicted
 * @inode: without pages by now
 *
 * Context: process context, from clear_inode(); preemption may be off.
 */
void cgd_inodes_forget(struct inode *inode)
{
	struct bucket *bucket = bucket_of(inode);
	struct dirty_inode *entry;
	struct hlist_node *next;
	unsigned long flags;

	if (hlist_empty(&bucket->head))
		return;
	raw_spin_lock_irqsave(&bucket->lock, flags);
	hlist_for_each_entry_safe(entry, next, &bucket->head, by_inode)
		if (entry->inode == inode)
			drop(entry);
	raw_spin_unlock_irqrestore(&bucket->lock, flags);
}

/* Look at up to *@left inodes of @wb; returns how many have dirty pages. */
static unsigned int adopt_from(struct cgd_group *group,
			       struct bdi_writeback *wb, unsigned int *left)
{
	struct list_head *lists[] = {
		&wb->b_dirty, &wb->b_io, &wb->b_more_io,
	};
	struct inode *inode;
	unsigned int i, nr = 0;

	/* While an inode is on a list, under its lock, it is not evicted. */
	spin_lock(&wb->list_lock);
	for (i = 0; i < ARRAY_SIZE(lists); i++)
		list_for_each_entry_reverse(inode, lists[i], i_io_list) {
			if (!*left)
				goto out;
			--*left;
			if (mapping_tagged(inode->i_mapping,
					   PAGECACHE_TAG_DIRTY)) {
				cgd_inodes_note(group, inode);
				nr++;
			}
		}
out:
	spin_unlock(&wb->list_lock);
	return nr;
}

/**
 * cgd_inodes_adopt() - take over inodes that were dirty before we looked
 * @group: above its background
 * @wb: where a writer of the group writes to
 *
 * If the group has no inode to write, those that wait for the kernel's flusher
 * are taken: the writer's own, or, if it has none, all of that device.
 *
 * Context: process context.
 */
void cgd_inodes_adopt(struct cgd_group *group, struct bdi_writeback *wb)
{
	unsigned int left = ADOPT_MAX;
	struct bdi_writeback *pos;

	if (likely(!READ_ONCE(group->writeout.starved)))
		return;
	WRITE_ONCE(group->writeout.starved, false);
	if (!adopt_from(group, wb, &left)) {
		rcu_read_lock();
		list_for_each_entry_rcu(pos, &wb->bdi->wb_list, bdi_node)
			adopt_from(group, pos, &left);
		rcu_read_unlock();
	}
	cgd_writeout_kick(group);
}

/**
 * cgd_inodes_next() - take turns
 * @inodes: of a group
 *
 * Context: any.
 * Return: the first in the list, moved to its end, NULL if there is none. It
 * may be gone at once: only to be handed to cgd_inodes_grab().
 */
struct inode *cgd_inodes_next(struct cgd_inodes *inodes)
{
	struct dirty_inode *entry;
	struct inode *inode = NULL;
	unsigned long flags;

	raw_spin_lock_irqsave(&inodes->lock, flags);
	entry = list_first_entry_or_null(&inodes->list, struct dirty_inode,
					 in_group);
	if (entry) {
		list_move_tail(&entry->in_group, &inodes->list);
		inode = entry->inode;
	}
	raw_spin_unlock_irqrestore(&inodes->lock, flags);
	return inode;
}

/* Under the bucket's lock, with an entry in it, so the inode is there. */
static bool try_grab(struct inode *inode)
{
	struct super_block *sb = inode->i_sb;
	bool got = false;

	if (!spin_trylock(&inode->i_lock))
		return false;
	if (cgd_inode_usable(inode) && down_read_trylock(&sb->s_umount)) {
		/* While writers are waited for, they may wait for us. */
		got = sb->s_writers.frozen <= SB_FREEZE_WRITE;
		if (got)
			cgd_inode_get(inode);
		else
			up_read(&sb->s_umount);
	}
	spin_unlock(&inode->i_lock);
	return got;
}

/**
 * cgd_inodes_grab() - a reference to an inode, and s_umount for reading
 * @group: in whose list it was just seen
 * @inode: the inode
 *
 * Context: any; never waits.
 * Return: false if it is not in the list any more, or either cannot be had at
 * once.
 */
bool cgd_inodes_grab(struct cgd_group *group, struct inode *inode)
{
	struct bucket *bucket = bucket_of(inode);
	unsigned long flags;
	bool got;

	raw_spin_lock_irqsave(&bucket->lock, flags);
	got = find(bucket, inode, group) && try_grab(inode);
	raw_spin_unlock_irqrestore(&bucket->lock, flags);
	return got;
}

/**
 * cgd_inodes_release() - give back what cgd_inodes_grab() has got
 * @inode: the inode
 *
 * Context: process context; may sleep.
 */
void cgd_inodes_release(struct inode *inode)
{
	struct super_block *sb = inode->i_sb;

	iput(inode);
	up_read(&sb->s_umount);
}

/**
 * cgd_inodes_forget_clean() - forget an inode if it has no dirty page
 * @group: in whose list it is
 * @inode: grabbed
 *
 * Context: process context. Takes the i_pages lock, as cgd_inodes_note() is
 * under it, so no page comes meanwhile.
 */
void cgd_inodes_forget_clean(struct cgd_group *group, struct inode *inode)
{
	struct address_space *mapping = inode->i_mapping;
	struct bucket *bucket = bucket_of(inode);
	struct dirty_inode *entry;

	xa_lock_irq(&mapping->i_pages);
	if (!mapping_tagged(mapping, PAGECACHE_TAG_DIRTY)) {
		raw_spin_lock(&bucket->lock);
		entry = find(bucket, inode, group);
		if (entry)
			drop(entry);
		raw_spin_unlock(&bucket->lock);
	}
	xa_unlock_irq(&mapping->i_pages);
}

/**
 * cgd_inodes_open() - whether a group may have inodes
 * @group: attached, or about not to be any more
 * @open: false before its inodes are handed on
 *
 * Context: under the groups' mutex.
 */
void cgd_inodes_open(struct cgd_group *group, bool open)
{
	struct cgd_inodes *inodes = &group->inodes;

	raw_spin_lock_irq(&inodes->lock);
	inodes->open = open;
	raw_spin_unlock_irq(&inodes->lock);
}

/**
 * cgd_inodes_hand_on() - a group's pages are the next one's from now on
 * @group: closed
 *
 * Its inodes go to the nearest open group above; without one they are
 * forgotten.
 *
 * Context: process context under the groups' mutex; may sleep.
 */
void cgd_inodes_hand_on(struct cgd_group *group)
{
	struct cgd_group *heir = group->parent;
	struct inode *inode;

	while (heir && !heir->inodes.open)
		heir = heir->parent;

	while ((inode = cgd_inodes_next(&group->inodes))) {
		struct bucket *bucket = bucket_of(inode);
		struct dirty_inode *entry;
		unsigned long flags;

		raw_spin_lock_irqsave(&bucket->lock, flags);
		entry = find(bucket, inode, group);
		if (entry && heir && !find(bucket, inode, heir)) {
			raw_spin_lock(&group->inodes.lock);
			list_del(&entry->in_group);
			raw_spin_unlock(&group->inodes.lock);
			entry->group = heir;
			raw_spin_lock(&heir->inodes.lock);
			list_add_tail(&entry->in_group, &heir->inodes.list);
			raw_spin_unlock(&heir->inodes.lock);
		} else if (entry) {
			drop(entry);
		}
		raw_spin_unlock_irqrestore(&bucket->lock, flags);
		cond_resched();
	}
}

/**
 * cgd_inodes_init_group() - none yet
 * @inodes: of a new group
 */
void cgd_inodes_init_group(struct cgd_inodes *inodes)
{
	raw_spin_lock_init(&inodes->lock);
	INIT_LIST_HEAD(&inodes->list);
}

/**
 * cgd_inodes_init() - make the table
 *
 * Return: 0 or -ENOMEM.
 */
int cgd_inodes_init(void)
{
	unsigned int i;

	bucket_bits = ilog2(max(totalram_pages() / (BUCKET_BYTES >> PAGE_SHIFT),
				256UL));
	buckets = kvcalloc(1UL << bucket_bits, sizeof(*buckets), GFP_KERNEL);
	if (!buckets)
		return -ENOMEM;
	for (i = 0; i < 1U << bucket_bits; i++)
		raw_spin_lock_init(&buckets[i].lock);
	cache = kmem_cache_create("cgdirty_inode", sizeof(struct dirty_inode),
				  0, 0, NULL);
	if (!cache) {
		kvfree(buckets);
		return -ENOMEM;
	}
	return 0;
}

/**
 * cgd_inodes_exit() - free the table, all groups being gone
 */
void cgd_inodes_exit(void)
{
	kmem_cache_destroy(cache);
	kvfree(buckets);
}
