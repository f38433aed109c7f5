// SPDX-License-Identifier: GPL-2.0
/*
 * apply.c - make the tree say what the files say
 *
 * All files are read before anything is changed, and one that is bad changes
 * nothing at all. What an earlier apply or set took from a file and no file
 * asks for any more is taken away; what anybody else put into the tree stays.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cgroup.h"
#include "conf.h"
#include "print.h"
#include "tree.h"

static bool dry_run;

static const struct opt opts[] = {
	{ .name = "dry-run", .letter = 'n', .on = &dry_run,
	  .help = "print what would change, and change nothing" },
	OPT_JSON,
	OPT_BYTES,
	{ 0 },
};

static struct conf wanted, applied;

static bool in_files(const char *cgroup)
{
	return conf_wants(&wanted, cgroup);
}

static int read_paths(int argc, char **argv)
{
	struct names files = { 0 };
	int ret = DONE, i;
	struct stat st;
	size_t n;

	if (!argc)
		return conf_read_all(&wanted, NULL);
	for (i = 0; i < argc; i++) {
		if (stat(argv[i], &st) || !S_ISDIR(st.st_mode)) {
			ret |= conf_read(&wanted, argv[i]);
			continue;
		}
		conf_add_files(&files, argv[i]);
		for (n = 0; n < files.count; n++)
			ret |= conf_read(&wanted, files.name[n]);
		names_free(&files);
	}
	return ret;
}

static struct json_object *value_json(uint64_t value)
{
	return value ? json_number(value) : NULL;
}

/* One line, or one object, for each value that differs. */
static void report(const char *cgroup, const char *action,
		   const struct knobs *from, const struct knobs *to,
		   struct json_object *changes)
{
	struct json_object *change = json_object_new_object();
	struct json_object *values = json_object_new_array();
	char before[KNOB_TEXT_MAX], after[KNOB_TEXT_MAX];
	int knob;

	if (!opt_json && dry_run && strcmp(action, "change"))
		printf("%s: %s\n", print_name(cgroup), action);
	for (knob = 0; knob < NR_KNOBS; knob++) {
		uint64_t old = from->value[knob], new = to->value[knob];
		struct json_object *value;

		if (old == new)
			continue;
		if (!opt_json && dry_run)
			printf("%s: %s %s -> %s\n", print_name(cgroup),
			       knob_name[knob], knob_text(knob, old, before),
			       knob_text(knob, new, after));
		value = json_object_new_object();
		json_add(value, "key", json_text(knob_name[knob]));
		json_add(value, "from", value_json(old));
		json_add(value, "to", value_json(new));
		json_object_array_add(values, value);
	}
	json_add(change, "cgroup", json_text(cgroup));
	json_add(change, "action", json_text(action));
	json_add(change, "values", values);
	json_object_array_add(changes, change);
}

static int apply_entry(const struct conf_entry *entry,
		       struct json_object *changes)
{
	const struct knobs none = { 0 };
	struct group now;
	bool there = tree_read(entry->cgroup, &now);

	if (there && !memcmp(&now.knobs, &entry->knobs, sizeof(none)))
		return DONE;
	report(entry->cgroup, there ? "change" : "add",
	       there ? &now.knobs : &none, &entry->knobs, changes);
	return dry_run ? DONE : tree_put(entry->cgroup, &entry->knobs);
}

static int remove_stale(const char *cgroup, struct json_object *changes)
{
	const struct knobs none = { 0 };
	struct group now;

	if (in_files(cgroup) || !tree_read(cgroup, &now))
		return DONE;
	report(cgroup, "remove", &now.knobs, &none, changes);
	return dry_run ? DONE : tree_remove(cgroup, in_files);
}

static int apply_all(struct json_object *changes)
{
	int ret = DONE;
	size_t i;

	for (i = 0; i < wanted.count; i++) {
		progress("applying %zu of %zu", i + 1, wanted.count);
		if (in_files(wanted.entry[i].cgroup))
			ret |= apply_entry(&wanted.entry[i], changes);
	}
	for (i = 0; i < applied.count; i++)
		ret |= remove_stale(applied.entry[i].cgroup, changes);
	progress("%s", "");
	return ret;
}

static int note_applied(const char *path)
{
	struct conf now = { 0 };
	size_t i;

	for (i = 0; i < wanted.count; i++)
		if (in_files(wanted.entry[i].cgroup))
			conf_entry(&now, wanted.entry[i].cgroup);
	return conf_write(&now, path, APPLIED_HEAD);
}

static int apply(int argc, char **argv)
{
	struct json_object *changes = json_object_new_array();
	char *path = conf_applied_path();
	int ret;

	if (read_paths(argc, argv))
		return fail("nothing was changed");
	ret = tree_require();
	if (!ret && !dry_run)
		ret = conf_lock();
	if (ret)
		return ret;
	if (!argc && !access(path, F_OK))
		conf_read(&applied, path);
	ret = apply_all(changes);
	if (opt_json)
		json_print("apply", "changes", changes);
	if (!ret && !dry_run && !argc)
		ret = note_applied(path);
	return ret;
}

const struct verb verb_apply = {
	.name = "apply",
	.args = "[PATH...]",
	.summary = "make the limits those of the configuration files",
	.opts = opts,
	.run = apply,
};
