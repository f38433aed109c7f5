/* SPDX-License-Identifier: GPL-2.0 */
/* Reading `file_dirty` and `file_writeback` out of files of "key value" lines. */
#ifndef COUNTS_H
#define COUNTS_H

#include <err.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct counts {
	int64_t dirty;
	int64_t writeback;
};

static inline int64_t key_value(const char *text, const char *key)
{
	size_t len = strlen(key);
	const char *at = text;

	while ((at = strstr(at, key))) {
		if ((at == text || at[-1] == '\n') && at[len] == ' ')
			return strtoll(at + len, NULL, 10);
		at += len;
	}
	return -1;
}

/* The whole of a small file, from an open descriptor; in a static buffer. */
static inline const char *read_again(int fd)
{
	static char text[65536];
	ssize_t len = pread(fd, text, sizeof(text) - 1, 0);

	if (len < 0)
		return "";
	text[len] = '\0';
	return text;
}

static inline struct counts read_counts(int fd)
{
	const char *text = read_again(fd);

	return (struct counts) {
		.dirty = key_value(text, "file_dirty"),
		.writeback = key_value(text, "file_writeback"),
	};
}

static inline int open_or_die(const char *path, int flags)
{
	int fd = open(path, flags);

	if (fd < 0)
		err(125, "%s", path);
	return fd;
}

#endif
