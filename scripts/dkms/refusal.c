// SPDX-License-Identifier: GPL-2.0
/*
 * The module that DKMS gets for a kernel which cgdirty cannot be built for, see
 * the script build beside it: it says why, and does not load.
 */
#include <linux/init.h>
#include <linux/kernel.h>
#include <linux/module.h>

#include "reason.h"

static int __init refusal_init(void)
{
	pr_err("cgdirty: %s\n", REASON);
	return -EOPNOTSUPP;
}
module_init(refusal_init);

MODULE_DESCRIPTION("Refuses to load: cgdirty does not support this kernel");
MODULE_LICENSE("GPL");
MODULE_INFO(refuses, REASON);
