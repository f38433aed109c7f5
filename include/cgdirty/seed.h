/* SPDX-License-Identifier: GPL-2.0 */
/*
 * cgdirty/seed.h - pages that were dirty before a group was attached
 */
#ifndef CGDIRTY_SEED_H
#define CGDIRTY_SEED_H

struct cgd_group;

void cgd_seed(struct cgd_group *group);

#endif /* CGDIRTY_SEED_H */
