// SPDX-License-Identifier: GPL-2.0
/*
 * selftest.c - prove at load that each hook fires
 *
 * That a hook could be attached does not yet say that the kernel comes by
 * there: a compiler may have inlined the function into some of its callers. So
 * one page of a filesystem of our own, mounted nowhere and without a disk, is
 * sent through its whole life, and every hook has to have seen it.
 */
#include <linux/fs.h>
#include <linux/fs_context.h>
#include <linux/mount.h>
#include <linux/pseudo_fs.h>

#include <compat/pagecache.h>
#include <cgdirty/hooks.h>
#include <cgdirty/selftest.h>

#define SELFTEST_MAGIC	0x63676474	/* "cgdt" */

static int no_writepages(struct address_space *mapping,
			 struct writeback_control *wbc)
{
	return 0;
}

static const struct address_space_operations selftest_aops = {
	CGD_AOPS_DIRTY,
	.writepages = no_writepages,
};

static int selftest_context(struct fs_context *fc)
{
	return init_pseudo(fc, SELFTEST_MAGIC) ? 0 : -ENOMEM;
}

static struct file_system_type selftest_fs = {
	.name = "cgdirty_selftest",
	.init_fs_context = selftest_context,
	.kill_sb = kill_anon_super,
};

/* Have the current task call in to be throttled, whatever it did before. */
static void call_in(struct address_space *mapping)
{
	current->nr_dirtied = current->nr_dirtied_pause;
	balance_dirty_pages_ratelimited(mapping);
}

static int live_a_life(struct super_block *sb)
{
	struct inode *inode = new_inode(sb);
	struct address_space *mapping;
	struct folio *folio;

	if (!inode)
		return -ENOMEM;
	inode->i_mode = S_IFREG;
	inode->i_ino = 1;
	mapping = inode->i_mapping;
	mapping->a_ops = &selftest_aops;

	folio = cgd_new_folio(mapping);
	if (!folio) {
		iput(inode);
		return -ENOMEM;
	}
	folio_mark_uptodate(folio);
	folio_mark_dirty(folio);
	folio_clear_dirty_for_io(folio);
	folio_start_writeback(folio);
	cgd_end_writeback(folio);
	folio_mark_dirty(folio);
	folio_unlock(folio);
	folio_put(folio);
	truncate_inode_pages(mapping, 0);
	call_in(mapping);
	iput(inode);
	return 0;
}

/* No page's life makes a cgroup come or go. */
static bool fired_by_a_page(enum cgd_hook_id id)
{
	return id != CGD_HOOK_CSS_ONLINE && id != CGD_HOOK_CSS_OFFLINE;
}

/**
 * cgd_selftest() - send a page through its life
 *
 * Context: process context; may sleep.
 * Return: 0, -ENODEV if a hook that is attached did not fire, or another error
 * if the test could not be made.
 */
int cgd_selftest(void)
{
	unsigned long before[CGD_NR_HOOKS];
	struct vfsmount *mnt;
	int id, ret;

	ret = cgd_hooks_get();
	if (ret)
		return ret;
	mnt = kern_mount(&selftest_fs);
	if (IS_ERR(mnt)) {
		ret = PTR_ERR(mnt);
		goto out_hooks;
	}
	/* A backing device of its own, or its pages would not be counted. */
	ret = super_setup_bdi(mnt->mnt_sb);
	if (ret)
		goto out_mount;

	for (id = 0; id < CGD_NR_HOOKS; id++)
		before[id] = cgd_hook_hits(id);
	ret = live_a_life(mnt->mnt_sb);
	if (ret)
		goto out_mount;
	for (id = 0; id < CGD_NR_HOOKS; id++) {
		if (!fired_by_a_page(id) || !cgd_hook_armed(id) ||
		    cgd_hook_hits(id) != before[id])
			continue;
		pr_err("cgdirty: hook %s is attached but does not fire\n",
		       cgd_hook_name(id));
		ret = -ENODEV;
	}

out_mount:
	kern_unmount(mnt);
out_hooks:
	cgd_hooks_put();
	return ret;
}
