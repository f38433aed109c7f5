// SPDX-License-Identifier: GPL-2.0
/*
 * load.c - load the module, and say in plain words why if that fails
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <unistd.h>

#include "module.h"
#include "tool.h"
#include "tree.h"

static const struct opt opts[] = {
	{ 0 },
};

/* The kernel's log from now on; -1 if it cannot be read. */
static int open_log(void)
{
	char *path = rooted("/dev/kmsg");
	int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);

	free(path);
	if (fd >= 0)
		lseek(fd, 0, SEEK_END);
	return fd;
}

/* What the module said: each read gives one record, "...;text\n...". */
static void repeat_log(int fd)
{
	char record[2048], *text;
	ssize_t length;

	while ((length = read(fd, record, sizeof(record) - 1)) > 0 ||
	       (length < 0 && errno == EPIPE)) {
		if (length < 0)
			continue;
		record[length] = '\0';
		text = strchr(record, ';');
		if (!text || strncmp(text + 1, "cgdirty: ", 9))
			continue;
		text[strcspn(text, "\n")] = '\0';
		say("the kernel's log says: %s", text + 10);
	}
}

static int explain(int error, const char *release)
{
	switch (error) {
	case ENOEXEC:
		fail("the module was built for another kernel than %s; run: dkms install -m cgdirty -v %s -k %s --force",
		     release, CGD_VERSION, release);
		return UNSUPPORTED;
	case EKEYREJECTED:
	case EKEYEXPIRED:
	case ENOKEY:
		return fail("this kernel takes only modules whose key it knows; run: mokutil --import /var/lib/dkms/mok.pub, reboot, and confirm");
	case EPERM:
		return fail(geteuid() ? "only root can load a module" :
					"the kernel's lockdown forbids it; run: cgdirty doctor");
	case ENOENT:
	case EOPNOTSUPP:
	case EINVAL:
		fail("kernel %s lacks what the module needs (%s); run: cgdirty doctor",
		     release, strerror(error));
		return UNSUPPORTED;
	case EBUSY:
		return fail("somebody else holds a function of the kernel that the module needs: a live patch or a BPF program; take that away first");
	default:
		return fail("cannot load the module: %s", strerror(error));
	}
}

static int insert(const char *release)
{
	struct module module = module_find(release);
	int log, error, ret = DONE;

	if (!module.module) {
		module_put(&module);
		return fail("there is no module for kernel %s; install the headers of this kernel, then run: dkms autoinstall -k %s",
			    release, release);
	}
	progress("loading the module");
	log = open_log();
	error = kmod_module_probe_insert_module(module.module, 0, NULL, NULL,
						NULL, NULL);
	progress("%s", "");
	if (error < 0) {
		ret = explain(-error, release);
		if (log >= 0)
			repeat_log(log);
	}
	if (log >= 0)
		close(log);
	module_put(&module);
	return ret;
}

static int load(int argc, char **argv)
{
	char *release, *config;
	int ret = DONE;

	if (argc)
		return usage_error("%s: no argument is wanted", argv[0]);
	release = kernel_release();
	if (!module_is_loaded())
		ret = insert(release);
	free(release);
	if (ret || tree_is_there())
		return ret;
	config = rooted("/sys/kernel/config");
	if (mount("configfs", config, "configfs", 0, NULL) && errno != EBUSY)
		ret = fail("cannot mount configfs on %s: %s", config,
			   strerror(errno));
	else if (!tree_is_there())
		ret = fail("the module is loaded, but its tree is not in %s",
			   config);
	free(config);
	return ret;
}

const struct verb verb_load = {
	.name = "load",
	.args = "",
	.summary = "load the module",
	.opts = opts,
	.run = load,
};
