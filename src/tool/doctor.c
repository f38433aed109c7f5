// SPDX-License-Identifier: GPL-2.0
/*
 * doctor.c - check this machine, and say what to do
 */
#include <dirent.h>
#include <glob.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cgroup.h"
#include "conf.h"
#include "module.h"
#include "print.h"
#include "tree.h"

static const struct opt opts[] = {
	OPT_JSON,
	{ 0 },
};

enum result {
	OK,
	WARNING,
	BAD,
};

/* What the module needs; scripts/probe/config has the same. */
static const char *const needed[] = {
	"CONFIG_X86_64", "CONFIG_MODULES", "CONFIG_MEMCG",
	"CONFIG_CGROUP_WRITEBACK", "CONFIG_CONFIGFS_FS", "CONFIG_TRACEPOINTS",
	"CONFIG_KPROBES", "CONFIG_DYNAMIC_FTRACE_WITH_REGS",
	"CONFIG_HAVE_STATIC_CALL", "!CONFIG_PREEMPT_RT",
};

static struct json_object *checks;
static enum result worst;
static bool unsupported;
static char *release;

#define NOTHING	"nothing to do"
#define OTHER_KERNEL	"use a kernel that is supported, or a newer cgdirty"

static void report(enum result result, const char *name, const char *advice,
		   const char *fmt, ...) __attribute__((format(printf, 4, 5)));

/* A line: how it is, what it is about, what was found, and what to do. */
static void report(enum result result, const char *name, const char *advice,
		   const char *fmt, ...)
{
	static const char *const word[] = { "ok", "warning", "failed" };
	static const enum colour colour[] = { GREEN, YELLOW, RED };
	struct json_object *check = json_object_new_object();
	char *finding = NULL;
	va_list args;

	va_start(args, fmt);
	if (vasprintf(&finding, fmt, args) < 0)
		exit(fail("out of memory"));
	va_end(args);
	if (result > worst)
		worst = result;
	if (!opt_json) {
		char padded[16];

		snprintf(padded, sizeof(padded), "%-7s", word[result]);
		print_colour(colour[result], padded);
		printf("  %-12s  %s; %s\n", name, finding, advice);
	}
	json_add(check, "check", json_text(name));
	json_add(check, "result", json_text(word[result]));
	json_add(check, "finding", json_text(finding));
	json_add(check, "advice", json_text(advice));
	json_object_array_add(checks, check);
	free(finding);
}

static char *read_rooted(const char *path)
{
	char *full = rooted("%s", path), *text = read_file(full);

	free(full);
	return text;
}

static bool is_there(const char *path)
{
	char *full = rooted("%s", path);
	bool there = !access(full, F_OK);

	free(full);
	return there;
}

static char *read_config(void)
{
	static const char *const places[] = {
		"/boot/config-%s", "/lib/modules/%s/config",
		"/lib/modules/%s/build/.config",
	};
	char *path, *text = NULL;
	size_t i;

	for (i = 0; !text && i < ARRAY_SIZE(places); i++) {
		char *plain = format(places[i], release);

		path = rooted("%s", plain);
		text = read_file(path);
		free(path);
		free(plain);
	}
	return text;
}

static bool has_option(const char *config, const char *option)
{
	size_t length = strlen(option);
	const char *line;

	for (line = config; line; line = strchr(line, '\n')) {
		line += *line == '\n';
		if (!strncmp(line, option, length) && line[length] == '=' &&
		    (line[length + 1] == 'y' || line[length + 1] == 'm'))
			return true;
	}
	return false;
}

static void check_kernel(void)
{
	char *config = read_config();
	bool all = true;
	size_t i;

	if (!config) {
		report(WARNING, "kernel", "load the module: it says what is missing",
		       "%s, whose configuration is not on this machine",
		       release);
		return;
	}
	for (i = 0; i < ARRAY_SIZE(needed); i++) {
		bool unwanted = *needed[i] == '!';

		if (has_option(config, needed[i] + unwanted) != unwanted)
			continue;
		all = false;
		report(BAD, "kernel", unwanted ?
		       "boot a kernel without this option" :
		       "boot a kernel that has this option",
		       "%s is built %s %s", release,
		       unwanted ? "with" : "without", needed[i] + unwanted);
	}
	unsupported = !all;
	if (all)
		report(OK, "kernel", NOTHING, "%s has all options", release);
	free(config);
}

static void check_ftrace(void)
{
	char *text = read_rooted("/proc/sys/kernel/ftrace_enabled");

	if (text && *text == '0')
		report(BAD, "ftrace", "run: sysctl kernel.ftrace_enabled=1",
		       "switched off, so no hook fires");
	else
		report(OK, "ftrace", NOTHING, "%s",
		       text ? "switched on" : "cannot be switched off here");
	free(text);
}

static void check_configfs(void)
{
	char *mounts = read_rooted("/proc/self/mountinfo");

	if (mounts && strstr(mounts, " /sys/kernel/config "))
		report(OK, "configfs", NOTHING,
		       "mounted on /sys/kernel/config");
	else
		report(BAD, "configfs",
		       "run: mount -t configfs configfs /sys/kernel/config",
		       "not mounted");
	free(mounts);
}

static void check_memory(void)
{
	char *controllers;

	if (!cgroup_find_root()) {
		report(BAD, "memory", "mount cgroup2 on /sys/fs/cgroup",
		       "no cgroup hierarchy");
		return;
	}
	if (!cgroup_is_v2()) {
		report(OK, "memory", NOTHING,
		       "the memory controller is in a cgroup v1 hierarchy");
		return;
	}
	controllers = read_rooted("/sys/fs/cgroup/cgroup.controllers");
	if (!controllers || strstr(controllers, "memory"))
		report(OK, "memory", NOTHING,
		       "the memory controller is in the cgroup v2 hierarchy");
	else
		report(BAD, "memory",
		       "take cgroup_disable=memory off the kernel's command line",
		       "no memory controller");
	free(controllers);
}

static void check_module(const struct module *module)
{
	char *version = module_info(module, "version");
	char *refuses = module_info(module, "refuses");
	char *advice = format("install this kernel's headers, then run: dkms install -m cgdirty -v %s -k %s",
			      CGD_VERSION, release);

	if (!module->module)
		report(BAD, "module", advice, "there is none for %s", release);
	else if (refuses)
		report(BAD, "module", OTHER_KERNEL,
		       "that for %s only says why it does not load: %s",
		       release, refuses);
	else if (version && strcmp(version, CGD_VERSION))
		report(WARNING, "module", advice,
		       "version %s is installed for %s, but this command is %s",
		       version, release, CGD_VERSION);
	else
		report(OK, "module", NOTHING, "version %s is installed for %s",
		       version ? version : "unknown", release);
	free(advice);
	free(refuses);
	free(version);
}

/* Any kernel that is installed may be the next to boot. */
static void check_others(void)
{
	char *dir = rooted("/lib/modules"), *path;
	DIR *stream = opendir(dir);
	struct dirent *entry;

	while (stream && (entry = readdir(stream))) {
		struct module module;
		char *advice, *refuses;
		bool kernel;

		path = format("%s/%s/modules.builtin", dir, entry->d_name);
		kernel = !access(path, F_OK);
		free(path);
		if (*entry->d_name == '.' || !kernel ||
		    !strcmp(entry->d_name, release))
			continue;
		module = module_find(entry->d_name);
		advice = format("install that kernel's headers, then run: dkms install -m cgdirty -v %s -k %s",
				CGD_VERSION, entry->d_name);
		refuses = module_info(&module, "refuses");
		if (refuses)
			report(WARNING, "other kernel", OTHER_KERNEL,
			       "%s will have no limits: %s", entry->d_name,
			       refuses);
		else if (module.module)
			report(OK, "other kernel", NOTHING, "%s has the module",
			       entry->d_name);
		else
			report(WARNING, "other kernel", advice,
			       "%s has no module", entry->d_name);
		free(refuses);
		free(advice);
		module_put(&module);
	}
	if (stream)
		closedir(stream);
	free(dir);
}

static bool secure_boot(void)
{
	char *path = rooted("/sys/firmware/efi/efivars/SecureBoot-8be4df61-93ca-11d2-aa0d-00e098032b8c");
	FILE *file = fopen(path, "re");
	unsigned char value[5];
	bool on = file && fread(value, 1, 5, file) == 5 && value[4] == 1;

	if (file)
		fclose(file);
	free(path);
	return on;
}

/* Whether the kernel takes signed modules only. */
static bool must_be_signed(void)
{
	char *enforce = read_rooted("/sys/module/module/parameters/sig_enforce");
	char *lockdown = read_rooted("/sys/kernel/security/lockdown");
	bool must = (enforce && *enforce == 'Y') ||
		    (lockdown && !strstr(lockdown, "[none]"));

	free(enforce);
	free(lockdown);
	return must;
}

static void check_signature(const struct module *module)
{
	static const char *const keys[] = {
		"/var/lib/dkms/mok.pub", "/var/lib/shim-signed/mok/MOK.der",
	};
	const char *key = is_there(keys[1]) && !is_there(keys[0]) ? keys[1] :
								    keys[0];
	char *signer = module_info(module, "signer");
	char *import = format("if it does not load, run: mokutil --import %s, reboot, and confirm with the password",
			      key);
	char *sign = format("run: mokutil --import %s, reboot, confirm with the password, then: dkms install -m cgdirty -v %s -k %s --force",
			    key, CGD_VERSION, release);

	if (!secure_boot() && !must_be_signed())
		report(OK, "signature", NOTHING,
		       "Secure Boot is off and the kernel asks for none");
	else if (module_is_loaded())
		report(OK, "signature", NOTHING,
		       "the kernel asks for one, and has taken the module's");
	else if (!module->module)
		report(WARNING, "signature", import,
		       "the kernel asks for one, but there is no module yet");
	else if (signer)
		report(WARNING, "signature", import,
		       "the kernel asks for one; the module's is by \"%s\"",
		       signer);
	else
		report(BAD, "signature", sign,
		       "the kernel asks for one, and the module has none");
	free(import);
	free(sign);
	free(signer);
}

static void check_loaded(const struct module *module)
{
	char *version = tree_version(), *disk = module_info(module, "version");

	if (!module_is_loaded())
		report(BAD, "loaded", "run: cgdirty load", "no");
	else if (!version)
		report(BAD, "loaded",
		       "run as root, or mount configfs on /sys/kernel/config",
		       "yes, but its tree cannot be read");
	else if (disk && strcmp(version, disk))
		report(WARNING, "loaded",
		       "run: cgdirty unload && cgdirty load && cgdirty apply; or reboot",
		       "version %s, but %s is installed", version, disk);
	else
		report(OK, "loaded", NOTHING, "version %s", version);
	free(disk);
	free(version);
}

static void check_hooks(void)
{
	char *text = tree_hooks();
	const char *rest = text;
	struct hook hook;
	int failed = 0, count = 0;

	while (text && hook_next(&rest, &hook)) {
		count++;
		if (strcmp(hook.state, "failed"))
			continue;
		failed++;
		report(BAD, "hooks",
		       "take away the live patch or BPF program on that function, then: cgdirty unload && cgdirty load && cgdirty apply",
		       "%s on %s: %s", hook.name, hook.symbol, hook.error);
	}
	if (text && !failed)
		report(OK, "hooks", NOTHING, "all %d can be attached", count);
	free(text);
}

static void check_files(void)
{
	struct conf conf = { 0 };

	if (conf_read_all(&conf, NULL))
		report(BAD, "files", "mend the lines named above; until then none of the files is applied",
		       "a file in /etc/cgdirty.d or /usr/lib/cgdirty.d is bad");
	else
		report(OK, "files", NOTHING, "%zu cgroups have a limit in files",
		       conf.count);
}

/* What is in files is in force after a boot only if something applies it. */
static void check_boot(void)
{
	char *pattern = rooted("/etc/systemd/system/*.wants/cgdirty.service");
	glob_t found = { 0 };

	if (!unit_has_file("cgdirty.service"))
		report(WARNING, "boot",
		       "install the package, or run at boot: cgdirty load && cgdirty apply",
		       "there is no cgdirty.service");
	else if (glob(pattern, 0, NULL, &found))
		report(WARNING, "boot", "run: systemctl enable cgdirty.service",
		       "cgdirty.service is not enabled");
	else
		report(OK, "boot", NOTHING, "cgdirty.service is enabled");
	globfree(&found);
	free(pattern);
}

static int doctor(int argc, char **argv)
{
	struct module module;

	if (argc)
		return usage_error("%s: no argument is wanted", argv[0]);
	checks = json_object_new_array();
	release = kernel_release();
	module = module_find(release);
	check_kernel();
	check_ftrace();
	check_configfs();
	check_memory();
	check_module(&module);
	check_others();
	check_signature(&module);
	check_loaded(&module);
	check_hooks();
	check_files();
	check_boot();
	module_put(&module);
	if (opt_json)
		json_print("doctor", "checks", checks);
	if (unsupported)
		return UNSUPPORTED;
	if (worst == BAD)
		return module_is_loaded() ? FAILED : NOT_LOADED;
	return DONE;
}

const struct verb verb_doctor = {
	.name = "doctor",
	.args = "",
	.summary = "check this machine and say what to do",
	.opts = opts,
	.run = doctor,
};
