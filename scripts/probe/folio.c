// SPDX-License-Identifier: GPL-2.0
/*
 * Is the page cache made of folios? Since 5.16; before, of pages.
 */
#include <linux/mm.h>

unsigned long probe(struct folio *folio)
{
	return folio_nr_pages(folio);
}
