// SPDX-License-Identifier: GPL-2.0
/*
 * util.c - messages, files, lists of names
 *
 * Memory that cannot be had ends the command: nothing it holds needs undoing.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tool.h"

static void vsay(const char *fmt, va_list args)
{
	fputs("cgdirty: ", stderr);
	vfprintf(stderr, fmt, args);
	fputc('\n', stderr);
}

/**
 * say() - one line to the person, on stderr
 * @fmt: as for printf
 */
void say(const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	vsay(fmt, args);
	va_end(args);
}

/**
 * fail() - say what went wrong
 * @fmt: as for printf
 *
 * Return: FAILED.
 */
int fail(const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	vsay(fmt, args);
	va_end(args);
	return FAILED;
}

/**
 * progress() - what takes a while, on a terminal only
 * @fmt: as for printf; an empty text takes the line away again
 */
void progress(const char *fmt, ...)
{
	va_list args;

	if (!isatty(STDERR_FILENO))
		return;
	fputs("\r\033[K", stderr);
	va_start(args, fmt);
	vfprintf(stderr, fmt, args);
	va_end(args);
}

static void *checked(void *memory)
{
	if (!memory) {
		say("out of memory");
		exit(FAILED);
	}
	return memory;
}

static char *vformat(const char *prefix, const char *fmt, va_list args)
{
	size_t size = 0;
	char *text = NULL;
	FILE *stream = checked(open_memstream(&text, &size));

	fputs(prefix, stream);
	vfprintf(stream, fmt, args);
	fclose(stream);
	return checked(text);
}

/**
 * format() - text in memory of its own
 * @fmt: as for printf
 *
 * Return: the text, to be freed.
 */
char *format(const char *fmt, ...)
{
	va_list args;
	char *text;

	va_start(args, fmt);
	text = vformat("", fmt, args);
	va_end(args);
	return text;
}

/**
 * rooted() - a path of this machine, or of the copy of one in CGDIRTY_ROOT
 * @fmt: of an absolute path, as for printf
 *
 * All paths that the command reads or writes go through here. That is how the
 * tests give it a machine of their own.
 *
 * Return: the path, to be freed.
 */
char *rooted(const char *fmt, ...)
{
	const char *root = getenv("CGDIRTY_ROOT");
	va_list args;
	char *text;

	va_start(args, fmt);
	text = vformat(root ? root : "", fmt, args);
	va_end(args);
	return text;
}

/**
 * grow() - room for one more element
 * @array: of @count elements, or NULL
 * @count: of elements now
 * @size: of an element
 *
 * Return: the array, with room for @count + 1.
 */
void *grow(void *array, size_t count, size_t size)
{
	/* Doubles when the count reaches a power of two. */
	if (count & (count - 1))
		return array;
	return checked(realloc(array, (count ? 2 * count : 1) * size));
}

/**
 * copy() - as strdup()
 * @text: what to copy
 *
 * Return: the copy, to be freed.
 */
char *copy(const char *text)
{
	return checked(strdup(text));
}

/**
 * write_attribute() - give a file of the kernel a new text, in one write
 * @path: of the file, which has to be there
 * @text: its text
 *
 * Return: true if it was taken; else errno says why not.
 */
bool write_attribute(const char *path, const char *text)
{
	ssize_t length = strlen(text);
	int fd = open(path, O_WRONLY | O_CLOEXEC), error;
	bool written = fd >= 0 && write(fd, text, length) == length;

	error = errno;
	if (fd >= 0)
		close(fd);
	errno = error;
	return written;
}

/**
 * read_file() - the whole text of a small file, in as few reads as it takes
 * @path: as it is
 *
 * Return: the text, to be freed; NULL with errno.
 */
char *read_file(const char *path)
{
	FILE *file = fopen(path, "re");
	char *text = NULL, part[8192];
	size_t size = 0, got;
	FILE *stream;
	int error = 0;

	if (!file)
		return NULL;
	stream = checked(open_memstream(&text, &size));
	errno = 0;
	while ((got = fread(part, 1, sizeof(part), file)))
		fwrite(part, 1, got, stream);
	if (ferror(file))
		error = errno ? errno : EIO;
	fclose(file);
	fclose(stream);
	checked(text);
	if (!error)
		return text;
	free(text);
	errno = error;
	return NULL;
}

/**
 * make_dirs() - a folder and those above it, as mkdir -p
 * @path: absolute
 *
 * Return: whether it is there; else errno tells why not.
 */
bool make_dirs(const char *path)
{
	char *part = copy(path), *slash = part;
	bool made = true;

	do {
		slash = strchr(slash + 1, '/');
		if (slash)
			*slash = '\0';
		made = !mkdir(part, 0755) || errno == EEXIST;
		if (slash)
			*slash = '/';
	} while (made && slash);
	free(part);
	return made;
}

/**
 * replace_file() - put a text in the place of a file, whole or not at all
 * @path: of the file; its folder is made if there is none
 * @text: the new contents
 *
 * Return: DONE, or FAILED after a message.
 */
int replace_file(const char *path, const char *text)
{
	char *dir = copy(path), *temporary = format("%s.new", path);
	FILE *file = NULL;
	int ret = FAILED;

	*strrchr(dir, '/') = '\0';
	if (make_dirs(dir))
		file = fopen(temporary, "we");
	if (file) {
		bool written = fputs(text, file) >= 0 && !fflush(file) &&
			       !fchmod(fileno(file), 0644) &&
			       !fsync(fileno(file));

		if (!fclose(file) && written && !rename(temporary, path))
			ret = DONE;
	}
	if (ret) {
		fail("cannot write %s: %s", path, strerror(errno));
		unlink(temporary);
	}
	free(temporary);
	free(dir);
	return ret;
}

/**
 * names_add() - add a name
 * @names: to this list
 * @name: which the list owns from now on
 */
void names_add(struct names *names, char *name)
{
	names->name = grow(names->name, names->count, sizeof(char *));
	names->name[names->count++] = name;
}

/* The end of a name comes first, then a slash, then all else. */
static int rank(unsigned char c)
{
	return !c ? 0 : c == '/' ? 1 : c + 1;
}

/**
 * compare_paths() - the order of a tree: children behind their parent
 * @a: a path
 * @b: another
 *
 * Return: as strcmp().
 */
int compare_paths(const char *a, const char *b)
{
	while (*a && *a == *b) {
		a++;
		b++;
	}
	return rank(*a) - rank(*b);
}

static int compare_names(const void *a, const void *b)
{
	return compare_paths(*(char *const *)a, *(char *const *)b);
}

/**
 * names_sort() - in the order of a tree: children behind their parent
 * @names: the list
 */
void names_sort(struct names *names)
{
	if (names->count)
		qsort(names->name, names->count, sizeof(char *), compare_names);
}

/**
 * names_free() - forget all names
 * @names: an empty list afterwards
 */
void names_free(struct names *names)
{
	while (names->count)
		free(names->name[--names->count]);
	free(names->name);
	names->name = NULL;
}

/* Letters to insert, drop, change or swap with the next to get from a to b. */
static size_t distance(const char *a, const char *b)
{
	size_t la = strlen(a), lb = strlen(b), width = lb + 1, i, j, result;
	size_t *d = checked(calloc((la + 1) * width, sizeof(*d)));

	for (i = 0; i <= la; i++) {
		for (j = 0; j <= lb; j++) {
			size_t *cell = &d[i * width + j], best;

			if (!i || !j) {
				*cell = i + j;
				continue;
			}
			best = cell[-(long)width - 1] + (a[i - 1] != b[j - 1]);
			if (cell[-1] + 1 < best)
				best = cell[-1] + 1;
			if (cell[-(long)width] + 1 < best)
				best = cell[-(long)width] + 1;
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] &&
			    a[i - 2] == b[j - 1] &&
			    cell[-2 * (long)width - 2] + 1 < best)
				best = cell[-2 * (long)width - 2] + 1;
			*cell = best;
		}
	}
	result = d[la * width + lb];
	free(d);
	return result;
}

static const char *last_part(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/**
 * names_nearest() - what somebody may have meant
 * @names: what there is
 * @to: what was said
 *
 * Return: the name that is least different, if it is not too different; one
 * that only stands elsewhere in the tree if none is; else NULL.
 */
const char *names_nearest(const struct names *names, const char *to)
{
	size_t best = strlen(last_part(to)) / 3 + 1, i, d;
	const char *nearest = NULL;

	for (i = 0; i < names->count; i++) {
		d = distance(names->name[i], to);
		if (d && d < best) {
			best = d;
			nearest = names->name[i];
		}
	}
	for (i = 0; !nearest && i < names->count; i++)
		if (!strcmp(last_part(names->name[i]), last_part(to)))
			nearest = names->name[i];
	return nearest;
}
