// SPDX-License-Identifier: MIT
#define _DEFAULT_SOURCE // flock
#include "base/file_temporary.h"

#include "base/hash.h"
#include "base/path.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/auxv.h>
#endif

enum {
    TRIES = 10000,  // names tried; running and crashed writers use some
    NAME_KEPT = 200 // bytes of the final name in the temporary one (names end at 255)
};

/// Locks a file that was just made. False when a sweep came in between and took it for dead: it
/// holds the lock, or has removed the name. Where there are no locks, there are no sweeps.
static bool lock(int descriptor)
{
    struct stat status;
    if (flock(descriptor, LOCK_EX | LOCK_NB) != 0)
        return errno != EWOULDBLOCK;
    return fstat(descriptor, &status) != 0 || status.st_nlink > 0;
}

void file_temporary_mark(char out[FILE_TEMPORARY_MARK])
{
    struct {
        uint64_t pid;
        uint8_t made_up[16];
    } process = {.pid = (uint64_t)getpid()};
#ifdef __linux__
    const void *made_up = (const void *)getauxval(AT_RANDOM); // NOLINT: the kernel's interface
    if (made_up)
        memcpy(process.made_up, made_up, sizeof process.made_up);
#endif
    snprintf(out, FILE_TEMPORARY_MARK, ".tmp-%016" PRIx64 "-",
             hash_bytes(HASH_START, &process, sizeof process));
}

int file_temporary_create(int folder, const char *path, char **out_path)
{
    const char *name = path_name(path);
    const int folder_length = (int)path_folder_length(path);
    const size_t size = strlen(path) + 64;
    char *temporary = malloc(size), mark[FILE_TEMPORARY_MARK];
    int descriptor = -1;
    *out_path = NULL;
    errno = ENOMEM;
    if (!temporary)
        return -1;
    file_temporary_mark(mark);
    for (int n = 0; n < TRIES; n++) {
        snprintf(temporary, size, "%.*s.%.*s%s%d", folder_length, path, NAME_KEPT, name, mark, n);
        descriptor = openat(folder, temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (descriptor >= 0 && lock(descriptor))
            break;
        if (descriptor >= 0)
            close(descriptor);
        else if (errno != EEXIST)
            break;
        descriptor = -1;
        errno = EEXIST;
    }
    if (descriptor < 0)
        free(temporary);
    else
        *out_path = temporary;
    return descriptor;
}

/// True when `name` is ".NAME.tmp-PROCESS-N", and NAME ends with `suffix` unless it is cut off.
static bool is_temporary(const char *name, const char *suffix)
{
    const char *mark = NULL;
    for (const char *at = name; (at = strstr(at, ".tmp-")) != NULL; at++)
        mark = at;
    if (name[0] != '.' || !mark || mark == name)
        return false;
    const size_t kept = (size_t)(mark - name) - 1, length = strlen(suffix);
    if (kept != NAME_KEPT && (kept < length || memcmp(mark - length, suffix, length) != 0))
        return false;
    char *end;
    (void)strtoull(mark + 5, &end, 16);
    if (end == mark + 5 || *end != '-' || end[1] < '0' || end[1] > '9')
        return false;
    (void)strtol(end + 1, &end, 10);
    return *end == '\0';
}

static void remove_if_dead(int folder, const char *name, double idle_s)
{
    struct stat status;
    const int descriptor = openat(folder, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (descriptor < 0)
        return;
    if (flock(descriptor, LOCK_EX | LOCK_NB) == 0 && fstat(descriptor, &status) == 0 &&
        difftime(time(NULL), status.st_mtime) >= idle_s)
        (void)unlinkat(folder, name, 0);
    close(descriptor);
}

void file_temporary_sweep(const char *path, double idle_s)
{
    char folder[4096];
    const size_t length = path_folder_length(path);
    const char *dot = strrchr(path_name(path), '.');
    if (length >= sizeof folder)
        return;
    memcpy(folder, path, length);
    folder[length] = '\0';
    DIR *d = opendir(length ? folder : ".");
    if (!d)
        return;
    for (const struct dirent *entry; (entry = readdir(d)) != NULL;)
        if (is_temporary(entry->d_name, dot ? dot : ""))
            remove_if_dead(dirfd(d), entry->d_name, idle_s);
    closedir(d);
}
