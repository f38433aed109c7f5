// SPDX-License-Identifier: GPL-2.0
/*
 * failnth - a system call whose first, second, third ... allocation fails
 *
 *   failnth mkdir PATH
 *   failnth write FILE TEXT
 *   failnth read FILE
 *   failnth load MODULE.ko NAME
 *
 * Needs a kernel with fault injection. The call is made again and again until
 * there is no allocation left to fail, and undone where it works all the same
 * or at last. It may fail for want of memory only, and must work once there is
 * enough.
 */
#define _GNU_SOURCE
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static int nth_fd, file_fd;

static void set_nth(unsigned int nth)
{
	char text[16];
	int len = sprintf(text, "%u", nth);

	if (pwrite(nth_fd, text, len, 0) != len)
		err(1, "fail-nth");
}

/* Whether the allocation that was to fail has been come by. */
static bool failed_nth(void)
{
	char text[16] = "";

	if (pread(nth_fd, text, sizeof(text) - 1, 0) < 0)
		err(1, "fail-nth");
	set_nth(0);
	return !atoi(text);
}

static int act(char **argv)
{
	static char text[8192];

	switch (argv[1][0]) {
	case 'm':
		return mkdir(argv[2], 0777);
	case 'w':
		return write(file_fd, argv[3], strlen(argv[3])) < 0 ? -1 : 0;
	case 'r':
		return pread(file_fd, text, sizeof(text), 0) < 0 ? -1 : 0;
	}
	return syscall(SYS_finit_module, file_fd, "", 0);
}

static void undo(char **argv)
{
	if (argv[1][0] == 'm' && rmdir(argv[2]))
		err(1, "rmdir %s", argv[2]);
	if (argv[1][0] == 'l' && syscall(SYS_delete_module, argv[3], O_NONBLOCK))
		err(1, "unload %s", argv[3]);
}

int main(int argc, char **argv)
{
	unsigned int nth, refused = 0, worked = 0, wrong = 0;
	bool failed = true;

	if (argc < 3)
		errx(125, "usage: failnth mkdir PATH | write FILE TEXT | read FILE | load MODULE.ko NAME");
	nth_fd = open("/proc/thread-self/fail-nth", O_RDWR);
	if (nth_fd < 0)
		err(1, "fail-nth");
	for (nth = 1; failed; nth++) {
		int ret, error;

		/* configfs reads once an opening: each time a new one. */
		if (argv[1][0] != 'm') {
			file_fd = open(argv[2], argv[1][0] == 'w' ? O_WRONLY : O_RDONLY);
			if (file_fd < 0)
				err(1, "%s", argv[2]);
		}
		set_nth(nth);
		ret = act(argv);
		error = errno;
		failed = failed_nth();
		if (!ret) {
			worked += failed;
			undo(argv);
		} else if (failed && error == ENOMEM) {
			refused++;
		} else {
			wrong++;
			printf("# wrong: allocation %u: %s\n", nth, strerror(error));
		}
		if (argv[1][0] != 'm')
			close(file_fd);
	}
	printf("allocations=%u refused=%u worked=%u wrong=%u\n", nth - 2, refused, worked, wrong);
	return wrong != 0;
}
