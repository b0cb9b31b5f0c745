// SPDX-License-Identifier: MIT
/// Linux looks up a path below a folder in one call (openat2(2), RESOLVE_BENEATH). Elsewhere its
/// parts are opened one by one, each in the folder opened before and none as a link (O_NOFOLLOW);
/// links are read and walked likewise. So the checked file is the opened one.
#define _GNU_SOURCE // O_PATH, syscall
#include "base/file_open.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#ifdef __linux__
#include <linux/openat2.h>
#include <sys/syscall.h>
#endif

enum {
    PATH_LIMIT = 4096, // bytes; longer paths cannot be opened anyway
    DEPTH_LIMIT = 64,  // folders that a walk keeps open
    LINK_LIMIT = 40,   // links of a walk, as Linux has it
    RETRIES = 16       // of openat2, when a folder was moved meanwhile
};

#ifdef O_PATH
static const int folder_flags = O_PATH | O_DIRECTORY | O_CLOEXEC;
#else
static const int folder_flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC;
#endif

typedef struct walk {
    int folder[DEPTH_LIMIT]; ///< [0] is the caller's
    int depth;
    int links;
    char rest[PATH_LIMIT]; ///< what is still to be walked
} walk;

static int fail_with(int error_number)
{
    errno = error_number;
    return -1;
}

/// Takes the first part off the rest; "" at the end. A slash behind the last part stays.
static void take_part(walk *w, char out[PATH_LIMIT])
{
    const char *rest = w->rest;
    while (*rest == '/')
        rest++;
    const size_t length = strcspn(rest, "/");
    memcpy(out, rest, length);
    out[length] = '\0';
    rest += length;
    memmove(w->rest, rest, strlen(rest) + 1);
}

/// Puts the text of a link before the rest.
static bool prepend_link(walk *w, const char *target, size_t length)
{
    const size_t rest_length = strlen(w->rest);
    const bool loops = w->links++ >= LINK_LIMIT, leaves = target[0] == '/';
    if (loops || leaves || length + rest_length + 1 > PATH_LIMIT) {
        errno = loops ? ELOOP : leaves ? EXDEV : ENAMETOOLONG;
        return false;
    }
    memmove(w->rest + length, w->rest, rest_length + 1);
    memcpy(w->rest, target, length);
    return true;
}

static bool enter(walk *w, const char *part)
{
    if (strcmp(part, "..") == 0) {
        if (w->depth == 0) {
            errno = EXDEV;
            return false;
        }
        close(w->folder[w->depth--]);
        return true;
    }
    if (w->depth + 1 == DEPTH_LIMIT) {
        errno = ENAMETOOLONG;
        return false;
    }
    const int opened = openat(w->folder[w->depth], part, folder_flags | O_NOFOLLOW);
    if (opened < 0)
        return false;
    w->folder[++w->depth] = opened;
    return true;
}

static int walk_on(walk *w, int flags)
{
    char part[PATH_LIMIT], target[PATH_LIMIT];
    for (;;) {
        take_part(w, part);
        const int folder = w->folder[w->depth];
        if (!*part)
            return openat(folder, ".", flags | O_NOFOLLOW);
        if (strcmp(part, ".") == 0)
            continue;
        const ssize_t length = readlinkat(folder, part, target, sizeof target);
        if (length < 0 && errno != EINVAL)
            return -1;
        if (length >= 0) {
            if (!prepend_link(w, target, (size_t)length))
                return -1;
        } else if (!*w->rest && strcmp(part, "..") != 0) {
            return openat(folder, part, flags | O_NOFOLLOW);
        } else if (!enter(w, part)) {
            return -1;
        }
    }
}

int file_walk_below(int folder, const char *name, int flags)
{
    walk w;
    const size_t length = strlen(name);
    if (name[0] == '/')
        return fail_with(EXDEV);
    if (length + 1 > PATH_LIMIT)
        return fail_with(ENAMETOOLONG);
    w.folder[0] = folder;
    w.depth = w.links = 0;
    memcpy(w.rest, name, length + 1);
    const int opened = walk_on(&w, flags);
    const int error_number = errno;
    while (w.depth > 0)
        close(w.folder[w.depth--]);
    errno = error_number;
    return opened;
}

static int open_in(int folder, const char *name, int flags)
{
#if defined(__linux__) && defined(SYS_openat2)
    struct open_how how = {.flags = (unsigned)flags,
                           .resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS};
    for (int i = 0; i < RETRIES; i++) {
        const long opened = syscall(SYS_openat2, folder, name, &how, sizeof how);
        if (opened >= 0)
            return (int)opened;
        if (errno == ENOSYS || errno == EPERM) // EPERM: a container's filter does not know it
            break;
        if (errno != EAGAIN)
            return -1;
    }
#endif
    return file_walk_below(folder, name, flags);
}

/// Opens the root of a path, its first `length` bytes.
static int open_root(const char *path, size_t length)
{
    char root[PATH_LIMIT];
    if (length + 1 > sizeof root)
        return fail_with(ENAMETOOLONG);
    memcpy(root, path, length);
    root[length] = '\0';
    return open(length ? root : ".", folder_flags);
}

int file_open_below(const char *path, size_t root_length, int extra_flags)
{
    // A pipe opens at once with O_NONBLOCK, and the caller refuses it afterwards.
    const int flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | extra_flags;
    if (root_length == FILE_ANYWHERE)
        return open(*path ? path : ".", flags);
    const int folder = open_root(path, root_length);
    if (folder < 0)
        return -1;
    const char *name = path + root_length;
    while (root_length > 0 && *name == '/')
        name++;
    const int opened = open_in(folder, *name ? name : ".", flags);
    const int error_number = errno;
    close(folder);
    errno = error_number;
    return opened;
}

/// Opens a folder in a folder, in whose place it is returned.
static int step_into(int folder, const char *part, bool make)
{
    int next = fail_with(EXDEV);
    if (strcmp(part, "..") != 0) {
        next = openat(folder, part, folder_flags | O_NOFOLLOW);
        if (next < 0 && errno == ENOENT && make &&
            (mkdirat(folder, part, 0777) == 0 || errno == EEXIST))
            next = openat(folder, part, folder_flags | O_NOFOLLOW);
    }
    const int error_number = errno;
    close(folder);
    errno = error_number;
    return next;
}

int file_folder_below(const char *path, size_t root_length, bool make)
{
    char part[PATH_LIMIT];
    int folder = open_root(path, root_length);
    const char *at = path + root_length;
    while (folder >= 0) {
        at += strspn(at, "/");
        const size_t length = strcspn(at, "/");
        if (at[length] == '\0')
            break;
        if (length + 1 > sizeof part) {
            close(folder);
            return fail_with(ENAMETOOLONG);
        }
        memcpy(part, at, length);
        part[length] = '\0';
        folder = strcmp(part, ".") == 0 ? folder : step_into(folder, part, make);
        at += length;
    }
    return folder;
}

bool file_is_below(const char *path, size_t root_length)
{
    struct stat status;
    const int descriptor = file_open_below(path, root_length, 0);
    if (descriptor < 0)
        return false;
    const bool regular = fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode);
    close(descriptor);
    return regular;
}

zt_result file_check_pipe(const char *path, zt_error *err)
{
    struct stat status;
    if (stat(path, &status) != 0 || S_ISREG(status.st_mode) || S_ISDIR(status.st_mode))
        return ZT_OK;
    return zt_fail(err, ZT_ERR_INPUT, "%s is a pipe or device (expected a regular file)", path);
}
