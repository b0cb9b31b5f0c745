// SPDX-License-Identifier: MIT
/// Reading behind the end of a mapped file that was truncated kills the process (SIGBUS), and a
/// file that is written to changes after it was checked. So a file is only mapped under a lease
/// (fcntl(2), F_SETLEASE): the system grants one when no process has the file open for writing, and
/// a process that then wants to write to it or truncate it waits until the lease is released.
/// Without leases (other systems, network file systems, files of another user) files are read. One
/// gap is left: a writer waits no longer than /proc/sys/fs/lease-break-time, 45 seconds by default;
/// a file that takes longer to load is not protected after that.
#define _GNU_SOURCE // F_SETLEASE
#include "base/file_map.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#if defined(F_SETLEASE) && defined(F_SETSIG) && defined(MAP_ANONYMOUS)

typedef struct file_mapping {
    void *memory;
    size_t size; ///< bytes mapped, including those behind the end of the file
    int descriptor;
} file_mapping;

static void release_mapping(void *guest)
{
    const file_mapping *m = guest;
    munmap(m->memory, m->size);
    close(m->descriptor); // releases the lease
}

/// Chooses, for the notice of a waiting writer, a signal that is ignored by default, and no
/// receiver.
static bool take_lease(int descriptor)
{
    return fcntl(descriptor, F_SETSIG, SIGURG) == 0 &&
           fcntl(descriptor, F_SETLEASE, F_RDLCK) == 0 && fcntl(descriptor, F_SETOWN, 0) == 0;
}

static void give_lease(int descriptor)
{
    (void)fcntl(descriptor, F_SETLEASE, F_UNLCK);
}

/// Maps the file over the start of memory whose last page is zero, because a file that fills its
/// pages has no byte behind its last one. NULL when the system refuses.
static void *map_before_zero(int descriptor, size_t size, size_t whole)
{
    void *memory = mmap(NULL, whole, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        return NULL;
    if (mmap(memory, size, PROT_READ, MAP_PRIVATE | MAP_FIXED | MAP_POPULATE, descriptor, 0) ==
        MAP_FAILED) {
        munmap(memory, whole);
        return NULL;
    }
    return memory;
}

static bool map_leased(arena *a, int descriptor, file_bytes *out)
{
    struct stat status;
    const long page = sysconf(_SC_PAGESIZE);
    // Measured again: under the lease the size cannot change.
    if (fstat(descriptor, &status) != 0 || (uint64_t)status.st_size < FILE_MAP_MIN ||
        (uint64_t)status.st_size > FILE_SIZE_LIMIT || page <= 0)
        return false;
    const size_t size = (size_t)status.st_size;
    const size_t whole = (size / (size_t)page + 1) * (size_t)page;
    file_mapping *mapping = ARENA_ARRAY_RAW(a, file_mapping, 1);
    void *memory = mapping ? map_before_zero(descriptor, size, whole) : NULL;
    if (!memory)
        return false;
    *mapping = (file_mapping){memory, whole, descriptor};
    if (!arena_adopt(a, size + 1, release_mapping, mapping)) {
        munmap(memory, whole);
        return false;
    }
    *out = (file_bytes){memory, size};
    return true;
}

bool file_map(arena *a, int descriptor, file_bytes *out)
{
    struct stat status;
    if (fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode) ||
        (uint64_t)status.st_size < FILE_MAP_MIN || !take_lease(descriptor))
        return false;
    if (map_leased(a, descriptor, out))
        return true;
    give_lease(descriptor);
    return false;
}

#else

bool file_map(arena *a, int descriptor, file_bytes *out)
{
    (void)a, (void)descriptor, (void)out;
    return false;
}

#endif
