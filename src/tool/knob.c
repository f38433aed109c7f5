// SPDX-License-Identifier: GPL-2.0
/*
 * knob.c - the four things that can be set, and how sizes are written
 *
 * What is refused here is what the module would refuse, but with the reason:
 * the module can only say EINVAL.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "knob.h"
#include "tool.h"

#define BYTES_MIN	(256 << 10)

const char *const knob_name[NR_KNOBS] = {
	[DIRTY_BYTES] = "dirty_bytes",
	[DIRTY_RATIO] = "dirty_ratio",
	[BACKGROUND_BYTES] = "dirty_background_bytes",
	[BACKGROUND_RATIO] = "dirty_background_ratio",
};

static const char suffixes[] = "KMGTP";

/**
 * knob_find() - the knob of a name
 * @name: as the file in the tree is called
 *
 * Return: the knob, or -1.
 */
int knob_find(const char *name)
{
	int knob;

	for (knob = 0; knob < NR_KNOBS; knob++)
		if (!strcmp(name, knob_name[knob]))
			return knob;
	return -1;
}

/**
 * knob_parse() - read a value
 * @knob: whose value
 * @text: a size or a percentage, or "max"
 * @value: receives it, 0 for "max"
 *
 * Return: NULL, or what is wrong with it.
 */
const char *knob_parse(enum knob knob, const char *text, uint64_t *value)
{
	const char *suffix = NULL;
	int shift = 0;
	uint64_t n = 0;

	if (!strcmp(text, "max")) {
		*value = 0;
		return NULL;
	}
	if (!isdigit((unsigned char)*text))
		return IS_RATIO(knob) ? "not a percentage or max" :
					"not a size or max";
	for (; isdigit((unsigned char)*text); text++) {
		if (n > (uint64_t)INT64_MAX / 10 - 1)
			return "too large";
		n = n * 10 + (*text - '0');
	}
	if (IS_RATIO(knob)) {
		if (*text)
			return "not a percentage: a number without a unit is wanted";
		if (n < 1 || n > 100)
			return "not a percentage from 1 to 100";
		*value = n;
		return NULL;
	}
	if (*text && *text != 'P')
		suffix = strchr(suffixes, toupper((unsigned char)*text));
	if (*text && (!suffix || *suffix == 'P' || text[1]))
		return "not a size: digits with K, M, G, T or nothing are wanted";
	if (suffix)
		shift = 10 * (int)(suffix - suffixes + 1);
	if (n > (uint64_t)INT64_MAX >> shift)
		return "too large";
	if (n << shift < BYTES_MIN)
		return "less than 256K";
	*value = n << shift;
	return NULL;
}

/**
 * knob_assign() - read an assignment
 * @text: KEY=VALUE
 * @knob: receives the key
 * @value: receives the value
 *
 * Return: NULL, or what is wrong with it.
 */
const char *knob_assign(const char *text, enum knob *knob, uint64_t *value)
{
	const char *equals = strchr(text, '=');
	char *name;
	int found;

	if (!equals)
		return "not KEY=VALUE";
	name = copy(text);
	name[equals - text] = '\0';
	found = knob_find(name);
	free(name);
	if (found < 0)
		return "no such key";
	*knob = found;
	return knob_parse(found, equals + 1, value);
}

/**
 * knob_set() - as a write to the tree: the twin is reset
 * @knobs: to change
 * @knob: which is set
 * @value: to this
 */
void knob_set(struct knobs *knobs, enum knob knob, uint64_t value)
{
	knobs->value[knob] = value;
	knobs->value[TWIN(knob)] = 0;
}

/**
 * knobs_any() - whether anything is set
 * @knobs: to look at
 *
 * Return: true if one is not "max".
 */
bool knobs_any(const struct knobs *knobs)
{
	int knob;

	for (knob = 0; knob < NR_KNOBS; knob++)
		if (knobs->value[knob])
			return true;
	return false;
}

/**
 * size_exact() - bytes
 * @bytes: or NO_LIMIT
 * @text: receives it, KNOB_TEXT_MAX bytes
 *
 * Return: @text.
 */
char *size_exact(uint64_t bytes, char *text)
{
	if (bytes == NO_LIMIT)
		strcpy(text, "max");
	else
		snprintf(text, KNOB_TEXT_MAX, "%llu",
			 (unsigned long long)bytes);
	return text;
}

/**
 * size_text() - a size as people write it: 100M, 1.5G
 * @bytes: or NO_LIMIT
 * @text: receives it, KNOB_TEXT_MAX bytes
 *
 * Exact if --bytes was given.
 *
 * Return: @text.
 */
char *size_text(uint64_t bytes, char *text)
{
	uint64_t unit = 1, tenths;
	int i;

	for (i = 0; suffixes[i] && bytes / 1024 >= unit; i++)
		unit *= 1024;
	if (opt_bytes || bytes == NO_LIMIT || unit == 1)
		return size_exact(bytes, text);
	tenths = (bytes % unit * 10 + unit / 2) / unit;
	if (bytes % unit == 0 || bytes / unit >= 100)
		snprintf(text, KNOB_TEXT_MAX, "%llu%c",
			 (unsigned long long)(bytes / unit + (tenths > 5)),
			 suffixes[i - 1]);
	else
		snprintf(text, KNOB_TEXT_MAX, "%llu.%llu%c",
			 (unsigned long long)(bytes / unit + tenths / 10),
			 (unsigned long long)(tenths % 10), suffixes[i - 1]);
	return text;
}

/**
 * knob_text() - a value in the shortest form that is exact
 * @knob: whose value
 * @value: of it
 * @text: receives it, KNOB_TEXT_MAX bytes
 *
 * Return: @text.
 */
char *knob_text(enum knob knob, uint64_t value, char *text)
{
	int i = 0;

	if (!value)
		return size_exact(NO_LIMIT, text);
	if (!IS_RATIO(knob) && !opt_bytes)
		for (; i < 4 && value % 1024 == 0; i++)
			value /= 1024;
	snprintf(text, KNOB_TEXT_MAX, "%llu%.*s", (unsigned long long)value,
		 i > 0, &suffixes[i - (i > 0)]);
	return text;
}
