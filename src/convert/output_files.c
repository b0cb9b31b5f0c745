// SPDX-License-Identifier: MIT
/// A list of file writers in the order of opening: each is sealed when it is complete, and all are
/// renamed at the commit, the main file last, or none; see output_files.h.
#include "convert/output_files.h"

#include "base/file_group.h"
#include "base/file_temporary.h"

#include <string.h>

zt_result output_open(output_files *files, arena *a, const char *path, output_file **out,
                      zt_error *err)
{
    output_file *file;
    ZT_TRY(ARENA_TAKE(a, &file, 1, "an output file", err));
    if (!files->save) {
        file_temporary_sweep(path, 3600.0);
        ZT_TRY(file_writer_open(&file->writer, path, err));
    }
    file->path = path;
    file->a = a;
    file->writer.work = a->budget;
    file->all = files;
    if (files->last)
        files->last->next = file;
    else
        files->first = file;
    files->last = file;
    *out = file;
    return ZT_OK;
}

/// Appends to a file in memory.
static zt_result append(output_file *file, const void *data, size_t size, zt_error *err)
{
    if (size > file->capacity - file->size) {
        const size_t capacity = 2 * (file->size + size);
        uint8_t *bytes;
        ZT_TRY(ARENA_TAKE_RAW(file->a, &bytes, capacity, file->path, err));
        if (file->size > 0)
            memcpy(bytes, file->bytes, file->size);
        file->bytes = bytes;
        file->capacity = capacity;
    }
    if (size > 0)
        memcpy(file->bytes + file->size, data, size);
    file->size += size;
    return ZT_OK;
}

zt_result output_write(output_file *file, const void *data, size_t size, zt_error *err)
{
    const uint64_t limit = file->writer.work->limits->output_bytes;
    if (size > limit - file->all->bytes)
        return zt_fail(err, ZT_ERR_LIMIT, "%s: the output is larger than the limit of %llu bytes",
                       file->path, (unsigned long long)limit);
    file->all->bytes += size;
    if (file->all->save)
        return append(file, data, size, err);
    return file_writer_write(&file->writer, data, size, err);
}

zt_result output_whole(output_files *files, arena *a, const char *path, file_bytes bytes,
                       zt_error *err)
{
    output_file *file = NULL;
    ZT_TRY(output_open(files, a, path, &file, err));
    ZT_TRY(output_write(file, bytes.data, bytes.size, err));
    // Closed, because there may be more files than descriptors.
    return files->save ? ZT_OK : file_writer_seal(&file->writer, false, err);
}

static zt_result hand_over(const output_files *files, zt_error *err)
{
    for (const output_file *f = files->first; f; f = f->next) {
        if (budget_cancelled(f->writer.work))
            return cancel_fail(err);
        if (!files->save(files->save_user, f->path, f->bytes, f->size))
            return zt_fail(err, ZT_ERR_OUTPUT, "%s: zt_load_def.save did not take it", f->path);
    }
    return ZT_OK;
}

zt_result output_commit(output_files *files, zt_error *err)
{
    zt_result result = ZT_OK;
    if (files->save)
        return hand_over(files, err);
    for (output_file *f = files->first; f && result == ZT_OK; f = f->next)
        result = file_writer_seal(&f->writer, false, err);
    if (result == ZT_OK && files->first && budget_cancelled(files->first->writer.work))
        result = cancel_fail(err);
    if (result != ZT_OK)
        return result;
    output_file *end = files->first; // the first one that has not got its name
    while (end && result == ZT_OK) {
        result = file_writer_replace(&end->writer, err);
        end = result == ZT_OK ? end->next : end;
    }
    for (output_file *f = files->first; f != end; f = f->next)
        (result == ZT_OK ? file_writer_keep : file_writer_undo)(&f->writer);
    return result;
}

void output_abandon(output_files *files)
{
    for (output_file *f = files->first; f; f = f->next)
        file_writer_abandon(&f->writer);
    *files = (output_files){0};
}
