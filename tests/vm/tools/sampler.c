// SPDX-License-Identifier: GPL-2.0
/*
 * sampler - run a command in a cgroup and meanwhile look, every millisecond,
 * how much of a (possibly other) cgroup is dirty or under writeback.
 *
 * Prints the command's output, then one line with the highest sums seen in
 * memory.stat, in /proc/vmstat (whole machine) and in the module's stat.
 */
#define _GNU_SOURCE
#include "counts.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/wait.h>
#include <time.h>

struct peaks {
	int64_t memory;
	int64_t machine;
	int64_t module;
	int64_t samples;
	int64_t absurd;		/* negative, or more than 1 TiB */
};

static void highest(int64_t *peak, int64_t value, int64_t *absurd)
{
	if (value < 0 || value > 1LL << 40)
		(*absurd)++;
	if (value > *peak)
		*peak = value;
}

static int64_t sum(int fd)
{
	struct counts c = read_counts(fd);

	if (c.dirty < 0 || c.writeback < 0)
		return -1;
	return c.dirty + c.writeback;
}

static int64_t machine_sum(int fd)
{
	const char *text = read_again(fd);

	return (key_value(text, "nr_dirty") + key_value(text, "nr_writeback")) * 4096;
}

static pid_t start(const char *group, char **argv)
{
	char path[8192];
	pid_t pid = fork();
	int fd;

	if (pid < 0)
		err(125, "fork");
	if (pid)
		return pid;
	snprintf(path, sizeof(path), "%s/cgroup.procs", group);
	fd = open_or_die(path, O_WRONLY);
	if (write(fd, "0", 1) != 1)
		err(125, "%s", path);
	close(fd);
	execvp(argv[0], argv);
	err(125, "%s", argv[0]);
}

int main(int argc, char **argv)
{
	const struct timespec pause = { .tv_nsec = 1000000 };
	const char *watched, *stat = NULL, *group;
	int memory_fd, machine_fd, module_fd = -1, opt, status;
	struct peaks p = { 0 };
	char path[8192];
	pid_t pid;

	watched = group = NULL;
	while ((opt = getopt(argc, argv, "+w:s:g:")) != -1) {
		switch (opt) {
		case 'w':
			watched = optarg;
			break;
		case 's':
			stat = optarg;
			break;
		case 'g':
			group = optarg;
			break;
		default:
			return 125;
		}
	}
	if (!watched || !group || optind == argc)
		errx(125, "usage: sampler -w WATCHED-CGROUP [-s STAT-FILE] -g CGROUP COMMAND...");
	snprintf(path, sizeof(path), "%s/memory.stat", watched);
	memory_fd = open_or_die(path, O_RDONLY);
	machine_fd = open_or_die("/proc/vmstat", O_RDONLY);
	if (stat)
		module_fd = open_or_die(stat, O_RDONLY);

	pid = start(group, argv + optind);
	while (waitpid(pid, &status, WNOHANG) == 0) {
		highest(&p.memory, sum(memory_fd), &p.absurd);
		highest(&p.machine, machine_sum(machine_fd), &p.absurd);
		if (stat)
			highest(&p.module, sum(module_fd), &p.absurd);
		p.samples++;
		nanosleep(&pause, NULL);
	}
	printf("memory_peak=%jd machine_peak=%jd module_peak=%jd samples=%jd absurd=%jd\n",
	       (intmax_t)p.memory, (intmax_t)p.machine, (intmax_t)p.module,
	       (intmax_t)p.samples, (intmax_t)p.absurd);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
