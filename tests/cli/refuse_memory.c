// SPDX-License-Identifier: MIT
/// An allocator for LD_PRELOAD that refuses allocation ZT_REFUSE_AT of the process, counted from 1,
/// and with ZT_REFUSE_ALL=1 every later one as well. It says on descriptor 9 that it did.
#define _DEFAULT_SOURCE
#include <errno.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#pragma GCC visibility push(default)
// glibc's own names of its allocator.
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *block, size_t size);
void *__libc_memalign(size_t align, size_t size);

static atomic_long allocations;
static long refused_at;
static bool all;

__attribute__((constructor)) static void start(void)
{
    const char *at = getenv("ZT_REFUSE_AT"), *later = getenv("ZT_REFUSE_ALL");
    refused_at = at ? atol(at) : 0;
    all = later && later[0] == '1';
    atomic_store(&allocations, 0);
}

static bool refuse(void)
{
    const long number = atomic_fetch_add(&allocations, 1) + 1;
    if (refused_at <= 0 || number < refused_at || (!all && number > refused_at))
        return false;
    const ssize_t said = write(9, "refused\n", 8);
    (void)said;
    errno = ENOMEM;
    return true;
}

void *malloc(size_t size) { return refuse() ? NULL : __libc_malloc(size); }

void *calloc(size_t count, size_t size) { return refuse() ? NULL : __libc_calloc(count, size); }

void *realloc(void *block, size_t size) { return refuse() ? NULL : __libc_realloc(block, size); }

void *aligned_alloc(size_t align, size_t size)
{
    return refuse() ? NULL : __libc_memalign(align, size);
}

/// Blocks of arenas: anonymous memory. Files are mapped as ever.
void *mmap(void *at, size_t size, int protection, int flags, int file, off_t offset)
{
    if ((flags & MAP_ANONYMOUS) != 0 && refuse())
        return MAP_FAILED;
    return (void *)syscall(SYS_mmap, at, size, protection, flags, file, offset);
}

int posix_memalign(void **out, size_t align, size_t size)
{
    *out = refuse() ? NULL : __libc_memalign(align, size);
    return *out ? 0 : ENOMEM;
}
