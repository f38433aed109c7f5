// SPDX-License-Identifier: GPL-2.0
/*
 * Can a file system without files be made, for the self-test?
 */
#include <linux/fs.h>
#include <linux/pseudo_fs.h>

struct pseudo_fs_context *(*probe)(struct fs_context *, unsigned long) = init_pseudo;
int (*bdi_probe)(struct super_block *) = super_setup_bdi;
