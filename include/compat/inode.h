/* SPDX-License-Identifier: GPL-2.0 */
/*
 * compat/inode.h - an inode's state bits and removal of a directory
 */
#ifndef CGD_COMPAT_INODE_H
#define CGD_COMPAT_INODE_H

#include <linux/fs.h>
#ifdef CONFIG_CGROUP_WRITEBACK
#include <linux/backing-dev.h>
#endif

#include "cgdirty-probed.h"

/*
 * True while @inode may get a new reference; under inode->i_lock. The state
 * word is opaque since "fs: hide ->i_state handling behind accessors" (6.19).
 */
static inline bool cgd_inode_usable(struct inode *inode)
{
#ifdef HAVE_INODE_STATE_READ
	return !(inode_state_read(inode) & (I_NEW | I_FREEING | I_WILL_FREE));
#else
	return !(inode->i_state & (I_NEW | I_FREEING | I_WILL_FREE));
#endif
}

/* A reference to a usable @inode; under inode->i_lock. */
static inline void cgd_inode_get(struct inode *inode)
{
	atomic_inc(&inode->i_count);
}

/*
 * vfs_rmdir() without an idmap of its own: the leading argument came with
 * 6521f8917082 (5.12), changed type with abf08576afe3 (6.3); the delegation
 * argument came with "vfs: allow rmdir to wait for delegation break" (6.19).
 */
static inline int cgd_vfs_rmdir(struct inode *dir, struct dentry *dentry)
{
#if defined(HAVE_VFS_RMDIR_DELEGATED)
	return vfs_rmdir(&nop_mnt_idmap, dir, dentry, NULL);
#elif defined(HAVE_VFS_RMDIR_IDMAP)
	return vfs_rmdir(&nop_mnt_idmap, dir, dentry);
#elif defined(HAVE_VFS_RMDIR_USERNS)
	return vfs_rmdir(&init_user_ns, dir, dentry);
#else
	return vfs_rmdir(dir, dentry);
#endif
}

#endif /* CGD_COMPAT_INODE_H */
