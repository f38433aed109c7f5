// SPDX-License-Identifier: GPL-2.0
/*
 * Can a writeback_control be attached to the inode's cgroup? It is an inline
 * function of exported ones up to 6.12 and exported itself in 7.3.
 */
#include <linux/writeback.h>

void probe(struct writeback_control *wbc, struct inode *inode)
{
	wbc_attach_fdatawrite_inode(wbc, inode);
	wbc_detach_inode(wbc);
}
