/* SPDX-License-Identifier: GPL-2.0 */
/*
 * compat/ftrace.h - what an ftrace callback gets, and how it redirects
 */
#ifndef CGD_COMPAT_FTRACE_H
#define CGD_COMPAT_FTRACE_H

#include <linux/ftrace.h>
#include <linux/static_call.h>

#include "cgdirty-probed.h"

/*
 * d19ad0775dcd ("ftrace: Have the callbacks receive a struct ftrace_regs
 * instead of pt_regs", 5.11)
 */
#ifdef HAVE_FTRACE_FREGS
#define cgd_ftrace_regs ftrace_regs
#else
#define cgd_ftrace_regs pt_regs
#endif

/*
 * Flags of an ftrace_ops whose callback neither recurses nor needs help
 * against it: a264c5bdb5e2 ("ftrace: Add ftrace_test_recursion_trylock() ...",
 * 5.11) turned the meaning of the recursion flag round. Where the arguments
 * come without all registers, asking for these would only cost.
 */
#ifdef HAVE_FTRACE_RECURSION_SAFE
#define CGD_FTRACE_FL_SAFE	FTRACE_OPS_FL_RECURSION_SAFE
#else
#define CGD_FTRACE_FL_SAFE	0
#endif

#ifdef CONFIG_DYNAMIC_FTRACE_WITH_ARGS
#define CGD_FTRACE_FL_ARGS	CGD_FTRACE_FL_SAFE
#else
#define CGD_FTRACE_FL_ARGS	(CGD_FTRACE_FL_SAFE | FTRACE_OPS_FL_SAVE_REGS)
#endif

/* First argument of the function that is being entered. */
static __always_inline void *cgd_ftrace_arg0(struct cgd_ftrace_regs *regs)
{
#if defined(HAVE_FTRACE_GET_ARGUMENT)
	return (void *)ftrace_regs_get_argument(regs, 0);
#elif defined(HAVE_FTRACE_FREGS)
	return (void *)regs->regs.di;
#else
	return (void *)regs->di;
#endif
}

/*
 * Enter @target instead. Named ftrace_regs_set_instruction_pointer() since
 * 0ef86097f127 ("ftrace: rename ftrace_instruction_pointer_set() ...", 6.2).
 */
static __always_inline void cgd_ftrace_redirect(struct cgd_ftrace_regs *regs,
						unsigned long target)
{
#if defined(HAVE_FTRACE_SET_IP)
	ftrace_regs_set_instruction_pointer(regs, target);
#elif defined(HAVE_FTRACE_FREGS)
	ftrace_instruction_pointer_set(regs, target);
#else
	regs->ip = target;
#endif
}

/*
 * Give back the filter hashes of an unregistered @ops. ftrace_free_filter(),
 * exported since 6.1, leaves pointers to them, so @ops starts afresh then.
 */
static inline void cgd_ftrace_free_filter(struct ftrace_ops *ops,
					  unsigned long ip)
{
#ifdef HAVE_EXPORT_ftrace_free_filter
	ftrace_free_filter(ops);
	memset(ops, 0, sizeof(*ops));
#else
	ftrace_set_filter_ip(ops, ip, 1, 0);
#endif
}

#endif /* CGD_COMPAT_FTRACE_H */
