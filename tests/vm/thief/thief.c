// SPDX-License-Identifier: GPL-2.0
/*
 * thief - holds functions as a live patch would
 *
 * Attaches to the functions that are named at load with IPMODIFY, which only
 * one user of a function can have, and changes nothing.
 */
#include <linux/ftrace.h>
#include <linux/module.h>

static char *functions[8];
static int count;
module_param_array(functions, charp, &count, 0444);
MODULE_PARM_DESC(functions, "names of kernel functions");

/* The type of the last argument differs between kernels; it is not used. */
static void notrace nothing(unsigned long ip, unsigned long parent_ip,
			    struct ftrace_ops *ops, void *regs)
{
}

static struct ftrace_ops ops = {
	.func = (ftrace_func_t)(void *)nothing,
	.flags = FTRACE_OPS_FL_SAVE_REGS | FTRACE_OPS_FL_IPMODIFY,
};

static int __init thief_init(void)
{
	int i, ret;

	for (i = 0; i < count; i++) {
		ret = ftrace_set_filter(&ops, functions[i], strlen(functions[i]), 0);
		if (ret)
			return ret;
	}
	return register_ftrace_function(&ops);
}

static void __exit thief_exit(void)
{
	unregister_ftrace_function(&ops);
}

module_init(thief_init);
module_exit(thief_exit);
MODULE_DESCRIPTION("holds functions as a live patch would");
MODULE_LICENSE("GPL");
