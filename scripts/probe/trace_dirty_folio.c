// SPDX-License-Identifier: GPL-2.0
/*
 * Is the tracepoint of a page that becomes dirty writeback_dirty_folio? Since
 * 5.16.
 */
#include <trace/events/writeback.h>

static void event(void *data, struct folio *folio, struct address_space *mapping)
{
}

int probe(void)
{
	return register_trace_writeback_dirty_folio(event, NULL);
}
