// SPDX-License-Identifier: MIT
// Files of reports: whole or absent.
#include "base/file.h"
#include "report/report.h"

#include <errno.h>
#include <string.h>

static zt_result write_report(FILE *out, const char *path, report_fn write, const report_def *def,
                              zt_error *err)
{
    zt_result result = write(out, def, err);
    errno = 0;
    const bool failed = ferror(out) != 0;
    const bool flushed = fflush(out) == 0;
    if (result == ZT_OK && (failed || !flushed))
        result = zt_fail(err, ZT_ERR_OUTPUT, "%s: %s (expected room for a report)", path,
                         errno ? strerror(errno) : "cannot write");
    if (result == ZT_OK && def->cancel && def->cancel->asked(def->cancel->user))
        result = ZT_ERR_CANCELLED;
    return result;
}

zt_result report_save(const char *path, report_fn write, const report_def *def, zt_error *err)
{
    file_writer file;
    ZT_TRY(file_writer_open(&file, path, err));
    file.work = def->budget ? &def->budget->bytes : NULL;
    FILE *out = fdopen(file.descriptor, "wb");
    if (!out) {
        file_writer_abandon(&file);
        return zt_fail(err, ZT_ERR_MEMORY, "%s: no memory for a report", path);
    }
    zt_result result = write_report(out, path, write, def, err);
    file.descriptor = -1; // the stream closes it
    if (fclose(out) != 0 && result == ZT_OK)
        result = zt_fail(err, ZT_ERR_OUTPUT, "%s: cannot write a report", path);
    return file_writer_end(&file, result, false, err);
}
