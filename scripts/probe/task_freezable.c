// SPDX-License-Identifier: GPL-2.0
/*
 * Can a task be frozen in its sleep by way of its state? Since 6.1.
 */
#include <linux/sched.h>

unsigned int probe = TASK_FREEZABLE;
