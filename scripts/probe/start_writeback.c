// SPDX-License-Identifier: GPL-2.0
/*
 * Does __folio_start_writeback() return nothing? Since 6.8.
 */
#include <linux/page-flags.h>

void (*probe)(struct folio *, bool) = __folio_start_writeback;
