// SPDX-License-Identifier: GPL-2.0
/*
 * Does vfs_rmdir() take the mount's user namespace? From 5.12 to 6.2.
 */
#include <linux/fs.h>

int (*probe)(struct user_namespace *, struct inode *, struct dentry *) = vfs_rmdir;
