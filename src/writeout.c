// SPDX-License-Identifier: GPL-2.0
/*
 * writeout.c - writing what a group has dirtied
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
 * What each group was served is counted while it uses a disk. Who is ahead of
 * the mean of the disk's users may have less under writeback, who is behind
 * more, so the differences stay below a budget or so, however long it takes.
 */
#include <linux/blkdev.h>
#include <linux/hash.h>
#include <linux/jiffies.h>
#include <linux/ktime.h>

#include <compat/folio.h>
#include <compat/inode.h>
#include <compat/writeback.h>
#include <cgdirty/group.h>
#include <cgdirty/trace.h>
#include <cgdirty/writeout.h>

#define BUDGET_MSEC	75
/* Budget before a rate is known, and least one: 256 KiB. */
#define BUDGET_MIN	(SZ_256K >> PAGE_SHIFT)

/* The rate is measured over at least this long. */
#define RATE_USEC	(50 * USEC_PER_MSEC)

/* Look again after this long, should no event come. */
#define RETRY		max(HZ / 50, 1)

/* Inodes looked at in search of one that can be written. */
#define TRIES_MAX	64

/* Who is behind by more budgets than this has had little to write: forgotten. */
#define BEHIND_MAX	4

/* Ranges of one inode that are written at a time. */
#define CALLS_MAX	16

/* Chunks under way at a time: one may block for as long as its disk does. */
#define ACTIVE_MAX	32

/* What is known of one backing device; never dereferences it. */
struct cgd_disk {
	const struct backing_dev_info *bdi;
	atomic_long_t ended_pages;	/* since @stamp */
	unsigned int users;		/* groups that write to it now */
	u64 served_pages;		/* sum over the users */
	raw_spinlock_t lock;		/* guards what follows */
	ktime_t stamp;
	unsigned long rate;		/* pages a second, 0 if unknown */
};

#define DISK_BITS	6

static struct cgd_disk disks[1 << DISK_BITS];
static DEFINE_SPINLOCK(disks_lock);	/* guards who has which, and was served */
static struct workqueue_struct *queue;

/* ---- how much ---- */

/* The place of @bdi, or one to be had; with none left, one that is shared. */
static struct cgd_disk *disk_of(const struct backing_dev_info *bdi)
{
	unsigned int home = hash_ptr(bdi, DISK_BITS), i;
	struct cgd_disk *disk, *unused = NULL;

	lockdep_assert_held(&disks_lock);
	for (i = 0; i < ARRAY_SIZE(disks); i++) {
		disk = &disks[(home + i) % ARRAY_SIZE(disks)];
		if (disk->bdi == bdi)
			return disk;
		if (!disk->users && !unused)
			unused = disk;
	}
	if (!unused)
		return &disks[home];
	WRITE_ONCE(unused->bdi, bdi);
	WRITE_ONCE(unused->rate, 0);
	return unused;
}

static u64 mean_served(struct cgd_disk *disk)
{
	return disk->users ? div_u64(disk->served_pages, disk->users) : 0;
}

/* The group writes to @bdi from now on, or with NULL to none. */
static void use_disk(struct cgd_writeout *wo,
		     const struct backing_dev_info *bdi)
{
	struct cgd_disk *disk = NULL;

	spin_lock(&disks_lock);
	if (bdi)
		disk = disk_of(bdi);
	if (wo->disk != disk) {
		if (wo->disk) {
			wo->disk->users--;
			wo->disk->served_pages -= wo->served_pages;
		}
		if (disk) {
			if (!disk->users) {
				/* An idle time says nothing about the rate. */
				atomic_long_set(&disk->ended_pages, 0);
				WRITE_ONCE(disk->stamp, ktime_get());
			}
			wo->served_pages = mean_served(disk);
			disk->served_pages += wo->served_pages;
			disk->users++;
		}
		WRITE_ONCE(wo->disk, disk);
	}
	spin_unlock(&disks_lock);
}

static void count_served(struct cgd_writeout *wo, s64 pages)
{
	spin_lock(&disks_lock);
	wo->served_pages += pages;
	wo->disk->served_pages += pages;
	spin_unlock(&disks_lock);
}

/* By how many pages a group is ahead of the others, at most @most. */
static s64 ahead(struct cgd_writeout *wo, s64 most)
{
	s64 pages;

	spin_lock(&disks_lock);
	pages = wo->served_pages - mean_served(wo->disk);
	spin_unlock(&disks_lock);
	if (abs(pages) > BEHIND_MAX * most)
		count_served(wo, clamp(pages, -most, most) - pages);
	return clamp(pages, -most, most);
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
	unsigned long pages = BUDGET_MIN;

	if (disk) {
		update_rate(disk);
		pages = max(pages, READ_ONCE(disk->rate) * BUDGET_MSEC /
				   MSEC_PER_SEC / READ_ONCE(disk->users));
	}
	pages = clamp(background, 1UL, pages);
	if (disk)
		pages -= ahead(&group->writeout, pages / 4 * 3);
	return pages;
}

static unsigned long under_writeback(struct cgd_group *group)
{
	return max(atomic_long_read(&group->pages[CGD_WRITEBACK]), 0L);
}

/* ---- writing ---- */

/* The next dirty page at or after *@index, going round once. */
static bool find_dirty(struct address_space *mapping, unsigned long *index,
		       bool *round)
{
	if (xa_find(&mapping->i_pages, index, ULONG_MAX, PAGECACHE_TAG_DIRTY))
		return true;
	if (*round)
		return false;
	*round = true;
	*index = 0;
	return xa_find(&mapping->i_pages, index, ULONG_MAX,
		       PAGECACHE_TAG_DIRTY);
}

/*
 * Up to *@pages of @inode, from where the last chunk ended; less what was
 * sent. A range is given, since nr_to_write is only a hint: btrfs writes the
 * whole extent that a page is in.
 */
static void write_inode(struct inode *inode, long *pages)
{
	struct address_space *mapping = inode->i_mapping;
	unsigned long index = mapping->writeback_index;
	unsigned int calls;
	bool round = !index;

	if (!mapping->a_ops->writepages)
		return;
	for (calls = 0; *pages > 0 && calls < CALLS_MAX; calls++) {
		struct writeback_control wbc = {
			.sync_mode = WB_SYNC_NONE,
			.nr_to_write = *pages,
		};
		struct blk_plug plug;

		if (!find_dirty(mapping, &index, &round))
			break;
		wbc.range_start = (loff_t)index << PAGE_SHIFT;
		index += *pages;
		wbc.range_end = ((loff_t)index << PAGE_SHIFT) - 1;

		wbc_attach_fdatawrite_inode(&wbc, inode);
		blk_start_plug(&plug);
		mapping->a_ops->writepages(mapping, &wbc);
		blk_finish_plug(&plug);
		wbc_detach_inode(&wbc);
		/* btrfs raises it to what it would rather write. */
		*pages = wbc.nr_to_write > *pages ? 0 : wbc.nr_to_write;
	}
	mapping->writeback_index = index;
}

/* Up to @pages of what @member has dirtied; returns how many were sent. */
static long write_some(struct cgd_group *group, struct cgd_group *member,
		       long pages)
{
	long left = pages, before;
	unsigned int tries;

	for (tries = 0; left > 0 && tries < TRIES_MAX; tries++) {
		struct inode *inode = cgd_inodes_next(&member->inodes);

		if (!inode)
			break;
		if (!cgd_inodes_grab(member, inode))
			continue;
		use_disk(&group->writeout, inode_to_bdi(inode));
		before = left;
		write_inode(inode, &left);
		count_served(&group->writeout, before - left);
		trace_cgdirty_writeout(group->name, inode->i_ino, before - left,
				       under_writeback(group),
				       group->writeout.budget_pages);
		cgd_inodes_forget_clean(member, inode);
		cgd_inodes_release(inode);
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
		nr += !list_empty(&pos->inodes.list);
	if (nr) {
		turn = top->writeout.turn++ % nr;
		while ((pos = cgd_group_next(pos, top)))
			if (!list_empty(&pos->inodes.list) && !turn--)
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
 * cgd_writeout_init_group() - nothing to do
 * @writeout: of a new group
 */
void cgd_writeout_init_group(struct cgd_writeout *writeout)
{
	INIT_DELAYED_WORK(&writeout->work, writeout_work);
	writeout->budget_pages = BUDGET_MIN;
}

/**
 * cgd_writeout_init() - make the workqueue
 *
 * Return: 0 or -ENOMEM.
 */
int cgd_writeout_init(void)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(disks); i++)
		raw_spin_lock_init(&disks[i].lock);
	queue = alloc_workqueue("cgdirty", WQ_UNBOUND | WQ_MEM_RECLAIM,
				ACTIVE_MAX);
	return queue ? 0 : -ENOMEM;
}

/**
 * cgd_writeout_exit() - stop the workqueue
 *
 * Context: process context, all groups being gone.
 */
void cgd_writeout_exit(void)
{
	destroy_workqueue(queue);
}
