// SPDX-License-Identifier: GPL-2.0
/*
 * attr - writes to an attribute and the errno that comes back.
 *
 *   attr put FILE VALUE        one write(2), prints OK or the errno's name
 *   attr garbage FILE N SEED   N writes of which none is valid; after each the
 *                              attribute has to read as it did before
 *   attr nowait FILE           whether RWF_NOWAIT writes work on that file
 */
#define _GNU_SOURCE
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#define LONGEST 9000

static const char * const seeds[] = {
	"", "\n", " ", "-1", "-4096", "+", "0x", "0x10000z", "1.5M", "100 M", "M", "KM", "10MM",
	"10MB", "10MiB", "10%", "max max", "maxx", "ma", "min", "none", "unlimited", "NaN", "inf",
	"infinity", "1e9", "99999999999999999999", "18446744073709551616", "-9223372036854775808",
	"16777216T", "18014398509481984K", "4194304\n4194304", "4194304;", "4194304,5", "$(id)",
	"%s%n", "../../etc", "true", "0", "0K", "00", "0\n", "\t\t", "--", "4194304 max",
};

#define SEEDS (sizeof(seeds) / sizeof(*seeds))

/* strerrorname_np() is younger than the oldest libc we are built with. */
static const char *name_of(int error)
{
	static char number[16];

	switch (error) {
	case EINVAL:
		return "EINVAL";
	case ENOENT:
		return "ENOENT";
	case EBUSY:
		return "EBUSY";
	case EACCES:
		return "EACCES";
	case EPERM:
		return "EPERM";
	case EAGAIN:
		return "EAGAIN";
	case ENOMEM:
		return "ENOMEM";
	case EOPNOTSUPP:
		return "EOPNOTSUPP";
	}
	snprintf(number, sizeof(number), "errno-%d", error);
	return number;
}

static uint64_t state;

static uint32_t next(void)
{
	state = state * 6364136223846793005u + 1442695040888963407u;
	return state >> 33;
}

static const char *put(const char *path, const void *data, size_t len)
{
	int fd = open(path, O_WRONLY), error = 0;

	if (fd < 0)
		return name_of(errno);
	if (write(fd, data, len) < 0)
		error = errno;
	close(fd);
	return error ? name_of(error) : "OK";
}

static size_t value_of(const char *path, char *text, size_t size)
{
	int fd = open(path, O_RDONLY);
	ssize_t len;

	if (fd < 0)
		err(1, "%s", path);
	len = read(fd, text, size);
	close(fd);
	return len < 0 ? 0 : len;
}

/*
 * Every third is one of the list, every third is random bytes, and every third
 * is long. A '!' in the random ones makes sure that none is valid by chance.
 */
static size_t make_garbage(unsigned int i, char *text)
{
	size_t len, at;

	if (i % 3 == 0) {
		const char *seed = seeds[i / 3 % SEEDS];

		len = strlen(seed);
		memcpy(text, seed, len);
		if (i / 3 >= SEEDS)
			text[len++] = '!';
		return len;
	}
	len = i % 3 == 1 ? 1 + next() % 64 : 64 + next() % (LONGEST - 64);
	for (at = 0; at < len; at++)
		text[at] = next();
	text[next() % len] = '!';
	return len;
}

static int garbage(const char *path, unsigned int count, uint64_t seed)
{
	static char before[8192], after[8192], text[LONGEST + 16];
	unsigned int i, accepted = 0, changed = 0;
	size_t len, before_len, after_len;
	const char *result;

	state = seed;
	before_len = value_of(path, before, sizeof(before));
	for (i = 0; i < count; i++) {
		len = make_garbage(i, text);
		/* write(2) of nothing asks nothing of the attribute. */
		if (len == 0)
			text[len++] = ' ';
		result = put(path, text, len);
		if (!strcmp(result, "OK")) {
			accepted++;
			printf("# %s accepted write %u: %.*s\n", path, i,
			       (int)(len > 40 ? 40 : len), text);
		}
		/* Not even opened: a counter may go on counting meanwhile. */
		if (!strcmp(result, "EACCES"))
			continue;
		after_len = value_of(path, after, sizeof(after));
		if (after_len != before_len || memcmp(before, after, before_len)) {
			changed++;
			before_len = after_len;
			memcpy(before, after, after_len);
		}
	}
	printf("writes=%u accepted=%u changed=%u\n", count, accepted, changed);
	return accepted || changed;
}

static int nowait(const char *path)
{
	struct iovec iov = { .iov_base = "n", .iov_len = 1 };
	int fd = open(path, O_RDWR | O_CREAT, 0644);

	if (fd < 0)
		err(1, "%s", path);
	puts(pwritev2(fd, &iov, 1, 0, RWF_NOWAIT) == 1 ? "OK" : name_of(errno));
	return 0;
}

int main(int argc, char **argv)
{
	if (argc == 4 && !strcmp(argv[1], "put")) {
		puts(put(argv[2], argv[3], strlen(argv[3])));
		return 0;
	}
	if (argc == 5 && !strcmp(argv[1], "garbage"))
		return garbage(argv[2], atoi(argv[3]), atoi(argv[4]));
	if (argc == 3 && !strcmp(argv[1], "nowait"))
		return nowait(argv[2]);
	errx(125, "usage: attr put FILE VALUE | attr garbage FILE N SEED | attr nowait FILE");
}
