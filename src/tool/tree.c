// SPDX-License-Identifier: GPL-2.0
/*
 * tree.c - the module's tree in configfs
 */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "print.h"
#include "tree.h"

/**
 * read_key() - a number from lines of "key value"
 * @text: the lines
 * @key: to look for
 * @value: receives the number, NO_LIMIT for "max"; untouched without the key
 *
 * Return: whether it is there.
 */
bool read_key(const char *text, const char *key, uint64_t *value)
{
	size_t length = strlen(key);

	for (; text; text = strchr(text, '\n') ? strchr(text, '\n') + 1 : NULL) {
		if (strncmp(text, key, length) || text[length] != ' ')
			continue;
		text += length + 1;
		*value = strncmp(text, "max", 3) ? strtoull(text, NULL, 10) :
						   NO_LIMIT;
		return true;
	}
	return false;
}

/**
 * tree_dir() - the directory of a cgroup in the tree
 * @cgroup: its path; the root's is empty
 *
 * Return: the path, to be freed.
 */
char *tree_dir(const char *cgroup)
{
	return rooted("/sys/kernel/config/cgdirty%s%s", *cgroup ? "/" : "",
		      cgroup);
}

/**
 * tree_is_there() - whether the module is loaded and its tree in reach
 *
 * Return: true if so.
 */
bool tree_is_there(void)
{
	return tree_has("");
}

/**
 * tree_require() - say so if there is no tree
 *
 * Return: DONE or NOT_LOADED.
 */
int tree_require(void)
{
	if (tree_is_there())
		return DONE;
	say("the module is not loaded, or configfs is not mounted; run: cgdirty load");
	return NOT_LOADED;
}

static char *read_attribute(const char *cgroup, const char *name)
{
	char *dir = tree_dir(cgroup), *path = format("%s/%s", dir, name);
	char *text = read_file(path);

	free(path);
	free(dir);
	return text;
}

/**
 * tree_version() - the version of the module that is loaded
 *
 * Return: the version, to be freed; NULL if it cannot be read.
 */
char *tree_version(void)
{
	char *text = read_attribute("", "version");

	if (text)
		text[strcspn(text, "\n")] = '\0';
	return text;
}

/**
 * tree_hooks() - the lines of the module's hooks, for hook_next()
 *
 * Return: the text, to be freed; NULL if it cannot be read.
 */
char *tree_hooks(void)
{
	return read_attribute("", "hooks");
}

/**
 * tree_has() - whether a cgroup has a directory in the tree
 * @cgroup: its path
 *
 * Return: true if so.
 */
bool tree_has(const char *cgroup)
{
	char *dir = tree_dir(cgroup);
	struct stat st;
	bool there = !stat(dir, &st) && S_ISDIR(st.st_mode);

	free(dir);
	return there;
}

static void walk(const char *cgroup, struct names *names)
{
	char *dir = tree_dir(cgroup);
	DIR *stream = opendir(dir);
	struct dirent *entry;

	free(dir);
	if (!stream)
		return;
	while ((entry = readdir(stream))) {
		char *name;

		if (entry->d_type != DT_DIR || !strcmp(entry->d_name, ".") ||
		    !strcmp(entry->d_name, ".."))
			continue;
		name = format("%s%s%s", cgroup, *cgroup ? "/" : "",
			      entry->d_name);
		names_add(names, name);
		walk(name, names);
	}
	closedir(stream);
}

/**
 * tree_walk() - all directories of the tree
 * @names: receives the paths of their cgroups, parents before children
 */
void tree_walk(struct names *names)
{
	walk("", names);
	names_sort(names);
}

static bool read_knobs(const char *cgroup, struct knobs *knobs)
{
	int knob;

	for (knob = 0; knob < NR_KNOBS; knob++) {
		char *text = read_attribute(cgroup, knob_name[knob]);

		if (!text)
			return false;
		knobs->value[knob] = strtoull(text, NULL, 10);
		free(text);
	}
	return true;
}

/**
 * tree_read() - all that a directory says
 * @cgroup: whose
 * @group: receives it; its cgroup is to be freed
 *
 * Return: false if there is none, or none any more.
 */
bool tree_read(const char *cgroup, struct group *group)
{
	char *state = read_attribute(cgroup, "state");
	char *stat = read_attribute(cgroup, "stat");
	bool read = false;

	memset(group, 0, sizeof(*group));
	if (state && stat && read_knobs(cgroup, &group->knobs)) {
		group->attached = !strncmp(state, "attached", 8);
		read_key(stat, "file_dirty", &group->dirty_bytes);
		read_key(stat, "file_writeback", &group->writeback_bytes);
		read_key(stat, "limit", &group->limit_bytes);
		read_key(stat, "background", &group->background_bytes);
		read_key(stat, "peak", &group->peak_bytes);
		read_key(stat, "throttled", &group->throttled);
		read_key(stat, "throttled_usec", &group->throttled_usec);
		read_key(stat, "writeout_bytes", &group->writeout_bytes);
		read_key(stat, "writeout_usec", &group->writeout_usec);
		group->cgroup = copy(cgroup);
		read = true;
	}
	free(state);
	free(stat);
	return read;
}

/**
 * tree_read_all() - all that the tree says, parents before children
 * @groups: receives it
 */
void tree_read_all(struct groups *groups)
{
	struct names names = { 0 };
	size_t i;

	memset(groups, 0, sizeof(*groups));
	tree_walk(&names);
	for (i = 0; i < names.count; i++) {
		groups->group = grow(groups->group, groups->count,
				     sizeof(struct group));
		if (tree_read(names.name[i], &groups->group[groups->count]))
			groups->count++;
	}
	names_free(&names);
}

/**
 * groups_free() - forget what was read
 * @groups: from tree_read_all()
 */
void groups_free(struct groups *groups)
{
	while (groups->count)
		free(groups->group[--groups->count].cgroup);
	free(groups->group);
	groups->group = NULL;
}

/**
 * groups_find() - the group of a cgroup
 * @groups: to look in
 * @cgroup: to look for
 *
 * Return: the group or NULL.
 */
const struct group *groups_find(const struct groups *groups,
				const char *cgroup)
{
	size_t from = 0, to = groups->count;

	while (from < to) {
		size_t middle = from + (to - from) / 2;
		int order = compare_paths(groups->group[middle].cgroup, cgroup);

		if (!order)
			return &groups->group[middle];
		if (order < 0)
			from = middle + 1;
		else
			to = middle;
	}
	return NULL;
}

/**
 * groups_tightest() - whose limit holds the writers of a cgroup
 * @groups: all there are
 * @cgroup: its path
 *
 * Return: the one with the least limit among its own group and all above; NULL
 * if none has a limit.
 */
const struct group *groups_tightest(const struct groups *groups,
				    const char *cgroup)
{
	const struct group *tightest = NULL, *group;
	char *path = copy(cgroup), *slash = path;

	while (slash) {
		group = groups_find(groups, path);
		if (group && group->limit_bytes < NO_LIMIT &&
		    (!tightest || group->limit_bytes < tightest->limit_bytes))
			tightest = group;
		slash = strrchr(path, '/');
		if (slash)
			*slash = '\0';
	}
	free(path);
	return tightest;
}

static bool write_knob(const char *cgroup, enum knob knob, uint64_t value)
{
	char *dir = tree_dir(cgroup);
	char *path = format("%s/%s", dir, knob_name[knob]);
	char text[KNOB_TEXT_MAX] = "max";
	bool written;

	if (value)
		snprintf(text, sizeof(text), "%llu", (unsigned long long)value);
	written = write_attribute(path, text);
	free(path);
	free(dir);
	return written;
}

/* Only what differs is written: what is in force is not put in force again. */
static bool write_knobs(const char *cgroup, const struct knobs *want)
{
	struct knobs now;
	int knob;

	if (!read_knobs(cgroup, &now))
		return false;
	for (knob = 0; knob < NR_KNOBS; knob++) {
		/* A knob is not taken away first if its twin replaces it. */
		if (want->value[knob] == now.value[knob] ||
		    (!want->value[knob] && want->value[TWIN(knob)]))
			continue;
		if (!write_knob(cgroup, knob, want->value[knob]))
			return false;
	}
	return true;
}

/* The directory and those above; *made is set if the last was not there. */
static bool make_tree_dirs(const char *cgroup, bool *made)
{
	char *part = copy(cgroup), *slash = part;
	bool there = true;

	do {
		char *dir;

		slash = strchr(slash + 1, '/');
		if (slash)
			*slash = '\0';
		dir = tree_dir(part);
		*made = !mkdir(dir, 0755);
		there = *made || errno == EEXIST;
		free(dir);
		if (slash)
			*slash = '/';
	} while (there && slash);
	free(part);
	return there;
}

/**
 * tree_put() - make a directory say exactly this
 * @cgroup: whose; made if it is not there
 * @want: what it is to say
 *
 * Return: DONE, or FAILED after a message; then nothing has changed.
 */
int tree_put(const char *cgroup, const struct knobs *want)
{
	struct knobs before = { 0 };
	bool made = false;
	int error;

	if (!make_tree_dirs(cgroup, &made))
		return fail("cannot make %s in the tree: %s",
			    print_name(cgroup), strerror(errno));
	if (made || read_knobs(cgroup, &before))
		if (write_knobs(cgroup, want))
			return DONE;
	error = errno;
	if (made)
		tree_remove(cgroup, NULL);
	else
		write_knobs(cgroup, &before);
	return fail("the module refuses this for %s: %s", print_name(cgroup),
		    strerror(error));
}

static bool remove_dir(const char *cgroup)
{
	char *dir = tree_dir(cgroup);
	bool removed = !rmdir(dir);

	free(dir);
	return removed;
}

/**
 * tree_remove() - take a directory away, with those above it that then have
 *		   no purpose
 * @cgroup: whose; if there are others below, it stays but limits nothing
 * @keep: tells of a directory above, without a limit, whether it has a purpose;
 *	  NULL if none has
 *
 * Return: DONE, also if it is not there, or FAILED after a message.
 */
int tree_remove(const char *cgroup, bool (*keep)(const char *cgroup))
{
	const struct knobs none = { 0 };
	char *above = copy(cgroup), *slash;
	struct knobs knobs;
	int ret = DONE;

	if (!remove_dir(cgroup) && errno != ENOENT &&
	    (errno != ENOTEMPTY || !write_knobs(cgroup, &none)))
		ret = fail("cannot remove %s from the tree: %s",
			   print_name(cgroup), strerror(errno));
	while (!ret && (slash = strrchr(above, '/'))) {
		*slash = '\0';
		if (!read_knobs(above, &knobs) || knobs_any(&knobs) ||
		    (keep && keep(above)) || !remove_dir(above))
			break;
	}
	free(above);
	return ret;
}

/**
 * hook_next() - take a line of "hooks" apart
 * @text: the lines that are left; moves on
 * @hook: receives it
 *
 * Return: false at the end.
 */
bool hook_next(const char **text, struct hook *hook)
{
	unsigned long long hits, misses;
	const char *end = strchr(*text, '\n'), *error;

	memset(hook, 0, sizeof(*hook));
	if (!end || sscanf(*text, "%31s %31s %63s %15s hits %llu misses %llu",
			   hook->name, hook->means, hook->symbol, hook->state,
			   &hits, &misses) != 6)
		return false;
	hook->hits = hits;
	hook->misses = misses;
	error = strstr(*text, " error ");
	if (error && error < end)
		snprintf(hook->error, sizeof(hook->error), "%.*s",
			 (int)(end - error - 1), error + 1);
	*text = end + 1;
	return true;
}
