/* SPDX-License-Identifier: GPL-2.0 */
/*
 * cgdirty/trace.h - tracepoints: who waited, what was written out
 */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM cgdirty

#if !defined(CGDIRTY_TRACE_H) || defined(TRACE_HEADER_MULTI_READ)
#define CGDIRTY_TRACE_H

#include <linux/tracepoint.h>

#include "cgdirty-probed.h"

/* 2c92ca849fcc ("tracing/treewide: Remove second parameter ...", 6.10) */
#ifdef HAVE_ASSIGN_STR_ONE_ARG
#define cgd_assign_str(dst, src)	__assign_str(dst)
#else
#define cgd_assign_str(dst, src)	__assign_str(dst, src)
#endif

TRACE_EVENT(cgdirty_throttle,

	TP_PROTO(const char *group, unsigned long pages, s64 waited_usec,
		 unsigned long usage, unsigned long limit),

	TP_ARGS(group, pages, waited_usec, usage, limit),

	TP_STRUCT__entry(
		__string(group, group)
		__field(unsigned long, pages)
		__field(s64, waited_usec)
		__field(unsigned long, usage)
		__field(unsigned long, limit)
	),

	TP_fast_assign(
		cgd_assign_str(group, group);
		__entry->pages = pages;
		__entry->waited_usec = waited_usec;
		__entry->usage = usage;
		__entry->limit = limit;
	),

	TP_printk("group=%s pages=%lu waited_usec=%lld usage=%lu limit=%lu",
		  __get_str(group), __entry->pages, __entry->waited_usec,
		  __entry->usage, __entry->limit)
);

TRACE_EVENT(cgdirty_writeout,

	TP_PROTO(const char *group, unsigned long ino, long pages,
		 unsigned long under_writeback, unsigned long budget),

	TP_ARGS(group, ino, pages, under_writeback, budget),

	TP_STRUCT__entry(
		__string(group, group)
		__field(unsigned long, ino)
		__field(long, pages)
		__field(unsigned long, under_writeback)
		__field(unsigned long, budget)
	),

	TP_fast_assign(
		cgd_assign_str(group, group);
		__entry->ino = ino;
		__entry->pages = pages;
		__entry->under_writeback = under_writeback;
		__entry->budget = budget;
	),

	TP_printk("group=%s ino=%lu pages=%ld under_writeback=%lu budget=%lu",
		  __get_str(group), __entry->ino, __entry->pages,
		  __entry->under_writeback, __entry->budget)
);

#endif /* CGDIRTY_TRACE_H */

#undef TRACE_INCLUDE_PATH
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_PATH cgdirty
#define TRACE_INCLUDE_FILE trace
#include <trace/define_trace.h>
