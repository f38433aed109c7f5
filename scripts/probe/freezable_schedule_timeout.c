// SPDX-License-Identifier: GPL-2.0
/*
 * Does a task that can be frozen in its sleep use a function of its own? Until
 * 6.1.
 */
#include <linux/freezer.h>

long (*probe)(long) = freezable_schedule_timeout_killable;
