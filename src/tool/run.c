// SPDX-License-Identifier: GPL-2.0
/*
 * run.c - run a command in a cgroup of its own, with a limit
 *
 * The cgroup is made beside the one that we are in, or beside the nearest one
 * above that may give its children the memory controller: so the limits of
 * those above hold for the command, too.
 */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cgroup.h"
#include "print.h"
#include "tree.h"

static const char *limit, *background;

static const struct opt opts[] = {
	{ .name = "limit", .letter = 'l', .arg = "SIZE", .text = &limit,
	  .help = "dirty_bytes of the cgroup" },
	{ .name = "background", .letter = 'b', .arg = "SIZE",
	  .text = &background, .help = "dirty_background_bytes of the cgroup" },
	{ 0 },
};

static bool write_to(const char *cgroup, const char *file, const char *text)
{
	char *dir = cgroup_dir(cgroup), *path = format("%s/%s", dir, file);
	bool written = write_attribute(path, text);

	free(path);
	free(dir);
	return written;
}

static bool gives_memory(const char *cgroup)
{
	char *dir = cgroup_dir(cgroup);
	char *path = format("%s/cgroup.subtree_control", dir);
	char *text = read_file(path);
	bool gives = text && strstr(text, "memory");

	free(text);
	free(path);
	free(dir);
	return gives;
}

/* Cut off the last part of a path; the root's stays empty. */
static void go_up(char *cgroup)
{
	char *slash = strrchr(cgroup, '/');

	*(slash ? slash : cgroup) = '\0';
}

static int make_cgroup(const char *home, char **cgroup)
{
	char *above = copy(home), *dir;
	int ret = DONE;

	go_up(above);
	while (cgroup_is_v2() && *above && !gives_memory(above))
		go_up(above);
	if (cgroup_is_v2() && !*above && !gives_memory(above))
		write_to(above, "cgroup.subtree_control", "+memory");
	*cgroup = format("%s%scgdirty-run-%d", above, *above ? "/" : "",
			 getpid());
	dir = cgroup_dir(*cgroup);
	if (mkdir(dir, 0755))
		ret = fail("cannot make cgroup %s: %s", print_name(*cgroup),
			   strerror(errno));
	free(dir);
	free(above);
	return ret;
}

/* Whoever was left behind goes on without the limit. */
static void move_out(const char *cgroup, const char *home)
{
	char *dir = cgroup_dir(cgroup), *path = format("%s/cgroup.procs", dir);
	char *text = read_file(path), *pid, *save;
	int moved = 0;

	for (pid = strtok_r(text, "\n", &save); pid;
	     pid = strtok_r(NULL, "\n", &save))
		moved += write_to(home, "cgroup.procs", pid);
	if (moved)
		say("%d processes were left behind and go on without a limit",
		    moved);
	free(text);
	free(path);
	free(dir);
}

static int remove_cgroup(const char *cgroup, const char *home)
{
	char *dir = cgroup_dir(cgroup);
	int tries, ret;

	ret = tree_remove(cgroup, NULL);
	for (tries = 0; rmdir(dir) && errno == EBUSY && tries < 10; tries++) {
		move_out(cgroup, home);
		/* What has just ended may take a moment to leave. */
		usleep(tries * 10000);
	}
	if (!access(dir, F_OK))
		ret = fail("cannot remove cgroup %s: %s", print_name(cgroup),
			   strerror(errno));
	free(dir);
	return ret;
}

static void become(const char *cgroup, char **argv, const sigset_t *mask)
{
	int error;

	if (!write_to(cgroup, "cgroup.procs", "0")) {
		say("cannot enter cgroup %s: %s", print_name(cgroup),
		    strerror(errno));
		_exit(FAILED);
	}
	sigprocmask(SIG_SETMASK, mask, NULL);
	execvp(argv[0], argv);
	error = errno;
	say("cannot run %s: %s", print_name(argv[0]), strerror(error));
	_exit(error == ENOENT ? 127 : 126);
}

/* Signals to us go on to the command; those of the terminal reach it anyway. */
static int wait_for(pid_t child, const sigset_t *signals)
{
	siginfo_t info;
	int status;

	for (;;) {
		if (sigwaitinfo(signals, &info) < 0)
			continue;
		if (info.si_signo != SIGCHLD && info.si_code != SI_KERNEL)
			kill(child, info.si_signo);
		if (waitpid(child, &status, WNOHANG) == child)
			break;
	}
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) :
				     WEXITSTATUS(status);
}

/* From here on a signal cannot end us with the cgroup left behind. */
static void hold_signals(sigset_t *signals, sigset_t *mask)
{
	sigemptyset(signals);
	sigaddset(signals, SIGCHLD);
	sigaddset(signals, SIGHUP);
	sigaddset(signals, SIGINT);
	sigaddset(signals, SIGQUIT);
	sigaddset(signals, SIGTERM);
	sigprocmask(SIG_BLOCK, signals, mask);
	signal(SIGCHLD, SIG_DFL);
}

static int run_in(const char *cgroup, char **argv, const sigset_t *signals,
		  const sigset_t *mask)
{
	pid_t child = fork();

	if (child < 0)
		return fail("cannot fork: %s", strerror(errno));
	if (!child)
		become(cgroup, argv, mask);
	return wait_for(child, signals);
}

static int take_size(enum knob knob, const char *text, struct knobs *knobs)
{
	const char *error;

	if (!text)
		return DONE;
	error = knob_parse(knob, text, &knobs->value[knob]);
	return error ? usage_error("%s: %s", text, error) : DONE;
}

static int run(int argc, char **argv)
{
	struct knobs knobs = { 0 };
	sigset_t signals, mask;
	char *home, *cgroup;
	int ret, cleaned;

	if (!argc)
		return usage_error("what is to be run?");
	ret = take_size(DIRTY_BYTES, limit, &knobs);
	if (!ret)
		ret = take_size(BACKGROUND_BYTES, background, &knobs);
	if (!ret)
		ret = tree_require();
	if (!ret)
		ret = cgroup_of_pid("self", &home);
	if (ret)
		return ret;
	hold_signals(&signals, &mask);
	ret = make_cgroup(home, &cgroup);
	if (ret)
		return ret;
	ret = tree_put(cgroup, &knobs);
	if (!ret)
		ret = run_in(cgroup, argv, &signals, &mask);
	cleaned = remove_cgroup(cgroup, home);
	return ret ? ret : cleaned;
}

const struct verb verb_run = {
	.name = "run",
	.args = "-- CMD [ARGUMENT...]",
	.summary = "run a command in a cgroup of its own, with a limit",
	.opts = opts,
	.in_order = true,
	.run = run,
};
