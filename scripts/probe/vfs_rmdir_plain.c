// SPDX-License-Identifier: GPL-2.0
/*
 * Does vfs_rmdir() take a directory and an entry? Until 5.12.
 */
#include <linux/fs.h>

int (*probe)(struct inode *, struct dentry *) = vfs_rmdir;
