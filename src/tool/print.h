/* SPDX-License-Identifier: GPL-2.0 */
/*
 * print.h - names, tables, colours and JSON on standard output
 */
#ifndef PRINT_H
#define PRINT_H

#include <stdbool.h>
#include <stdio.h>

#include <json.h>

#include "tool.h"
#include "tree.h"

#define MAX_COLUMNS 12

enum colour {
	PLAIN,
	RED,
	GREEN,
	YELLOW,
};

/* A table; a column whose heading begins with ">" is aligned to the right. */
struct table {
	const char *heading[MAX_COLUMNS];
	int columns;
	struct names cells;
};

char *escaped(const char *name, bool control);
const char *print_name(const char *name);
size_t text_width(const char *text);
void print_colour(enum colour colour, const char *text);
char *duration_text(uint64_t usec, char *text);

void table_row(struct table *table, ...);
void table_print(struct table *table);

struct json_object *json_text(const char *text);
struct json_object *json_number(uint64_t number);
struct json_object *json_bytes(uint64_t bytes);
void json_add(struct json_object *object, const char *key,
	      struct json_object *value);
struct json_object *json_group(const struct group *group);
int json_print(const char *verb, const char *key, struct json_object *value);

#endif /* PRINT_H */
