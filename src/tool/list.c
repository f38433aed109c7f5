// SPDX-License-Identifier: GPL-2.0
/*
 * list.c - the tree, one line a cgroup
 */
#include <stdlib.h>

#include "cgroup.h"
#include "print.h"
#include "tree.h"

static bool all;

static const struct opt opts[] = {
	{ .name = "all", .letter = 'a', .on = &all,
	  .help = "every cgroup that has the memory controller" },
	OPT_JSON,
	OPT_BYTES,
	{ 0 },
};

static struct table table = {
	.heading = { "CGROUP", ">DIRTY", ">WRITEBACK", ">LIMIT", ">PEAK",
		     ">THROTTLED", "STATE" },
	.columns = 7,
};

static void add_group(const struct groups *groups, const struct group *group)
{
	const struct group *tightest = groups_tightest(groups, group->cgroup);
	char text[4][KNOB_TEXT_MAX], limit[KNOB_TEXT_MAX + 2], usec[KNOB_TEXT_MAX];

	/* In brackets: the limit of one above, which is what holds it. */
	size_text(tightest ? tightest->limit_bytes : NO_LIMIT, text[0]);
	snprintf(limit, sizeof(limit), tightest && tightest != group ? "(%s)" :
								       "%s",
		 text[0]);
	table_row(&table, print_name(group->cgroup),
		  size_text(group->dirty_bytes, text[1]),
		  size_text(group->writeback_bytes, text[2]), limit,
		  size_text(group->peak_bytes, text[3]),
		  duration_text(group->throttled_usec, usec),
		  group->attached ? "attached" : "pending");
}

static void add_other(const struct groups *groups, const char *cgroup)
{
	const struct group *tightest = groups_tightest(groups, cgroup);
	char text[3][KNOB_TEXT_MAX], limit[KNOB_TEXT_MAX + 2];
	uint64_t dirty, writeback;

	cgroup_usage(cgroup, &dirty, &writeback);
	size_text(tightest ? tightest->limit_bytes : NO_LIMIT, text[0]);
	snprintf(limit, sizeof(limit), tightest ? "(%s)" : "%s", text[0]);
	table_row(&table, print_name(cgroup), size_text(dirty, text[1]),
		  size_text(writeback, text[2]), limit, "-", "-", "-");
}

static struct json_object *other_json(const char *cgroup)
{
	struct json_object *object = json_object_new_object();
	uint64_t dirty, writeback;

	cgroup_usage(cgroup, &dirty, &writeback);
	json_add(object, "cgroup", json_text(cgroup));
	json_add(object, "state", NULL);
	json_add(object, "file_dirty_bytes", json_number(dirty));
	json_add(object, "file_writeback_bytes", json_number(writeback));
	return object;
}

static void add(const struct groups *groups, const char *cgroup,
		struct json_object *array)
{
	const struct group *group = groups_find(groups, cgroup);

	if (opt_json)
		json_object_array_add(array, group ? json_group(group) :
						     other_json(cgroup));
	else if (group)
		add_group(groups, group);
	else
		add_other(groups, cgroup);
}

static int list(int argc, char **argv)
{
	struct json_object *array = json_object_new_array();
	struct names names = { 0 }, others = { 0 };
	struct groups groups;
	size_t i;
	int ret;

	if (argc)
		return usage_error("%s: no argument is wanted", argv[0]);
	ret = tree_require();
	if (ret)
		return ret;
	tree_read_all(&groups);
	for (i = 0; i < groups.count; i++)
		names_add(&names, copy(groups.group[i].cgroup));
	if (all)
		cgroup_walk(&others);
	for (i = 0; i < others.count; i++)
		if (cgroup_has_memory(others.name[i]) &&
		    !groups_find(&groups, others.name[i]))
			names_add(&names, copy(others.name[i]));
	names_sort(&names);
	for (i = 0; i < names.count; i++)
		add(&groups, names.name[i], array);
	if (opt_json)
		return json_print("list", "groups", array);
	table_print(&table);
	return DONE;
}

const struct verb verb_list = {
	.name = "list",
	.args = "",
	.summary = "list the limits, with usage and time throttled",
	.opts = opts,
	.run = list,
};
