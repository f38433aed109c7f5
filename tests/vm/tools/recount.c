// SPDX-License-Identifier: GPL-2.0
/*
 * recount - the dirty and writeback bytes of a cgroup's subtree, three times:
 * from the module's stat, from memory.stat, and counted page by page in
 * /proc/kpageflags and /proc/kpagecgroup.
 *
 * memory.stat is lazy on kernels with rstat: it is brought up to date only
 * once enough has changed. A child in the group touches memory for that.
 */
#define _GNU_SOURCE
#include "counts.h"

#include <errno.h>
#include <ftw.h>
#include <linux/kernel-page-flags.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>

#define TOUCHED_BYTES (4 << 20)
#define MAX_GROUPS 4096
#define BATCH 8192

static uint64_t inodes[MAX_GROUPS];
static size_t groups;
static bool joined;

static int add_group(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)path;
	(void)ftw;
	if (type != FTW_D)
		return 0;
	if (groups == MAX_GROUPS)
		errx(125, "more than %d groups", MAX_GROUPS);
	inodes[groups++] = st->st_ino;
	return 0;
}

static int join_group(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	char procs[8192];
	int fd;

	(void)st;
	(void)ftw;
	if (type != FTW_D)
		return 0;
	snprintf(procs, sizeof(procs), "%s/cgroup.procs", path);
	fd = open(procs, O_WRONLY);
	joined = fd >= 0 && write(fd, "0", 1) == 1;
	close(fd);
	return joined;
}

/* In the first group of the subtree that takes processes. */
static void make_stat_fresh(const char *group)
{
	pid_t pid = fork();
	char *memory;
	size_t i;

	if (pid < 0)
		err(125, "fork");
	if (pid) {
		waitpid(pid, NULL, 0);
		return;
	}
	nftw(group, join_group, 16, FTW_PHYS);
	if (!joined)
		errx(125, "%s: takes no process", group);
	memory = mmap(NULL, TOUCHED_BYTES, PROT_READ | PROT_WRITE,
		      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (memory == MAP_FAILED)
		err(125, "mmap");
	madvise(memory, TOUCHED_BYTES, MADV_NOHUGEPAGE);
	for (i = 0; i < TOUCHED_BYTES; i += 4096)
		memory[i] = 1;
	_exit(0);
}

static bool in_group(uint64_t inode)
{
	size_t i;

	for (i = 0; i < groups; i++)
		if (inodes[i] == inode)
			return true;
	return false;
}

static bool is_file_page(uint64_t flags)
{
	const uint64_t other = 1ULL << KPF_ANON | 1ULL << KPF_SWAPBACKED | 1ULL << KPF_SLAB;

	return !(flags & other);
}

static struct counts count_pages(int64_t *large)
{
	static uint64_t flags[BATCH], owners[BATCH];
	int flags_fd = open_or_die("/proc/kpageflags", O_RDONLY);
	int owners_fd = open_or_die("/proc/kpagecgroup", O_RDONLY);
	struct counts sum = { 0 };
	uint64_t head = 0, owner = 0;
	off_t at = 0;
	ssize_t len, i;

	*large = 0;
	for (;; at += len) {
		len = pread(flags_fd, flags, sizeof(flags), at);
		if (len <= 0 || pread(owners_fd, owners, len, at) != len)
			break;
		for (i = 0; i < len / 8; i++) {
			bool tail = flags[i] & (1ULL << KPF_COMPOUND_TAIL);

			/* A tail's own flags and owner mean nothing. */
			if (!tail) {
				head = flags[i];
				owner = owners[i];
			}
			if (!(head & (1ULL << KPF_DIRTY | 1ULL << KPF_WRITEBACK)))
				continue;
			if (!is_file_page(head) || !in_group(owner))
				continue;
			if (head & (1ULL << KPF_DIRTY))
				sum.dirty += 4096;
			if (head & (1ULL << KPF_WRITEBACK))
				sum.writeback += 4096;
			if (tail)
				*large += 4096;
		}
	}
	close(flags_fd);
	close(owners_fd);
	return sum;
}

int main(int argc, char **argv)
{
	struct counts module = { 0 }, memory, pages;
	int memory_fd, module_fd = -1;
	char path[8192];
	int64_t large;

	if (argc != 2 && argc != 3)
		errx(125, "usage: recount CGROUP-DIRECTORY [STAT-FILE]");
	snprintf(path, sizeof(path), "%s/memory.stat", argv[1]);
	memory_fd = open_or_die(path, O_RDONLY);
	if (argc == 3)
		module_fd = open_or_die(argv[2], O_RDONLY);
	nftw(argv[1], add_group, 16, FTW_PHYS);
	make_stat_fresh(argv[1]);

	memory = read_counts(memory_fd);
	if (module_fd >= 0)
		module = read_counts(module_fd);
	pages = count_pages(&large);
	printf("module_dirty=%jd module_writeback=%jd memory_dirty=%jd memory_writeback=%jd pages_dirty=%jd pages_writeback=%jd pages_large=%jd\n",
	       (intmax_t)module.dirty, (intmax_t)module.writeback,
	       (intmax_t)memory.dirty, (intmax_t)memory.writeback,
	       (intmax_t)pages.dirty, (intmax_t)pages.writeback, (intmax_t)large);
	return 0;
}
