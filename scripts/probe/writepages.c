// SPDX-License-Identifier: GPL-2.0
/*
 * Is a file's mapping written out by its writepages operation?
 */
#include <linux/fs.h>
#include <linux/writeback.h>

int probe(struct address_space *mapping, struct writeback_control *wbc)
{
	return mapping->a_ops->writepages(mapping, wbc);
}
