/* SPDX-License-Identifier: GPL-2.0 */
/*
 * cgdirty/writeout.h - writing what a group has dirtied
 */
#ifndef CGDIRTY_WRITEOUT_H
#define CGDIRTY_WRITEOUT_H

#include <linux/atomic.h>
#include <linux/types.h>
#include <linux/workqueue.h>

struct cgd_disk;
struct cgd_group;

enum cgd_writeout_state {
	CGD_WRITEOUT_IDLE,	/* usage is not above the background */
	CGD_WRITEOUT_BUSY,	/* the work is queued or running */
	CGD_WRITEOUT_FULL,	/* enough is under writeback; waits for some to end */
};

/**
 * struct cgd_writeout - write-out of one group
 * @work: writes one chunk and queues itself again; while queued or running it
 *	holds a reference to the group
 * @state: enum cgd_writeout_state
 * @budget_pages: most to have under writeback
 * @disk: where the last chunk went; the table of disks owns it
 * @served_pages: what was sent there, comparable among the disk's users
 * @turn: number of chunks so far, picks the member that writes next
 * @starved: above the background, but no inode is known
 * @written_pages: sent to disks by us
 * @busy_usec: time spent sending
 */
struct cgd_writeout {
	struct delayed_work work;
	atomic_t state;
	unsigned long budget_pages;
	struct cgd_disk *disk;
	u64 served_pages;
	unsigned int turn;
	bool starved;
	unsigned long written_pages;
	u64 busy_usec;
};

int cgd_writeout_init(void);
void cgd_writeout_exit(void);
void cgd_writeout_init_group(struct cgd_writeout *writeout);
void cgd_writeout_kick(struct cgd_group *group);
void cgd_writeout_ended(struct cgd_group *group, unsigned long pages);
const void *cgd_writeout_bdi(struct cgd_group *group);

#endif /* CGDIRTY_WRITEOUT_H */
