// SPDX-License-Identifier: GPL-2.0
/*
 * Does address_space_operations have dirty_folio? Since 5.18.
 */
#include <linux/writeback.h>

struct address_space_operations probe = { .dirty_folio = filemap_dirty_folio };
