// SPDX-License-Identifier: GPL-2.0
/*
 * Is an inode's state read through an accessor? In 7.3.
 */
#include <linux/fs.h>

unsigned int probe(struct inode *inode)
{
	return inode_state_read_once(inode) & (I_FREEING | I_WILL_FREE | I_NEW);
}
