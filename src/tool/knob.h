/* SPDX-License-Identifier: GPL-2.0 */
/*
 * knob.h - the four things that can be set, and how sizes are written
 */
#ifndef KNOB_H
#define KNOB_H

#include <stdbool.h>
#include <stdint.h>

/* A knob and its twin, which it resets, differ in the lowest bit. */
enum knob {
	DIRTY_BYTES,
	DIRTY_RATIO,
	BACKGROUND_BYTES,
	BACKGROUND_RATIO,
	NR_KNOBS,
};

#define TWIN(knob)	((knob) ^ 1)
#define IS_RATIO(knob)	((knob) & 1)

/* Values of knobs: 0 is "max", that is none. */
struct knobs {
	uint64_t value[NR_KNOBS];
};

/* In stat, the threshold that nobody reaches. */
#define NO_LIMIT	UINT64_MAX

#define KNOB_TEXT_MAX	32

extern const char *const knob_name[NR_KNOBS];

int knob_find(const char *name);
const char *knob_parse(enum knob knob, const char *text, uint64_t *value);
const char *knob_assign(const char *text, enum knob *knob, uint64_t *value);
void knob_set(struct knobs *knobs, enum knob knob, uint64_t value);
bool knobs_any(const struct knobs *knobs);
char *knob_text(enum knob knob, uint64_t value, char *text);
char *size_text(uint64_t bytes, char *text);
char *size_exact(uint64_t bytes, char *text);

#endif /* KNOB_H */
