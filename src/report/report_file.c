// SPDX-License-Identifier: MIT
// Files of reports: whole or absent.
#include "report/report.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATH_SIZE = 4096 };

static zt_result fail(zt_error *err, const char *path, const char *expected)
{
    snprintf(err->message, sizeof err->message, "%.400s: %s (expected %s)", path, strerror(errno),
             expected);
    return errno == ENOMEM ? ZT_ERR_MEMORY : ZT_ERR_OUTPUT;
}

/// The folders of a path; those that cannot be made are noticed when the file is.
static void make_folders(const char *path)
{
    char folder[PATH_SIZE];
    for (const char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/'))
        if (snprintf(folder, sizeof folder, "%.*s", (int)(slash - path), path) < (int)sizeof folder)
            (void)mkdir(folder, 0777);
}

/// ".NAME.tmp-PID-0" in its folder: what a watchdog removes when the program is ended.
static bool temporary_of(const char *path, char out[PATH_SIZE])
{
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    return snprintf(out, PATH_SIZE, "%.*s.%s.tmp-%ld-0", (int)(name - path), path, name,
                    (long)getpid()) < PATH_SIZE;
}

zt_result report_save(const char *path, report_fn write, const report_def *def, zt_error *err)
{
    char temporary[PATH_SIZE];
    if (!path[0] || !temporary_of(path, temporary)) {
        errno = ENAMETOOLONG;
        return fail(err, path, "a shorter path");
    }
    make_folders(path);
    FILE *out = fopen(temporary, "wb");
    if (!out)
        return fail(err, path, "a file that can be written");
    zt_result result = write(out, def, err);
    const bool written = !ferror(out) && fflush(out) == 0;
    if (fclose(out) != 0 || !written)
        result = result == ZT_OK ? fail(err, path, "room for a report") : result;
    if (result == ZT_OK && def->cancel && def->cancel->asked(def->cancel->user))
        result = ZT_ERR_CANCELLED;
    if (result == ZT_OK && rename(temporary, path) != 0)
        result = fail(err, path, "a file that can be replaced");
    if (result != ZT_OK)
        unlink(temporary);
    return result;
}
