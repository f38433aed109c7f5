/* SPDX-License-Identifier: GPL-2.0 */
/*
 * tree.h - the module's tree in configfs
 */
#ifndef TREE_H
#define TREE_H

#include <stdbool.h>
#include <stdint.h>

#include "knob.h"
#include "tool.h"

/* What one directory says. Sizes are in bytes, thresholds may be NO_LIMIT. */
struct group {
	char *cgroup;
	bool attached;
	struct knobs knobs;
	uint64_t dirty_bytes;
	uint64_t writeback_bytes;
	uint64_t limit_bytes;
	uint64_t background_bytes;
	uint64_t peak_bytes;
	uint64_t throttled;
	uint64_t throttled_usec;
	uint64_t writeout_bytes;
	uint64_t writeout_usec;
};

struct groups {
	struct group *group;
	size_t count;
};

/* One line of "hooks". */
struct hook {
	char name[32];
	char means[32];
	char symbol[64];
	char state[16];
	uint64_t hits;
	uint64_t misses;
	char error[160];		/* and what is lost; empty if all is well */
};

bool read_key(const char *text, const char *key, uint64_t *value);

char *tree_dir(const char *cgroup);
bool tree_is_there(void);
int tree_require(void);
char *tree_version(void);
char *tree_hooks(void);
void tree_walk(struct names *names);
bool tree_has(const char *cgroup);
bool tree_read(const char *cgroup, struct group *group);
void tree_read_all(struct groups *groups);
void groups_free(struct groups *groups);
const struct group *groups_find(const struct groups *groups,
				const char *cgroup);
const struct group *groups_tightest(const struct groups *groups,
				    const char *cgroup);
int tree_put(const char *cgroup, const struct knobs *want);
int tree_remove(const char *cgroup, bool (*keep)(const char *cgroup));
bool hook_next(const char **text, struct hook *hook);

#endif /* TREE_H */
