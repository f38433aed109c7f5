// SPDX-License-Identifier: GPL-2.0
/*
 * hostile - writes, names and reads that nobody in their right mind would use.
 *
 *   hostile TREE WRITES SEED
 *
 * Four processes at once. Each has a directory of its own in TREE, where it
 * knows what every attribute has to show: a write is accepted if and only if a
 * second reading of the rules, below, agrees, shows as it says, and changes
 * nothing if it is refused. Between writes it does the like to a directory that
 * all share, where what is shown has to be something valid; makes and removes
 * directories of any name, some of them in directories of others; and reads
 * whatever there is. Prints what was done and how much of it went wrong.
 */
#define _GNU_SOURCE
#include <ctype.h>
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#define WORKERS 4
#define KNOBS 4
/* What configfs hands on of one write. */
#define TAKEN 4095
#define LONGEST 9000

static const char * const knobs[KNOBS] = {
	"dirty_bytes", "dirty_ratio", "dirty_background_bytes", "dirty_background_ratio",
};

/* Knobs 0 and 1, 2 and 3 exclude each other; 1 and 3 are percentages. */
#define OTHER(knob) ((knob) ^ 1)
#define IS_RATIO(knob) ((knob) & 1)

static const char * const read_only[] = {
	"state", "stat", "../version", "../features", "../hooks", "../../cgdirty/hooks",
};

static const char * const pieces[] = {
	"max", "MAX", "ma", "0", "1", "-1", "-", "+", "100", "101", "4096", "262143", "262144",
	"104857600", "9223372036854775807", "9223372036854775808", "18446744073709551615",
	"18446744073709551616", "99999999999999999999999", "0x10", "1.5", "1e6", "000", "K", "M",
	"G", "T", "k", "m", "g", "t", "KK", "B", "%", " ", "\t", "\n", "\n\n", "\r", "\0", "\v",
	"\xff", "\xc3\xa4", "%s", "%n", "$(id)", ";", ",", "/", "..",
};

static struct counts {
	unsigned long writes, accepted, refused, made, reads, wrong;
} *counts;

static uint64_t state;

static uint32_t next(uint32_t below)
{
	state = state * 6364136223846793005u + 1442695040888963407u;
	return (state >> 33) % below;
}

static void wrong(const char *what, const char *path, const char *text, size_t len)
{
	size_t i;

	if (counts->wrong++ >= 20)
		return;
	printf("# wrong: %s: %s: %zu bytes \"", path, what, len);
	for (i = 0; i < len && i < 60; i++)
		printf(isprint((unsigned char)text[i]) ? "%c" : "\\x%02x", (unsigned char)text[i]);
	puts("\"");
	fflush(stdout);
}

/* Nothing but pieces, random bytes, digits, or a number behind 4,000 zeros. */
static size_t make_text(char *text)
{
	size_t len = 0, at, piece;
	unsigned int n;

	switch (next(8)) {
	case 0:
		len = 1 + next(next(16) ? 64 : LONGEST);
		for (at = 0; at < len; at++)
			text[at] = next(256);
		return len;
	case 1:
		len = 1 + next(24);
		for (at = 0; at < len; at++)
			text[at] = '0' + next(10);
		break;
	case 2:
		if (!next(16)) {
			len = TAKEN - 12 + next(24);
			memset(text, '0', len);
		}
		break;
	}
	for (n = 1 + next(next(4) ? 3 : 40); n; n--) {
		const char *from = pieces[next(sizeof(pieces) / sizeof(*pieces))];

		piece = strlen(from) ?: 1;
		memcpy(text + len, from, piece);
		len += piece;
	}
	return len;
}

/* The rules, read a second time. Returns the value, 0 for max, or -1. */
static int64_t value_of(const char *text, size_t len, bool ratio)
{
	static const char suffixes[] = "KMGT";
	unsigned __int128 n = 0;
	const char *suffix;
	size_t at;

	if (len && text[len - 1] == '\n')
		len--;
	if (len == 3 && !memcmp(text, "max", 3))
		return 0;
	for (at = 0; at < len && text[at] >= '0' && text[at] <= '9'; at++) {
		n = n * 10 + (text[at] - '0');
		if (n > INT64_MAX)
			return -1;
	}
	if (at == 0)
		return -1;
	if (ratio)
		return at == len && n >= 1 && n <= 100 ? (int64_t)n : -1;
	if (at + 1 == len && text[at] && (suffix = strchr(suffixes, toupper(text[at]))))
		n <<= 10 * (suffix - suffixes + 1);
	else if (at != len)
		return -1;
	return n >= 256 * 1024 && n <= INT64_MAX ? (int64_t)n : -1;
}

static int open_in(const char *dir, const char *name, int flags)
{
	char path[512];

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	return open(path, flags);
}

static ssize_t put_parts(int fd, const char *text, size_t len, size_t first)
{
	struct iovec iov[2] = {
		{ .iov_base = (char *)text, .iov_len = first },
		{ .iov_base = (char *)text + first, .iov_len = len - first },
	};

	return writev(fd, iov, 2);
}

/* Before 5.12 configfs takes two parts of one write as two writes. */
static bool takes_parts;

/* In one go or in two parts of one, to a file just opened or written before. */
static ssize_t put(int fd, const char *text, size_t len)
{
	switch (next(takes_parts ? 3 : 2)) {
	case 0:
		return write(fd, text, len);
	case 1:
		return pwrite(fd, text, len, next(10000));
	}
	return put_parts(fd, text, len, next(len + 1));
}

static size_t get(const char *dir, const char *name, char *text, size_t size)
{
	int fd = open_in(dir, name, O_RDONLY);
	ssize_t len;

	if (fd < 0)
		return 0;
	len = read(fd, text, size - 1);
	close(fd);
	counts->reads++;
	text[len > 0 ? len : 0] = 0;
	return len > 0 ? len : 0;
}

static bool shows(const char *dir, unsigned int knob, int64_t value)
{
	char text[64], expected[64];

	if (value)
		sprintf(expected, "%lld\n", (long long)value);
	else
		strcpy(expected, "max\n");
	get(dir, knobs[knob], text, sizeof(text));
	return !strcmp(text, expected);
}

static void try_parts(const char *dir)
{
	int fd = open_in(dir, knobs[0], O_WRONLY);

	takes_parts = put_parts(fd, "262144", 6, 2) == 6 && shows(dir, 0, 262144);
	if (write(fd, "max", 3) != 3)
		err(1, "%s/%s", dir, knobs[0]);
	close(fd);
}

/* A write where the outcome is known. */
static void write_own(const char *dir, int64_t *values)
{
	char text[LONGEST * 2];
	unsigned int knob = next(KNOBS);
	size_t len = make_text(text), taken = len < TAKEN ? len : TAKEN;
	int64_t value = value_of(text, taken, IS_RATIO(knob));
	int fd = open_in(dir, knobs[knob], next(2) ? O_WRONLY : O_RDWR | O_TRUNC);
	ssize_t ret;

	if (fd < 0)
		err(1, "%s/%s", dir, knobs[knob]);
	ret = put(fd, text, len);
	counts->writes++;
	if (value < 0 ? ret != -1 || errno != EINVAL : ret != (ssize_t)taken)
		wrong(value < 0 ? "not refused" : "refused", knobs[knob], text, len);
	close(fd);
	if (ret > 0) {
		counts->accepted++;
		values[knob] = value;
		values[OTHER(knob)] = 0;
	} else {
		counts->refused++;
	}
	if (!shows(dir, knob, values[knob]) || !shows(dir, OTHER(knob), values[OTHER(knob)]))
		wrong("shows something else after", knobs[knob], text, len);
}

/* A write where others write, too: what shows is valid, whoever wrote it. */
static void write_shared(const char *dir)
{
	char text[LONGEST * 2];
	unsigned int knob = next(KNOBS);
	size_t len = make_text(text);
	int fd = open_in(dir, knobs[knob], O_RDWR);

	if (fd < 0)
		err(1, "%s/%s", dir, knobs[knob]);
	if (put(fd, text, len) > 0)
		counts->accepted++;
	else
		counts->refused++;
	counts->writes++;
	close(fd);
	len = get(dir, knobs[knob], text, sizeof(text));
	if (value_of(text, len, IS_RATIO(knob)) < 0)
		wrong("shows", knobs[knob], text, len);
}

/* What can only be read: no way of opening or changing it may write to it. */
static void abuse_read_only(const char *dir)
{
	const char *name = read_only[next(sizeof(read_only) / sizeof(*read_only))];
	char text[8192];
	size_t len = get(dir, name, text, sizeof(text));
	int fd = open_in(dir, name, O_WRONLY);

	if (fd >= 0 || errno != EACCES)
		wrong("can be opened to be written", name, "", 0);
	if (!len || len == sizeof(text) - 1)
		wrong("reads", name, text, len);
	fd = open_in(dir, name, O_RDONLY);
	if (write(fd, text, len) >= 0 || !ftruncate(fd, next(100)))
		wrong("can be written", name, text, len);
	if (mmap(NULL, 4096, PROT_READ, MAP_SHARED, fd, 0) != MAP_FAILED)
		wrong("can be mapped", name, "", 0);
	/* At any offset, by any amount. */
	if (pread(fd, text, 1 + next(sizeof(text)), next(10000)) < 0)
		wrong("cannot be read", name, "", 0);
	close(fd);
	counts->reads++;
}

static size_t make_name(char *name)
{
	size_t len = 0, at;

	if (!next(8)) {
		sprintf(name, "ghost-%u", next(8));
		return strlen(name);
	}
	for (len = 1 + next(next(4) ? 16 : 300), at = 0; at < len; at++)
		name[at] = next(4) ? 33 + next(94) : 1 + next(255);
	for (at = 0; at < len; at++)
		if (name[at] == '/')
			name[at] = '\n';
	name[len] = 0;
	return len;
}

/* A directory of any name, in one that others use; its removal must work. */
static void make_dir(const char *tree, const char *parent)
{
	char name[512], path[1024];
	size_t len = make_name(name);

	if (!strcmp(name, ".") || !strcmp(name, ".."))
		return;
	snprintf(path, sizeof(path), "%s/%s/%s", tree, parent, name);
	if (mkdir(path, 0777)) {
		if (errno != EINVAL && errno != EEXIST && errno != ENAMETOOLONG)
			wrong(strerror(errno), "mkdir", name, len);
		return;
	}
	counts->made++;
	if (len > 255 || strchr(name, '\n'))
		wrong("was made", "mkdir", name, len);
	if (next(2))
		make_dir(tree, parent);
	if (rmdir(path) && errno != ENOENT)
		wrong(strerror(errno), "rmdir", name, len);
}

static void work(const char *tree, unsigned int worker, unsigned long writes)
{
	char own[256], shared[256];
	int64_t values[KNOBS] = { 0 };

	snprintf(own, sizeof(own), "%s/own-%u", tree, worker);
	snprintf(shared, sizeof(shared), "%s/shared", tree);
	if (mkdir(own, 0777))
		err(1, "%s", own);
	try_parts(own);
	while (counts->writes < writes) {
		write_own(own, values);
		write_shared(shared);
		if (!next(8))
			abuse_read_only(next(2) ? own : shared);
		if (!next(16))
			make_dir(tree, next(2) ? "." : "shared");
	}
	if (rmdir(own))
		wrong(strerror(errno), "rmdir", own, 0);
}

int main(int argc, char **argv)
{
	unsigned long writes;
	char shared[256];
	struct counts *all, sum = { 0 };
	unsigned int i;

	if (argc != 4)
		errx(125, "usage: hostile TREE WRITES SEED");
	writes = strtoul(argv[2], NULL, 10);
	snprintf(shared, sizeof(shared), "%s/shared", argv[1]);
	if (mkdir(shared, 0777))
		err(1, "%s", shared);
	all = mmap(NULL, sizeof(*all) * WORKERS, PROT_READ | PROT_WRITE,
		   MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (all == MAP_FAILED)
		err(1, "mmap");
	for (i = 0; i < WORKERS; i++) {
		if (fork())
			continue;
		counts = all + i;
		state = strtoul(argv[3], NULL, 10) * WORKERS + i;
		work(argv[1], i, writes / WORKERS);
		exit(0);
	}
	for (i = 0; i < WORKERS; i++) {
		int status;

		wait(&status);
		sum.wrong += status != 0;
	}
	if (rmdir(shared))
		err(1, "%s", shared);
	for (i = 0; i < WORKERS; i++) {
		sum.writes += all[i].writes;
		sum.accepted += all[i].accepted;
		sum.refused += all[i].refused;
		sum.made += all[i].made;
		sum.reads += all[i].reads;
		sum.wrong += all[i].wrong;
	}
	printf("writes=%lu accepted=%lu refused=%lu made=%lu reads=%lu wrong=%lu\n", sum.writes,
	       sum.accepted, sum.refused, sum.made, sum.reads, sum.wrong);
	return sum.wrong != 0;
}
