// SPDX-License-Identifier: GPL-2.0
/*
 * print.c - names, tables, colours and JSON on standard output
 *
 * A name may hold any byte but a slash. Where that would break a line, drive a
 * terminal or not be UTF-8, the byte is shown in the way of /proc/mounts, as a
 * backslash and three octal digits: systemd's own escapes, \x2d and its like,
 * are part of a cgroup's name and have to be shown as they are.
 */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <wchar.h>

#include "print.h"

#define JSON_MAJOR	1
#define JSON_MINOR	0

/* Bytes of the UTF-8 character at @c; 0 if it is none. */
static int utf8_length(const unsigned char *c)
{
	unsigned int code;
	int length, i;

	if (*c < 0x80)
		return 1;
	length = *c >= 0xf0 ? 4 : *c >= 0xe0 ? 3 : 2;
	if (*c < 0xc2 || *c > 0xf4)
		return 0;
	code = *c & (0x7f >> length);
	for (i = 1; i < length; i++) {
		if ((c[i] & 0xc0) != 0x80)
			return 0;
		code = code << 6 | (c[i] & 0x3f);
	}
	/* Longer than need be, half of a pair, or beyond the end. */
	if ((length == 3 && code < 0x800) || (length == 4 && code < 0x10000) ||
	    (code >= 0xd800 && code < 0xe000) || code > 0x10ffff)
		return 0;
	return length;
}

/* C0, delete and C1, which terminals obey. */
static bool is_control(const unsigned char *c)
{
	return *c < 0x20 || *c == 0x7f || (*c == 0xc2 && c[1] < 0xa0);
}

/**
 * escaped() - a name that is UTF-8
 * @name: any bytes
 * @control: whether to escape control characters as well
 *
 * Return: the text, to be freed.
 */
char *escaped(const char *name, bool control)
{
	const unsigned char *c = (const unsigned char *)name;
	size_t size = 0;
	char *text = copy("");

	while (*c) {
		int length = utf8_length(c), i;

		text = realloc(text, size + 9);
		if (!text)
			exit(fail("out of memory"));
		if (!length || (control && is_control(c))) {
			length = length ? length : 1;
			for (i = 0; i < length; i++)
				size += sprintf(text + size, "\\%03o", c[i]);
		} else {
			memcpy(text + size, c, length);
			size += length;
		}
		c += length;
		text[size] = '\0';
	}
	return text;
}

/**
 * print_name() - a name as it can be shown on a terminal
 * @name: any bytes
 *
 * Return: the text, good until the next call.
 */
const char *print_name(const char *name)
{
	static char *text;

	free(text);
	text = escaped(name, true);
	return text;
}

/**
 * text_width() - columns that a text takes on a terminal
 * @text: UTF-8
 *
 * Return: the number of columns; of bytes if the locale does not know.
 */
size_t text_width(const char *text)
{
	size_t length = mbstowcs(NULL, text, 0);
	wchar_t *wide;
	int width;

	if (length == (size_t)-1)
		return strlen(text);
	wide = calloc(length + 1, sizeof(*wide));
	if (!wide)
		return strlen(text);
	mbstowcs(wide, text, length + 1);
	width = wcswidth(wide, length);
	free(wide);
	return width < 0 ? strlen(text) : (size_t)width;
}

static bool colourful(void)
{
	const char *no_colour = getenv("NO_COLOR"), *term = getenv("TERM");

	return isatty(STDOUT_FILENO) && !(no_colour && *no_colour) && term &&
	       strcmp(term, "dumb");
}

/**
 * print_colour() - a text in a colour, where colours are welcome
 * @colour: which
 * @text: to print
 */
void print_colour(enum colour colour, const char *text)
{
	static const char *const codes[] = {
		[RED] = "31", [GREEN] = "32", [YELLOW] = "33",
	};

	if (colour == PLAIN || !colourful())
		fputs(text, stdout);
	else
		printf("\033[%sm%s\033[m", codes[colour], text);
}

/**
 * duration_text() - a duration as people read it
 * @usec: microseconds
 * @text: receives it, KNOB_TEXT_MAX bytes
 *
 * Return: @text.
 */
char *duration_text(uint64_t usec, char *text)
{
	unsigned long long seconds = usec / 1000000;

	if (usec < 1000000)
		snprintf(text, KNOB_TEXT_MAX, "%llums",
			 (unsigned long long)usec / 1000);
	else if (seconds < 60)
		snprintf(text, KNOB_TEXT_MAX, "%llu.%llus", seconds,
			 (unsigned long long)usec / 100000 % 10);
	else if (seconds < 3600)
		snprintf(text, KNOB_TEXT_MAX, "%llumin%02llus", seconds / 60,
			 seconds % 60);
	else
		snprintf(text, KNOB_TEXT_MAX, "%lluh%02llumin", seconds / 3600,
			 seconds / 60 % 60);
	return text;
}

/**
 * table_row() - one row more
 * @table: to which
 * @...: a text for each column
 */
void table_row(struct table *table, ...)
{
	va_list args;
	int i;

	va_start(args, table);
	for (i = 0; i < table->columns; i++)
		names_add(&table->cells, copy(va_arg(args, const char *)));
	va_end(args);
}

static void print_cell(const char *text, size_t width, bool right, bool last)
{
	int fill = (int)(width - text_width(text));

	printf("%*s%s%*s%s", right ? fill : 0, "", text,
	       right || last ? 0 : fill, "", last ? "\n" : "  ");
}

/**
 * table_print() - print a table, with its headings, and forget its rows
 * @table: to print
 */
void table_print(struct table *table)
{
	size_t width[MAX_COLUMNS], i;
	int columns = table->columns, c;

	for (c = 0; c < columns; c++)
		width[c] = strlen(table->heading[c]) -
			   (*table->heading[c] == '>');
	for (i = 0; i < table->cells.count; i++) {
		size_t w = text_width(table->cells.name[i]);

		if (w > width[i % columns])
			width[i % columns] = w;
	}
	for (c = 0; c < columns; c++) {
		bool right = *table->heading[c] == '>';

		print_cell(table->heading[c] + right, width[c], right,
			   c == columns - 1);
	}
	for (i = 0; i < table->cells.count; i++) {
		c = i % columns;
		print_cell(table->cells.name[i], width[c],
			   *table->heading[c] == '>', c == columns - 1);
	}
	names_free(&table->cells);
}

/**
 * json_text() - a string
 * @text: any bytes; those that are not UTF-8 are escaped
 *
 * Return: the value, owned by the caller.
 */
struct json_object *json_text(const char *text)
{
	char *utf8 = escaped(text, false);
	struct json_object *value = json_object_new_string(utf8);

	free(utf8);
	return value;
}

/**
 * json_number() - a number
 * @number: its value
 *
 * Return: the value, owned by the caller.
 */
struct json_object *json_number(uint64_t number)
{
	return json_object_new_uint64(number);
}

/**
 * json_bytes() - a threshold
 * @bytes: or NO_LIMIT, which becomes null
 *
 * Return: the value, owned by the caller.
 */
struct json_object *json_bytes(uint64_t bytes)
{
	return bytes == NO_LIMIT ? NULL : json_number(bytes);
}

/**
 * json_add() - a key of an object
 * @object: which
 * @key: with the unit of the value
 * @value: which the object owns from now on
 */
void json_add(struct json_object *object, const char *key,
	      struct json_object *value)
{
	json_object_object_add(object, key, value);
}

static struct json_object *json_knob(uint64_t value)
{
	return value ? json_number(value) : NULL;
}

/**
 * json_group() - what a directory of the tree says
 * @group: which
 *
 * Return: an object, owned by the caller.
 */
struct json_object *json_group(const struct group *group)
{
	struct json_object *object = json_object_new_object();
	const uint64_t *value = group->knobs.value;

	json_add(object, "cgroup", json_text(group->cgroup));
	json_add(object, "state",
		 json_text(group->attached ? "attached" : "pending"));
	json_add(object, "dirty_bytes", json_knob(value[DIRTY_BYTES]));
	json_add(object, "dirty_ratio_percent", json_knob(value[DIRTY_RATIO]));
	json_add(object, "dirty_background_bytes",
		 json_knob(value[BACKGROUND_BYTES]));
	json_add(object, "dirty_background_ratio_percent",
		 json_knob(value[BACKGROUND_RATIO]));
	json_add(object, "file_dirty_bytes", json_number(group->dirty_bytes));
	json_add(object, "file_writeback_bytes",
		 json_number(group->writeback_bytes));
	json_add(object, "limit_bytes", json_bytes(group->limit_bytes));
	json_add(object, "background_bytes",
		 json_bytes(group->background_bytes));
	json_add(object, "peak_bytes", json_number(group->peak_bytes));
	json_add(object, "throttled_count", json_number(group->throttled));
	json_add(object, "throttled_usec", json_number(group->throttled_usec));
	json_add(object, "writeout_bytes", json_number(group->writeout_bytes));
	json_add(object, "writeout_usec", json_number(group->writeout_usec));
	return object;
}

/**
 * json_print() - the one document of a verb
 * @verb: which
 * @key: what the data are called
 * @value: the data; owned by this function
 *
 * Return: DONE.
 */
int json_print(const char *verb, const char *key, struct json_object *value)
{
	struct json_object *document = json_object_new_object();
	struct json_object *version = json_object_new_object();
	char command[32];

	snprintf(command, sizeof(command), "cgdirty %s", verb);
	json_add(version, "command", json_text(command));
	json_add(version, "major", json_number(JSON_MAJOR));
	json_add(version, "minor", json_number(JSON_MINOR));
	json_add(document, "output_version", version);
	json_add(document, key, value);
	puts(json_object_to_json_string_ext(document, JSON_C_TO_STRING_PRETTY |
					    JSON_C_TO_STRING_SPACED |
					    JSON_C_TO_STRING_NOSLASHESCAPE));
	json_object_put(document);
	return DONE;
}
