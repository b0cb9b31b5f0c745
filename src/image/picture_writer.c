// SPDX-License-Identifier: MIT
/// The rows of the table of output formats, and the search in it; see picture_writer.h.
#include "image/picture_writer.h"

#include "base/hash.h"
#include "image/picture_encoders.h"
#include "image/picture_streams.h"
#include "image/png_text.h"
#include "image/png_write.h"

#include <stdio.h>
#include <string.h>

static zt_result encode_png(const picture_planes *frame, const zt_encode_def *encoding, arena *a,
                            file_bytes *out, zt_error *err)
{
    const picture_plane plane = png_plane_of(frame);
    if (plane != PLANE_COUNT)
        return png_plane_encode(frame, plane, encoding, a, out, err);
    if (encoding->bits == 16 || encoding->linear) // of a caller's picture
        return zt_fail(err, ZT_ERR_ARGUMENT, "a picture of 8 bits as PNG of 16 (expected 8)");
    ZT_TRY(png_encode_keyed(&frame->color8, encoding->png,
                            encoding->has_key ? &encoding->key : NULL, a, out, err));
    return png_texts_add(hash_pixel_rows(&frame->color8), NULL, encoding, a, out, err);
}

static const picture_writer webp_animation = {
    .format = {.name = "webp", .title = "animated WebP", .suffix = ".webp", .alpha = true},
    .planes = PICTURE_PLANE_COLOR8,
    .side_limit = WEBP_SIDE_LIMIT,
    .begin = webp_animation_begin,
    .encode = webp_encode,
    .join = webp_animation_join,
    .begins_with_size = true,
};

/// The first row is the default.
static const picture_writer writers[] = {
    // clang-format off
    {.format = {.name = "png", .title = "PNG", .suffix = ".png", .alpha = true},
     .planes = PICTURE_PLANE_COLOR8 | 1u << PLANE_DISPLAY,
     .png_bands = true,
     .check = png_plane_check,
     .known = png_key_matches,
     .encode = encode_png},
    {.format = {.name = "webp", .title = "WebP", .suffix = ".webp", .alpha = true},
     .planes = PICTURE_PLANE_COLOR8,
     .side_limit = WEBP_SIDE_LIMIT,
     .known = webp_key_matches,
     .many = &webp_animation,
     .encode = webp_encode},
    {.format = {.name = "jpeg", .title = "JPEG", .suffix = ".jpg", .other_suffix = ".jpeg"},
     .planes = PICTURE_PLANE_COLOR8,
     .known = jpeg_key_matches,
     .encode = jpeg_encode},
    {.format = {.name = "exr", .title = "OpenEXR", .suffix = ".exr", .alpha = true, .light = true},
#ifdef ZT_OPENEXR
     .known = exr_key_matches,
     .encode = exr_planes_encode,
#endif
     .planes = PICTURE_PLANE_COLOR8 - 1},
    {.format = {.name = "npz", .title = "NumPy", .suffix = ".npz", .alpha = true, .light = true},
     .planes = PICTURE_PLANE_COLOR8 * 2 - 1,
     .encode = npz_encode},
    {.format = {.name = "apng", .title = "APNG", .suffix = ".apng", .stream = true, .alpha = true},
     .planes = PICTURE_PLANE_COLOR8,
     .png_bands = true,
     .begin = apng_begin,
     .encode = encode_png,
     .join = apng_join,
     .end = apng_end},
    {.format = {.name = "y4m", .title = "YUV4MPEG2", .suffix = ".y4m", .stream = true},
     .planes = PICTURE_PLANE_COLOR8,
     .begin = y4m_begin,
     .encode = y4m_encode},
    {.format = {.name = "rgba", .title = "RGBA", .stream = true, .alpha = true},
     .planes = PICTURE_PLANE_COLOR8,
     .encode = rgba_encode},
    {.format = {.name = "gif", .title = "GIF", .suffix = ".gif", .stream = true, .alpha = true},
#if ZT_GIF
     .encode = gif_encode,
     .join = gif_join,
     .end = gif_end,
#endif
     .planes = PICTURE_PLANE_COLOR8},
    // clang-format on
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

zt_result picture_writer_check_size(const picture_writer *writer, int32_t width, int32_t height,
                                    zt_error *err)
{
    const int32_t limit = writer->side_limit;
    if (limit == 0 || (width <= limit && height <= limit))
        return ZT_OK;
    return zt_fail(err, ZT_ERR_LIMIT, "%s of %d x %d pixels (expected at most %d a side, or PNG)",
                   writer->format.title, (int)width, (int)height, (int)limit);
}

zt_result picture_writer_takes(const picture_writer *writer, picture_plane plane,
                               const zt_encode_def *encoding, zt_error *err)
{
    if (!writer->encode)
        return zt_fail(err, ZT_ERR_UNSUPPORTED, "this build writes no %s", writer->format.title);
    if (writer->check)
        return writer->check(plane, encoding, err);
    if (writer->format.light || (plane == PLANE_COLOR && encoding->bits != 16 && !encoding->linear))
        return ZT_OK;
    if (plane != PLANE_COLOR)
        return zt_fail(err, ZT_ERR_ARGUMENT, "%s holds no plane '%s' (expected .exr or .npz)",
                       writer->format.title, picture_plane_table[plane].kind.name);
    return zt_fail(err, ZT_ERR_ARGUMENT, "'%s' of such bits as %s (expected PNG)",
                   picture_plane_table[plane].kind.name, writer->format.title);
}

static bool ends_in(const char *path, const char *suffix)
{
    return suffix && has_suffix(path, suffix);
}

const picture_writer *picture_writer_of_path(const char *path)
{
    for (int i = 0; i < WRITER_COUNT; i++)
        if (ends_in(path, writers[i].format.suffix) ||
            ends_in(path, writers[i].format.other_suffix))
            return &writers[i];
    return &writers[0];
}

bool picture_has_key(file_bytes bytes, uint64_t key, int32_t width, int32_t height)
{
    for (int i = 0; i < WRITER_COUNT; i++)
        if (writers[i].known && writers[i].known(bytes, key, width, height))
            return true;
    return false;
}
