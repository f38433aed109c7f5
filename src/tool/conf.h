/* SPDX-License-Identifier: GPL-2.0 */
/*
 * conf.h - the files that hold limits over a reboot
 */
#ifndef CONF_H
#define CONF_H

#include <stdbool.h>
#include <stddef.h>

#include "knob.h"
#include "tool.h"

/* Where a knob is set; no file where it is not. */
struct conf_place {
	char *file;
	unsigned int line;
};

/* What is set for a cgroup. An entry that sets nothing only counts. */
struct conf_entry {
	char *cgroup;
	struct knobs knobs;
	struct conf_place place[NR_KNOBS];
};

struct conf {
	struct conf_entry *entry;
	size_t count;
};

#define APPLIED_HEAD	"# The cgroups whose limits are from files.\n"

char *conf_set_path(void);
char *conf_applied_path(void);
int conf_lock(void);
int conf_read_set(struct conf *conf);
int conf_write_set(const struct conf *conf);

int conf_read(struct conf *conf, const char *path);
int conf_read_all(struct conf *conf, const char *except);
int conf_write(const struct conf *conf, const char *path, const char *head);
struct conf_entry *conf_find(const struct conf *conf, const char *cgroup);
struct conf_entry *conf_entry(struct conf *conf, const char *cgroup);
void conf_remove(struct conf *conf, const char *cgroup);
void conf_set(struct conf_entry *entry, enum knob knob, uint64_t value,
	      const char *file, unsigned int line);
void conf_add_files(struct names *files, const char *dir);

bool conf_wants(const struct conf *conf, const char *cgroup);
int applied_note(const char *cgroup, bool from_file);

#endif /* CONF_H */
