/* SPDX-License-Identifier: GPL-2.0 */
/*
 * cgdirty/hooks.h - the kernel's events that we attach to
 */
#ifndef CGDIRTY_HOOKS_H
#define CGDIRTY_HOOKS_H

#include <linux/types.h>

enum cgd_hook_id {
	CGD_HOOK_CSS_ONLINE,
	CGD_HOOK_CSS_OFFLINE,
	CGD_HOOK_EVICT,
	CGD_HOOK_CLEAN,
	CGD_HOOK_CANCEL,
	CGD_HOOK_START,
	CGD_HOOK_END,
	CGD_HOOK_THROTTLE,
	CGD_HOOK_DIRTY,
	CGD_NR_HOOKS,
};

unsigned long cgd_symbol_address(const char *symbol);

void cgd_hooks_exit(void);
int cgd_hooks_get(void);
void cgd_hooks_put(void);

bool cgd_hook_armed(enum cgd_hook_id id);
const char *cgd_hook_name(enum cgd_hook_id id);
unsigned long cgd_hook_hits(enum cgd_hook_id id);
ssize_t cgd_hooks_show(char *page, size_t size);

#endif /* CGDIRTY_HOOKS_H */
