// SPDX-License-Identifier: GPL-2.0
/*
 * throttle.c - whether, how long and how a writer waits
 *
 * A writer calls in with the pages it has just dirtied. With usage u of a
 * group below its freerun F nobody waits. Above, every page is a ticket, and
 * tickets are paid for by pages that leave: n of them pay
 *
 *	n * 2 * (L - u) / (L - F)
 *
 * L being the limit. Midway between F and L a page may come for each one that
 * goes, so usage settles there by itself at whatever rate the disk has, and
 * nothing needs to be estimated; nearer to F writers are quicker than the
 * disk, nearer to L slower, and at L nobody passes. (The kernel's position
 * ratio has the same purpose, see mm/page-writeback.c; it multiplies an
 * estimated rate and sleeps for a computed time, where this waits for the
 * event itself.) Who waits is served in the order of what was served before,
 * so the tasks of a group get equal shares: that is start-time fair queueing
 * (Goyal, Vin and Cheng, SIGCOMM 1996), but a task that comes late, as it had
 * no CPU, may catch up on a burst. Disks complete in bursts of up to one
 * write-out budget. So that a burst goes to all who wait, and not to whoever
 * runs first, a task calls in for as many pages at a time as are its part of a
 * burst (the stride), and of what is paid without a taker no more than that is
 * kept.
 *
 * A limit that is put below usage would stop everybody until the disk has
 * caught up. So a ceiling takes its place, which begins at usage and comes down
 * by three pages for every four that leave: writers are slowed to a quarter of
 * the disk's rate until the limit is reached.
 *
 * A wait ends at the latest
 * - after 100 ms, if usage is below L, or if at least twice as many pages have
 *   left as the task is to pay for;
 * - when the task is killed;
 * - when nothing has left the group for a second and the task is to be frozen,
 *   or nothing is under way, or what is went to another device than this task
 *   writes to: then the disk may be waiting for this very task (a FUSE server,
 *   a loop device). Until something moves, others wait for a tick only;
 * - when the group goes or gets other limits, or the module is unloaded.
 */
#include <linux/freezer.h>
#include <linux/hash.h>
#include <linux/jiffies.h>
#include <linux/ktime.h>
#include <linux/sched.h>
#include <linux/sched/jobctl.h>
#include <linux/sched/signal.h>

#include <compat/writeback.h>
#include <cgdirty/group.h>
#include <cgdirty/owner.h>
#include <cgdirty/throttle.h>
#include <cgdirty/trace.h>

/* Tickets are counted in this part of a page. */
#define TICKET_SHIFT	4

/* Half of mm/page-writeback.c's, since one write(2) to btrfs may wait twice. */
#define MAX_PAUSE	max(HZ / 10, 1)

/* No page has left for so long: the disk does not move. */
#define STALLED_AFTER	HZ

/* A task pays for no more pages than this at a time. */
#define CHARGE_MAX	64

/* A task calls in after so many pages at the latest. */
#define STRIDE_MAX	32UL

/* Of those who took turns, one is forgotten after so many waits. */
#define CROWD_MEMORY	32

struct waiter {
	struct rb_node node;
	struct task_struct *task;
	unsigned long pages;
	u32 start;		/* in the group's virtual time */
	bool passed;
};

static bool stopping;

/*
 * Who has just dirtied a page of whom. A task may dirty what another group
 * owns; the owner's limit is to hold it then. The page is known in the dirty
 * hook only, the wait comes a little later, in the same task. So the hook
 * leaves the owner's css id here under the task's pid. An entry that another
 * task has overwritten meanwhile costs one check against the wrong group.
 */
#define MARKS		1024
static u64 marks[MARKS];

static u64 *mark_of(struct task_struct *task)
{
	return &marks[(unsigned int)task->pid % MARKS];
}

/**
 * cgd_throttle_mark() - the current task has dirtied a page of a busy group
 * @group: that counts the page
 * @css: the memcg that owns the page
 *
 * Makes the task call in after the group's stride, at the latest.
 *
 * Context: any, in the dirtier's context.
 */
void cgd_throttle_mark(struct cgd_group *group, struct cgroup_subsys_state *css)
{
	int stride = READ_ONCE(group->throttle.stride);

	if (current->flags & PF_KTHREAD)
		return;
	WRITE_ONCE(*mark_of(current), (u64)current->pid << 32 | css->id);
	if (current->nr_dirtied_pause > stride)
		current->nr_dirtied_pause = stride;
}

/* The group to be held to, with a reference, or NULL. */
static struct cgd_group *take_group(void)
{
	u64 *mark = mark_of(current), seen = READ_ONCE(*mark);
	struct cgd_group *group;

	rcu_read_lock();
	if (seen >> 32 == current->pid) {
		WRITE_ONCE(*mark, 0);
		group = cgd_group_of_id((u32)seen);
	} else {
		group = cgd_group_of(task_css(current, memory_cgrp_id));
	}
	if (group && !cgd_group_get(group))
		group = NULL;
	rcu_read_unlock();
	return group;
}

static bool exempt(void)
{
	return current->flags & (PF_KTHREAD | PF_MEMALLOC |
				 PF_LOCAL_THROTTLE | PF_EXITING) ||
	       fatal_signal_pending(current);
}

/* To be frozen, by suspend or by its cgroup: a wait would hold that up. */
static bool to_be_frozen(void)
{
	return freezing(current) ||
	       READ_ONCE(current->jobctl) & JOBCTL_TRAP_FREEZE;
}

/* Whether the disk may wait for this task, should nothing move. */
static bool may_be_waited_for(struct cgd_group *group, struct bdi_writeback *wb)
{
	return atomic_long_read(&group->pages[CGD_WRITEBACK]) <= 0 ||
	       wb->bdi != cgd_writeout_bdi(group) ||
	       !wb_stat_sum(wb, WB_WRITEBACK) || to_be_frozen();
}

/* Nothing has left since the wait began, and for long. */
static bool in_vain(struct cgd_group *group, struct bdi_writeback *wb,
		    unsigned long began)
{
	struct cgd_throttle *t = &group->throttle;
	unsigned long progress = READ_ONCE(t->progress);
	unsigned long since = time_after(progress, began) ? progress : began;

	if (time_before(jiffies, since + STALLED_AFTER) ||
	    !may_be_waited_for(group, wb))
		return false;
	WRITE_ONCE(t->stalled, true);
	return true;
}

static unsigned long limit_of(struct cgd_group *group)
{
	return max(READ_ONCE(group->thresholds.limit),
		   READ_ONCE(group->throttle.ceiling));
}

/* As far below the ceiling as it is below the limit. */
static unsigned long freerun_of(struct cgd_group *group)
{
	unsigned long limit = READ_ONCE(group->thresholds.limit);
	unsigned long freerun = READ_ONCE(group->thresholds.freerun);
	unsigned long ceiling = READ_ONCE(group->throttle.ceiling);

	return ceiling > limit ? ceiling - (limit - freerun) : freerun;
}

/* One task's part of a burst, and of what is left below the limit. */
static void set_stride(struct cgd_group *group, long room)
{
	struct cgd_throttle *t = &group->throttle;
	unsigned long part = group->writeout.budget_pages / t->crowd;

	if (room <= 0)
		part = 1;
	else
		part = min3(part, room / (2UL * t->crowd), STRIDE_MAX);
	WRITE_ONCE(t->stride, max(part, 1UL));
}

/*
 * Of what was paid and not taken, keep a burst for a task that is alone. Where
 * several take turns, whoever runs first would take it all.
 */
static void cap_credit(struct cgd_group *group)
{
	struct cgd_throttle *t = &group->throttle;
	s64 most = t->crowd > 1 ? t->stride : group->writeout.budget_pages;

	t->credit = min(t->credit, most << TICKET_SHIFT);
}

/* How many take turns: as many as wait, and slowly forgotten. */
static void count_waiter(struct cgd_throttle *t)
{
	t->waiting++;
	if (t->waiting >= t->crowd)
		t->crowd = t->waiting;
	else if (!(++t->queued % CROWD_MEMORY))
		t->crowd--;
}

/*
 * Up to where a task was served, in a group's virtual time: pages that a task
 * which always waits has been let pass. Like the marks, an entry may be
 * overwritten; a task that is not found takes its place behind those that are.
 */
#define TURNS		1024
static u64 turns[TURNS];

static u64 turn_key(struct cgd_group *group)
{
	return hash_64((unsigned long)group + current->pid, 32);
}

/*
 * Where the task's next pages begin: not far from what is served now. They are
 * charged to it, whether it has to wait for them or not.
 */
static u32 next_turn(struct cgd_group *group, unsigned long pages)
{
	struct cgd_throttle *t = &group->throttle;
	s32 burst = READ_ONCE(group->writeout.budget_pages);
	u64 key = turn_key(group);
	u64 turn = READ_ONCE(turns[key % TURNS]);
	u32 now = READ_ONCE(t->now), start = now + READ_ONCE(t->stride);

	if (turn >> 32 == key)
		start = now + clamp((s32)((u32)turn - now), -burst, burst);
	WRITE_ONCE(turns[key % TURNS], key << 32 | (u32)(start + pages));
	return start;
}

static s64 price_of(struct waiter *waiter)
{
	return (s64)waiter->pages << TICKET_SHIFT;
}

static void serve(struct cgd_throttle *t, struct waiter *waiter)
{
	if ((s32)(waiter->start - t->now) > 0)
		WRITE_ONCE(t->now, waiter->start);
	t->credit -= price_of(waiter);
}

static void enqueue(struct cgd_throttle *t, struct waiter *waiter)
{
	struct rb_node **link = &t->waiters.rb_root.rb_node, *parent = NULL;
	bool first = true;

	while (*link) {
		struct waiter *other = rb_entry(*link, struct waiter, node);

		parent = *link;
		if ((s32)(waiter->start - other->start) < 0) {
			link = &parent->rb_left;
		} else {
			link = &parent->rb_right;
			first = false;
		}
	}
	rb_link_node(&waiter->node, parent, link);
	rb_insert_color_cached(&waiter->node, &t->waiters, first);
}

static void pass(struct cgd_throttle *t, struct waiter *waiter)
{
	/* Once passed, the waiter's stack frame is its own again. */
	struct task_struct *task = waiter->task;

	rb_erase_cached(&waiter->node, &t->waiters);
	serve(t, waiter);
	WRITE_ONCE(waiter->passed, true);
	/* It still takes the lock before it returns, so the task is there. */
	wake_up_process(task);
}

static struct waiter *first_waiter(struct cgd_throttle *t)
{
	return rb_entry_safe(rb_first_cached(&t->waiters), struct waiter, node);
}

enum turn {
	PASS,
	QUEUED,
	REFUSED,	/* and nothing charged */
};

static enum turn take_turn(struct cgd_group *group, struct waiter *waiter,
			   bool may_wait)
{
	struct cgd_throttle *t = &group->throttle;
	enum turn turn = PASS;
	unsigned long flags;
	long room;

	raw_spin_lock_irqsave(&t->lock, flags);
	room = limit_of(group) - cgd_group_usage(group);
	if (!first_waiter(t))
		cap_credit(group);
	if (first_waiter(t) || t->credit < price_of(waiter) || room <= 0)
		turn = may_wait ? QUEUED : REFUSED;
	if (turn != REFUSED)
		waiter->start = next_turn(group, waiter->pages);
	if (turn == PASS) {
		serve(t, waiter);
	} else if (turn == QUEUED) {
		enqueue(t, waiter);
		count_waiter(t);
	}
	set_stride(group, room);
	raw_spin_unlock_irqrestore(&t->lock, flags);
	return turn;
}

/*
 * Leave the queue, whoever took us off it. Who was not let pass pays all the
 * same: its pages are dirty. But no more than a burst is owed, for usage says
 * the same.
 */
static void dequeue(struct cgd_group *group, struct waiter *waiter)
{
	struct cgd_throttle *t = &group->throttle;
	s64 burst = (s64)group->writeout.budget_pages << TICKET_SHIFT;
	unsigned long flags;

	raw_spin_lock_irqsave(&t->lock, flags);
	if (!waiter->passed) {
		rb_erase_cached(&waiter->node, &t->waiters);
		t->credit = max(t->credit - price_of(waiter), -burst);
	}
	t->waiting--;
	raw_spin_unlock_irqrestore(&t->lock, flags);
}

/* Having waited MAX_PAUSE: may it go, though its turn has not come? */
static bool waited_enough(struct cgd_group *group, struct waiter *waiter)
{
	struct cgd_throttle *t = &group->throttle;
	unsigned long flags;
	bool enough = true;

	if (cgd_group_usage(group) < limit_of(group))
		return true;
	raw_spin_lock_irqsave(&t->lock, flags);
	if (t->left >= 2 * waiter->pages)
		t->left -= 2 * waiter->pages;
	else
		enough = false;
	raw_spin_unlock_irqrestore(&t->lock, flags);
	return enough;
}

/* Wait for one turn, or for what ends a wait before. */
static void wait_turn(struct cgd_group *group, struct bdi_writeback *wb,
		      struct waiter *waiter)
{
	unsigned long began = jiffies, give_up = began + MAX_PAUSE;

	for (;;) {
		long left = give_up - jiffies;

		if (left <= 0) {
			if (waited_enough(group, waiter))
				break;
			cgd_inodes_adopt(group, wb);
			give_up = jiffies + MAX_PAUSE;
			left = MAX_PAUSE;
		}
		cgd_writeout_kick(group);
		set_current_state(TASK_KILLABLE);
		if (READ_ONCE(waiter->passed) || READ_ONCE(stopping) ||
		    fatal_signal_pending(current) ||
		    in_vain(group, wb, began))
			break;
		io_schedule_timeout(left);
	}
	__set_current_state(TASK_RUNNING);
}

static int throttle_one(struct cgd_group *group, struct bdi_writeback *wb,
			unsigned long pages, unsigned int flags)
{
	struct cgd_throttle *t = &group->throttle;
	struct waiter waiter = {
		.task = current,
		.pages = clamp_t(unsigned long, pages, 1, CHARGE_MAX),
	};
	ktime_t start;
	s64 waited;

	cgd_group_refresh(group);
	cgd_inodes_adopt(group, wb);
	if (cgd_group_usage(group) <= freerun_of(group)) {
		next_turn(group, waiter.pages);
		return 0;
	}
	if (READ_ONCE(t->stalled) && may_be_waited_for(group, wb)) {
		/* Not held, but not to run away either, should it only be slow. */
		if (!(flags & BDP_ASYNC))
			schedule_timeout_killable(1);
		return 0;
	}
	switch (take_turn(group, &waiter, !(flags & BDP_ASYNC))) {
	case PASS:
		return 0;
	case REFUSED:
		cgd_writeout_kick(group);
		return -EAGAIN;
	case QUEUED:
		break;
	}

	start = ktime_get();
	wait_turn(group, wb, &waiter);
	dequeue(group, &waiter);
	waited = ktime_us_delta(ktime_get(), start);
	trace_cgdirty_throttle(group->name, waiter.pages, waited,
			       cgd_group_usage(group), limit_of(group));
	atomic_long_inc(&t->waits);
	atomic64_add(waited, &t->waited_usec);
	return 0;
}

/**
 * cgd_throttle() - hold the current task to the limits of what it dirtied
 * @wb: where the task writes to
 * @pages_dirtied: pages since it last called in
 * @flags: BDP_ASYNC if it must not wait
 *
 * The group itself and every group above it are asked in turn.
 *
 * Context: process context; sleeps, killable. The caller may hold an inode
 * lock, as callers of balance_dirty_pages_ratelimited() do.
 * Return: 0, or -EAGAIN if the task would have had to wait and must not.
 */
int cgd_throttle(struct bdi_writeback *wb, unsigned long pages_dirtied,
		 unsigned int flags)
{
	struct cgd_group *group, *pos;
	int ret = 0;

	if (exempt())
		return 0;
	group = take_group();
	if (!group)
		return 0;
	for (pos = group; pos && !ret; pos = pos->parent)
		ret = throttle_one(pos, wb, pages_dirtied, flags);
	cgd_group_put(group);
	return ret;
}

/*
 * Three down for every four pages that leave, be it one at a time, and never far
 * above usage.
 */
static void lower_ceiling(struct cgd_group *group, unsigned long usage,
			  unsigned long pages)
{
	struct cgd_throttle *t = &group->throttle;
	unsigned long limit = READ_ONCE(group->thresholds.limit);
	unsigned long room = limit - READ_ONCE(group->thresholds.freerun);
	unsigned long ceiling = t->ceiling;

	if (ceiling <= limit)
		return;
	t->quarters += 3 * pages;
	ceiling -= min(ceiling, t->quarters / 4);
	t->quarters %= 4;
	ceiling = min(ceiling, usage + room);
	WRITE_ONCE(t->ceiling, ceiling > limit ? ceiling : 0);
}

/**
 * cgd_throttle_progress() - pages have left a group: let writers pass
 * @group: the group, already without them
 * @pages: how many
 *
 * Context: any, under rcu_read_lock(); interrupts may be off.
 */
void cgd_throttle_progress(struct cgd_group *group, unsigned long pages)
{
	struct cgd_throttle *t = &group->throttle;
	unsigned long usage, limit, freerun, flags;
	struct waiter *waiter;
	long room;

	WRITE_ONCE(t->progress, jiffies);
	if (READ_ONCE(t->stalled))
		WRITE_ONCE(t->stalled, false);
	usage = cgd_group_usage(group);
	if (usage <= READ_ONCE(group->thresholds.freerun) &&
	    RB_EMPTY_ROOT(&t->waiters.rb_root))
		return;

	raw_spin_lock_irqsave(&t->lock, flags);
	lower_ceiling(group, usage, pages);
	limit = limit_of(group);
	freerun = freerun_of(group);
	room = limit - usage;
	if (room > 0)
		t->credit += ((s64)pages << (TICKET_SHIFT + 1)) * room /
			     (long)max(limit - freerun, 1UL);
	t->left = room > 0 ? 0 : t->left + pages;
	set_stride(group, room);
	while ((waiter = first_waiter(t)) && room > 0 &&
	       (usage <= freerun || t->credit >= price_of(waiter))) {
		room -= waiter->pages;
		pass(t, waiter);
	}
	if (usage <= freerun)
		t->credit = max(t->credit, 0LL);
	if (!first_waiter(t))
		cap_credit(group);
	raw_spin_unlock_irqrestore(&t->lock, flags);
}

/**
 * cgd_throttle_lowered() - the limit of a group is about to be lowered
 * @group: the group
 * @old: limit still in force, in pages
 * @new: limit to be, in pages
 *
 * Context: any.
 */
void cgd_throttle_lowered(struct cgd_group *group, unsigned long old,
			  unsigned long new)
{
	struct cgd_throttle *t = &group->throttle;
	unsigned long usage = cgd_group_usage(group), flags;

	raw_spin_lock_irqsave(&t->lock, flags);
	/* Never above what was allowed before. */
	usage = min(usage, max(old, t->ceiling));
	if (usage > new)
		WRITE_ONCE(t->ceiling, usage);
	raw_spin_unlock_irqrestore(&t->lock, flags);
}

/**
 * cgd_throttle_release() - let all waiters of a group pass
 * @group: it has gone, or has got other thresholds
 *
 * Context: any.
 */
void cgd_throttle_release(struct cgd_group *group)
{
	struct cgd_throttle *t = &group->throttle;
	struct waiter *waiter;
	unsigned long flags;

	raw_spin_lock_irqsave(&t->lock, flags);
	while ((waiter = first_waiter(t)))
		pass(t, waiter);
	t->credit = 0;
	raw_spin_unlock_irqrestore(&t->lock, flags);
}

/**
 * cgd_throttle_init() - an empty queue
 * @throttle: of a new group
 */
void cgd_throttle_init(struct cgd_throttle *throttle)
{
	raw_spin_lock_init(&throttle->lock);
	throttle->waiters = RB_ROOT_CACHED;
	throttle->crowd = 1;
	throttle->stride = 1;
	throttle->progress = jiffies;
}

/**
 * cgd_throttle_start() - let writers be made to wait
 */
void cgd_throttle_start(void)
{
	WRITE_ONCE(stopping, false);
}

/**
 * cgd_throttle_stop() - nobody waits from now on; wake whoever does
 *
 * Context: process context.
 */
void cgd_throttle_stop(void)
{
	struct cgd_group *pos = NULL;

	WRITE_ONCE(stopping, true);
	rcu_read_lock();
	while ((pos = cgd_group_next(pos, NULL)))
		cgd_throttle_release(pos);
	rcu_read_unlock();
}
