/* SPDX-License-Identifier: GPL-2.0 */
/* As much of the kernel's headers as the files under test need, in user space. */
#ifndef UNIT_KERNEL_H
#define UNIT_KERNEL_H

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

typedef uint64_t u64;
typedef int64_t s64;

#define U64_MAX UINT64_MAX
#define S64_MAX INT64_MAX
#define PAGE_SHIFT 12
#define PAGE_SIZE (1UL << PAGE_SHIFT)
#define fallthrough __attribute__((__fallthrough__))
#define min_t(type, a, b) ((type)(a) < (type)(b) ? (type)(a) : (type)(b))
#define max_t(type, a, b) ((type)(a) > (type)(b) ? (type)(a) : (type)(b))

#endif
