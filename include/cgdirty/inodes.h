/* SPDX-License-Identifier: GPL-2.0 */
/*
 * cgdirty/inodes.h - the inodes that a group has dirtied
 */
#ifndef CGDIRTY_INODES_H
#define CGDIRTY_INODES_H

#include <linux/list.h>
#include <linux/spinlock.h>
#include <linux/types.h>

struct bdi_writeback;
struct cgd_group;
struct inode;

/**
 * struct cgd_inodes - those of one group, without those of groups below
 * @lock: guards the rest; taken with interrupts off
 * @open: the group is attached and may have some
 * @list: in the order of their turns to be written
 */
struct cgd_inodes {
	raw_spinlock_t lock;
	bool open;
	struct list_head list;
};

int cgd_inodes_init(void);
void cgd_inodes_exit(void);
void cgd_inodes_init_group(struct cgd_inodes *inodes);
void cgd_inodes_open(struct cgd_group *group, bool open);
void cgd_inodes_hand_on(struct cgd_group *group);

void cgd_inodes_note(struct cgd_group *group, struct inode *inode);
void cgd_inodes_adopt(struct cgd_group *group, struct bdi_writeback *wb);
void cgd_inodes_forget(struct inode *inode);
void cgd_inodes_forget_clean(struct cgd_group *group, struct inode *inode);

struct inode *cgd_inodes_next(struct cgd_inodes *inodes);
bool cgd_inodes_grab(struct cgd_group *group, struct inode *inode);
void cgd_inodes_release(struct inode *inode);

#endif /* CGDIRTY_INODES_H */
