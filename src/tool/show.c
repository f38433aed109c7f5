// SPDX-License-Identifier: GPL-2.0
/*
 * show.c - what is set, what is in force, and where it comes from
 */
#include <stdlib.h>
#include <string.h>

#include "cgroup.h"
#include "conf.h"
#include "print.h"
#include "tree.h"

static const struct opt opts[] = {
	OPT_JSON,
	OPT_BYTES,
	OPT_PID,
	{ 0 },
};

static struct groups groups;
static struct conf conf;

/* Where a value is kept; NULL if it is gone after a boot. */
static const struct conf_place *place_of(const struct group *group, int knob)
{
	const struct conf_entry *entry = conf_find(&conf, group->cgroup);

	if (!entry || !entry->place[knob].file ||
	    entry->knobs.value[knob] != group->knobs.value[knob])
		return NULL;
	return &entry->place[knob];
}

static void print_set(const struct group *group)
{
	char text[KNOB_TEXT_MAX];
	int knob;

	if (!knobs_any(&group->knobs))
		puts("  set       nothing");
	for (knob = 0; knob < NR_KNOBS; knob++) {
		const struct conf_place *place = place_of(group, knob);

		if (!group->knobs.value[knob])
			continue;
		printf("  set       %s=%s", knob_name[knob],
		       knob_text(knob, group->knobs.value[knob], text));
		if (place)
			printf(" by %s:%u\n", place->file, place->line);
		else
			puts(" until the next boot");
	}
}

static void print_force(const char *cgroup, const struct group *group)
{
	const struct group *tightest = groups_tightest(&groups, cgroup);
	char text[KNOB_TEXT_MAX];

	if (!tightest) {
		puts("  in force  no limit");
		return;
	}
	printf("  in force  limit %s", size_text(tightest->limit_bytes, text));
	if (tightest != group)
		printf(" from %s", print_name(tightest->cgroup));
	if (tightest != group && group && group->limit_bytes != NO_LIMIT)
		printf(" (its own is %s)", size_text(group->limit_bytes, text));
	if (group && group->background_bytes != NO_LIMIT)
		printf(", background %s",
		       size_text(group->background_bytes, text));
	putchar('\n');
}

static void print_usage(const struct group *group)
{
	char text[3][KNOB_TEXT_MAX];

	printf("  now       %s dirty, %s under writeback; peak %s\n",
	       size_text(group->dirty_bytes, text[0]),
	       size_text(group->writeback_bytes, text[1]),
	       size_text(group->peak_bytes, text[2]));
	printf("  until now %llu waits, %s in all; %s written out in ",
	       (unsigned long long)group->throttled,
	       duration_text(group->throttled_usec, text[0]),
	       size_text(group->writeout_bytes, text[1]));
	puts(duration_text(group->writeout_usec, text[2]));
}

static void print_one(const char *cgroup, const struct group *group)
{
	printf("%s ", print_name(cgroup));
	if (!group) {
		puts("(not in the tree)");
	} else {
		print_colour(group->attached ? PLAIN : YELLOW,
			     group->attached ? "(attached)\n" :
					       "(pending: no such cgroup now)\n");
		print_set(group);
	}
	print_force(cgroup, group);
	if (group)
		print_usage(group);
}

static struct json_object *force_json(const char *cgroup)
{
	const struct group *tightest = groups_tightest(&groups, cgroup);
	struct json_object *force = json_object_new_object();

	json_add(force, "limit_bytes",
		 tightest ? json_bytes(tightest->limit_bytes) : NULL);
	json_add(force, "limit_from",
		 tightest ? json_text(tightest->cgroup) : NULL);
	return force;
}

static struct json_object *kept_json(const struct group *group)
{
	struct json_object *kept = json_object_new_object();
	int knob;

	for (knob = 0; knob < NR_KNOBS; knob++) {
		const struct conf_place *place = place_of(group, knob);
		struct json_object *at;

		if (!place)
			continue;
		at = json_object_new_object();
		json_add(at, "file", json_text(place->file));
		json_add(at, "line", json_number(place->line));
		json_add(kept, knob_name[knob], at);
	}
	return kept;
}

static struct json_object *one_json(const char *cgroup,
				    const struct group *group)
{
	struct json_object *one;

	if (group) {
		one = json_group(group);
		json_add(one, "kept_by", kept_json(group));
	} else {
		one = json_object_new_object();
		json_add(one, "cgroup", json_text(cgroup));
		json_add(one, "state", NULL);
	}
	json_add(one, "in_force", force_json(cgroup));
	return one;
}

static void show_one(const char *cgroup, struct json_object *array)
{
	const struct group *group = groups_find(&groups, cgroup);

	if (opt_json)
		json_object_array_add(array, one_json(cgroup, group));
	else
		print_one(cgroup, group);
}

static int show(int argc, char **argv)
{
	struct json_object *array = json_object_new_array();
	char *cgroup = NULL;
	size_t i;
	int ret;

	if (argc || opt_pid) {
		ret = cgroup_argument(&argc, &argv, &cgroup);
		if (ret)
			return ret;
	}
	if (argc)
		return usage_error("one cgroup at a time");
	ret = tree_require();
	if (ret)
		return ret;
	tree_read_all(&groups);
	conf_read_all(&conf, NULL);
	if (cgroup && !tree_has(cgroup) && !cgroup_exists(cgroup))
		return cgroup_unknown(cgroup, "");
	if (cgroup)
		show_one(cgroup, array);
	for (i = 0; !cgroup && i < groups.count; i++)
		show_one(groups.group[i].cgroup, array);
	if (opt_json)
		return json_print("show", "groups", array);
	if (!cgroup && !groups.count)
		say("no cgroup has a limit");
	return DONE;
}

const struct verb verb_show = {
	.name = "show",
	.args = "[CGROUP]",
	.summary = "show what is set, what is in force and where it is from",
	.opts = opts,
	.run = show,
};
