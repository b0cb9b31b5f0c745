// SPDX-License-Identifier: MIT
#include "report/golden_file.h"

#include "base/file.h"
#include "base/file_find.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

enum { BLOCK = 65536 };

static zt_result copy_bytes(int from, const char *picture_path, file_writer *to,
                            const zt_cancel *cancel, zt_error *err)
{
    char bytes[BLOCK];
    for (;;) {
        const ssize_t got = read(from, bytes, sizeof bytes);
        if (cancel && cancel->asked(cancel->user))
            return ZT_ERR_CANCELLED;
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return zt_fail(err, ZT_ERR_INPUT, "%s: cannot read: %s", picture_path, strerror(errno));
        if (got == 0)
            return ZT_OK;
        ZT_TRY(file_writer_write(to, bytes, (size_t)got, err));
    }
}

zt_result golden_replace(const char *golden_path, size_t root_length, const char *picture_path,
                         const zt_cancel *cancel, zt_error *err)
{
    file_writer to;
    const int from = open(picture_path, O_RDONLY | O_CLOEXEC);
    if (from < 0)
        return zt_fail(err, ZT_ERR_INPUT, "%s: cannot open: %s", picture_path, strerror(errno));
    zt_result result = file_writer_open_below(&to, golden_path, root_length, err);
    if (result == ZT_OK)
        result = file_writer_end(&to, copy_bytes(from, picture_path, &to, cancel, err), false, err);
    close(from);
    return result;
}

zt_result golden_read(const char *path, size_t root_length, zt_budget *whole, zt_image *out,
                      zt_error *err)
{
    char other[FILE_PATH_SIZE];
    path = file_form(path, root_length, other);
    if (root_length != FILE_ANYWHERE && !file_is_below(path, root_length))
        return zt_fail(err, ZT_ERR_INPUT,
                       access(path, F_OK) == 0
                           ? "%.400s: leads out of its folder (expected a file in it)"
                           : "%.400s: cannot open (expected a file in its folder)",
                       path);
    ZT_TRY(file_check_pipe(path, err));
    return zt_image_read(path, true, whole, out, err);
}

zt_result golden_write(const char *path, size_t root_length, const zt_image *picture, zt_error *err)
{
    uint8_t *bytes = NULL;
    size_t size = 0;
    zt_encode_def encode = zt_default_encode_def();
    encode.format = "png";
    ZT_TRY(zt_image_encode(picture, &encode, &bytes, &size, err));
    const zt_result result = file_save(path, root_length, (file_bytes){bytes, size}, false,
                                       picture->budget ? &picture->budget->bytes : NULL, err);
    zt_free(bytes);
    return result;
}
