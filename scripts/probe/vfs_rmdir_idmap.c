// SPDX-License-Identifier: GPL-2.0
/*
 * Does vfs_rmdir() take the mount's idmap? Since 6.3.
 */
#include <linux/fs.h>

int (*probe)(struct mnt_idmap *, struct inode *, struct dentry *) = vfs_rmdir;
