// SPDX-License-Identifier: GPL-2.0
/*
 * set.c - limit a cgroup
 */
#include <stdlib.h>
#include <string.h>

#include "cgroup.h"
#include "conf.h"
#include "print.h"
#include "tree.h"

static bool force;

static const struct opt opts[] = {
	{ .name = "runtime", .on = &opt_runtime,
	  .help = "until the next boot only" },
	{ .name = "force", .on = &force,
	  .help = "also if there is no such cgroup yet" },
	OPT_PID,
	{ 0 },
};

static int assign_all(int argc, char **argv, struct conf_entry *entry)
{
	const char *error;
	enum knob knob;
	uint64_t value;
	int i;

	for (i = 0; i < argc; i++) {
		error = knob_assign(argv[i], &knob, &value);
		if (error)
			return usage_error("%s: %s", argv[i], error);
		if (entry->place[TWIN(knob)].file)
			return usage_error("%s and %s: there can be one only",
					   knob_name[TWIN(knob)],
					   knob_name[knob]);
		conf_set(entry, knob, value, "", 0);
	}
	return DONE;
}

static bool is_known(const char *cgroup)
{
	return cgroup_exists(cgroup) || tree_has(cgroup) ||
	       unit_has_file(cgroup);
}

/* A file that is read after ours may say something else. */
static void warn_if_hidden(const struct conf_entry *set)
{
	const struct conf_entry *entry;
	char *path = conf_set_path();
	struct conf conf = { 0 };
	int knob;

	conf_read_all(&conf, NULL);
	entry = conf_find(&conf, set->cgroup);
	for (knob = 0; entry && knob < NR_KNOBS; knob++) {
		const struct conf_place *place = &entry->place[knob];

		if (!set->place[knob].file)
			continue;
		if (!place->file)
			place = &entry->place[TWIN(knob)];
		if (place->file && strcmp(place->file, path))
			say("%s:%u will replace %s at the next boot",
			    place->file, place->line, knob_name[knob]);
	}
	free(path);
}

static int keep(const struct conf_entry *set, struct conf *file)
{
	struct conf_entry *entry = conf_entry(file, set->cgroup);
	int knob;

	for (knob = 0; knob < NR_KNOBS; knob++)
		if (set->place[knob].file)
			conf_set(entry, knob, set->knobs.value[knob], "", 0);
	if (conf_write_set(file) || applied_note(set->cgroup, true))
		return fail("the limit is in force, but until the next boot only");
	warn_if_hidden(set);
	return DONE;
}

static int set(int argc, char **argv)
{
	struct conf_entry assigned = { 0 };
	struct conf file = { 0 };
	struct group now;
	int knob, ret;

	ret = cgroup_argument(&argc, &argv, &assigned.cgroup);
	if (ret)
		return ret;
	if (!argc)
		return usage_error("what is to be set? For example dirty_bytes=100M");
	ret = assign_all(argc, argv, &assigned);
	if (ret)
		return ret;
	ret = tree_require();
	if (ret)
		return ret;
	if (!force && !is_known(assigned.cgroup))
		return cgroup_unknown(assigned.cgroup,
				      " (--force sets a limit for when it comes)");
	ret = conf_lock();
	if (!ret && !opt_runtime)
		ret = conf_read_set(&file);
	if (ret)
		return ret;
	if (!tree_read(assigned.cgroup, &now))
		now.knobs = (struct knobs){ 0 };
	for (knob = 0; knob < NR_KNOBS; knob++)
		if (assigned.place[knob].file)
			knob_set(&now.knobs, knob, assigned.knobs.value[knob]);
	ret = tree_put(assigned.cgroup, &now.knobs);
	if (!ret && cgroup_exists(assigned.cgroup) &&
	    !cgroup_has_memory(assigned.cgroup))
		say("%s has no memory controller; the limit takes hold when it has",
		    print_name(assigned.cgroup));
	if (ret || opt_runtime)
		return ret;
	return keep(&assigned, &file);
}

const struct verb verb_set = {
	.name = "set",
	.args = "CGROUP KEY=VALUE...",
	.summary = "limit a cgroup, now and at every boot",
	.opts = opts,
	.run = set,
};
