// SPDX-License-Identifier: GPL-2.0
/*
 * hooks.c - the kernel's events that we attach to
 *
 * Three means, by what an event needs:
 * - a tracepoint, where there is one at just the right place;
 * - ftrace at a function's entry: the handler gets the first argument;
 * - ftrace redirecting the call to a wrapper of ours, as livepatch does, where
 *   the result is needed or the handler has to sleep. The wrapper enters the
 *   original just behind its fentry site by a static call, that is a patched
 *   direct call: no second trap, and no landing pad is asked for.
 *
 * Nothing is attached while the tree is empty: the first directory arms the
 * hooks, and some time after the last one has gone they are disarmed.
 *
 * A task may sleep inside a wrapper, so text can go only when nobody is
 * inside: see disarm_all().
 */
#include <linux/delay.h>
#include <linux/kprobes.h>
#include <linux/mutex.h>
#include <linux/percpu.h>
#include <linux/tracepoint.h>
#include <linux/workqueue.h>
#include <asm/text-patching.h>

#include <compat/folio.h>
#include <compat/ftrace.h>
#include <compat/writeback.h>
#include <cgdirty/account.h>
#include <cgdirty/group.h>
#include <cgdirty/hooks.h>
#include <cgdirty/inodes.h>
#include <cgdirty/throttle.h>

/* Hooks stay armed for so long after the last directory has gone. */
#define LINGER	HZ

enum means {
	NONE,
	TRACEPOINT,
	ENTRY,
	REDIRECT,
};

static const char * const means_name[] = {
	[NONE] = "none",
	[TRACEPOINT] = "tracepoint",
	[ENTRY] = "ftrace-entry",
	[REDIRECT] = "ftrace-redirect",
};

/* One way to attach to an event. */
struct way {
	enum means means;
	const char *symbol;
	void *function;			/* probe, callback or wrapper */
	struct static_call_key *original;
	void *original_tramp;
};

struct hook {
	const char *name;
	bool required;
	const char *lost;		/* what is not done without it */
	struct way ways[2];		/* in order of preference */

	const struct way *way;		/* in use, NULL if none */
	int error;			/* why the last way failed */
	struct tracepoint *tracepoint;
	unsigned long address;
	struct ftrace_ops ops;
};

static DEFINE_MUTEX(hooks_mutex);
static unsigned int users;
static bool armed;

static DEFINE_PER_CPU(unsigned long [CGD_NR_HOOKS], hits);
/* Calls that found us stopping: passed on to the kernel, not handled. */
static DEFINE_PER_CPU(unsigned long [CGD_NR_HOOKS], misses);
static bool stopping;

/* Tasks between entry to and return from a wrapper, summed over CPUs. */
static DEFINE_PER_CPU(long, inside);

/* ---- handlers ---- */

static __always_inline bool enter(enum cgd_hook_id id)
{
	this_cpu_inc(inside);
	if (unlikely(READ_ONCE(stopping))) {
		this_cpu_inc(misses[id]);
		return false;
	}
	this_cpu_inc(hits[id]);
	return true;
}

static __always_inline void leave(void)
{
	this_cpu_dec(inside);
}

static notrace void on_dirty(void *data, struct folio *folio,
			     struct address_space *mapping)
{
	this_cpu_inc(hits[CGD_HOOK_DIRTY]);
	cgd_account_dirtied(folio, mapping);
}

#define ENTRY_CALLBACK(name, id, handler)				\
static notrace void name(unsigned long ip, unsigned long parent_ip,	\
			 struct ftrace_ops *ops,			\
			 struct cgd_ftrace_regs *regs)			\
{									\
	this_cpu_inc(hits[id]);						\
	handler(cgd_ftrace_arg0(regs));					\
}

ENTRY_CALLBACK(on_cancel, CGD_HOOK_CANCEL, cgd_account_cancelled)
ENTRY_CALLBACK(on_start, CGD_HOOK_START, cgd_account_writeback_started)
ENTRY_CALLBACK(on_end, CGD_HOOK_END, cgd_account_writeback_ended)
ENTRY_CALLBACK(on_evict, CGD_HOOK_EVICT, cgd_inodes_forget)

/* Placeholders until the originals are found; never called. */
static CGD_CLEAR_DIRTY_RESULT no_clean(struct folio *folio)
{
	return 0;
}

static CGD_BDP_RESULT no_bdp(CGD_BDP_PROTO)
{
	return (CGD_BDP_RESULT)0;
}

static CGD_BDP_RESULT no_bdp_caller(CGD_BDP_CALLER_PROTO)
{
	return (CGD_BDP_RESULT)0;
}

static int no_online(struct cgroup_subsys_state *css)
{
	return 0;
}

static void no_offline(struct cgroup_subsys_state *css)
{
}

DEFINE_STATIC_CALL(cgd_original_clean, no_clean);
DEFINE_STATIC_CALL(cgd_original_bdp, no_bdp);
DEFINE_STATIC_CALL(cgd_original_bdp_caller, no_bdp_caller);
DEFINE_STATIC_CALL(cgd_original_online, no_online);
DEFINE_STATIC_CALL(cgd_original_offline, no_offline);

/* Un-counts only if it returns true, and may dirty the folio meanwhile. */
static notrace CGD_CLEAR_DIRTY_RESULT wrap_clean(struct folio *folio)
{
	bool handle = enter(CGD_HOOK_CLEAN);
	CGD_CLEAR_DIRTY_RESULT cleaned;

	cleaned = static_call(cgd_original_clean)(folio);
	if (cleaned && handle)
		cgd_account_cleaned(folio);
	leave();
	return cleaned;
}

static bool hold_back(struct bdi_writeback *wb, unsigned long pages_dirtied,
		      unsigned int flags)
{
	bool refused = enter(CGD_HOOK_THROTTLE) &&
		       cgd_throttle(wb, pages_dirtied, flags);

	leave();
	return refused;
}

/*
 * The kernel's own throttle may sleep for as long as a device is dead, and
 * nobody but our own sleepers is to be in our text. So these two leave by a
 * jump; scripts/static looks at the object file.
 */
static notrace CGD_BDP_RESULT wrap_bdp(CGD_BDP_PROTO)
{
	if (hold_back(wb, pages_dirtied, CGD_BDP_FLAGS))
		return CGD_BDP_AGAIN;
	return static_call(cgd_original_bdp)(CGD_BDP_ARGS);
}

/* Where balance_dirty_pages() has been inlined into its only caller. */
static notrace CGD_BDP_RESULT wrap_bdp_caller(CGD_BDP_CALLER_PROTO)
{
	if (mapping_can_writeback(mapping) &&
	    current->nr_dirtied >= current->nr_dirtied_pause &&
	    hold_back(&inode_to_bdi(mapping->host)->wb, current->nr_dirtied,
		      CGD_BDP_FLAGS))
		return CGD_BDP_AGAIN;
	return static_call(cgd_original_bdp_caller)(CGD_BDP_CALLER_ARGS);
}

static notrace int wrap_online(struct cgroup_subsys_state *css)
{
	bool handle = enter(CGD_HOOK_CSS_ONLINE);
	int ret = static_call(cgd_original_online)(css);

	if (!ret && handle)
		cgd_group_css_online(css);
	leave();
	return ret;
}

static notrace void wrap_offline(struct cgroup_subsys_state *css)
{
	bool handle = enter(CGD_HOOK_CSS_OFFLINE);

	static_call(cgd_original_offline)(css);
	if (handle)
		cgd_group_css_offline(css);
	leave();
}

static notrace void redirect(unsigned long ip, unsigned long parent_ip,
			     struct ftrace_ops *ops,
			     struct cgd_ftrace_regs *regs)
{
	struct hook *hook = container_of(ops, struct hook, ops);

	cgd_ftrace_redirect(regs, (unsigned long)hook->way->function);
}

/* ---- the table ---- */

#define ORIGINAL(name)	.original = &STATIC_CALL_KEY(name),		\
			.original_tramp = STATIC_CALL_TRAMP_ADDR(name)

static struct hook hooks[CGD_NR_HOOKS] = {
	[CGD_HOOK_CSS_ONLINE] = {
		.name = "css_online",
		.required = true,
		.ways = { { REDIRECT, "mem_cgroup_css_online", wrap_online,
			    ORIGINAL(cgd_original_online) } },
	},
	[CGD_HOOK_CSS_OFFLINE] = {
		.name = "css_offline",
		.required = true,
		.ways = { { REDIRECT, "mem_cgroup_css_offline", wrap_offline,
			    ORIGINAL(cgd_original_offline) } },
	},
	[CGD_HOOK_EVICT] = {
		.name = "evict",
		.required = true,
		.ways = { { ENTRY, "clear_inode", on_evict } },
	},
	[CGD_HOOK_CLEAN] = {
		.name = "clean_for_io",
		.required = true,
		.ways = { { REDIRECT, CGD_SYM_CLEAR_DIRTY_FOR_IO, wrap_clean,
			    ORIGINAL(cgd_original_clean) } },
	},
	[CGD_HOOK_CANCEL] = {
		.name = "clean_without_io",
		.required = true,
		.ways = { { ENTRY, CGD_SYM_ACCOUNT_CLEANED, on_cancel } },
	},
	[CGD_HOOK_START] = {
		.name = "writeback_start",
		.required = true,
		.ways = { { ENTRY, CGD_SYM_START_WRITEBACK, on_start } },
	},
	[CGD_HOOK_END] = {
		.name = "writeback_end",
		.required = true,
		.ways = { { ENTRY, CGD_SYM_END_WRITEBACK, on_end } },
	},
	[CGD_HOOK_THROTTLE] = {
		.name = "throttle",
		.lost = "writers are not held to limits, only write-out is",
		.ways = { { REDIRECT, "balance_dirty_pages", wrap_bdp,
			    ORIGINAL(cgd_original_bdp) },
			  { REDIRECT, CGD_SYM_BDP_CALLER, wrap_bdp_caller,
			    ORIGINAL(cgd_original_bdp_caller) } },
	},
	[CGD_HOOK_DIRTY] = {
		.name = "dirty",
		.required = true,
		.ways = { { TRACEPOINT, CGD_SYM_TRACE_DIRTY, on_dirty } },
	},
};

/* ---- attaching ---- */

/**
 * cgd_symbol_address() - where a function of the kernel is
 * @symbol: its name
 *
 * The address may be behind a landing pad at the function's very beginning,
 * and is fit for a static call only.
 *
 * Context: process context; may sleep.
 * Return: the address, or 0 if there is no such function or it is not to be
 * probed.
 */
unsigned long cgd_symbol_address(const char *symbol)
{
	struct kprobe probe = { .symbol_name = symbol };
	unsigned long address;

	if (register_kprobe(&probe))
		return 0;
	address = (unsigned long)probe.addr;
	unregister_kprobe(&probe);
	return address;
}

/* Length of what ftrace patches; the original goes on behind it. */
#define FENTRY_SIZE	5

/*
 * A function that ftrace can attach to begins with a call, or with one of the
 * two no-ops that kernels put in its place (before 5.13 by the CPU's taste).
 */
static bool is_fentry_site(unsigned long address)
{
	static const u8 nops[][FENTRY_SIZE] = {
		{ 0x0f, 0x1f, 0x44, 0x00, 0x00 },
		{ 0x66, 0x66, 0x66, 0x66, 0x90 },
	};
	const u8 *code = (const u8 *)address;

	return code[0] == CALL_INSN_OPCODE ||
	       !memcmp(code, nops[0], FENTRY_SIZE) ||
	       !memcmp(code, nops[1], FENTRY_SIZE);
}

struct tracepoint_search {
	const char *name;
	struct tracepoint *found;
};

static void match_tracepoint(struct tracepoint *tracepoint, void *data)
{
	struct tracepoint_search *search = data;

	if (!strcmp(tracepoint->name, search->name))
		search->found = tracepoint;
}

static int attach_tracepoint(struct hook *hook, const struct way *way)
{
	struct tracepoint_search search = { .name = way->symbol };

	for_each_kernel_tracepoint(match_tracepoint, &search);
	hook->tracepoint = search.found;
	if (!hook->tracepoint)
		return -ENOENT;
	return tracepoint_probe_register(hook->tracepoint, way->function, NULL);
}

static int attach_ftrace(struct hook *hook, const struct way *way)
{
	int ret;

	hook->address = cgd_symbol_address(way->symbol);
	if (!hook->address)
		return -ENOENT;
	if (!is_fentry_site(hook->address))
		return -EOPNOTSUPP;

	hook->ops.flags = CGD_FTRACE_FL_ARGS;
	hook->ops.func = way->function;
	if (way->means == REDIRECT) {
		hook->ops.flags |= FTRACE_OPS_FL_IPMODIFY;
		hook->ops.func = redirect;
		__static_call_update(way->original, way->original_tramp,
				     (void *)(hook->address + FENTRY_SIZE));
	}
	ret = ftrace_set_filter_ip(&hook->ops, hook->address, 0, 0);
	if (ret)
		return ret;
	ret = register_ftrace_function(&hook->ops);
	if (ret)
		cgd_ftrace_free_filter(&hook->ops, hook->address);
	return ret;
}

static int arm(struct hook *hook)
{
	unsigned int i;

	hook->error = -ENOENT;
	for (i = 0; i < ARRAY_SIZE(hook->ways); i++) {
		const struct way *way = &hook->ways[i];

		if (way->means == NONE)
			break;
		/* The callback may run at once and looks at it. */
		hook->way = way;
		hook->error = way->means == TRACEPOINT ?
			      attach_tracepoint(hook, way) :
			      attach_ftrace(hook, way);
		if (!hook->error)
			return 0;
		hook->way = NULL;
	}
	return hook->error;
}

static void disarm(struct hook *hook)
{
	if (!hook->way)
		return;
	if (hook->way->means == TRACEPOINT) {
		tracepoint_probe_unregister(hook->tracepoint,
					    hook->way->function, NULL);
	} else {
		unregister_ftrace_function(&hook->ops);
		cgd_ftrace_free_filter(&hook->ops, hook->address);
	}
}

static long tasks_inside(void)
{
	long sum = 0;
	int cpu;

	for_each_possible_cpu(cpu)
		sum += per_cpu(inside, cpu);
	return sum;
}

/*
 * Detach all, and return when no task runs or sleeps in our text any more.
 *
 * Once the hooks are off, a task may still be on its way into a wrapper, not
 * yet counted: preempted, but not asleep by its own will. The first
 * synchronize_rcu_tasks() waits until it is counted. Those inside leave in
 * their own time, a sleeper being woken by cgd_throttle_stop(); the sum over
 * CPUs is exact once nobody enters. One that has just been un-counted may be
 * preempted before its return instruction: the second waits for that.
 */
static void disarm_all(void)
{
	int id;

	lockdep_assert_held(&hooks_mutex);
	WRITE_ONCE(stopping, true);
	cgd_throttle_stop();
	for (id = CGD_NR_HOOKS - 1; id >= 0; id--)
		disarm(&hooks[id]);
	tracepoint_synchronize_unregister();
	synchronize_rcu_tasks();
	while (tasks_inside())
		usleep_range(1000, 2000);
	synchronize_rcu_tasks();
	for (id = 0; id < CGD_NR_HOOKS; id++)
		hooks[id].way = NULL;
	cgd_group_hooks_off();
	armed = false;
}

static int arm_all(void)
{
	int id, ret;

	lockdep_assert_held(&hooks_mutex);
	WRITE_ONCE(stopping, false);
	cgd_throttle_start();
	for (id = 0; id < CGD_NR_HOOKS; id++) {
		ret = arm(&hooks[id]);
		if (ret && hooks[id].required) {
			pr_err("cgdirty: required hook %s on %s cannot be attached: error %d\n",
			       hooks[id].name, hooks[id].ways[0].symbol, ret);
			disarm_all();
			return ret;
		}
	}
	armed = true;
	return 0;
}

static void disarm_unused(struct work_struct *work)
{
	mutex_lock(&hooks_mutex);
	if (armed && !users)
		disarm_all();
	mutex_unlock(&hooks_mutex);
}

static DECLARE_DELAYED_WORK(disarm_work, disarm_unused);

/**
 * cgd_hooks_get() - have the hooks armed
 *
 * Context: process context; may sleep for long.
 * Return: 0, or why a required hook could not be attached: -ENOENT if the
 * kernel has no such function, -EBUSY if somebody else redirects it.
 */
int cgd_hooks_get(void)
{
	int ret = 0;

	mutex_lock(&hooks_mutex);
	if (!armed)
		ret = arm_all();
	if (!ret)
		users++;
	mutex_unlock(&hooks_mutex);
	return ret;
}

/**
 * cgd_hooks_put() - no longer need the hooks
 *
 * They are disarmed some time after the last user has gone.
 *
 * Context: process context; may sleep.
 */
void cgd_hooks_put(void)
{
	mutex_lock(&hooks_mutex);
	if (!--users)
		schedule_delayed_work(&disarm_work, LINGER);
	mutex_unlock(&hooks_mutex);
}

/* ---- telling ---- */

static unsigned long sum_of(unsigned long __percpu *counts)
{
	unsigned long sum = 0;
	int cpu;

	for_each_possible_cpu(cpu)
		sum += *per_cpu_ptr(counts, cpu);
	return sum;
}

/**
 * cgd_hook_armed() - whether a hook is attached
 * @id: which
 *
 * Return: true if so.
 */
bool cgd_hook_armed(enum cgd_hook_id id)
{
	return hooks[id].way;
}

/**
 * cgd_hook_name() - what a hook is called
 * @id: which
 *
 * Return: its name.
 */
const char *cgd_hook_name(enum cgd_hook_id id)
{
	return hooks[id].name;
}

/**
 * cgd_hook_hits() - how often a hook has fired
 * @id: which
 *
 * Return: times since the module was loaded.
 */
unsigned long cgd_hook_hits(enum cgd_hook_id id)
{
	return sum_of(&hits[id]);
}

/**
 * cgd_hooks_show() - one line a hook
 * @page: receives the text
 * @size: of it, in bytes
 *
 * Context: process context; may sleep.
 * Return: bytes written.
 */
ssize_t cgd_hooks_show(char *page, size_t size)
{
	ssize_t len = 0;
	int id;

	mutex_lock(&hooks_mutex);
	for (id = 0; id < CGD_NR_HOOKS; id++) {
		const struct hook *hook = &hooks[id];
		const struct way *way = hook->way ?: &hook->ways[0];
		const char *state = hook->way ? "on" : armed ? "failed" : "off";

		len += scnprintf(page + len, size - len,
				 "%s %s %s %s hits %lu misses %lu",
				 hook->name, means_name[way->means],
				 way->symbol, state, sum_of(&hits[id]),
				 sum_of(&misses[id]));
		if (armed && !hook->way)
			len += scnprintf(page + len, size - len,
					 " error %d: %s", hook->error,
					 hook->lost);
		len += scnprintf(page + len, size - len, "\n");
	}
	mutex_unlock(&hooks_mutex);
	return len;
}

/**
 * cgd_hooks_exit() - detach, and wait until nobody is in our text
 *
 * Context: process context; may sleep for long.
 */
void cgd_hooks_exit(void)
{
	cancel_delayed_work_sync(&disarm_work);
	mutex_lock(&hooks_mutex);
	if (armed)
		disarm_all();
	mutex_unlock(&hooks_mutex);
}
