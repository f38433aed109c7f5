// SPDX-License-Identifier: GPL-2.0
/*
 * Is it called ftrace_regs_set_instruction_pointer()? Since 6.2.
 */
#include <linux/ftrace.h>

void probe(struct ftrace_regs *fregs)
{
	ftrace_regs_set_instruction_pointer(fregs, 0);
}
