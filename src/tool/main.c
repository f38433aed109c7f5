// SPDX-License-Identifier: GPL-2.0
/*
 * main.c - the table of verbs, their options and their help
 */
#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <locale.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tool.h"

static const struct verb *const verbs[] = {
	&verb_set, &verb_unset, &verb_show, &verb_list, &verb_top, &verb_apply,
	&verb_run, &verb_load, &verb_unload, &verb_doctor, &verb_metrics,
};

#define NR_VERBS ARRAY_SIZE(verbs)
#define MAX_OPTS 8

bool opt_json, opt_bytes, opt_runtime;
const char *opt_pid;

static const struct verb *current;

/**
 * usage_error() - say what is wrong with how a verb was called
 * @fmt: as for printf
 *
 * Return: USAGE.
 */
int usage_error(const char *fmt, ...)
{
	const char *name = current ? current->name : "";
	va_list args;

	fputs("cgdirty: ", stderr);
	va_start(args, fmt);
	vfprintf(stderr, fmt, args);
	va_end(args);
	fprintf(stderr, "\nTry: cgdirty %s%s--help\n", name, *name ? " " : "");
	return USAGE;
}

static void help(FILE *to)
{
	size_t i;

	fputs("usage: cgdirty VERB [OPTION]... [ARGUMENT]...\n\n"
	      "Limits on the dirty page cache of cgroups.\n\n", to);
	for (i = 0; i < NR_VERBS; i++)
		fprintf(to, "  %-9s %s\n", verbs[i]->name, verbs[i]->summary);
	fputs("\n"
	      "  -h, --help     this text; after a verb, its options\n"
	      "  -V, --version  the version of this command\n\n"
	      "CGROUP is a path below the root of the hierarchy, or the name of a\n"
	      "systemd unit. KEY is dirty_bytes, dirty_ratio, dirty_background_bytes or\n"
	      "dirty_background_ratio.\n\n"
	      "Exit status: 0 done, 1 failed, 2 wrong usage, 3 the module is not loaded,\n"
	      "4 this kernel is not supported. See also: man 8 cgdirty\n",
	      to);
}

static void help_option(char letter, const char *name, const char *arg,
			const char *text)
{
	char form[40];

	snprintf(form, sizeof(form), "--%s%s%s", name, arg ? " " : "",
		 arg ? arg : "");
	if (letter)
		printf("  -%c, %-20s %s\n", letter, form, text);
	else
		printf("      %-20s %s\n", form, text);
}

static void help_verb(const struct verb *verb)
{
	const struct opt *opt;

	printf("usage: cgdirty %s [OPTION]...%s%s\n\n%c%s.\n\n", verb->name,
	       *verb->args ? " " : "", verb->args, toupper(*verb->summary),
	       verb->summary + 1);
	for (opt = verb->opts; opt->name; opt++)
		help_option(opt->letter, opt->name, opt->arg, opt->help);
	help_option('h', "help", NULL, "this text");
}

/* Lets getopt_long() know the options of a verb. Values start at 256. */
static void for_getopt(const struct verb *verb, char *letters,
		       struct option *forms)
{
	int i;

	if (verb->in_order)
		*letters++ = '+';
	*letters++ = 'h';
	for (i = 0; verb->opts[i].name; i++) {
		const struct opt *opt = &verb->opts[i];

		forms[i] = (struct option){
			.name = opt->name,
			.has_arg = opt->arg ? required_argument : no_argument,
			.val = 256 + i,
		};
		if (!opt->letter)
			continue;
		*letters++ = opt->letter;
		if (opt->arg)
			*letters++ = ':';
	}
	forms[i++] = (struct option){ .name = "help", .val = 'h' };
	forms[i] = (struct option){ 0 };
	*letters = '\0';
}

static const struct opt *find_opt(const struct verb *verb, int value)
{
	const struct opt *opt;

	if (value >= 256)
		return &verb->opts[value - 256];
	for (opt = verb->opts; opt->letter != value; opt++)
		;
	return opt;
}

static int call(const struct verb *verb, int argc, char **argv)
{
	struct option forms[MAX_OPTS + 2];
	char letters[2 * MAX_OPTS + 4];
	int value;

	current = verb;
	for_getopt(verb, letters, forms);
	argv[0] = (char *)"cgdirty";
	while ((value = getopt_long(argc, argv, letters, forms, NULL)) != -1) {
		const struct opt *opt;

		if (value == 'h') {
			help_verb(verb);
			return DONE;
		}
		if (value == '?') {
			fprintf(stderr, "Try: cgdirty %s --help\n", verb->name);
			return USAGE;
		}
		opt = find_opt(verb, value);
		if (opt->arg)
			*opt->text = optarg;
		else
			*opt->on = true;
	}
	return verb->run(argc - optind, argv + optind);
}

static int no_such_verb(const char *name)
{
	struct names names = { 0 };
	const char *nearest;
	size_t i;

	for (i = 0; i < NR_VERBS; i++)
		names_add(&names, copy(verbs[i]->name));
	nearest = names_nearest(&names, name);
	if (nearest)
		return usage_error("no verb %s; did you mean %s?", name,
				   nearest);
	return usage_error("no verb %s", name);
}

static int dispatch(int argc, char **argv)
{
	size_t i;

	if (argc < 2) {
		help(stderr);
		return USAGE;
	}
	if (!strcmp(argv[1], "-h") || !strcmp(argv[1], "--help")) {
		help(stdout);
		return DONE;
	}
	if (!strcmp(argv[1], "-V") || !strcmp(argv[1], "--version")) {
		puts("cgdirty " CGD_VERSION);
		return DONE;
	}
	for (i = 0; i < NR_VERBS; i++)
		if (!strcmp(argv[1], verbs[i]->name))
			return call(verbs[i], argc - 1, argv + 1);
	return no_such_verb(argv[1]);
}

int main(int argc, char **argv)
{
	int ret;

	setlocale(LC_CTYPE, "");
	ret = dispatch(argc, argv);
	/* Whoever reads a file of ours must not take a part for the whole. */
	if (fflush(stdout) || ferror(stdout)) {
		say("cannot write the output: %s", strerror(errno));
		return ret ? ret : FAILED;
	}
	return ret;
}
