/* SPDX-License-Identifier: GPL-2.0 */
/*
 * module.h - the module on disk and in the kernel, by way of libkmod
 */
#ifndef MODULE_H
#define MODULE_H

#include <stdbool.h>

#include <libkmod.h>

#define MODULE_NAME	"cgdirty"

/* What there is for a kernel. Without @module there is none. */
struct module {
	struct kmod_ctx *context;
	struct kmod_module *module;
};

char *kernel_release(void);
bool module_is_loaded(void);
struct module module_find(const char *release);
char *module_info(const struct module *module, const char *key);
void module_put(struct module *module);

#endif /* MODULE_H */
