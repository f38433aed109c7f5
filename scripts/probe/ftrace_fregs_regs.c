// SPDX-License-Identifier: GPL-2.0
/*
 * Does struct ftrace_regs show the registers that hold the arguments? From
 * 5.11 to 6.11; the accessors of 6.2 made it opaque in 6.12.
 */
#include <linux/ftrace.h>

struct pt_regs *probe(struct ftrace_regs *fregs)
{
	return &fregs->regs;
}
