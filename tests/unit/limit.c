// SPDX-License-Identifier: GPL-2.0
/* What src/limit.c makes of what is written into the tree; TAP on stdout. */
#include <cgdirty/limit.h>

#include <stdarg.h>
#include <stdio.h>

#define MIB (1ULL << 20)
#define PAGES(bytes) ((unsigned long)((bytes) >> PAGE_SHIFT))
#define UNTOUCHED 4711

static unsigned int reported, failures;

static void __attribute__((format(printf, 2, 3))) ok(bool good, const char *format, ...)
{
	va_list args;

	printf("%sok %u - ", good ? "" : "not ", ++reported);
	failures += !good;
	va_start(args, format);
	vprintf(format, args);
	va_end(args);
	putchar('\n');
}

static void test_sizes(void)
{
	static const struct {
		const char *text;
		u64 bytes;
	} good[] = {
		{ "max", 0 },
		{ "max\n", 0 },
		{ "262144", 262144 },
		{ "262144\n", 262144 },
		{ "256K", 262144 },
		{ "256k\n", 262144 },
		{ "1M", MIB },
		{ "100M\n", 100 * MIB },
		{ "3G", 3072 * MIB },
		{ "2T", 2048 * 1024 * MIB },
		{ "000001M", MIB },
		{ "9223372036854775807", S64_MAX },
		{ "8388607T", 8388607ULL << 40 },
	};
	static const char * const bad[] = {
		"", "\n", " ", "0", "0M", "00", "1", "4096", "262143", "255K", "-1", "-1M", "+1M",
		" 1M", "1M ", "1 M", "1MM", "1MB", "1MiB", "1m1", "1P", "1E", "M", "K\n", "0x100000",
		"1.5M", "1e7", "100%", "maximum", "ma", "max ", "max\n\n", "1M\n\n", "1M\n1", "MAX",
		"9223372036854775808", "18446744073709551615", "18446744073709551616",
		"99999999999999999999999", "8388608T", "16777216T", "36028797018963968K",
		"18446744073709551615T", "1M;", "1,048,576", "\0371M",
	};
	size_t i;
	u64 bytes;
	int ret;

	for (i = 0; i < sizeof(good) / sizeof(*good); i++) {
		bytes = UNTOUCHED;
		ret = cgd_parse_bytes(good[i].text, &bytes);
		ok(ret == 0 && bytes == good[i].bytes, "size %zu of %zu is %ju", i,
		   sizeof(good) / sizeof(*good), (uintmax_t)good[i].bytes);
	}
	for (i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		bytes = UNTOUCHED;
		ret = cgd_parse_bytes(bad[i], &bytes);
		ok(ret == -EINVAL && bytes == UNTOUCHED, "no size: bad %zu", i);
	}
}

static void test_ratios(void)
{
	static const char * const bad[] = {
		"", "\n", "0", "00", "101", "1000", "-1", "+1", "1%", "5 ", " 5", "5.5", "1K", "max1",
		"4294967297", "18446744073709551617", "5\n\n", "five",
	};
	unsigned int percent, i;
	char text[8];
	int ret, wrong = 0;

	for (i = 1; i <= 100; i++) {
		snprintf(text, sizeof(text), i % 2 ? "%u" : "%u\n", i);
		wrong += cgd_parse_ratio(text, &percent) || percent != i;
	}
	ok(!wrong, "each ratio from 1 to 100");
	ok(!cgd_parse_ratio("max\n", &percent) && percent == 0, "ratio max");
	for (i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		percent = UNTOUCHED;
		ret = cgd_parse_ratio(bad[i], &percent);
		ok(ret == -EINVAL && percent == UNTOUCHED, "no ratio: bad %u", i);
	}
}

static void thresholds(const char *name, struct cgd_knobs knobs, unsigned long dirtyable,
		       unsigned long limit, unsigned long freerun, unsigned long background)
{
	struct cgd_thresholds t = cgd_thresholds(&knobs, dirtyable);
	bool good = t.limit == limit && t.freerun == freerun && t.background == background;

	if (!good)
		printf("# got limit %lu freerun %lu background %lu\n# not limit %lu freerun %lu background %lu\n",
		       t.limit, t.freerun, t.background, limit, freerun, background);
	ok(good, "thresholds: %s", name);
}

static void test_thresholds(void)
{
	const unsigned long none = CGD_PAGES_MAX;
	const unsigned long gib = PAGES(1024 * MIB);

	thresholds("nothing set", (struct cgd_knobs){ 0 }, gib, none, none, none);
	thresholds("a limit; half of it is the background",
		   (struct cgd_knobs){ .dirty_bytes = 8 * MIB }, gib,
		   PAGES(8 * MIB), PAGES(6 * MIB), PAGES(4 * MIB));
	thresholds("a limit and a background below it",
		   (struct cgd_knobs){ .dirty_bytes = 8 * MIB, .background_bytes = 2 * MIB }, gib,
		   PAGES(8 * MIB), PAGES(5 * MIB), PAGES(2 * MIB));
	thresholds("a background at the limit is half of it",
		   (struct cgd_knobs){ .dirty_bytes = 8 * MIB, .background_bytes = 8 * MIB }, gib,
		   PAGES(8 * MIB), PAGES(6 * MIB), PAGES(4 * MIB));
	thresholds("a background above the limit likewise",
		   (struct cgd_knobs){ .dirty_bytes = 8 * MIB, .background_bytes = 99 * MIB }, gib,
		   PAGES(8 * MIB), PAGES(6 * MIB), PAGES(4 * MIB));
	thresholds("a background without a limit: nobody is slowed",
		   (struct cgd_knobs){ .background_bytes = MIB }, gib, none, none, PAGES(MIB));
	thresholds("10 % of a GiB",
		   (struct cgd_knobs){ .dirty_ratio = 10 }, 262144, 26214, 19660, 13107);
	thresholds("100 % and 50 %",
		   (struct cgd_knobs){ .dirty_ratio = 100, .background_ratio = 50 }, 10000,
		   10000, 7500, 5000);
	thresholds("1 % of little is not less than the least limit",
		   (struct cgd_knobs){ .dirty_ratio = 1 }, 100, 64, 48, 32);
	thresholds("1 % of nothing likewise",
		   (struct cgd_knobs){ .dirty_ratio = 1 }, 0, 64, 48, 32);
	thresholds("bytes and a ratio of the other pair",
		   (struct cgd_knobs){ .dirty_bytes = 8 * MIB, .background_ratio = 1 }, 102400,
		   2048, 1536, 1024);
	thresholds("the largest limit",
		   (struct cgd_knobs){ .dirty_bytes = S64_MAX }, gib, PAGES((u64)S64_MAX),
		   PAGES((u64)S64_MAX) / 2 + (PAGES((u64)S64_MAX) - PAGES((u64)S64_MAX) / 2) / 2,
		   PAGES((u64)S64_MAX) / 2);
	thresholds("100 % of more memory than there can be",
		   (struct cgd_knobs){ .dirty_ratio = 100 }, ULONG_MAX - 1, ULONG_MAX - 1,
		   (ULONG_MAX - 1) / 2 + (ULONG_MAX - 1 - (ULONG_MAX - 1) / 2) / 2,
		   (ULONG_MAX - 1) / 2);
}

/* Whatever is set: background < limit, freerun between, all of it monotonous. */
static void test_order(void)
{
	unsigned int dirty, background, wrong = 0;
	unsigned long dirtyable, last;

	for (dirtyable = 1; dirtyable < 1UL << 40; dirtyable = dirtyable * 3 + 1) {
		for (background = 0; background <= 100; background += 10) {
			last = 0;
			for (dirty = 1; dirty <= 100; dirty++) {
				struct cgd_knobs knobs = {
					.dirty_ratio = dirty, .background_ratio = background
				};
				struct cgd_thresholds t = cgd_thresholds(&knobs, dirtyable);

				wrong += t.background >= t.limit || t.freerun < t.background ||
					 t.freerun >= t.limit || t.limit < last;
				last = t.limit;
			}
		}
	}
	ok(!wrong, "thresholds: in order for every ratio of every size of memory");
}

int main(void)
{
	const unsigned int planned = 93;

	printf("TAP version 13\n1..%u\n", planned);
	test_sizes();
	test_ratios();
	test_thresholds();
	test_order();
	return failures || reported != planned;
}
