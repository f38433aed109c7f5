// SPDX-License-Identifier: GPL-2.0
/*
 * Does ftrace_regs_get_argument() read an argument of the traced function?
 * Since 6.2.
 */
#include <linux/ftrace.h>

unsigned long probe(struct ftrace_regs *fregs)
{
	return ftrace_regs_get_argument(fregs, 0);
}
