/* SPDX-License-Identifier: GPL-2.0 */
/*
 * cgdirty/tree.h - the directories and files that users see
 */
#ifndef CGDIRTY_TREE_H
#define CGDIRTY_TREE_H

int cgd_tree_init(void);
void cgd_tree_exit(void);

#endif /* CGDIRTY_TREE_H */
