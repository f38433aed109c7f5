// SPDX-License-Identifier: GPL-2.0
/*
 * Does vfs_rmdir() take the mount's idmap and a place for an inode whose
 * delegation is to be broken? In 7.3, since directories can be delegated.
 */
#include <linux/fs.h>

int (*probe)(struct mnt_idmap *, struct inode *, struct dentry *,
	     struct delegated_inode *) = vfs_rmdir;
