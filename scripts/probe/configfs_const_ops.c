// SPDX-License-Identifier: GPL-2.0
/*
 * Are the operations of a configfs item type const? In 7.3.
 */
#include <linux/configfs.h>

static const struct configfs_group_operations group_ops;

struct config_item_type probe = { .ct_group_ops = &group_ops };
