// SPDX-License-Identifier: GPL-2.0
/*
 * Does an ftrace callback get struct ftrace_regs? Since 5.11.
 */
#include <linux/ftrace.h>

static void callback(unsigned long ip, unsigned long parent_ip,
		     struct ftrace_ops *ops, struct ftrace_regs *fregs)
{
}

ftrace_func_t probe = callback;
