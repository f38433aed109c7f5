/* SPDX-License-Identifier: GPL-2.0 */
/*
 * cgroup.h - the memory hierarchy: which cgroups there are, and which one is meant
 */
#ifndef CGROUP_H
#define CGROUP_H

#include <stdbool.h>
#include <stdint.h>

#include "tool.h"

/* A cgroup's path is that below the root, without a slash at either end. */

bool cgroup_find_root(void);
bool cgroup_is_v2(void);
char *cgroup_dir(const char *cgroup);
bool cgroup_exists(const char *cgroup);
bool cgroup_has_memory(const char *cgroup);
void cgroup_walk(struct names *names);
int cgroup_of_pid(const char *pid, char **cgroup);
const char *cgroup_path_error(const char *cgroup);
int cgroup_resolve(const char *name, char **cgroup);
int cgroup_argument(int *argc, char ***argv, char **cgroup);
int cgroup_unknown(const char *cgroup, const char *more);
bool cgroup_usage(const char *cgroup, uint64_t *dirty_bytes,
		  uint64_t *writeback_bytes);

char *unit_path(const char *unit);
bool unit_has_file(const char *cgroup);

#endif /* CGROUP_H */
