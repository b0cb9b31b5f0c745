// SPDX-License-Identifier: MIT
/// zt_files_write: files of a caller that belong together.
#include "base/file_group.h"
#include "base/handle.h"

static zt_result write_temporaries(file_writer *writers, const zt_file *files, size_t count,
                                   bool sync, zt_error *err)
{
    for (size_t i = 0; i < count; i++) {
        if (!files[i].path || (!files[i].bytes && files[i].size > 0))
            return zt_fail(err, ZT_ERR_ARGUMENT, "zt_files_write: a file without path or bytes");
        ZT_TRY(file_writer_open(&writers[i], files[i].path, err));
        ZT_TRY(file_writer_write(&writers[i], files[i].bytes, files[i].size, err));
    }
    for (size_t i = 0; i < count; i++)
        ZT_TRY(file_writer_seal(&writers[i], sync, err));
    return ZT_OK;
}

zt_result zt_files_write(const zt_file *files, size_t count, bool sync, zt_error *err)
{
    file_writer writers[ZT_FILES_MAX] = {{0}};
    if (!files || count < 1 || count > ZT_FILES_MAX)
        return zt_fail(err, ZT_ERR_ARGUMENT, "zt_files_write: %zu files (expected 1 to %d)", count,
                       ZT_FILES_MAX);
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
    for (size_t i = 0; i < count && sync && result == ZT_OK; i++)
        file_sync_name(files[i].path);
    return result;
}
