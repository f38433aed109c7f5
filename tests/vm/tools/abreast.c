// SPDX-License-Identifier: GPL-2.0
/*
 * abreast - how evenly what several groups have dirtied comes to the disk
 *
 * Takes what each of them has dirtied, and their files of counts. Prints one
 * line with the least and the most that one of them has written when nine tenths
 * of it all are there, since the last of them began: who begins earlier has the
 * disk to himself. All the files are read in a few milliseconds, so that the
 * groups are compared as they are at one time.
 */
#include "counts.h"

#include <stdio.h>
#include <time.h>

#define MOST	64
#define TRIES	60000

/* Bytes that were there and are no longer to be written; returns their sum. */
static int64_t look(int nr, const int *fds, int64_t each, int64_t *written)
{
	int64_t sum = 0;
	int i;

	for (i = 0; i < nr; i++) {
		struct counts c = read_counts(fds[i]);

		written[i] = each - c.dirty - c.writeback;
		sum += written[i];
	}
	return sum;
}

static int64_t least_of(int nr, const int64_t *values)
{
	int64_t least = values[0];

	while (--nr > 0)
		least = values[nr] < least ? values[nr] : least;
	return least;
}

static int64_t most_of(int nr, const int64_t *values)
{
	int64_t most = values[0];

	while (--nr > 0)
		most = values[nr] > most ? values[nr] : most;
	return most;
}

int main(int argc, char **argv)
{
	const struct timespec pause = { .tv_nsec = 1000000 };
	int64_t each, begin[MOST] = { 0 }, written[MOST];
	int fds[MOST], i, nr = argc - 2, tries;

	if (nr < 1 || nr > MOST)
		errx(125, "usage: abreast BYTES FILE...");
	each = atoll(argv[1]);
	for (i = 0; i < nr; i++)
		fds[i] = open_or_die(argv[i + 2], O_RDONLY);
	for (tries = 0; tries < TRIES; tries++) {
		int64_t sum = look(nr, fds, each, written);

		if (!least_of(nr, begin))
			memcpy(begin, written, sizeof(begin));
		if (sum >= each * nr / 10 * 9)
			break;
		nanosleep(&pause, NULL);
	}
	if (tries == TRIES)
		errx(1, "not there after a minute or more");
	for (i = 0; i < nr; i++)
		written[i] -= begin[i];
	printf("least=%jd most=%jd before=", (intmax_t)least_of(nr, written),
	       (intmax_t)most_of(nr, written));
	for (i = 0; i < nr; i++)
		printf("%s%jd", i ? "," : "", (intmax_t)begin[i]);
	printf(" since=");
	for (i = 0; i < nr; i++)
		printf("%s%jd", i ? "," : "", (intmax_t)written[i]);
	printf("\n");
	return 0;
}
