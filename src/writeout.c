// SPDX-License-Identifier: GPL-2.0
/*
 * writeout.c - the inodes a group has dirtied, and writing them
 *
 * The kernel's flushers know nothing of our thresholds, so a group above its
 * background writes its own inodes, a chunk at a time, through the
 * filesystem's writepages. One work item a group, all on one unbound
 * workqueue, queues itself again after each chunk, so groups take turns.
 *
 * No more is kept under writeback than the disk clears in BUDGET_MSEC at the
 * rate it was seen to have, divided by the groups that write to it: enough to
 * keep it busy, little enough that a writer waiting for one of these pages,
 * or anybody else's read, waits shortly. The rest of what is dirty waits in
 * memory, where it hurts nobody.
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
#include <linux/blkdev.h>
#include <linux/hash.h>
#include <linux/jiffies.h>
#include <linux/ktime.h>
#include <linux/slab.h>

#include <compat/folio.h>
#include <compat/inode.h>
#include <compat/writeback.h>
#include <cgdirty/group.h>
#include <cgdirty/trace.h>
#include <cgdirty/writeout.h>

#define BUCKET_BITS	10

#define BUDGET_MSEC	75
/* Budget before a rate is known, and least one: 256 KiB. */
#define BUDGET_MIN	(SZ_256K >> PAGE_SHIFT)

/* The rate is measured over at least this long. */
#define RATE_USEC	(50 * USEC_PER_MSEC)

/* Look again after this long, should no event come. */
#define RETRY		max(HZ / 50, 1)

/* Inodes looked at in search of one that can be written. */
#define TRIES_MAX	64

/* Inodes taken over from the kernel's lists at a time. */
#define ADOPT_MAX	256

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

/* What is known of one backing device; never dereferences it. */
struct cgd_disk {
	const struct backing_dev_info *bdi;
	atomic_long_t ended_pages;	/* since @stamp */
	atomic_t users;			/* groups that write to it now */
	raw_spinlock_t lock;		/* guards what follows */
	ktime_t stamp;
	unsigned long rate;		/* pages a second, 0 if unknown */
};

/* By hash; devices that share a place share an estimate. */
#define DISK_BITS	6

static struct bucket buckets[1 << BUCKET_BITS];
static struct cgd_disk disks[1 << DISK_BITS];
static struct kmem_cache *cache;
static struct workqueue_struct *queue;

/* ---- which inodes ---- */

static struct bucket *bucket_of(const struct inode *inode)
{
	return &buckets[hash_ptr(inode, BUCKET_BITS)];
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
	struct cgd_writeout *wo = &entry->group->writeout;

	lockdep_assert_held(&bucket_of(entry->inode)->lock);
	hlist_del(&entry->by_inode);
	raw_spin_lock(&wo->inodes_lock);
	list_del(&entry->in_group);
	raw_spin_unlock(&wo->inodes_lock);
	kmem_cache_free(cache, entry);
}

static void remember(struct cgd_group *group, struct inode *inode)
{
	struct bucket *bucket = bucket_of(inode);
	struct cgd_writeout *wo = &group->writeout;
	struct dirty_inode *entry;
	unsigned long flags;
	bool open;

	raw_spin_lock_irqsave(&bucket->lock, flags);
	if (find(bucket, inode, group))
		goto out;
	entry = kmem_cache_alloc(cache, GFP_NOWAIT | __GFP_NOWARN);
	if (!entry) {
		/* The kernel's own lists still have it, see adopt. */
		WRITE_ONCE(wo->starved, true);
		goto out;
	}
	entry->inode = inode;
	entry->group = group;
	raw_spin_lock(&wo->inodes_lock);
	open = wo->open;
	if (open)
		list_add_tail(&entry->in_group, &wo->inodes);
	raw_spin_unlock(&wo->inodes_lock);
	if (open)
		hlist_add_head(&entry->by_inode, &bucket->head);
	else
		kmem_cache_free(cache, entry);
out:
	raw_spin_unlock_irqrestore(&bucket->lock, flags);
}

/**
 * cgd_writeout_note() - a group has dirtied a page of an inode
 * @group: the owner of the page
 * @mapping: the inode's
 *
 * A mapping that has the dirty tag was noted when it got the first such page;
 * only under pressure, where every page counts, is it looked up all the same,
 * since that page may have been another group's.
 *
 * Context: under the mapping's i_pages lock and rcu_read_lock().
 */
void cgd_writeout_note(struct cgd_group *group, struct address_space *mapping)
{
	if (!mapping_tagged(mapping, PAGECACHE_TAG_DIRTY) ||
	    READ_ONCE(group->pressure))
		remember(group, mapping->host);
}

/**
 * cgd_writeout_forget() - an inode is being evicted
 * @inode: without pages by now
 *
 * Context: process context, from clear_inode(); preemption may be off.
 */
void cgd_writeout_forget(struct inode *inode)
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

/**
 * cgd_writeout_adopt() - take over inodes that were dirty before we looked
 * @group: above its background and without an inode to write
 * @wb: where a writer of the group writes to
 *
 * Context: process context.
 */
void cgd_writeout_adopt(struct cgd_group *group, struct bdi_writeback *wb)
{
	struct list_head *lists[] = {
		&wb->b_dirty, &wb->b_io, &wb->b_more_io,
	};
	unsigned int i, left = ADOPT_MAX;
	struct inode *inode;

	if (likely(!READ_ONCE(group->writeout.starved)))
		return;
	WRITE_ONCE(group->writeout.starved, false);
	/* While an inode is on a list, under its lock, it is not evicted. */
	spin_lock(&wb->list_lock);
	for (i = 0; i < ARRAY_SIZE(lists); i++)
		list_for_each_entry_reverse(inode, lists[i], i_io_list) {
			if (!left--)
				goto out;
			remember(group, inode);
		}
out:
	spin_unlock(&wb->list_lock);
	cgd_writeout_kick(group);
}

/* The first in the list, moved to its end; NULL if the list is empty. */
static struct inode *next_inode(struct cgd_writeout *wo)
{
	struct dirty_inode *entry;
	struct inode *inode = NULL;
	unsigned long flags;

	raw_spin_lock_irqsave(&wo->inodes_lock, flags);
	entry = list_first_entry_or_null(&wo->inodes, struct dirty_inode,
					 in_group);
	if (entry) {
		list_move_tail(&entry->in_group, &wo->inodes);
		inode = entry->inode;
	}
	raw_spin_unlock_irqrestore(&wo->inodes_lock, flags);
	return inode;
}

/* Under the bucket's lock, with an entry in it, so the inode is there. */
static bool try_grab(struct inode *inode)
{
	struct super_block *sb = inode->i_sb;
	bool got = false;

	if (sb->s_writers.frozen != SB_UNFROZEN)
		return false;
	if (!spin_trylock(&inode->i_lock))
		return false;
	if (cgd_inode_usable(inode) && down_read_trylock(&sb->s_umount)) {
		cgd_inode_get(inode);
		got = true;
	}
	spin_unlock(&inode->i_lock);
	return got;
}

/*
 * A reference to @inode, whose entry was just seen, and s_umount for reading;
 * false if the entry has gone, or either cannot be had at once.
 */
static bool grab(struct cgd_group *group, struct inode *inode)
{
	struct bucket *bucket = bucket_of(inode);
	unsigned long flags;
	bool got;

	raw_spin_lock_irqsave(&bucket->lock, flags);
	got = find(bucket, inode, group) && try_grab(inode);
	raw_spin_unlock_irqrestore(&bucket->lock, flags);
	return got;
}

/* What grab() has got. */
static void release(struct inode *inode)
{
	struct super_block *sb = inode->i_sb;

	iput(inode);
	up_read(&sb->s_umount);
}

/* Under the i_pages lock, as cgd_writeout_note(): no page comes meanwhile. */
static void forget_if_clean(struct cgd_group *group, struct inode *inode)
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
 * cgd_writeout_open() - whether a group may have inodes
 * @group: attached, or about not to be any more
 * @open: false before its inodes are handed on
 *
 * Context: under the groups' mutex.
 */
void cgd_writeout_open(struct cgd_group *group, bool open)
{
	struct cgd_writeout *wo = &group->writeout;

	raw_spin_lock_irq(&wo->inodes_lock);
	wo->open = open;
	raw_spin_unlock_irq(&wo->inodes_lock);
}

/**
 * cgd_writeout_hand_on() - a group's pages are the next one's from now on
 * @group: closed
 *
 * Its inodes go to the nearest open group above; without one they are
 * forgotten.
 *
 * Context: process context under the groups' mutex; may sleep.
 */
void cgd_writeout_hand_on(struct cgd_group *group)
{
	struct cgd_group *heir = group->parent;
	struct inode *inode;

	while (heir && !heir->writeout.open)
		heir = heir->parent;

	while ((inode = next_inode(&group->writeout))) {
		struct bucket *bucket = bucket_of(inode);
		struct dirty_inode *entry;
		unsigned long flags;

		raw_spin_lock_irqsave(&bucket->lock, flags);
		entry = find(bucket, inode, group);
		if (entry && heir && !find(bucket, inode, heir)) {
			raw_spin_lock(&group->writeout.inodes_lock);
			list_del(&entry->in_group);
			raw_spin_unlock(&group->writeout.inodes_lock);
			entry->group = heir;
			raw_spin_lock(&heir->writeout.inodes_lock);
			list_add_tail(&entry->in_group, &heir->writeout.inodes);
			raw_spin_unlock(&heir->writeout.inodes_lock);
		} else if (entry) {
			drop(entry);
		}
		raw_spin_unlock_irqrestore(&bucket->lock, flags);
		cond_resched();
	}
}

/* ---- how much ---- */

static struct cgd_disk *disk_of(const struct backing_dev_info *bdi)
{
	struct cgd_disk *disk = &disks[hash_ptr(bdi, DISK_BITS)];

	if (READ_ONCE(disk->bdi) != bdi) {
		WRITE_ONCE(disk->bdi, bdi);
		WRITE_ONCE(disk->rate, 0);
	}
	return disk;
}

/* The group writes to @disk from now on, or with NULL to none. */
static void use_disk(struct cgd_writeout *wo, struct cgd_disk *disk)
{
	if (wo->disk == disk)
		return;
	if (wo->disk)
		atomic_dec(&wo->disk->users);
	if (disk && atomic_inc_return(&disk->users) == 1) {
		/* An idle time says nothing about the rate. */
		atomic_long_set(&disk->ended_pages, 0);
		WRITE_ONCE(disk->stamp, ktime_get());
	}
	WRITE_ONCE(wo->disk, disk);
}

static void update_rate(struct cgd_disk *disk)
{
	unsigned long flags, pages;
	ktime_t now = ktime_get();
	s64 usec;

	raw_spin_lock_irqsave(&disk->lock, flags);
	usec = ktime_us_delta(now, disk->stamp);
	if (usec >= RATE_USEC) {
		pages = atomic_long_xchg(&disk->ended_pages, 0);
		pages = div64_u64((u64)pages * USEC_PER_SEC, usec);
		if (disk->rate)
			pages = (disk->rate * 3 + pages) / 4;
		WRITE_ONCE(disk->rate, pages);
		disk->stamp = now;
	}
	raw_spin_unlock_irqrestore(&disk->lock, flags);
}

/* Most pages that @group may have under writeback. */
static unsigned long budget(struct cgd_group *group)
{
	struct cgd_disk *disk = group->writeout.disk;
	unsigned long background = READ_ONCE(group->thresholds.background);
	unsigned long pages = 0;

	if (disk) {
		update_rate(disk);
		pages = READ_ONCE(disk->rate) * BUDGET_MSEC / MSEC_PER_SEC /
			max(atomic_read(&disk->users), 1);
	}
	pages = max(pages, (unsigned long)BUDGET_MIN);
	return clamp(background, 1UL, pages);
}

static unsigned long under_writeback(struct cgd_group *group)
{
	return max(atomic_long_read(&group->pages[CGD_WRITEBACK]), 0L);
}

/* ---- writing ---- */

static void write_inode(struct inode *inode, long *pages)
{
	struct address_space *mapping = inode->i_mapping;
	struct writeback_control wbc = {
		.sync_mode = WB_SYNC_NONE,
		.nr_to_write = *pages,
		.range_cyclic = 1,
	};
	struct blk_plug plug;

	if (!mapping->a_ops->writepages)
		return;
	wbc_attach_fdatawrite_inode(&wbc, inode);
	blk_start_plug(&plug);
	mapping->a_ops->writepages(mapping, &wbc);
	blk_finish_plug(&plug);
	wbc_detach_inode(&wbc);
	*pages = wbc.nr_to_write;
}

/* Up to @pages of what @member has dirtied; returns how many were sent. */
static long write_some(struct cgd_group *group, struct cgd_group *member,
		       long pages)
{
	long left = pages, before;
	unsigned int tries;

	for (tries = 0; left > 0 && tries < TRIES_MAX; tries++) {
		struct inode *inode = next_inode(&member->writeout);
		struct cgd_disk *disk;

		if (!inode)
			break;
		if (!grab(member, inode))
			continue;
		disk = disk_of(inode_to_bdi(inode));
		use_disk(&group->writeout, disk);
		before = left;
		write_inode(inode, &left);
		trace_cgdirty_writeout(group->name, inode->i_ino, before - left,
				       under_writeback(group),
				       group->writeout.budget_pages);
		forget_if_clean(member, inode);
		release(inode);
	}
	return pages - max(left, 0L);
}

/* The member of @top's subtree whose turn it is, with a reference. */
static struct cgd_group *next_member(struct cgd_group *top)
{
	struct cgd_group *pos = NULL, *found = NULL;
	unsigned int nr = 0, turn;

	rcu_read_lock();
	while ((pos = cgd_group_next(pos, top)))
		nr += !list_empty(&pos->writeout.inodes);
	if (nr) {
		turn = top->writeout.turn++ % nr;
		while ((pos = cgd_group_next(pos, top)))
			if (!list_empty(&pos->writeout.inodes) && !turn--)
				break;
		if (pos && cgd_group_get(pos))
			found = pos;
	}
	rcu_read_unlock();
	return found;
}

/* Each queued or running instance of the work holds a reference. */
static void run_again(struct cgd_group *group, unsigned long delay)
{
	if (!queue_delayed_work(queue, &group->writeout.work, delay))
		cgd_group_put(group);	/* queued by an event meanwhile */
}

static void writeout_work(struct work_struct *work)
{
	struct cgd_writeout *wo = container_of(to_delayed_work(work),
					       struct cgd_writeout, work);
	struct cgd_group *group = container_of(wo, struct cgd_group, writeout);
	struct cgd_group *member;
	unsigned long flying;
	ktime_t start;
	long written = 0;

	atomic_set(&wo->state, CGD_WRITEOUT_BUSY);
	if (cgd_group_usage(group) <= READ_ONCE(group->thresholds.background)) {
		use_disk(wo, NULL);
		/* An event may have come before this and found it busy. */
		atomic_set(&wo->state, CGD_WRITEOUT_IDLE);
		/* Idle before usage is read; a kick reads them the other way. */
		smp_mb();
		if (cgd_group_usage(group) >
		    READ_ONCE(group->thresholds.background))
			cgd_writeout_kick(group);
		cgd_group_put(group);
		return;
	}

	wo->budget_pages = budget(group);
	flying = under_writeback(group);
	if (flying > wo->budget_pages / 4 * 3) {
		atomic_set(&wo->state, CGD_WRITEOUT_FULL);
		run_again(group, RETRY);
		return;
	}

	start = ktime_get();
	member = next_member(group);
	if (member) {
		written = write_some(group, member, wo->budget_pages - flying);
		cgd_group_put(member);
	}
	wo->written_pages += written;
	wo->busy_usec += ktime_us_delta(ktime_get(), start);
	if (!written && !member)
		WRITE_ONCE(wo->starved, true);
	run_again(group, written ? 0 : RETRY);
}

/**
 * cgd_writeout_kick() - a group is above its background
 * @group: the group
 *
 * Context: any, under rcu_read_lock() or with a reference to @group.
 */
void cgd_writeout_kick(struct cgd_group *group)
{
	struct cgd_writeout *wo = &group->writeout;

	if (atomic_read(&wo->state) != CGD_WRITEOUT_IDLE)
		return;
	if (atomic_cmpxchg(&wo->state, CGD_WRITEOUT_IDLE,
			   CGD_WRITEOUT_BUSY) != CGD_WRITEOUT_IDLE)
		return;
	if (cgd_group_get(group))
		run_again(group, 0);
}

/**
 * cgd_writeout_ended() - pages of a group have reached the disk
 * @group: the group, already without them
 * @pages: how many
 *
 * Context: any, under rcu_read_lock().
 */
void cgd_writeout_ended(struct cgd_group *group, unsigned long pages)
{
	struct cgd_writeout *wo = &group->writeout;
	struct cgd_disk *disk = READ_ONCE(wo->disk);

	if (disk)
		atomic_long_add(pages, &disk->ended_pages);
	if (atomic_read(&wo->state) == CGD_WRITEOUT_FULL &&
	    under_writeback(group) <= READ_ONCE(wo->budget_pages) / 4 * 3 &&
	    atomic_cmpxchg(&wo->state, CGD_WRITEOUT_FULL,
			   CGD_WRITEOUT_BUSY) == CGD_WRITEOUT_FULL &&
	    cgd_group_get(group) && mod_delayed_work(queue, &wo->work, 0))
		cgd_group_put(group);	/* was queued already */
}

/**
 * cgd_writeout_bdi() - the device that a group's last chunk went to
 * @group: the group
 *
 * Context: any.
 * Return: the backing_dev_info, to be compared only, or NULL.
 */
const void *cgd_writeout_bdi(struct cgd_group *group)
{
	struct cgd_disk *disk = READ_ONCE(group->writeout.disk);

	return disk ? READ_ONCE(disk->bdi) : NULL;
}

/**
 * cgd_writeout_init_group() - no inodes, nothing to do
 * @writeout: of a new group
 */
void cgd_writeout_init_group(struct cgd_writeout *writeout)
{
	INIT_DELAYED_WORK(&writeout->work, writeout_work);
	writeout->budget_pages = BUDGET_MIN;
	raw_spin_lock_init(&writeout->inodes_lock);
	INIT_LIST_HEAD(&writeout->inodes);
}

/**
 * cgd_writeout_init() - make the workqueue
 *
 * Return: 0 or -ENOMEM.
 */
int cgd_writeout_init(void)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(buckets); i++)
		raw_spin_lock_init(&buckets[i].lock);
	for (i = 0; i < ARRAY_SIZE(disks); i++)
		raw_spin_lock_init(&disks[i].lock);
	cache = kmem_cache_create("cgdirty_inode", sizeof(struct dirty_inode),
				  0, 0, NULL);
	if (!cache)
		return -ENOMEM;
	queue = alloc_workqueue("cgdirty", WQ_UNBOUND | WQ_MEM_RECLAIM, 8);
	if (!queue) {
		kmem_cache_destroy(cache);
		return -ENOMEM;
	}
	return 0;
}

/**
 * cgd_writeout_exit() - free what is left
 *
 * Context: process context, all groups being gone.
 */
void cgd_writeout_exit(void)
{
	destroy_workqueue(queue);
	kmem_cache_destroy(cache);
}
