// SPDX-License-Identifier: GPL-2.0
/*
 * unit.c - where systemd puts its units
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cgroup.h"

/* The kinds of units that have a cgroup. */
static const char *const suffixes[] = {
	".service", ".slice", ".scope", ".socket", ".mount", ".swap",
};

static bool ends_with(const char *text, const char *end)
{
	size_t length = strlen(text), tail = strlen(end);

	return length > tail && !strcmp(text + length - tail, end);
}

static bool is_unit(const char *name)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(suffixes); i++)
		if (ends_with(name, suffixes[i]))
			return true;
	return false;
}

/* a-b.slice lies in a.slice; NULL where systemd would take no such name. */
static char *slice_path(const char *slice)
{
	const char *end = slice + strlen(slice) - strlen(".slice"), *dash;
	char *path = copy(""), *longer;

	for (dash = slice; dash < end; dash++) {
		if (*dash != '-')
			continue;
		if (dash == slice || dash[1] == '-' || dash + 1 == end) {
			free(path);
			return NULL;
		}
		longer = format("%s%.*s.slice/", path, (int)(dash - slice),
				slice);
		free(path);
		path = longer;
	}
	longer = format("%s%s", path, slice);
	free(path);
	return longer;
}

/**
 * unit_path() - where a unit's cgroup will be if the unit does not say
 *		 otherwise
 * @unit: a name
 *
 * Return: the cgroup's path, to be freed; NULL if this is no unit's name, or
 * that of the root.
 */
char *unit_path(const char *unit)
{
	if (!is_unit(unit))
		return NULL;
	if (ends_with(unit, ".slice"))
		return slice_path(unit);
	if (!strcmp(unit, "init.scope"))
		return copy(unit);
	return format("system.slice/%s", unit);
}

/**
 * unit_has_file() - whether a cgroup is that of a unit that is installed
 * @cgroup: a path
 *
 * Return: true if there is a file for its last part, or for the template.
 */
bool unit_has_file(const char *cgroup)
{
	static const char *const folders[] = {
		"/etc/systemd/system", "/run/systemd/system",
		"/usr/lib/systemd/system", "/lib/systemd/system",
	};
	const char *name = strrchr(cgroup, '/'), *at, *dot;
	char *template = NULL, *path;
	bool found = false;
	size_t i;

	name = name ? name + 1 : cgroup;
	if (!is_unit(name))
		return false;
	at = strchr(name, '@');
	dot = strrchr(name, '.');
	if (at && at < dot)
		template = format("%.*s%s", (int)(at + 1 - name), name, dot);
	for (i = 0; !found && i < ARRAY_SIZE(folders); i++) {
		path = rooted("%s/%s", folders[i], name);
		found = !access(path, F_OK);
		free(path);
		if (found || !template)
			continue;
		path = rooted("%s/%s", folders[i], template);
		found = !access(path, F_OK);
		free(path);
	}
	free(template);
	return found;
}
