// SPDX-License-Identifier: GPL-2.0
/*
 * metrics.c - the counters as Prometheus reads them
 */
#include <stddef.h>
#include <stdlib.h>

#include "print.h"
#include "tree.h"

static const struct opt opts[] = {
	{ 0 },
};

/* A metric of each group: where it is in struct group, and its unit. */
static const struct family {
	const char *name;
	const char *type;
	const char *help;
	size_t offset;
	bool usec;
} families[] = {
	{ "cgdirty_file_dirty_bytes", "gauge",
	  "Dirty page cache of the cgroup and all below it.",
	  offsetof(struct group, dirty_bytes), false },
	{ "cgdirty_file_writeback_bytes", "gauge",
	  "Page cache under writeback of the cgroup and all below it.",
	  offsetof(struct group, writeback_bytes), false },
	{ "cgdirty_limit_bytes", "gauge",
	  "The limit in force of the cgroup itself; +Inf if none.",
	  offsetof(struct group, limit_bytes), false },
	{ "cgdirty_background_bytes", "gauge",
	  "Where write-out begins; +Inf if nowhere.",
	  offsetof(struct group, background_bytes), false },
	{ "cgdirty_peak_bytes", "gauge",
	  "The most that was dirty and under writeback.",
	  offsetof(struct group, peak_bytes), false },
	{ "cgdirty_throttled_total", "counter",
	  "Times a task was made to wait.",
	  offsetof(struct group, throttled), false },
	{ "cgdirty_throttled_seconds_total", "counter",
	  "Time that tasks were made to wait.",
	  offsetof(struct group, throttled_usec), true },
	{ "cgdirty_writeout_bytes_total", "counter",
	  "What cgdirty wrote out for the cgroup.",
	  offsetof(struct group, writeout_bytes), false },
	{ "cgdirty_writeout_seconds_total", "counter",
	  "Time that took.",
	  offsetof(struct group, writeout_usec), true },
};

static void head(const char *name, const char *type, const char *help)
{
	printf("# HELP %s %s\n# TYPE %s %s\n", name, help, name, type);
}

static void label(const char *metric, const char *key, const char *value)
{
	char *utf8 = escaped(value, false);
	const char *c;

	printf("%s{%s=\"", metric, key);
	for (c = utf8; *c; c++) {
		if (*c == '\n')
			fputs("\\n", stdout);
		else if (*c == '\\' || *c == '"')
			printf("\\%c", *c);
		else
			putchar(*c);
	}
	fputs("\"} ", stdout);
	free(utf8);
}

static void number(uint64_t value, bool usec)
{
	if (usec)
		printf("%llu.%06llu\n", (unsigned long long)value / 1000000,
		       (unsigned long long)value % 1000000);
	else if (value == NO_LIMIT)
		puts("+Inf");
	else
		printf("%llu\n", (unsigned long long)value);
}

static void print_family(const struct family *family,
			 const struct groups *groups)
{
	size_t i;

	head(family->name, family->type, family->help);
	for (i = 0; i < groups->count; i++) {
		const char *group = (const char *)&groups->group[i];

		label(family->name, "cgroup", groups->group[i].cgroup);
		number(*(const uint64_t *)(group + family->offset),
		       family->usec);
	}
}

static void print_attached(const struct groups *groups)
{
	size_t i;

	head("cgdirty_attached", "gauge", "Whether a cgroup of this path is there.");
	for (i = 0; i < groups->count; i++) {
		label("cgdirty_attached", "cgroup", groups->group[i].cgroup);
		number(groups->group[i].attached, false);
	}
}

static void print_hooks(void)
{
	static const char *const name[] = {
		"cgdirty_hook_failed", "cgdirty_hook_hits_total",
		"cgdirty_hook_misses_total",
	};
	static const char *const help[] = {
		"Whether the hook could not be attached.",
		"Events that the hook has seen.",
		"Events that came while the hook was being taken off.",
	};
	char *text = tree_hooks();
	struct hook hook;
	int i;

	for (i = 0; text && i < 3; i++) {
		const char *rest = text;

		head(name[i], i ? "counter" : "gauge", help[i]);
		while (hook_next(&rest, &hook)) {
			label(name[i], "hook", hook.name);
			number(i == 0 ? *hook.error != '\0' :
			       i == 1 ? hook.hits : hook.misses, false);
		}
	}
	free(text);
}

static int metrics(int argc, char **argv)
{
	struct groups groups;
	char *version;
	size_t i;
	int ret;

	if (argc)
		return usage_error("%s: no argument is wanted", argv[0]);
	ret = tree_require();
	if (ret)
		return ret;
	tree_read_all(&groups);
	version = tree_version();
	head("cgdirty_info", "gauge", "The version of the module that is loaded.");
	label("cgdirty_info", "version", version ? version : "");
	number(1, false);
	print_attached(&groups);
	for (i = 0; i < ARRAY_SIZE(families); i++)
		print_family(&families[i], &groups);
	print_hooks();
	free(version);
	groups_free(&groups);
	return DONE;
}

const struct verb verb_metrics = {
	.name = "metrics",
	.args = "",
	.summary = "print all counters for Prometheus",
	.opts = opts,
	.run = metrics,
};
