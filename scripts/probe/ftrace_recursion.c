// SPDX-License-Identifier: GPL-2.0
/*
 * Does a callback that needs to be guarded against recursion ask for it with
 * FTRACE_OPS_FL_RECURSION? Since 5.11.
 */
#include <linux/ftrace.h>

unsigned long probe = FTRACE_OPS_FL_RECURSION;
