// SPDX-License-Identifier: GPL-2.0
/*
 * conf.c - the files that hold limits over a reboot
 *
 * A section's name is a cgroup's path, from the first bracket of the line to
 * the last. What cannot stand there is written as in fstab: a backslash and
 * three octal digits. So a systemd escape like \x2d, which is part of the
 * cgroup's name, stands for itself; and so does a backslash, unless three octal
 * digits happen to follow.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "cgroup.h"
#include "conf.h"
#include "print.h"

#define BLANKS " \t\r"

#define SET_HEAD \
	"# Kept by \"cgdirty set\" and \"cgdirty unset\", which keep no comments.\n" \
	"# Put files of your own beside this one; see cgdirty.conf(5).\n"

/* A file while it is being read. */
struct reader {
	const char *path;
	unsigned int line;
	struct conf *conf;
	struct conf_entry *entry;	/* of this section, NULL before the first */
	unsigned int line_of[NR_KNOBS];	/* in this section; 0: not there */
	struct names sections;		/* that this file has had */
	int errors;
};

/**
 * conf_set_path() - the file that set and unset keep
 *
 * Return: its path, to be freed.
 */
char *conf_set_path(void)
{
	return rooted("/etc/cgdirty.d/99-set.conf");
}

/**
 * conf_applied_path() - what was taken from files and put into the tree
 *
 * Gone after a reboot, as the tree is. So apply can take away what no file
 * names any more, without touching what somebody else put into the tree.
 *
 * Return: its path, to be freed.
 */
char *conf_applied_path(void)
{
	return rooted("/run/cgdirty/applied.conf");
}

/**
 * conf_lock() - be the only one to change files and tree, until the end
 *
 * Return: DONE, or FAILED after a message.
 */
int conf_lock(void)
{
	char *path = rooted("/run/cgdirty");
	int fd = make_dirs(path) ? open(path, O_RDONLY | O_CLOEXEC) : -1;
	int ret = DONE;

	if (fd < 0 && geteuid())
		ret = fail("only root can change limits");
	else if (fd < 0 || flock(fd, LOCK_EX))
		ret = fail("cannot lock %s: %s", path, strerror(errno));
	free(path);
	return ret;
}

static bool is_octal(const char *c)
{
	return c[0] >= '0' && c[0] <= '3' && c[1] >= '0' && c[1] <= '7' &&
	       c[2] >= '0' && c[2] <= '7' && strncmp(c, "000", 3);
}

/* In place. */
static void unescape(char *name)
{
	char *to = name;

	while (*name) {
		if (*name == '\\' && is_octal(name + 1)) {
			*to++ = strtol((char[]){ name[1], name[2], name[3], 0 },
				       NULL, 8);
			name += 4;
		} else {
			*to++ = *name++;
		}
	}
	*to = '\0';
}

static void put_escaped(FILE *to, const char *name)
{
	const char *c;

	for (c = name; *c; c++) {
		bool edge = c == name || !c[1];

		if ((unsigned char)*c < 0x20 || *c == 0x7f ||
		    (*c == ' ' && edge) || (*c == '\\' && is_octal(c + 1)))
			fprintf(to, "\\%03o", (unsigned char)*c);
		else
			fputc(*c, to);
	}
}

static void bad(struct reader *reader, const char *reason)
{
	say("%s:%u: %s", reader->path, reader->line, reason);
	reader->errors++;
}

/**
 * conf_find() - what is set for a cgroup
 * @conf: to look in
 * @cgroup: to look for
 *
 * Return: the entry or NULL; good until one is added or removed.
 */
struct conf_entry *conf_find(const struct conf *conf, const char *cgroup)
{
	size_t i;

	for (i = 0; i < conf->count; i++)
		if (!strcmp(conf->entry[i].cgroup, cgroup))
			return &conf->entry[i];
	return NULL;
}

/**
 * conf_entry() - as conf_find(), and adds one if there is none
 * @conf: to look in
 * @cgroup: to look for
 *
 * Return: the entry; good until one is added or removed.
 */
struct conf_entry *conf_entry(struct conf *conf, const char *cgroup)
{
	struct conf_entry *entry = conf_find(conf, cgroup);

	if (entry)
		return entry;
	conf->entry = grow(conf->entry, conf->count, sizeof(*entry));
	entry = &conf->entry[conf->count++];
	memset(entry, 0, sizeof(*entry));
	entry->cgroup = copy(cgroup);
	return entry;
}

/**
 * conf_remove() - forget what is set for a cgroup
 * @conf: to change
 * @cgroup: which
 */
void conf_remove(struct conf *conf, const char *cgroup)
{
	struct conf_entry *entry = conf_find(conf, cgroup);

	if (entry)
		*entry = conf->entry[--conf->count];
}

/**
 * conf_set() - a knob of an entry
 * @entry: whose
 * @knob: which; its twin is not set any more
 * @value: of it
 * @file: where that is from
 * @line: of the file
 */
void conf_set(struct conf_entry *entry, enum knob knob, uint64_t value,
	      const char *file, unsigned int line)
{
	knob_set(&entry->knobs, knob, value);
	entry->place[knob] = (struct conf_place){ copy(file), line };
	entry->place[TWIN(knob)] = (struct conf_place){ NULL, 0 };
}

/**
 * conf_wants() - whether files ask for a directory
 * @conf: what they say
 * @cgroup: whose directory
 *
 * Return: true if something is set, or the section is empty on purpose; false
 * if there is no section, or all it says is that there is no limit.
 */
bool conf_wants(const struct conf *conf, const char *cgroup)
{
	const struct conf_entry *entry = conf_find(conf, cgroup);
	int knob;

	if (!entry || knobs_any(&entry->knobs))
		return entry;
	for (knob = 0; knob < NR_KNOBS; knob++)
		if (entry->place[knob].file)
			return false;
	return true;
}

static void begin_section(struct reader *reader, char *name)
{
	char *path, *end;
	const char *error;
	size_t i;

	reader->entry = NULL;
	memset(reader->line_of, 0, sizeof(reader->line_of));
	name += strspn(name, BLANKS);
	for (end = name + strlen(name); end > name && strchr(BLANKS, end[-1]);)
		*--end = '\0';
	unescape(name);
	path = name + strspn(name, "/");
	error = cgroup_path_error(path);
	for (i = 0; !error && i < reader->sections.count; i++)
		if (!strcmp(reader->sections.name[i], path))
			error = "this section was there before";
	if (error) {
		bad(reader, error);
		return;
	}
	names_add(&reader->sections, copy(path));
	reader->entry = conf_entry(reader->conf, path);
}

static void take_assignment(struct reader *reader, char *line, char *equals)
{
	struct conf_entry *entry = reader->entry;
	const char *error;
	char *end, reason[200];
	uint64_t value;
	int knob;

	for (end = equals; end > line && strchr(BLANKS, end[-1]); end--)
		;
	*end = '\0';
	equals++;
	equals += strspn(equals, BLANKS);
	knob = knob_find(line);
	if (knob < 0) {
		snprintf(reason, sizeof(reason), "no such key: %.100s",
			 print_name(line));
		bad(reader, reason);
		return;
	}
	error = knob_parse(knob, equals, &value);
	if (error) {
		snprintf(reason, sizeof(reason), "%s=%.60s: %s", line,
			 print_name(equals), error);
		bad(reader, reason);
		return;
	}
	if (reader->line_of[knob] || reader->line_of[TWIN(knob)]) {
		bool same = reader->line_of[knob];

		snprintf(reason, sizeof(reason), "line %u has set %s; there can be one only",
			 reader->line_of[same ? knob : TWIN(knob)],
			 knob_name[same ? knob : TWIN(knob)]);
		bad(reader, reason);
		return;
	}
	reader->line_of[knob] = reader->line;
	if (!entry)
		return;
	conf_set(entry, knob, value, reader->path, reader->line);
}

static void take_line(struct reader *reader, char *line)
{
	char *end = line + strlen(line), *equals;

	line += strspn(line, BLANKS);
	while (end > line && strchr(BLANKS, end[-1]))
		*--end = '\0';
	if (!*line || *line == '#' || *line == ';')
		return;
	equals = strchr(line, '=');
	if (*line == '[' && end[-1] == ']') {
		end[-1] = '\0';
		begin_section(reader, line + 1);
	} else if (*line == '[') {
		bad(reader, "a section's name ends with ]");
	} else if (!equals) {
		bad(reader, "neither [CGROUP] nor KEY=VALUE");
	} else if (!reader->sections.count && !reader->errors) {
		bad(reader, "a key before the first [CGROUP]");
	} else {
		take_assignment(reader, line, equals);
	}
}

/**
 * conf_read() - add what a file says; what it sets replaces what was set before
 * @conf: to add to
 * @path: of the file
 *
 * Return: DONE, or FAILED after a message for each fault.
 */
int conf_read(struct conf *conf, const char *path)
{
	struct reader reader = { .path = path, .conf = conf };
	char *text = read_file(path), *line = text, *end;

	if (!text)
		return fail("cannot read %s: %s", path, strerror(errno));
	for (; *line; line = end) {
		end = line + strcspn(line, "\n");
		if (*end)
			*end++ = '\0';
		reader.line++;
		take_line(&reader, line);
	}
	free(text);
	names_free(&reader.sections);
	return reader.errors ? FAILED : DONE;
}

static const char *base(const char *path)
{
	return strrchr(path, '/') + 1;
}

static int by_base(const void *a, const void *b)
{
	return strcmp(base(*(char *const *)a), base(*(char *const *)b));
}

/**
 * conf_add_files() - the files of a folder, in the order of their names
 * @files: to add to; a file in it hides one of the same name
 * @dir: the folder, which may be missing
 */
void conf_add_files(struct names *files, const char *dir)
{
	DIR *stream = opendir(dir);
	struct dirent *entry;
	size_t i;

	if (!stream)
		return;
	while ((entry = readdir(stream))) {
		size_t length = strlen(entry->d_name);

		if (*entry->d_name == '.' || length <= 5 ||
		    strcmp(entry->d_name + length - 5, ".conf"))
			continue;
		for (i = 0; i < files->count; i++)
			if (!strcmp(base(files->name[i]), entry->d_name))
				break;
		if (i == files->count)
			names_add(files, format("%s/%s", dir, entry->d_name));
	}
	closedir(stream);
	if (files->count)
		qsort(files->name, files->count, sizeof(char *), by_base);
}

/**
 * conf_read_all() - what all files say
 * @conf: to add to
 * @except: a file not to read, or NULL
 *
 * Return: DONE, or FAILED after a message for each fault.
 */
int conf_read_all(struct conf *conf, const char *except)
{
	char *local = rooted("/etc/cgdirty.d");
	char *vendor = rooted("/usr/lib/cgdirty.d");
	struct names files = { 0 };
	int ret = DONE;
	size_t i;

	conf_add_files(&files, local);
	conf_add_files(&files, vendor);
	for (i = 0; i < files.count; i++)
		if (!except || strcmp(files.name[i], except))
			ret |= conf_read(conf, files.name[i]);
	names_free(&files);
	free(local);
	free(vendor);
	return ret;
}

/**
 * conf_write() - replace a file
 * @conf: what it is to say; without an entry the file is removed
 * @path: of the file
 * @head: its first lines
 *
 * Return: DONE, or FAILED after a message.
 */
int conf_write(const struct conf *conf, const char *path, const char *head)
{
	char value[KNOB_TEXT_MAX], *text = NULL;
	size_t size, i;
	FILE *stream;
	int knob, ret;

	if (!conf->count) {
		if (!unlink(path) || errno == ENOENT)
			return DONE;
		return fail("cannot remove %s: %s", path, strerror(errno));
	}
	stream = open_memstream(&text, &size);
	if (!stream)
		return fail("out of memory");
	fputs(head, stream);
	for (i = 0; i < conf->count; i++) {
		const struct conf_entry *entry = &conf->entry[i];

		fputs("\n[", stream);
		put_escaped(stream, entry->cgroup);
		fputs("]\n", stream);
		for (knob = 0; knob < NR_KNOBS; knob++)
			if (entry->place[knob].file)
				fprintf(stream, "%s=%s\n", knob_name[knob],
					knob_text(knob,
						  entry->knobs.value[knob],
						  value));
	}
	fclose(stream);
	ret = replace_file(path, text);
	free(text);
	return ret;
}

/**
 * conf_write_set() - replace the file that set and unset keep
 * @conf: what it is to say
 *
 * Return: DONE, or FAILED after a message.
 */
int conf_write_set(const struct conf *conf)
{
	char *path = conf_set_path();
	int ret = conf_write(conf, path, SET_HEAD);

	free(path);
	return ret;
}

/**
 * conf_read_set() - what the file that set and unset keep says
 * @conf: to add to
 *
 * Return: DONE, or FAILED after a message for each fault.
 */
int conf_read_set(struct conf *conf)
{
	char *path = conf_set_path();
	int ret = access(path, F_OK) ? DONE : conf_read(conf, path);

	free(path);
	return ret;
}

/**
 * applied_note() - remember whether a cgroup's limits come from a file
 * @cgroup: its path
 * @from_file: whether they do
 *
 * Return: DONE, or FAILED after a message.
 */
int applied_note(const char *cgroup, bool from_file)
{
	char *path = conf_applied_path();
	struct conf applied = { 0 };
	int ret;

	if (!access(path, F_OK))
		conf_read(&applied, path);
	conf_remove(&applied, cgroup);
	if (from_file)
		conf_entry(&applied, cgroup);
	ret = conf_write(&applied, path, APPLIED_HEAD);
	free(path);
	return ret;
}
