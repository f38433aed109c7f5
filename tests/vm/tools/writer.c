// SPDX-License-Identifier: GPL-2.0
/*
 * writer - dirty page cache in many ways and say how long it took.
 *
 * N processes each write one file of their own (or all the same one). The
 * longest single write(2) or store, and the bytes of each process, are
 * measured here because no shell can.
 */
#define _GNU_SOURCE
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum mode { WRITE, REWRITE, MMAP, NOWAIT, BURST, SHARED };

static const char * const mode_names[] = {
	"write", "rewrite", "mmap", "nowait", "burst", "shared"
};

static const char usage_text[] =
	"usage: writer [-n PROCESSES] [-c CHUNK] [-b BYTES] [-t MSEC] [-m MODE] [-s] [-v] DIRECTORY\n"
	"  -n  processes at a time, each with its own file f.N (1)\n"
	"  -c  bytes of one write or store step (4096)\n"
	"  -b  bytes each process writes (1 MiB)\n"
	"  -t  write until so many milliseconds have passed, over and over\n"
	"  -m  write    new pages\n"
	"      rewrite  pages that are cached and clean (written and synced first, unless\n"
	"               the file is there)\n"
	"      mmap     stores into a shared mapping\n"
	"      nowait   rewrite with pwritev2(RWF_NOWAIT)\n"
	"      burst    ten processes after each other for each N, one file each\n"
	"      shared   all rewrite the same file f.0, which has to be there\n"
	"  -s  fsync at the end, inside the measured time\n"
	"  -v  one line for each process\n"
	"prints: longest_usec= elapsed_usec= bytes= least= most= again= errors=\n";

struct result {
	uint64_t longest_usec;
	uint64_t bytes;
	uint64_t again;
	uint64_t errors;
};

static enum mode mode = WRITE;
static unsigned int processes = 1;
static size_t chunk = 4096;
static uint64_t total = 1 << 20;
static uint64_t duration_usec;
static bool sync_last;
static const char *directory;

static uint64_t now_usec(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000000 + ts.tv_nsec / 1000;
}

static uint64_t number(const char *s)
{
	char *end;
	uint64_t value = strtoull(s, &end, 0);

	switch (*end) {
	case 'G':
		value <<= 10; /* fallthrough */
	case 'M':
		value <<= 10; /* fallthrough */
	case 'K':
		value <<= 10;
		end++;
	}
	if (end == s || *end)
		errx(125, "not a number: %s", s);
	return value;
}

static int open_file(unsigned int id)
{
	char path[4096];
	int fd;

	snprintf(path, sizeof(path), "%s/f.%u", directory, id);
	fd = open(path, O_RDWR | O_CREAT, 0644);
	if (fd < 0)
		err(1, "%s", path);
	return fd;
}

static void fill(int fd, const char *data)
{
	uint64_t done;

	for (done = 0; done < total; done += chunk)
		if (pwrite(fd, data, chunk, done) != (ssize_t)chunk)
			err(1, "filling a file");
	if (fsync(fd))
		err(1, "fsync");
}

static void note(struct result *r, uint64_t begin, bool failed)
{
	uint64_t usec = now_usec() - begin;

	if (usec > r->longest_usec)
		r->longest_usec = usec;
	if (!failed)
		r->bytes += chunk;
	else if (errno == EAGAIN)
		r->again++;
	else
		r->errors++;
}

static bool step(int fd, char *map, const char *data, uint64_t at)
{
	struct iovec iov = { .iov_base = (void *)data, .iov_len = chunk };
	size_t i;

	switch (mode) {
	case MMAP:
		for (i = 0; i < chunk; i += 4096)
			((volatile char *)map)[at + i]++;
		return true;
	case NOWAIT:
		/* The new time stamp is what would have to wait. */
		futimens(fd, NULL);
		return pwritev2(fd, &iov, 1, at, RWF_NOWAIT) == (ssize_t)chunk;
	default:
		return pwrite(fd, data, chunk, at) == (ssize_t)chunk;
	}
}

static void work(int fd, struct result *r)
{
	uint64_t start = now_usec(), begin, at = 0;
	char *data = malloc(chunk), *map = NULL;
	bool good;

	memset(data, 'd', chunk);
	if (mode == MMAP) {
		if (ftruncate(fd, total))
			err(1, "ftruncate");
		map = mmap(NULL, total, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
		if (map == MAP_FAILED)
			err(1, "mmap");
	}
	for (;;) {
		begin = now_usec();
		if (duration_usec ? begin - start >= duration_usec : at >= total)
			break;
		errno = 0;
		good = step(fd, map, data, duration_usec ? at % total : at);
		note(r, begin, !good);
		/* A dead disk answers at once: don't spin on it for ever. */
		if (r->errors > 100)
			break;
		at += chunk;
	}
	if (sync_last && fsync(fd))
		r->errors++;
	free(data);
}

static void prepare(unsigned int id)
{
	char *data = malloc(chunk);
	int fd = open_file(id);
	struct stat st;

	memset(data, 'p', chunk);
	if (fstat(fd, &st) || (uint64_t)st.st_size < total)
		fill(fd, data);
	close(fd);
	free(data);
}

static void one_process(unsigned int id, struct result *r, int gate)
{
	char byte;
	int fd;

	/* Everybody starts at once: the parent closes the gate's other end. */
	if (read(gate, &byte, 1) < 0)
		err(1, "gate");
	fd = open_file(mode == SHARED ? 0 : id);
	work(fd, r);
	close(fd);
	exit(0);
}

static void burst(unsigned int id, struct result *r, int gate)
{
	unsigned int i;
	pid_t pid;

	if (mode != BURST)
		one_process(id, r, gate);
	for (i = 0; i < 10; i++) {
		pid = fork();
		if (!pid)
			one_process(id * 10 + i, r, gate);
		if (pid < 0 || waitpid(pid, NULL, 0) != pid)
			err(1, "fork");
	}
	exit(0);
}

static void parse(int argc, char **argv, bool *verbose)
{
	unsigned int i;
	int opt;

	while ((opt = getopt(argc, argv, "n:c:b:t:m:svh")) != -1) {
		switch (opt) {
		case 'n':
			processes = number(optarg);
			break;
		case 'c':
			chunk = number(optarg);
			break;
		case 'b':
			total = number(optarg);
			break;
		case 't':
			duration_usec = number(optarg) * 1000;
			break;
		case 'm':
			for (i = 0; i < sizeof(mode_names) / sizeof(*mode_names); i++)
				if (!strcmp(optarg, mode_names[i]))
					break;
			if (i > SHARED)
				errx(125, "no such mode: %s", optarg);
			mode = i;
			break;
		case 's':
			sync_last = true;
			break;
		case 'v':
			*verbose = true;
			break;
		default:
			fputs(usage_text, opt == 'h' ? stdout : stderr);
			exit(opt == 'h' ? 0 : 125);
		}
	}
	if (optind != argc - 1) {
		fputs(usage_text, stderr);
		exit(125);
	}
	directory = argv[optind];
}

int main(int argc, char **argv)
{
	struct result *results, sum = { 0 };
	uint64_t start, least = UINT64_MAX, most = 0;
	bool verbose = false;
	unsigned int i;
	int gate[2], status, failures = 0;

	parse(argc, argv, &verbose);
	results = mmap(NULL, processes * sizeof(*results), PROT_READ | PROT_WRITE,
		       MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (results == MAP_FAILED || pipe(gate))
		err(1, "set-up");
	if (mode == REWRITE || mode == NOWAIT)
		for (i = 0; i < processes; i++)
			prepare(i);
	for (i = 0; i < processes; i++) {
		pid_t pid = fork();

		if (pid < 0)
			err(1, "fork");
		if (!pid) {
			close(gate[1]);
			burst(i, &results[i], gate[0]);
		}
	}
	start = now_usec();
	close(gate[1]);
	while (wait(&status) > 0)
		failures += !WIFEXITED(status) || WEXITSTATUS(status);

	for (i = 0; i < processes; i++) {
		struct result *r = &results[i];

		if (verbose)
			printf("# writer %u longest_usec=%ju bytes=%ju\n", i,
			       (uintmax_t)r->longest_usec, (uintmax_t)r->bytes);
		if (r->longest_usec > sum.longest_usec)
			sum.longest_usec = r->longest_usec;
		if (r->bytes < least)
			least = r->bytes;
		if (r->bytes > most)
			most = r->bytes;
		sum.bytes += r->bytes;
		sum.again += r->again;
		sum.errors += r->errors;
	}
	printf("longest_usec=%ju elapsed_usec=%ju bytes=%ju least=%ju most=%ju again=%ju errors=%ju\n",
	       (uintmax_t)sum.longest_usec, (uintmax_t)(now_usec() - start),
	       (uintmax_t)sum.bytes, (uintmax_t)least, (uintmax_t)most,
	       (uintmax_t)sum.again, (uintmax_t)sum.errors);
	return failures != 0;
}
