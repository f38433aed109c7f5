// SPDX-License-Identifier: GPL-2.0
/*
 * price - what an operation on a file costs
 *
 * usage: price WORK BYTES COUNT FILE
 *
 * Does COUNT operations of so many bytes, and prints the nanoseconds that one
 * took. With QEMU's -icount shift=0 a nanosecond is an instruction. A first
 * round is not counted: it fills caches and slabs.
 */
#include <err.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

static char buffer[1 << 20];
static const char *path;
static size_t bytes;
static long count;
static int file;

static uint64_t now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC_RAW, &t);
	return t.tv_sec * 1000000000ull + t.tv_nsec;
}

static void write_all(void)
{
	long i;

	for (i = 0; i < count; i++)
		if (pwrite(file, buffer, bytes, i * bytes) != (ssize_t)bytes)
			err(1, "write");
}

static void read_all(void)
{
	long i;

	for (i = 0; i < count; i++)
		if (pread(file, buffer, bytes, i * bytes) != (ssize_t)bytes)
			err(1, "read");
}

static void empty(void)
{
	if (ftruncate(file, 0))
		err(1, "truncate");
}

static void clean(void)
{
	if (fsync(file))
		err(1, "fsync");
}

static void store_all(void)
{
	char *map = mmap(NULL, bytes * count, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
	long i;

	if (map == MAP_FAILED)
		err(1, "mmap");
	for (i = 0; i < count; i++)
		map[i * bytes]++;
	munmap(map, bytes * count);
}

/* Dirtied, cleaned, written, ended. */
static void life(void)
{
	write_all();
	clean();
}

/* As an editor or a mail server does it. */
static void small_files(void)
{
	long i;
	int fd;

	for (i = 0; i < count; i++) {
		fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
		if (fd < 0 || write(fd, buffer, bytes) != (ssize_t)bytes || fsync(fd))
			err(1, "%s", path);
		close(fd);
	}
}

/* As a compiler does it: what is written is read again soon, and goes. */
static void compile(void)
{
	char name[4096];
	long i;
	int fd;

	for (i = 0; i < count; i++) {
		snprintf(name, sizeof(name), "%s.%ld", path, i % 64);
		fd = open(name, O_RDWR | O_CREAT | O_TRUNC, 0600);
		if (fd < 0 || write(fd, buffer, bytes) != (ssize_t)bytes ||
		    pread(fd, buffer, bytes, 0) != (ssize_t)bytes)
			err(1, "%s", name);
		close(fd);
		if (i % 64 == 63)
			unlink(name);
	}
}

static void nothing(void)
{
}

static const struct work {
	const char *name;
	void (*before)(void);	/* not counted, after the file was written */
	void (*does)(void);
} works[] = {
	{ "new", empty, write_all },
	{ "clean", clean, write_all },
	{ "dirty", nothing, write_all },
	{ "read", clean, read_all },
	{ "store", clean, store_all },
	{ "truncate", nothing, empty },
	{ "life", empty, life },
	{ "fsync", clean, small_files },
	{ "compile", clean, compile },
};

static const struct work *find(const char *name)
{
	size_t i;

	for (i = 0; i < sizeof(works) / sizeof(works[0]); i++)
		if (!strcmp(works[i].name, name))
			return &works[i];
	errx(125, "no work is called '%s'", name);
}

int main(int argc, char **argv)
{
	const struct work *work;
	uint64_t start, took = 0;
	int round;

	if (argc != 5)
		errx(125, "usage: price WORK BYTES COUNT FILE");
	work = find(argv[1]);
	bytes = atol(argv[2]);
	count = atol(argv[3]);
	path = argv[4];
	if (!bytes || bytes > sizeof(buffer) || count < 1)
		errx(125, "bad BYTES or COUNT");
	file = open(path, O_RDWR | O_CREAT, 0600);
	if (file < 0)
		err(1, "%s", path);
	for (round = 0; round < 2; round++) {
		write_all();
		work->before();
		start = now();
		work->does();
		took = now() - start;
	}
	printf("%.1f\n", (double)took / count);
	return 0;
}
