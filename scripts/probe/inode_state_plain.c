// SPDX-License-Identifier: GPL-2.0
/*
 * Is an inode's state a plain number? Up to 6.18.
 */
#include <linux/fs.h>

unsigned int probe(struct inode *inode)
{
	return READ_ONCE(inode->i_state) & (I_FREEING | I_WILL_FREE | I_NEW);
}
