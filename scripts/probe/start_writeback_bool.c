// SPDX-License-Identifier: GPL-2.0
/*
 * Does __folio_start_writeback() tell whether the folio was under writeback
 * already? From 5.16 to 6.7.
 */
#include <linux/page-flags.h>

bool (*probe)(struct folio *, bool) = __folio_start_writeback;
