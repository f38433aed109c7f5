// SPDX-License-Identifier: GPL-2.0
/*
 * unset.c - take a limit away, at once and for good
 */
#include <stdlib.h>

#include "cgroup.h"
#include "conf.h"
#include "print.h"
#include "tree.h"

static const struct opt opts[] = {
	OPT_PID,
	{ 0 },
};

/* All files but ours, and all files. */
static struct conf others, all;

static bool in_files(const char *cgroup)
{
	return conf_wants(&all, cgroup);
}

/* What another file sets would be back at the next boot, unless ours says no. */
static void forget(struct conf *file, const char *cgroup, const bool *which)
{
	const struct conf_entry *other = conf_find(&others, cgroup);
	struct conf_entry *entry = conf_entry(file, cgroup);
	bool used = false;
	int knob;

	for (knob = 0; knob < NR_KNOBS; knob++) {
		if (which[knob])
			entry->place[knob].file = NULL;
		if (which[knob] && other && other->knobs.value[knob] &&
		    !entry->place[TWIN(knob)].file)
			conf_set(entry, knob, 0, "", 0);
		used = used || entry->place[knob].file;
	}
	if (!used)
		conf_remove(file, cgroup);
}

static int unset_tree(const char *cgroup, const bool *which)
{
	struct group group;
	int knob;

	if (!tree_read(cgroup, &group))
		return DONE;
	for (knob = 0; knob < NR_KNOBS; knob++)
		if (which[knob])
			group.knobs.value[knob] = 0;
	if (knobs_any(&group.knobs))
		return tree_put(cgroup, &group.knobs);
	return tree_remove(cgroup, in_files);
}

static int unset(int argc, char **argv)
{
	bool which[NR_KNOBS] = { false };
	struct conf file = { 0 };
	char *cgroup;
	int i, ret;

	ret = cgroup_argument(&argc, &argv, &cgroup);
	if (ret)
		return ret;
	for (i = 0; i < argc; i++) {
		int knob = knob_find(argv[i]);

		if (knob < 0)
			return usage_error("no such key: %s", argv[i]);
		which[knob] = true;
	}
	for (i = 0; !argc && i < NR_KNOBS; i++)
		which[i] = true;
	ret = tree_require();
	if (ret)
		return ret;
	ret = conf_lock();
	if (ret)
		return ret;
	if (conf_read_set(&file) || conf_read_all(&all, NULL))
		return FAILED;
	if (!tree_has(cgroup) && !conf_find(&all, cgroup)) {
		if (!cgroup_exists(cgroup))
			return cgroup_unknown(cgroup, "");
		return fail("nothing is set for %s", print_name(cgroup));
	}
	conf_read_all(&others, conf_set_path());
	forget(&file, cgroup, which);
	ret = conf_write_set(&file);
	if (!ret)
		ret = unset_tree(cgroup, which);
	if (!ret && !tree_has(cgroup))
		ret = applied_note(cgroup, false);
	return ret;
}

const struct verb verb_unset = {
	.name = "unset",
	.args = "CGROUP [KEY...]",
	.summary = "take a limit away, at once and for good",
	.opts = opts,
	.run = unset,
};
