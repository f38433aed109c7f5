// SPDX-License-Identifier: GPL-2.0
/*
 * module.c - the module on disk and in the kernel, by way of libkmod
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "module.h"
#include "tool.h"

/**
 * kernel_release() - the kernel that runs
 *
 * Return: as uname -r says, to be freed.
 */
char *kernel_release(void)
{
	char *path = rooted("/proc/sys/kernel/osrelease");
	char *text = read_file(path);

	free(path);
	if (!text)
		return copy("unknown");
	text[strcspn(text, "\n")] = '\0';
	return text;
}

/**
 * module_is_loaded() - whether the module is in the kernel
 *
 * Return: true if so.
 */
bool module_is_loaded(void)
{
	char *path = rooted("/sys/module/" MODULE_NAME);
	bool loaded = !access(path, F_OK);

	free(path);
	return loaded;
}

/**
 * module_find() - the module that is installed for a kernel
 * @release: of the kernel
 *
 * Return: what there is; to be put.
 */
struct module module_find(const char *release)
{
	char *dir = rooted("/lib/modules/%s", release);
	struct kmod_list *list = NULL;
	struct module found = { 0 };

	found.context = kmod_new(dir, NULL);
	free(dir);
	if (!found.context)
		return found;
	kmod_set_log_priority(found.context, 0);
	if (kmod_module_new_from_lookup(found.context, MODULE_NAME, &list) < 0)
		return found;
	if (list)
		found.module = kmod_module_get_module(list);
	kmod_module_unref_list(list);
	/* A name alone is no module. */
	if (found.module && !kmod_module_get_path(found.module)) {
		kmod_module_unref(found.module);
		found.module = NULL;
	}
	return found;
}

/**
 * module_info() - a line of what modinfo says
 * @module: what there is
 * @key: of the line
 *
 * Return: the value, to be freed; NULL if there is none.
 */
char *module_info(const struct module *module, const char *key)
{
	struct kmod_list *list = NULL, *line;
	char *value = NULL;

	if (!module->module ||
	    kmod_module_get_info(module->module, &list) < 0)
		return NULL;
	kmod_list_foreach(line, list) {
		if (!value && !strcmp(kmod_module_info_get_key(line), key))
			value = copy(kmod_module_info_get_value(line));
	}
	kmod_module_info_free_list(list);
	return value;
}

/**
 * module_put() - forget what was found
 * @module: from module_find()
 */
void module_put(struct module *module)
{
	kmod_module_unref(module->module);
	kmod_unref(module->context);
}
