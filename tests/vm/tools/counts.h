/* SPDX-License-Identifier: GPL-2.0 */
/* Reading `file_dirty` and `file_writeback` out of files of "key value" lines. */
#ifndef COUNTS_H
#define COUNTS_H

#include <err.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
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

/*
 * The whole of a small file as it is now, in a static buffer. By a descriptor of
 * its own, since configfs makes the text of a file once for each time it is opened.
 */
static inline const char *read_again(int fd)
{
	static char text[65536];
	char path[32];
	ssize_t len;

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	fd = open(path, O_RDONLY);
	if (fd < 0)
		return "";
	len = read(fd, text, sizeof(text) - 1);
	close(fd);
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
