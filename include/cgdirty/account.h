/* SPDX-License-Identifier: GPL-2.0 */
/*
 * cgdirty/account.h - from the kernel's events to the counts of a group
 */
#ifndef CGDIRTY_ACCOUNT_H
#define CGDIRTY_ACCOUNT_H

#include <compat/folio.h>

void cgd_account_dirtied(struct folio *folio, struct address_space *mapping);
void cgd_account_cleaned(struct folio *folio);
void cgd_account_cancelled(struct folio *folio);
void cgd_account_writeback_started(struct folio *folio);
void cgd_account_writeback_ended(struct folio *folio);

#endif /* CGDIRTY_ACCOUNT_H */
