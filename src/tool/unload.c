// SPDX-License-Identifier: GPL-2.0
/*
 * unload.c - unload the module, or say what is in the way
 */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "module.h"
#include "print.h"
#include "tool.h"
#include "tree.h"

static const struct opt opts[] = {
	{ 0 },
};

static bool below(const char *path, const char *dir)
{
	size_t length = strlen(dir);

	return !strncmp(path, dir, length) && path[length] == '/';
}

/* A directory that something is mounted on would hold up the unloading. */
static int find_mounts(void)
{
	char *path = rooted("/proc/self/mountinfo"), *text = read_file(path);
	char *line, *save, *point, *end;
	int found = 0;

	free(path);
	for (line = text ? strtok_r(text, "\n", &save) : NULL; line;
	     line = strtok_r(NULL, "\n", &save)) {
		int skip;

		for (point = line, skip = 0; point && skip < 4; skip++)
			point = strchr(point, ' ') ? strchr(point, ' ') + 1 :
						     NULL;
		if (!point)
			continue;
		end = strchr(point, ' ');
		if (end)
			*end = '\0';
		if (!below(point, "/sys/kernel/config/cgdirty"))
			continue;
		say("something is mounted on %s; run: umount %s", point, point);
		found++;
	}
	free(text);
	return found;
}

static void name_holder(const char *pid, const char *file)
{
	char *path = rooted("/proc/%s/comm", pid), *comm = read_file(path);

	if (comm)
		comm[strcspn(comm, "\n")] = '\0';
	say("process %s (%s) has %s open", pid, comm ? comm : "?",
	    print_name(file));
	free(comm);
	free(path);
}

static void find_open(const char *pid, const char *tree)
{
	char *dir = rooted("/proc/%s/fd", pid), target[4096];
	DIR *stream = opendir(dir);
	struct dirent *entry;

	while (stream && (entry = readdir(stream))) {
		char *link = format("%s/%s", dir, entry->d_name);
		ssize_t length = readlink(link, target, sizeof(target) - 1);

		free(link);
		target[length < 0 ? 0 : length] = '\0';
		if (below(target, tree)) {
			name_holder(pid, target);
			break;
		}
	}
	if (stream)
		closedir(stream);
	free(dir);
}

/* An open attribute holds a reference to the module. */
static void find_holders(void)
{
	char *proc = rooted("/proc"), *tree = tree_dir("");
	DIR *stream = opendir(proc);
	struct dirent *entry;

	while (stream && (entry = readdir(stream)))
		if (isdigit((unsigned char)entry->d_name[0]) &&
		    atoi(entry->d_name) != getpid())
			find_open(entry->d_name, tree);
	if (stream)
		closedir(stream);
	free(tree);
	free(proc);
}

static int remove_module(void)
{
	struct module module = { .context = kmod_new(NULL, NULL) };
	struct names names = { 0 };
	int error = -ENOMEM;

	/* What is in the way is said by us. */
	kmod_set_log_priority(module.context, 0);
	tree_walk(&names);
	progress("removing %zu limits and unloading the module", names.count);
	names_free(&names);
	if (!kmod_module_new_from_name(module.context, MODULE_NAME,
				       &module.module))
		error = kmod_module_remove_module(module.module, 0);
	progress("%s", "");
	module_put(&module);
	return -error;
}

static int unload(int argc, char **argv)
{
	int error;

	if (argc)
		return usage_error("%s: no argument is wanted", argv[0]);
	if (!module_is_loaded())
		return DONE;
	if (find_mounts())
		return FAILED;
	error = remove_module();
	if (error == EAGAIN || error == EBUSY) {
		fail("the module is in use");
		find_holders();
		return FAILED;
	}
	if (error == EPERM && geteuid())
		return fail("only root can unload a module");
	return error ? fail("cannot unload the module: %s", strerror(error)) :
		       DONE;
}

const struct verb verb_unload = {
	.name = "unload",
	.args = "",
	.summary = "unload the module, or say what is in the way",
	.opts = opts,
	.run = unload,
};
