/* SPDX-License-Identifier: GPL-2.0 */
/*
 * tool.h - what every verb of the command shares: how it is called, how it
 * talks, how it ends
 */
#ifndef TOOL_H
#define TOOL_H

#include <stdbool.h>
#include <stddef.h>

#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))

enum status {
	DONE = 0,
	FAILED = 1,
	USAGE = 2,
	NOT_LOADED = 3,
	UNSUPPORTED = 4,
};

/* An option of a verb. One with an argument has @text, a switch has @on. */
struct opt {
	const char *name;
	char letter;			/* 0: long form only */
	const char *arg;		/* what the help calls it */
	const char *help;
	const char **text;
	bool *on;
};

struct verb {
	const char *name;
	const char *args;
	const char *summary;
	const struct opt *opts;		/* ends with an empty one */
	bool in_order;			/* the first argument ends the options */
	int (*run)(int argc, char **argv);
};

extern const struct verb verb_set, verb_unset, verb_show, verb_list, verb_top;
extern const struct verb verb_apply, verb_run, verb_load, verb_unload;
extern const struct verb verb_doctor, verb_metrics;

extern bool opt_json, opt_bytes, opt_runtime;
extern const char *opt_pid;

#define OPT_JSON { .name = "json", .on = &opt_json, \
		   .help = "print one JSON document" }
#define OPT_BYTES { .name = "bytes", .on = &opt_bytes, \
		    .help = "print exact sizes, in bytes" }
#define OPT_PID { .name = "pid", .arg = "N", .text = &opt_pid, \
		  .help = "the cgroup of process N, instead of CGROUP" }

int usage_error(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
int fail(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void say(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void progress(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

char *rooted(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
char *format(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void *grow(void *array, size_t count, size_t size);
char *copy(const char *text);
char *read_file(const char *path);
bool write_attribute(const char *path, const char *text);
int replace_file(const char *path, const char *text);
bool make_dirs(const char *path);

/* A list of names; all zero is an empty one. */
struct names {
	char **name;
	size_t count;
};

int compare_paths(const char *a, const char *b);
void names_add(struct names *names, char *name);
void names_sort(struct names *names);
void names_free(struct names *names);
const char *names_nearest(const struct names *names, const char *to);

#endif /* TOOL_H */
