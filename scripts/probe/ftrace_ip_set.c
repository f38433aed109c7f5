// SPDX-License-Identifier: GPL-2.0
/*
 * Is it called ftrace_instruction_pointer_set()? From 5.11 to 6.1.
 */
#include <linux/ftrace.h>

void probe(struct ftrace_regs *fregs)
{
	ftrace_instruction_pointer_set(fregs, 0);
}
