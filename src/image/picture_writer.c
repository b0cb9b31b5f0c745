// SPDX-License-Identifier: MIT
/// The rows of the table of output formats, and the search in it; see picture_writer.h.
#include "image/picture_writer.h"

#include "image/png_key.h"
#include "image/png_write.h"
#include "image/raw_video.h"

#include <stdio.h>
#include <string.h>

static zt_result encode_png(const picture_planes *frame, const picture_encoding *encoding, arena *a,
                            file_bytes *out, zt_error *err)
{
    return png_encode_keyed(&frame->color8, encoding->png,
                            encoding->has_key ? &encoding->key : NULL, a, out, err);
}

/// The first row is the default.
static const picture_writer writers[] = {
    {.format = {.name = "png", .title = "PNG", .suffix = ".png"},
     .planes = PICTURE_PLANE_COLOR8,
     .png_bands = true,
     .known = png_key_matches,
     .encode = encode_png},
    {.format = {.name = "y4m", .title = "YUV4MPEG2", .stream = true},
     .planes = PICTURE_PLANE_COLOR8,
     .begin = y4m_begin,
     .encode = y4m_encode},
    {.format = {.name = "rgba", .title = "RGBA", .stream = true},
     .planes = PICTURE_PLANE_COLOR8,
     .encode = rgba_encode                                                                },
};
enum { WRITER_COUNT = sizeof writers / sizeof *writers };

const zt_picture_format *zt_picture_format_at(int32_t index)
{
    return index >= 0 && index < WRITER_COUNT ? &writers[index].format : NULL;
}

void picture_writer_names(bool streams_only, char *out, size_t size)
{
    size_t length = 0;
    out[0] = '\0';
    for (int i = 0; i < WRITER_COUNT && length < size; i++)
        if (writers[i].format.stream || !streams_only)
            length += (size_t)snprintf(out + length, size - length, "%s%s", length ? ", " : "",
                                       writers[i].format.name);
}

zt_result picture_writer_find(const char *name, const picture_writer **out, zt_error *err)
{
    char names[128];
    for (int i = 0; i < WRITER_COUNT; i++) {
        if (strcmp(writers[i].format.name, name) != 0)
            continue;
        *out = &writers[i];
        return ZT_OK;
    }
    picture_writer_names(false, names, sizeof names);
    return zt_fail(err, ZT_ERR_ARGUMENT, "picture format '%.40s' (expected one of %s)", name,
                   names);
}

const picture_writer *picture_writer_of_path(const char *path)
{
    char extension[8];
    path_extension(path, extension);
    for (int i = 0; i < WRITER_COUNT; i++)
        if (writers[i].format.suffix && strcmp(writers[i].format.suffix + 1, extension) == 0)
            return &writers[i];
    return &writers[0];
}
