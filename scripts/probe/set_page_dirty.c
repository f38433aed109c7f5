// SPDX-License-Identifier: GPL-2.0
/*
 * Does address_space_operations have set_page_dirty? Until 5.18.
 */
#include <linux/mm.h>
#include <linux/pagemap.h>

struct address_space_operations probe = {
	.set_page_dirty = __set_page_dirty_nobuffers,
};
