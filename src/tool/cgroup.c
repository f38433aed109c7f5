// SPDX-License-Identifier: GPL-2.0
/*
 * cgroup.c - the memory hierarchy: which cgroups there are, and which one is
 * meant
 */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cgroup.h"
#include "print.h"
#include "tree.h"

/* Where the hierarchy is mounted, as mountinfo has it. */
static char *mountpoint;
static bool unified;

static bool has_word(const char *list, const char *word, const char *separators)
{
	size_t length = strlen(word);

	while (*list) {
		size_t part = strcspn(list, separators);

		if (part == length && !strncmp(list, word, length))
			return true;
		list += part;
		list += strspn(list, separators);
	}
	return false;
}

/* A line is: id parent device root mountpoint options... - type source options */
static void take_mount(char *line)
{
	char *fields = strstr(line, " - "), *point = NULL, *save;
	const char *type, *options;
	int i;

	if (!fields)
		return;
	*fields = '\0';
	type = strtok_r(fields + 3, " ", &save);
	strtok_r(NULL, " ", &save);
	options = strtok_r(NULL, " ", &save);
	if (!type || !options)
		return;
	if (strcmp(type, "cgroup2") &&
	    (strcmp(type, "cgroup") || !has_word(options, "memory", ",")))
		return;
	/* The memory controller is in one hierarchy only: v1's if that is there. */
	if (mountpoint && (!unified || !strcmp(type, "cgroup2")))
		return;
	for (i = 0; i < 5; i++)
		point = strtok_r(i ? NULL : line, " ", &save);
	if (!point)
		return;
	free(mountpoint);
	mountpoint = copy(point);
	unified = !strcmp(type, "cgroup2");
}

/**
 * cgroup_find_root() - find the hierarchy that has the memory controller
 *
 * Return: whether there is one.
 */
bool cgroup_find_root(void)
{
	char *path, *text, *line, *save;

	if (mountpoint)
		return true;
	path = rooted("/proc/self/mountinfo");
	text = read_file(path);
	free(path);
	if (!text)
		return false;
	for (line = strtok_r(text, "\n", &save); line;
	     line = strtok_r(NULL, "\n", &save))
		take_mount(line);
	free(text);
	return mountpoint;
}

/**
 * cgroup_is_v2() - which version the hierarchy is of
 *
 * Return: true for cgroup v2.
 */
bool cgroup_is_v2(void)
{
	return cgroup_find_root() && unified;
}

/**
 * cgroup_dir() - the folder of a cgroup
 * @cgroup: its path; the root's is empty
 *
 * Return: the folder, to be freed.
 */
char *cgroup_dir(const char *cgroup)
{
	cgroup_find_root();
	return rooted("%s/%s", mountpoint ? mountpoint : "/sys/fs/cgroup",
		      cgroup);
}

static bool has_file(const char *cgroup, const char *file)
{
	char *dir = cgroup_dir(cgroup), *path = format("%s/%s", dir, file);
	struct stat st;
	bool there = !stat(path, &st);

	free(path);
	free(dir);
	return there;
}

/**
 * cgroup_exists() - whether a cgroup is there
 * @cgroup: its path
 *
 * Return: true if so.
 */
bool cgroup_exists(const char *cgroup)
{
	return has_file(cgroup, "cgroup.procs");
}

/**
 * cgroup_has_memory() - whether a cgroup has the memory controller
 * @cgroup: its path
 *
 * Return: true if so.
 */
bool cgroup_has_memory(const char *cgroup)
{
	return has_file(cgroup, "memory.stat");
}

static void walk(const char *dir, const char *cgroup, struct names *names)
{
	DIR *stream = opendir(dir);
	struct dirent *entry;

	if (!stream)
		return;
	while ((entry = readdir(stream))) {
		char *below, *name;

		if (entry->d_type != DT_DIR || !strcmp(entry->d_name, ".") ||
		    !strcmp(entry->d_name, ".."))
			continue;
		below = format("%s/%s", dir, entry->d_name);
		name = format("%s%s%s", cgroup, *cgroup ? "/" : "",
			      entry->d_name);
		names_add(names, name);
		walk(below, name, names);
		free(below);
	}
	closedir(stream);
}

/**
 * cgroup_walk() - all cgroups below the root
 * @names: receives their paths, parents before children
 */
void cgroup_walk(struct names *names)
{
	char *dir = cgroup_dir("");

	walk(dir, "", names);
	free(dir);
	names_sort(names);
}

/**
 * cgroup_of_pid() - the cgroup of a process, in the memory hierarchy
 * @pid: its number, or "self"
 * @cgroup: receives the path, to be freed
 *
 * Return: DONE, or what else after a message.
 */
int cgroup_of_pid(const char *pid, char **cgroup)
{
	char *path, *text, *line, *save, *found = NULL;
	size_t i;

	for (i = 0; strcmp(pid, "self") && (!i || pid[i]); i++)
		if (!isdigit((unsigned char)pid[i]))
			return usage_error("%s is not a process number", pid);
	path = rooted("/proc/%s/cgroup", pid);
	text = read_file(path);
	free(path);
	if (!text)
		return fail("no process %s", pid);
	for (line = strtok_r(text, "\n", &save); line;
	     line = strtok_r(NULL, "\n", &save)) {
		char *controllers = strchr(line, ':'), *name;

		name = controllers ? strchr(controllers + 1, ':') : NULL;
		if (!name)
			continue;
		*name++ = '\0';
		if (cgroup_is_v2() ? !controllers[1] :
				     has_word(controllers + 1, "memory", ","))
			found = name + (*name == '/');
	}
	*cgroup = found ? copy(found) : NULL;
	free(text);
	return found ? DONE : fail("process %s is in no memory cgroup", pid);
}

/**
 * cgroup_path_error() - whether a path can be that of a cgroup with a limit
 * @cgroup: a path, without a slash at either end
 *
 * Return: NULL, or what is wrong with it.
 */
const char *cgroup_path_error(const char *cgroup)
{
	if (!*cgroup)
		return "the root has no limit of its own; use vm.dirty_bytes";
	do {
		size_t length = strcspn(cgroup, "/");

		if (!length)
			return "a part of the path is empty";
		if (length > 255)
			return "a part of the path is longer than 255 bytes";
		if (cgroup[0] == '.' &&
		    (length == 1 || (length == 2 && cgroup[1] == '.')))
			return "a part of the path is . or ..";
		cgroup += length;
	} while (*cgroup++);
	return NULL;
}

/* The part below the root, if somebody gives a path of the file system. */
static const char *below_root(const char *name)
{
	size_t length = mountpoint ? strlen(mountpoint) : 0;

	if (length && !strncmp(name, mountpoint, length) &&
	    (name[length] == '/' || !name[length]))
		name += length;
	return name + strspn(name, "/");
}

/* All cgroups that are called @unit, wherever they are. */
static void find_unit(const char *unit, struct names *found)
{
	struct names names = { 0 };
	size_t i;

	cgroup_walk(&names);
	for (i = 0; i < names.count; i++) {
		const char *slash = strrchr(names.name[i], '/');

		if (!strcmp(slash ? slash + 1 : names.name[i], unit))
			names_add(found, copy(names.name[i]));
	}
	names_free(&names);
}

static int resolve_unit(const char *unit, char **cgroup)
{
	struct names found = { 0 };
	char *derived = unit_path(unit);
	int ret = DONE;
	size_t i;

	if (!derived)
		return DONE;
	find_unit(unit, &found);
	if (found.count > 1) {
		ret = fail("%s is the name of more than one cgroup; which one is meant?",
			   print_name(unit));
		for (i = 0; i < found.count; i++)
			fprintf(stderr, "  %s\n", print_name(found.name[i]));
	} else {
		free(*cgroup);
		*cgroup = copy(found.count ? found.name[0] : derived);
	}
	free(derived);
	names_free(&found);
	return ret;
}

/**
 * cgroup_resolve() - which cgroup is meant
 * @name: a path, or the name of a systemd unit
 * @cgroup: receives the path, to be freed; the cgroup need not exist
 *
 * A name without a slash that is no cgroup at the top is a unit's if it ends
 * like one: that of the cgroup of this name, wherever it is, or else of the
 * place where systemd would put it.
 *
 * Return: DONE, or what else after a message.
 */
int cgroup_resolve(const char *name, char **cgroup)
{
	const char *path, *error;
	size_t length;

	cgroup_find_root();
	path = below_root(name);
	length = strlen(path);
	while (length && path[length - 1] == '/')
		length--;
	*cgroup = format("%.*s", (int)length, path);
	error = cgroup_path_error(strcmp(*cgroup, "-.slice") ? *cgroup : "");
	if (error)
		return usage_error("%s: %s", print_name(name), error);
	if (strchr(name, '/') || cgroup_exists(*cgroup))
		return DONE;
	return resolve_unit(name, cgroup);
}

/**
 * cgroup_argument() - the cgroup of --pid, or of the next argument
 * @argc: arguments that are left
 * @argv: the arguments; moves on if one is taken
 * @cgroup: receives the path, to be freed
 *
 * Return: DONE, or what else after a message.
 */
int cgroup_argument(int *argc, char ***argv, char **cgroup)
{
	int ret;

	if (opt_pid) {
		cgroup_find_root();
		ret = cgroup_of_pid(opt_pid, cgroup);
		if (!ret && !**cgroup)
			return fail("process %s is in the root, which has no limit of its own",
				    opt_pid);
		return ret;
	}
	if (!*argc)
		return usage_error("which cgroup?");
	(*argc)--;
	return cgroup_resolve(*(*argv)++, cgroup);
}

/**
 * cgroup_unknown() - say that there is no such cgroup, and which are alike
 * @cgroup: the path
 * @more: what else to say
 *
 * Return: FAILED.
 */
int cgroup_unknown(const char *cgroup, const char *more)
{
	struct names names = { 0 };
	const char *nearest;
	int ret;

	cgroup_walk(&names);
	tree_walk(&names);
	nearest = names_nearest(&names, cgroup);
	if (nearest) {
		char *quoted = copy(print_name(nearest));

		ret = fail("no cgroup %s; did you mean %s?%s",
			   print_name(cgroup), quoted, more);
		free(quoted);
	} else {
		ret = fail("no cgroup %s%s%s", print_name(cgroup),
			   *more ? "." : "", more);
	}
	names_free(&names);
	return ret;
}

/**
 * cgroup_usage() - what the kernel counts
 * @cgroup: its path
 * @dirty_bytes: receives the dirty page cache of the whole subtree
 * @writeback_bytes: and that under writeback
 *
 * Return: whether memory.stat could be read.
 */
bool cgroup_usage(const char *cgroup, uint64_t *dirty_bytes,
		  uint64_t *writeback_bytes)
{
	char *dir = cgroup_dir(cgroup), *path = format("%s/memory.stat", dir);
	char *text = read_file(path);
	bool read = text;

	free(path);
	free(dir);
	*dirty_bytes = 0;
	*writeback_bytes = 0;
	if (read) {
		bool v2 = cgroup_is_v2();

		read_key(text, v2 ? "file_dirty" : "total_dirty", dirty_bytes);
		read_key(text, v2 ? "file_writeback" : "total_writeback",
			 writeback_bytes);
	}
	free(text);
	return read;
}
