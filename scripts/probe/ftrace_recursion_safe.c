// SPDX-License-Identifier: GPL-2.0
/*
 * Does a callback that need not be guarded against recursion say so with
 * FTRACE_OPS_FL_RECURSION_SAFE? Until 5.11, which turned the sense about.
 */
#include <linux/ftrace.h>

unsigned long probe = FTRACE_OPS_FL_RECURSION_SAFE;
