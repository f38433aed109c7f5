// SPDX-License-Identifier: GPL-2.0
/*
 * fused - serve a file system of one file, "f", which is kept in another file
 *
 * Speaks FUSE with the kernel by itself, with the writeback cache on: what is
 * written to "f" gets dirty first, and comes here when it is written out. What
 * this program then writes to the other file gets dirty in turn.
 */
#define _GNU_SOURCE
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/fuse.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#define FILE_NODE	2
#define FOREVER		100000
#define MAX_WRITE	(128 * 1024)

static int device, backing;
static uint64_t size;

static void reply(const struct fuse_in_header *in, int error, const void *data, size_t len)
{
	struct fuse_out_header out = {
		.len = sizeof(out) + len,
		.error = error,
		.unique = in->unique,
	};
	struct iovec parts[] = { { &out, sizeof(out) }, { (void *)data, len } };

	/* Who asked may have been killed meanwhile. */
	if (writev(device, parts, len ? 2 : 1) < 0 && errno != ENOENT)
		err(1, "reply");
}

static struct fuse_attr attributes(uint64_t node)
{
	struct fuse_attr attr = { .ino = node, .nlink = 1, .blksize = 4096 };

	if (node == FILE_NODE) {
		attr.mode = S_IFREG | 0600;
		attr.size = size;
	} else {
		attr.mode = S_IFDIR | 0700;
	}
	return attr;
}

static void init(const struct fuse_in_header *in)
{
	struct fuse_init_out out = {
		.major = FUSE_KERNEL_VERSION,
		.minor = 31,
		.flags = FUSE_WRITEBACK_CACHE | FUSE_BIG_WRITES,
		.max_background = 16,
		.congestion_threshold = 12,
		.max_write = MAX_WRITE,
		.time_gran = 1,
	};

	reply(in, 0, &out, sizeof(out));
}

static void lookup(const struct fuse_in_header *in, const char *name)
{
	struct fuse_entry_out out = {
		.nodeid = FILE_NODE,
		.entry_valid = FOREVER,
		.attr_valid = FOREVER,
		.attr = attributes(FILE_NODE),
	};

	if (strcmp(name, "f"))
		reply(in, -ENOENT, NULL, 0);
	else
		reply(in, 0, &out, sizeof(out));
}

static void getattr(const struct fuse_in_header *in)
{
	struct fuse_attr_out out = {
		.attr_valid = FOREVER,
		.attr = attributes(in->nodeid),
	};

	reply(in, 0, &out, sizeof(out));
}

static void opened(const struct fuse_in_header *in)
{
	struct fuse_open_out out = { .fh = 1 };

	reply(in, 0, &out, sizeof(out));
}

static void store(const struct fuse_in_header *in, const struct fuse_write_in *arg)
{
	struct fuse_write_out out = { 0 };
	ssize_t len = pwrite(backing, arg + 1, arg->size, arg->offset);

	if (len < 0) {
		reply(in, -errno, NULL, 0);
		return;
	}
	out.size = len;
	if (arg->offset + len > size)
		size = arg->offset + len;
	reply(in, 0, &out, sizeof(out));
}

static void serve(const struct fuse_in_header *in)
{
	const void *arg = in + 1;

	switch (in->opcode) {
	case FUSE_INIT:
		init(in);
		break;
	case FUSE_LOOKUP:
		lookup(in, arg);
		break;
	case FUSE_SETATTR:
		if (((const struct fuse_setattr_in *)arg)->valid & FATTR_SIZE)
			size = ((const struct fuse_setattr_in *)arg)->size;
		getattr(in);
		break;
	case FUSE_GETATTR:
		getattr(in);
		break;
	case FUSE_OPEN:
		opened(in);
		break;
	case FUSE_WRITE:
		store(in, arg);
		break;
	case FUSE_FORGET:
	case FUSE_BATCH_FORGET:
		break;			/* no answer is expected */
	case FUSE_FLUSH:
	case FUSE_FSYNC:
	case FUSE_RELEASE:
	case FUSE_READ:
		reply(in, 0, NULL, 0);
		break;
	default:
		reply(in, -ENOSYS, NULL, 0);
	}
}

int main(int argc, char **argv)
{
	static char request[MAX_WRITE + 65536];
	char options[128];

	if (argc != 3)
		errx(125, "usage: fused MOUNT-POINT FILE");
	backing = open(argv[2], O_RDWR | O_CREAT | O_TRUNC, 0600);
	if (backing < 0)
		err(125, "%s", argv[2]);
	device = open("/dev/fuse", O_RDWR);
	if (device < 0)
		err(125, "/dev/fuse");
	snprintf(options, sizeof(options), "fd=%d,rootmode=40000,user_id=0,group_id=0", device);
	if (mount("fused", argv[1], "fuse.fused", 0, options))
		err(125, "%s", argv[1]);
	for (;;) {
		ssize_t len = read(device, request, sizeof(request));

		if (len < 0 && errno == ENODEV)
			return 0;	/* unmounted */
		if (len >= (ssize_t)sizeof(struct fuse_in_header))
			serve((void *)request);
		else if (errno != EINTR && errno != EAGAIN && errno != ENOENT)
			err(1, "/dev/fuse");
	}
}
