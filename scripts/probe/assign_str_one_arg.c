// SPDX-License-Identifier: GPL-2.0
/*
 * Does __assign_str() in a tracepoint take only the field? Since 6.10. With a
 * second argument missing, a macro is an error wherever it stands.
 */
#include <linux/stringify.h>
#include <trace/stages/stage6_event_callback.h>

const char *probe = __stringify(__assign_str(field));
