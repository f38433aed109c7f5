// SPDX-License-Identifier: GPL-2.0
/*
 * fake.c - a kernel's side of configfs and cgroupfs, over plain folders
 *
 * Preloaded into the command. Below CGDIRTY_ROOT a new directory of the tree
 * gets its attributes, one of the hierarchy its files, and both can be removed
 * with them; what is written to an attribute is taken or refused by the
 * module's own parser. Nothing of this machine's kernel is asked to change: no
 * module is loaded or unloaded, nothing is mounted.
 */
#include <dirent.h>
#include <dlfcn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cgdirty/limit.h>

#define CONFIG "/sys/kernel/config/cgdirty/"
#define CGROUP "/sys/fs/cgroup/"

/* The part of @path below @dir of the fake machine, or NULL. */
static const char *below(const char *path, const char *dir)
{
	const char *root = getenv("CGDIRTY_ROOT");
	size_t length = root ? strlen(root) : 0;

	if (!length || strncmp(path, root, length) ||
	    strncmp(path + length, dir, strlen(dir)))
		return NULL;
	return path + length + strlen(dir);
}

static void put(const char *dir, const char *name, const char *text)
{
	char path[8192];
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	file = fopen(path, "w");
	if (file) {
		fputs(text, file);
		fclose(file);
	}
}

static int has_cgroup(const char *cgroup)
{
	char path[8192];

	snprintf(path, sizeof(path), "%s" CGROUP "%s/cgroup.procs",
		 getenv("CGDIRTY_ROOT"), cgroup);
	return !access(path, F_OK);
}

static void put_stat(const char *dir, const char *limit, const char *background)
{
	char text[512];

	snprintf(text, sizeof(text),
		 "file_dirty 0\nfile_writeback 0\nlimit %s\nbackground %s\n"
		 "peak 0\nthrottled 0\nthrottled_usec 0\nwriteout_bytes 0\n"
		 "writeout_usec 0\n", limit, background);
	put(dir, "stat", text);
}

int mkdir(const char *path, mode_t mode)
{
	const char *group = below(path, CONFIG);

	if (group && strchr(group, '\n')) {
		errno = EINVAL;
		return -1;
	}
	if (syscall(SYS_mkdir, path, mode))
		return -1;
	if (group) {
		put(path, "dirty_bytes", "max\n");
		put(path, "dirty_ratio", "max\n");
		put(path, "dirty_background_bytes", "max\n");
		put(path, "dirty_background_ratio", "max\n");
		put(path, "state", has_cgroup(group) ? "attached\n" : "pending\n");
		put_stat(path, "max", "max");
	} else if (below(path, CGROUP)) {
		put(path, "cgroup.procs", "");
		put(path, "memory.stat", "file_dirty 0\nfile_writeback 0\n");
	}
	return 0;
}

/* Attributes do not keep a directory from being removed; directories do. */
int rmdir(const char *path)
{
	DIR *dir = opendir(path);
	struct dirent *entry;
	char file[8192];
	int full = 0;

	while (dir && (entry = readdir(dir)))
		full |= entry->d_type == DT_DIR && *entry->d_name != '.';
	if (full || !dir || (!below(path, CONFIG) && !below(path, CGROUP))) {
		if (dir)
			closedir(dir);
		return syscall(SYS_rmdir, path);
	}
	rewinddir(dir);
	while ((entry = readdir(dir))) {
		snprintf(file, sizeof(file), "%s/%s", path, entry->d_name);
		unlink(file);
	}
	closedir(dir);
	return syscall(SYS_rmdir, path);
}

static void put_number(const char *dir, const char *name, u64 value)
{
	char text[32];

	snprintf(text, sizeof(text), value ? "%llu\n" : "max\n",
		 (unsigned long long)value);
	put(dir, name, text);
}

/* As store_knob() in the module's tree.c. */
static int store(char *path, char *name, const char *text)
{
	int ratio = !!strstr(name, "ratio"), ret;
	char twin[64], limit[32] = "max";
	unsigned int percent;
	u64 bytes;

	ret = ratio ? cgd_parse_ratio(text, &percent) :
		      cgd_parse_bytes(text, &bytes);
	if (ret)
		return ret;
	*name++ = '\0';
	snprintf(twin, sizeof(twin), "%.*s%s",
		 (int)(strrchr(name, '_') + 1 - name), name,
		 ratio ? "bytes" : "ratio");
	put_number(path, name, ratio ? percent : bytes);
	put_number(path, twin, 0);
	if (!strcmp(name, "dirty_bytes")) {
		if (bytes)
			snprintf(limit, sizeof(limit), "%llu",
				 (unsigned long long)bytes);
		put_stat(path, limit, "max");
	}
	return 0;
}

ssize_t write(int fd, const void *data, size_t size)
{
	char link[32], path[8192] = "", text[128] = "";
	ssize_t length;
	int ret;

	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	length = readlink(link, path, sizeof(path) - 1);
	if (length < 0 || !below(path, CONFIG) || size >= sizeof(text))
		return syscall(SYS_write, fd, data, size);
	memcpy(text, data, size);
	ret = store(path, strrchr(path, '/'), text);
	if (!ret)
		return size;
	errno = -ret;
	return -1;
}

/* What the kernel would say to loading, unloading and mounting. */
static int answer(const char *variable)
{
	errno = atoi(getenv(variable) ?: "1");
	return errno ? -1 : 0;
}

int mount(const char *source, const char *target, const char *type,
	  unsigned long flags, const void *data)
{
	(void)source, (void)target, (void)type, (void)flags, (void)data;
	return answer("FAKE_MOUNT");
}

int delete_module(const char *name, unsigned int flags)
{
	(void)name, (void)flags;
	return answer("FAKE_UNLOAD");
}

int init_module(void *image, unsigned long size, const char *options)
{
	(void)image, (void)size, (void)options;
	return answer("FAKE_LOAD");
}

/* libkmod has no other way to finit_module(2). */
long syscall(long number, ...)
{
	long (*real)(long number, ...) = dlsym(RTLD_NEXT, "syscall");
	long argument[6];
	va_list args;
	int i;

	va_start(args, number);
	for (i = 0; i < 6; i++)
		argument[i] = va_arg(args, long);
	va_end(args);
	if (number == SYS_finit_module)
		return answer("FAKE_LOAD");
	return real(number, argument[0], argument[1], argument[2], argument[3],
		    argument[4], argument[5]);
}
