// SPDX-License-Identifier: GPL-2.0
/*
 * tree.c - the directories and files that users see
 *
 * Directories do not hold a reference to the module, so that it can be
 * unloaded at any moment: cgd_tree_exit() removes them, as rmdir(2) would. An
 * attribute holds one while it is open.
 */
#include <linux/configfs.h>
#include <linux/dcache.h>
#include <linux/delay.h>
#include <linux/module.h>
#include <linux/slab.h>

#include <compat/inode.h>
#include <cgdirty/group.h>
#include <cgdirty/hooks.h>
#include <cgdirty/tree.h>

/* One directory; owns a reference to its group. */
struct dir {
	struct config_group config;
	struct cgd_group *group;
};

/* Set once no directory may be made any more. */
static bool closing;

static struct cgd_group *group_of(struct config_item *item)
{
	return container_of(to_config_group(item), struct dir, config)->group;
}

/* ---- attributes of a directory ---- */

static DEFINE_MUTEX(knobs_mutex);

static ssize_t show_bytes(char *page, u64 bytes)
{
	return bytes ? sprintf(page, "%llu\n", bytes) : sprintf(page, "max\n");
}

static ssize_t show_ratio(char *page, unsigned int percent)
{
	return percent ? sprintf(page, "%u\n", percent) :
			 sprintf(page, "max\n");
}

/* Writing either of a pair resets the other, as vm.dirty_* do. */
static int parse_dirty_bytes(const char *text, struct cgd_knobs *knobs)
{
	knobs->dirty_ratio = 0;
	return cgd_parse_bytes(text, &knobs->dirty_bytes);
}

static int parse_dirty_ratio(const char *text, struct cgd_knobs *knobs)
{
	knobs->dirty_bytes = 0;
	return cgd_parse_ratio(text, &knobs->dirty_ratio);
}

static int parse_dirty_background_bytes(const char *text,
					struct cgd_knobs *knobs)
{
	knobs->background_ratio = 0;
	return cgd_parse_bytes(text, &knobs->background_bytes);
}

static int parse_dirty_background_ratio(const char *text,
					struct cgd_knobs *knobs)
{
	knobs->background_bytes = 0;
	return cgd_parse_ratio(text, &knobs->background_ratio);
}

/* A refused write changes nothing: only what was parsed is put into force. */
static ssize_t store_knob(struct config_item *item, const char *page,
			  size_t len,
			  int (*parse)(const char *, struct cgd_knobs *))
{
	struct cgd_group *group = group_of(item);
	struct cgd_knobs knobs;
	int ret;

	if (strlen(page) != len)
		return -EINVAL;
	mutex_lock(&knobs_mutex);
	knobs = group->knobs;
	ret = parse(page, &knobs);
	if (!ret)
		cgd_group_set(group, &knobs);
	mutex_unlock(&knobs_mutex);
	return ret ?: len;
}

#define KNOB_ATTR(name, show, knob)					\
static ssize_t name##_show(struct config_item *item, char *page)	\
{									\
	return show(page, group_of(item)->knobs.knob);			\
}									\
									\
static ssize_t name##_store(struct config_item *item, const char *page,	\
			    size_t len)					\
{									\
	return store_knob(item, page, len, parse_##name);		\
}									\
									\
CONFIGFS_ATTR(, name)

KNOB_ATTR(dirty_bytes, show_bytes, dirty_bytes);
KNOB_ATTR(dirty_ratio, show_ratio, dirty_ratio);
KNOB_ATTR(dirty_background_bytes, show_bytes, background_bytes);
KNOB_ATTR(dirty_background_ratio, show_ratio, background_ratio);

static ssize_t state_show(struct config_item *item, char *page)
{
	return sprintf(page, "%s\n", cgd_group_attached(group_of(item)) ?
				     "attached" : "pending");
}

static ssize_t line_bytes(char *page, const char *key, unsigned long pages)
{
	if (pages == CGD_PAGES_MAX)
		return sprintf(page, "%s max\n", key);
	return sprintf(page, "%s %llu\n", key, (u64)pages << PAGE_SHIFT);
}

static ssize_t stat_show(struct config_item *item, char *page)
{
	struct cgd_group *group = group_of(item);
	const struct cgd_throttle *throttle = &group->throttle;
	struct cgd_group_stat stat;
	char *p = page;

	cgd_group_read(group, &stat);
	p += line_bytes(p, "file_dirty", stat.pages[CGD_DIRTY]);
	p += line_bytes(p, "file_writeback", stat.pages[CGD_WRITEBACK]);
	p += line_bytes(p, "limit", stat.thresholds.limit);
	p += line_bytes(p, "background", stat.thresholds.background);
	p += line_bytes(p, "peak", stat.peak_pages);
	p += sprintf(p, "throttled %ld\n", atomic_long_read(&throttle->waits));
	p += sprintf(p, "throttled_usec %lld\n",
		     atomic64_read(&throttle->waited_usec));
	p += line_bytes(p, "writeout_bytes", group->writeout.written_pages);
	p += sprintf(p, "writeout_usec %llu\n", group->writeout.busy_usec);
	return p - page;
}

CONFIGFS_ATTR_RO(, state);
CONFIGFS_ATTR_RO(, stat);

static struct configfs_attribute *dir_attrs[] = {
	&attr_dirty_bytes,
	&attr_dirty_ratio,
	&attr_dirty_background_bytes,
	&attr_dirty_background_ratio,
	&attr_state,
	&attr_stat,
	NULL,
};

/* ---- directories ---- */

static void dir_release(struct config_item *item)
{
	kfree(container_of(to_config_group(item), struct dir, config));
}

static void dir_drop(struct config_group *parent, struct config_item *item)
{
	cgd_group_remove(group_of(item));
	config_item_put(item);
}

static struct config_group *dir_make(struct config_group *parent,
				     const char *name);

static struct configfs_item_operations dir_item_ops = {
	.release = dir_release,
};

static struct configfs_group_operations dir_group_ops = {
	.make_group = dir_make,
	.drop_item = dir_drop,
};

static const struct config_item_type dir_type = {
	.ct_item_ops = &dir_item_ops,
	.ct_group_ops = &dir_group_ops,
	.ct_attrs = dir_attrs,
};

static struct configfs_subsystem subsystem;

static struct config_group *dir_make(struct config_group *parent,
				     const char *name)
{
	struct dir *dir;

	if (READ_ONCE(closing))
		return ERR_PTR(-EBUSY);
	dir = kzalloc(sizeof(*dir), GFP_KERNEL);
	if (!dir)
		return ERR_PTR(-ENOMEM);
	dir->group = cgd_group_create(parent == &subsystem.su_group ? NULL :
				      group_of(&parent->cg_item), name);
	if (IS_ERR(dir->group)) {
		struct cgd_group *error = dir->group;

		kfree(dir);
		return ERR_CAST(error);
	}
	config_group_init_type_name(&dir->config, name, &dir_type);
	return &dir->config;
}

/* ---- the top ---- */

static ssize_t version_show(struct config_item *item, char *page)
{
	return sprintf(page, "%s\n", CGD_VERSION);
}

static ssize_t features_show(struct config_item *item, char *page)
{
	return sprintf(page, "dirty_bytes\ndirty_ratio\n"
			     "dirty_background_bytes\ndirty_background_ratio\n"
			     "hierarchy\nwriteout\nthrottle\n");
}

static ssize_t hooks_show(struct config_item *item, char *page)
{
	return cgd_hooks_show(page, PAGE_SIZE);
}

CONFIGFS_ATTR_RO(, version);
CONFIGFS_ATTR_RO(, features);
CONFIGFS_ATTR_RO(, hooks);

static struct configfs_attribute *top_attrs[] = {
	&attr_version,
	&attr_features,
	&attr_hooks,
	NULL,
};

static struct configfs_group_operations top_group_ops = {
	.make_group = dir_make,
	.drop_item = dir_drop,
};

static const struct config_item_type top_type = {
	.ct_group_ops = &top_group_ops,
	.ct_attrs = top_attrs,
};

static struct configfs_subsystem subsystem = {
	.su_group = {
		.cg_item = {
			.ci_namebuf = "cgdirty",
			.ci_type = &top_type,
		},
	},
};

/*
 * A directory without any below, with a reference, or NULL if there is none at
 * all. One that mkdir is still making has no dentry yet: then its parent, with
 * *busy set.
 */
static struct dentry *last_dir(bool *busy)
{
	struct config_group *group = &subsystem.su_group;
	struct dentry *dentry = NULL;

	*busy = false;
	mutex_lock(&subsystem.su_mutex);
	while (!list_empty(&group->cg_children)) {
		struct config_item *item;

		item = list_last_entry(&group->cg_children, struct config_item,
				       ci_entry);
		if (!item->ci_dentry) {
			dentry = group->cg_item.ci_dentry;
			*busy = true;
			break;
		}
		dentry = item->ci_dentry;
		group = to_config_group(item);
	}
	dget(dentry);
	mutex_unlock(&subsystem.su_mutex);
	return dentry;
}

/* As rmdir(2); somebody else may have been quicker, then all is well too. */
static int remove_dir(struct dentry *dentry)
{
	struct dentry *parent = dget_parent(dentry);
	struct inode *dir = d_inode(parent);
	int ret = 0;

	inode_lock_nested(dir, I_MUTEX_PARENT);
	if (!d_unhashed(dentry) && d_is_positive(dentry) &&
	    dentry->d_parent == parent)
		ret = cgd_vfs_rmdir(dir, dentry);
	inode_unlock(dir);
	dput(parent);
	return ret;
}

static void remove_dirs(void)
{
	struct dentry *dentry;
	bool busy;
	int ret;

	while ((dentry = last_dir(&busy))) {
		if (busy) {
			/* mkdir holds this until it is done. */
			inode_lock(d_inode(dentry));
			inode_unlock(d_inode(dentry));
		} else {
			ret = remove_dir(dentry);
			if (ret && ret != -ENOTEMPTY) {
				/* Something is mounted on it, or the like. */
				pr_warn_ratelimited("cgdirty: waiting for directory %pd to be removable: error %d\n",
						    dentry, ret);
				msleep(100);
			}
		}
		dput(dentry);
		cond_resched();
	}
}

/**
 * cgd_tree_init() - show the tree
 *
 * Context: process context; may sleep.
 * Return: 0 or an error of configfs.
 */
int cgd_tree_init(void)
{
	config_group_init(&subsystem.su_group);
	mutex_init(&subsystem.su_mutex);
	return configfs_register_subsystem(&subsystem);
}

/**
 * cgd_tree_exit() - remove all directories and the tree
 *
 * Context: process context; may sleep.
 */
void cgd_tree_exit(void)
{
	WRITE_ONCE(closing, true);
	remove_dirs();
	configfs_unregister_subsystem(&subsystem);
}
