// SPDX-License-Identifier: MIT
/// Single pictures by the public functions, written by format or suffix.
#include "base/color_text.h"
#include "base/handle.h"
#include "image/image.h"
#include "image/picture_writer.h"

#include <stdlib.h>

zt_result encode_def_check(const zt_encode_def *def, zt_error *err)
{
    double matte[3];
    if (def->cookie_ != HANDLE_COOKIE)
        return zt_fail(err, ZT_ERR_ARGUMENT,
                       "an encode def that does not come from zt_default_encode_def()");
    if (def->matte && !color_from_text(def->matte, matte))
        return zt_fail(err, ZT_ERR_ARGUMENT, "matte '%.40s' (expected " COLOR_TEXT_EXPECTED ")",
                       def->matte);
    return ZT_OK;
}

/// The memory of one call.
typedef struct picture_work {
    budget memory;
    arena a;
} picture_work;

static void begin(picture_work *w, const zt_image *image)
{
    budget_init_within(&w->memory, image ? image->budget : NULL, 0, NULL);
    cancel_init(&w->memory.cancel, image ? image->cancel : NULL);
    arena_init(&w->a, &w->memory);
}

/// Takes the planes of a caller that files of the format hold, together.
static zt_result take_planes(const picture_writer *writer, const zt_planes *planes,
                             const zt_encode_def *def, picture_planes *out, zt_error *err)
{
    ZT_TRY(picture_planes_take(planes, out, err));
    out->color8.rgba8 = NULL;
    const uint32_t set = picture_planes_present(out);
    if (!set || (!writer->format.light && (set & (set - 1) || set == 1u << PLANE_COLOR)))
        return zt_fail(err, ZT_ERR_ARGUMENT, "planes as %s (expected one, and not color)",
                       writer->format.title);
    for (int p = 0; p < PLANE_COUNT; p++)
        if (set >> p & 1u)
            ZT_TRY(picture_writer_takes(writer, (picture_plane)p, def, err));
    return image_check_size(out->width, out->height, err);
}

/// `planes`: NULL, or encoded in place of `image`, which has their budget.
static zt_result encode(picture_work *w, const zt_image *image, const zt_planes *planes,
                        const zt_encode_def *def, const char *path, file_bytes *out, zt_error *err)
{
    picture_planes frame;
    const picture_writer *writer = picture_writer_of_path(path ? path : "");
    const zt_encode_def defaults = zt_default_encode_def();
    def = def ? def : &defaults;
    ZT_TRY(encode_def_check(def, err));
    if (def->format)
        ZT_TRY(picture_writer_find(def->format, &writer, err));
    if (planes) {
        ZT_TRY(take_planes(writer, planes, def, &frame, err));
    } else if (!writer->format.suffix || writer->format.stream ||
               !(writer->planes & PICTURE_PLANE_COLOR8)) {
        return zt_fail(err, ZT_ERR_ARGUMENT, "an 8-bit picture as %s (expected PNG, WebP or JPEG)",
                       writer->format.title);
    } else {
        ZT_TRY(image_check(image, err));
        frame = (picture_planes){.width = image->width, .height = image->height, .color8 = *image};
    }
    ZT_TRY(picture_writer_check_size(writer, frame.width, frame.height, err));
    return writer->encode(&frame, def, &w->a, out, err);
}

zt_result zt_image_write(const char *path, const zt_image *image, const zt_encode_def *def,
                         zt_error *err)
{
    picture_work w;
    file_bytes bytes;
    if (!path)
        return zt_fail(err, ZT_ERR_ARGUMENT, "zt_image_write: no path");
    begin(&w, image);
    zt_result result = encode(&w, image, NULL, def, path, &bytes, err);
    if (result == ZT_OK)
        result = file_save(path, FILE_ANYWHERE, bytes, def && def->fsync, &w.memory, err);
    arena_finish(&w.a);
    return result;
}

static zt_result encode_copy(const zt_image *image, const zt_planes *planes,
                             const zt_encode_def *def, uint8_t **out_bytes, size_t *out_size,
                             zt_error *err)
{
    picture_work w;
    file_bytes encoded = {0};
    uint8_t *copy = NULL;
    if (!out_bytes || !out_size)
        return zt_fail(err, ZT_ERR_ARGUMENT, "encoding: out_bytes or out_size is NULL");
    begin(&w, image);
    zt_result result = encode(&w, image, planes, def, NULL, &encoded, err);
    if (result == ZT_OK && !arena_charge(&w.a, budget_charge_of(encoded.size)))
        result = arena_fail(&w.a, err, "an encoded picture");
    if (result == ZT_OK) {
        copy = malloc(encoded.size ? encoded.size : 1);
        if (copy)
            memcpy(copy, encoded.data, encoded.size);
        else
            result =
                zt_fail(err, ZT_ERR_MEMORY, "no memory for a picture of %zu bytes", encoded.size);
    }
    arena_finish(&w.a);
    *out_bytes = copy;
    *out_size = copy ? encoded.size : 0;
    return result;
}

zt_result zt_image_encode(const zt_image *image, const zt_encode_def *def, uint8_t **out_bytes,
                          size_t *out_size, zt_error *err)
{
    return encode_copy(image, NULL, def, out_bytes, out_size, err);
}

zt_result zt_planes_encode(const zt_planes *planes, const zt_encode_def *def, uint8_t **out_bytes,
                           size_t *out_size, zt_error *err)
{
    return encode_copy(planes ? planes->image : NULL, planes, def, out_bytes, out_size, err);
}

bool zt_image_has_key(const char *path, uint64_t key, int32_t width, int32_t height)
{
    budget memory;
    arena a;
    file_bytes bytes;
    budget_init_within(&memory, NULL, 0, NULL);
    arena_init(&a, &memory);
    const bool known =
        path && width > 0 && height > 0 &&
        file_read_own(&a, path, picture_file_limit(width, height), &bytes) == ZT_OK &&
        picture_has_key(bytes, key, width, height);
    arena_finish(&a);
    return known;
}
