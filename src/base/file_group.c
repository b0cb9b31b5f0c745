// SPDX-License-Identifier: MIT
/// See file_group.h. RENAME_EXCHANGE gives the new file its name and the old one that of the
/// temporary file at once, so there is a file at the path at all times.
#define _DEFAULT_SOURCE // syscall
#include "base/file_group.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static bool exchange(const char *a, const char *b)
{
#if defined(SYS_renameat2)
    const unsigned both = 2; // RENAME_EXCHANGE of linux/fs.h
    return syscall(SYS_renameat2, AT_FDCWD, a, AT_FDCWD, b, both) == 0;
#else
    (void)a;
    (void)b;
    return false;
#endif
}

/// True when something is there that a file may replace: also a link, but no folder.
static bool is_replaced(const char *path)
{
    struct stat status;
    return lstat(path, &status) == 0 && !S_ISDIR(status.st_mode);
}

zt_result file_writer_replace(file_writer *w, zt_error *err)
{
    if (!w->temporary)
        return ZT_OK; // a device or pipe
    const bool replaces = is_replaced(w->path);
    w->exchanged = replaces && exchange(w->temporary, w->path);
    if (w->exchanged)
        return ZT_OK;
    if (rename(w->temporary, w->path) != 0) {
        char text[128];
        if (strerror_r(errno, text, sizeof text) != 0)
            snprintf(text, sizeof text, "error %d", errno);
        return zt_fail(err, ZT_ERR_OUTPUT, "%s: cannot rename into place: %s", w->path, text);
    }
    free(w->temporary);
    w->temporary = NULL;
    w->created = !replaces;
    return ZT_OK;
}

void file_writer_keep(file_writer *w)
{
    file_writer_abandon(w); // what is temporary now is the old file
}

void file_writer_undo(file_writer *w)
{
    if (w->exchanged && rename(w->temporary, w->path) == 0) {
        free(w->temporary);
        w->temporary = NULL;
    }
    if (w->created)
        (void)unlink(w->path);
    file_writer_abandon(w);
}

static zt_result write_temporaries(file_writer *writers, const group_file *files, size_t count,
                                   bool sync, zt_error *err)
{
    for (size_t i = 0; i < count; i++) {
        if (!files[i].path || (!files[i].bytes && files[i].size > 0))
            return zt_fail(err, ZT_ERR_ARGUMENT, "a group of files: one without path or bytes");
        ZT_TRY(file_writer_open(&writers[i], files[i].path, err));
        ZT_TRY(file_writer_write(&writers[i], files[i].bytes, files[i].size, err));
    }
    for (size_t i = 0; i < count; i++)
        ZT_TRY(file_writer_seal(&writers[i], sync, err));
    return ZT_OK;
}

zt_result file_group_write(const group_file *files, size_t count, bool sync, zt_error *err)
{
    file_writer writers[FILE_GROUP_MAX] = {{0}};
    if (!files || count < 1 || count > FILE_GROUP_MAX)
        return zt_fail(err, ZT_ERR_ARGUMENT, "a group of %zu files (expected 1 to %d)", count,
                       FILE_GROUP_MAX);
    for (size_t i = 0; i < count; i++)
        writers[i].descriptor = -1;
    zt_result result = write_temporaries(writers, files, count, sync, err);
    size_t renamed = 0;
    while (renamed < count && result == ZT_OK) {
        result = file_writer_replace(&writers[renamed], err);
        renamed += result == ZT_OK;
    }
    for (size_t i = 0; i < renamed; i++)
        (result == ZT_OK ? file_writer_keep : file_writer_undo)(&writers[i]);
    for (size_t i = renamed; i < count; i++)
        file_writer_abandon(&writers[i]);
    if (sync && result == ZT_OK)
        for (size_t i = 0; i < count; i++)
            file_sync_name(files[i].path);
    return result;
}
