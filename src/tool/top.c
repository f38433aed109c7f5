// SPDX-License-Identifier: GPL-2.0
/*
 * top.c - the groups, live
 *
 * Two readings make a sample: rates are what changed between them.
 */
#include <curses.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "print.h"
#include "tree.h"

#define BAR		10
#define MIN_NAME	8
#define MIN_DELAY	0.1

static bool batch;
static const char *count_text, *delay_text, *sort_text;

static const struct opt opts[] = {
	{ .name = "batch", .letter = 'b', .on = &batch,
	  .help = "print tables, as over a pipe" },
	{ .name = "count", .letter = 'n', .arg = "N", .text = &count_text,
	  .help = "end after N samples" },
	{ .name = "delay", .letter = 'd', .arg = "SECONDS", .text = &delay_text,
	  .help = "from one sample to the next (default: 1)" },
	{ .name = "sort", .letter = 's', .arg = "KEY", .text = &sort_text,
	  .help = "dirty, usage, writeout, throttled or name" },
	OPT_JSON,
	OPT_BYTES,
	{ 0 },
};

struct row {
	const struct group *group;
	double usage;			/* of the limit, 0 to 1 or so */
	double writeout;		/* bytes a second */
	double throttled;		/* seconds waited a second, by all tasks */
};

struct sample {
	struct groups groups;
	struct timespec time;
	struct row *row;
};

static uint64_t held(const struct group *group)
{
	return group->dirty_bytes + group->writeback_bytes;
}

static int descending(double a, double b)
{
	return (a < b) - (a > b);
}

static int by_dirty(const struct row *a, const struct row *b)
{
	return descending(held(a->group), held(b->group));
}

static int by_usage(const struct row *a, const struct row *b)
{
	return descending(a->usage, b->usage);
}

static int by_writeout(const struct row *a, const struct row *b)
{
	return descending(a->writeout, b->writeout);
}

static int by_throttled(const struct row *a, const struct row *b)
{
	return descending(a->throttled, b->throttled);
}

static int by_name(const struct row *a, const struct row *b)
{
	return compare_paths(a->group->cgroup, b->group->cgroup);
}

static const struct key {
	const char *name;
	int (*compare)(const struct row *a, const struct row *b);
} keys[] = {
	{ "dirty", by_dirty },
	{ "usage", by_usage },
	{ "writeout", by_writeout },
	{ "throttled", by_throttled },
	{ "name", by_name },
};

#define NR_KEYS ((int)ARRAY_SIZE(keys))

static const struct key *key = &keys[0];

static int compare_rows(const void *a, const void *b)
{
	int order = key->compare(a, b);

	return order ? order : by_name(a, b);
}

static double seconds_between(const struct timespec *from,
			      const struct timespec *to)
{
	return to->tv_sec - from->tv_sec + (to->tv_nsec - from->tv_nsec) / 1e9;
}

static double rate(uint64_t before, uint64_t now, double seconds)
{
	/* A directory that is made anew counts from zero again. */
	return now > before && seconds > 0 ? (now - before) / seconds : 0;
}

static void sample_free(struct sample *sample)
{
	groups_free(&sample->groups);
	free(sample->row);
	sample->row = NULL;
}

/* Replaces @sample by a new one. False if the module has gone. */
static bool take_sample(struct sample *sample)
{
	struct sample before = *sample;
	double seconds;
	size_t i;

	if (!tree_is_there())
		return false;
	sample->row = NULL;
	tree_read_all(&sample->groups);
	clock_gettime(CLOCK_MONOTONIC, &sample->time);
	seconds = seconds_between(&before.time, &sample->time);
	for (i = 0; i < sample->groups.count; i++) {
		const struct group *now = &sample->groups.group[i];
		const struct group *old = groups_find(&before.groups,
						      now->cgroup);
		struct row row = { .group = now };

		if (now->limit_bytes != NO_LIMIT && now->limit_bytes)
			row.usage = (double)held(now) / now->limit_bytes;
		if (old) {
			row.writeout = rate(old->writeout_bytes,
					    now->writeout_bytes, seconds);
			row.throttled = rate(old->throttled_usec,
					     now->throttled_usec, seconds) / 1e6;
		}
		sample->row = grow(sample->row, i, sizeof(row));
		sample->row[i] = row;
	}
	sample_free(&before);
	return true;
}

static void sort_rows(struct sample *sample)
{
	if (sample->groups.count)
		qsort(sample->row, sample->groups.count, sizeof(struct row),
		      compare_rows);
}

static const char *bar_text(double usage, char *text)
{
	int full = usage * BAR + 0.5, i;

	for (i = 0; i < BAR; i++)
		text[i] = i < full ? '#' : '.';
	text[BAR] = '\0';
	return text;
}

/* The cells of a row, but the name. */
struct cells {
	char held[KNOB_TEXT_MAX];
	char limit[KNOB_TEXT_MAX];
	char bar[BAR + 1];
	char writeout[KNOB_TEXT_MAX + 2];
	char throttled[KNOB_TEXT_MAX];
};

static void fill_cells(const struct row *row, struct cells *cells)
{
	char size[KNOB_TEXT_MAX];

	size_text(held(row->group), cells->held);
	size_text(row->group->limit_bytes, cells->limit);
	if (row->group->limit_bytes == NO_LIMIT)
		strcpy(cells->bar, "-");
	else
		bar_text(row->usage, cells->bar);
	snprintf(cells->writeout, sizeof(cells->writeout), "%s/s",
		 size_text(row->writeout, size));
	snprintf(cells->throttled, sizeof(cells->throttled), "%.0f%%",
		 row->throttled * 100);
}

static void print_sample(const struct sample *sample)
{
	struct table table = {
		.heading = { "CGROUP", ">DIRTY", ">LIMIT", "USAGE",
			     ">WRITE-OUT", ">THROTTLED" },
		.columns = 6,
	};
	struct cells cells;
	size_t i;

	for (i = 0; i < sample->groups.count; i++) {
		fill_cells(&sample->row[i], &cells);
		table_row(&table, print_name(sample->row[i].group->cgroup),
			  cells.held, cells.limit, cells.bar, cells.writeout,
			  cells.throttled);
	}
	table_print(&table);
	putchar('\n');
	fflush(stdout);
}

static struct json_object *sample_json(const struct sample *sample)
{
	struct json_object *array = json_object_new_array();
	size_t i;

	for (i = 0; i < sample->groups.count; i++) {
		const struct row *row = &sample->row[i];
		struct json_object *object = json_group(row->group);

		json_add(object, "writeout_bytes_per_second",
			 json_number(row->writeout));
		json_add(object, "throttled_share",
			 json_object_new_double(row->throttled));
		json_object_array_add(array, object);
	}
	return array;
}

static int lost(void)
{
	say("the module was unloaded");
	return NOT_LOADED;
}

static int run_batch(long count, double delay)
{
	struct json_object *samples = json_object_new_array();
	struct sample sample = { 0 };
	long i;

	if (!take_sample(&sample))
		return lost();
	for (i = 0; !count || i < count; i++) {
		usleep(delay * 1e6);
		if (!take_sample(&sample))
			return lost();
		sort_rows(&sample);
		if (opt_json)
			json_object_array_add(samples, sample_json(&sample));
		else
			print_sample(&sample);
		/* Nobody reads on: nothing more to do. */
		if (ferror(stdout))
			break;
	}
	sample_free(&sample);
	return opt_json ? json_print("top", "samples", samples) : DONE;
}

/* The end of a name is what tells one from the other. */
static void draw_name(int y, const char *cgroup, int width)
{
	char *name = escaped(cgroup, true), *c = name;

	while (text_width(c) > (size_t)width)
		for (c++; (*c & 0xc0) == 0x80; c++)
			;
	mvaddstr(y, 0, c);
	if (c != name)
		mvaddch(y, 0, '<');
	free(name);
}

static int bar_pair(double usage)
{
	return usage >= 0.95 ? RED : usage >= 0.75 ? YELLOW : GREEN;
}

static void draw_row(int y, const struct row *row, int width)
{
	struct cells cells;

	fill_cells(row, &cells);
	draw_name(y, row->group->cgroup, width);
	mvprintw(y, width + 1, "%6s %6s ", cells.held, cells.limit);
	attron(COLOR_PAIR(bar_pair(row->usage)));
	printw("%-*s", BAR, cells.bar);
	attroff(COLOR_PAIR(bar_pair(row->usage)));
	printw(" %9s %9s", cells.writeout, cells.throttled);
}

/* What the columns behind the name take, with a blank before each. */
#define OTHERS	(7 + 7 + (BAR + 1) + 10 + 10)

static void draw(const struct sample *sample, size_t first)
{
	int width = COLS - OTHERS, y;
	size_t count = sample->groups.count;

	if (width < MIN_NAME)
		width = MIN_NAME;
	erase();
	mvprintw(0, 0, "cgdirty: %zu groups, by %s", count, key->name);
	attron(A_REVERSE);
	mvprintw(1, 0, "%-*s %6s %6s %-*s %9s %9s", width, "CGROUP", "DIRTY",
		 "LIMIT", BAR, "USAGE", "WRITE-OUT", "THROTTLED");
	attroff(A_REVERSE);
	for (y = 2; y < LINES - 1 && first < count; y++, first++)
		draw_row(y, &sample->row[first], width);
	mvaddnstr(LINES - 1, 0,
		  "sort: d)irty u)sage w)rite-out t)hrottled n)ame; arrows; q)uit",
		  COLS - 1);
	refresh();
}

static void start_screen(void)
{
	const char *no_colour = getenv("NO_COLOR");

	initscr();
	cbreak();
	noecho();
	curs_set(0);
	keypad(stdscr, TRUE);
	if (has_colors() && !(no_colour && *no_colour)) {
		start_color();
		use_default_colors();
		init_pair(RED, COLOR_RED, -1);
		init_pair(YELLOW, COLOR_YELLOW, -1);
		init_pair(GREEN, COLOR_GREEN, -1);
	}
}

/* Returns false when it is time to go. */
static bool obey(int typed, struct sample *sample, size_t *first)
{
	size_t page = LINES > 4 ? LINES - 4 : 1, count = sample->groups.count;
	int i;

	for (i = 0; i < NR_KEYS; i++)
		if (typed == keys[i].name[0])
			key = &keys[i];
	sort_rows(sample);
	if (typed == KEY_DOWN)
		(*first)++;
	else if (typed == KEY_UP && *first)
		(*first)--;
	else if (typed == KEY_NPAGE)
		*first += page;
	else if (typed == KEY_PPAGE)
		*first -= *first < page ? *first : page;
	else if (typed == KEY_HOME)
		*first = 0;
	if (*first >= count)
		*first = count ? count - 1 : 0;
	return typed != 'q';
}

static bool wait_for_keys(double delay, struct sample *sample, size_t *first)
{
	struct timespec now;
	double left;

	for (;;) {
		clock_gettime(CLOCK_MONOTONIC, &now);
		left = delay - seconds_between(&sample->time, &now);
		if (left <= 0)
			return true;
		timeout(left * 1000 + 1);
		if (!obey(getch(), sample, first))
			return false;
		draw(sample, *first);
	}
}

static int run_screen(long count, double delay)
{
	struct sample sample = { 0 };
	bool there, go = true;
	size_t first = 0;
	long i;

	there = take_sample(&sample);
	start_screen();
	for (i = 0; there && go && (!count || i < count); i++) {
		sort_rows(&sample);
		draw(&sample, first);
		go = wait_for_keys(delay, &sample, &first);
		there = take_sample(&sample);
	}
	endwin();
	sample_free(&sample);
	return there ? DONE : lost();
}

static bool take_key(void)
{
	int i;

	for (i = 0; sort_text && i < NR_KEYS; i++) {
		if (strcmp(sort_text, keys[i].name))
			continue;
		key = &keys[i];
		return true;
	}
	return !sort_text;
}

static int top(int argc, char **argv)
{
	char *end = NULL;
	double delay = 1;
	long count = 0;
	int ret;

	if (argc)
		return usage_error("%s: no argument is wanted", argv[0]);
	if (!take_key())
		return usage_error("--sort %s: no such key", sort_text);
	if (count_text)
		count = strtol(count_text, &end, 10);
	if (count_text && (*end || count < 1))
		return usage_error("--count %s: not a number of samples",
				   count_text);
	if (delay_text)
		delay = strtod(delay_text, &end);
	if (delay_text && (*end || !(delay >= MIN_DELAY && delay <= 3600)))
		return usage_error("--delay %s: not a number of seconds from 0.1 to 3600",
				   delay_text);
	ret = tree_require();
	if (ret)
		return ret;
	if (opt_json && !count)
		count = 1;
	if (batch || opt_json || !isatty(STDOUT_FILENO))
		return run_batch(count, delay);
	return run_screen(count, delay);
}

const struct verb verb_top = {
	.name = "top",
	.args = "",
	.summary = "watch usage, write-out and waits, live",
	.opts = opts,
	.run = top,
};
