// SPDX-License-Identifier: GPL-2.0
/*
 * main.c - the order in which the rooms are opened and closed
 */
#include <linux/module.h>

#include <cgdirty/group.h>
#include <cgdirty/hooks.h>
#include <cgdirty/inodes.h>
#include <cgdirty/memcg.h>
#include <cgdirty/owner.h>
#include <cgdirty/selftest.h>
#include <cgdirty/tree.h>
#include <cgdirty/writeout.h>

#define CREATE_TRACE_POINTS
#include <cgdirty/trace.h>

static int __init cgdirty_init(void)
{
	int ret;

	ret = cgd_memcg_init();
	if (ret) {
		pr_err("cgdirty: this kernel's memory cgroup counters cannot be read: error %d\n",
		       ret);
		return ret;
	}
	ret = cgd_inodes_init();
	if (ret)
		return ret;
	ret = cgd_writeout_init();
	if (ret)
		goto err_inodes;
	ret = cgd_owner_init();
	if (ret)
		goto err_writeout;
	ret = cgd_selftest();
	if (ret)
		goto err_hooks;
	ret = cgd_tree_init();
	if (ret)
		goto err_hooks;
	pr_info("cgdirty: version %s loaded\n", CGD_VERSION);
	return 0;

err_hooks:
	cgd_hooks_exit();
	cgd_groups_exit();
	cgd_owner_exit();
err_writeout:
	cgd_writeout_exit();
err_inodes:
	cgd_inodes_exit();
	return ret;
}

static void __exit cgdirty_exit(void)
{
	cgd_tree_exit();
	cgd_hooks_exit();
	cgd_groups_exit();
	cgd_owner_exit();
	cgd_writeout_exit();
	cgd_inodes_exit();
	pr_info("cgdirty: unloaded\n");
}

module_init(cgdirty_init);
module_exit(cgdirty_exit);

MODULE_DESCRIPTION("Limits on dirty page cache for each cgroup");
MODULE_LICENSE("GPL");
MODULE_VERSION(CGD_VERSION);
