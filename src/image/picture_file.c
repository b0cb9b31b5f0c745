// SPDX-License-Identifier: MIT
/// Single pictures by the public functions: read by their first bytes, written by format or suffix.
#include "base/handle.h"
#include "image/image.h"
#include "image/picture_codecs.h"
#include "image/picture_kind.h"
#include "image/picture_writer.h"
#include "image/png_chunk.h"
#include "image/png_text.h"

#include <stdlib.h>

zt_result encode_def_check(const zt_encode_def *def, zt_error *err)
{
    if (def->cookie_ == HANDLE_COOKIE)
        return ZT_OK;
    return zt_fail(err, ZT_ERR_ARGUMENT,
                   "an encode def that does not come from zt_default_encode_def()");
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

static zt_result encode(picture_work *w, const zt_image *image, const zt_encode_def *def,
                        const char *path, file_bytes *out, zt_error *err)
{
    const picture_writer *writer = picture_writer_of_path(path ? path : "");
    const zt_encode_def defaults = zt_default_encode_def();
    def = def ? def : &defaults;
    ZT_TRY(encode_def_check(def, err));
    if (def->format)
        ZT_TRY(picture_writer_find(def->format, &writer, err));
    if (!writer->format.suffix || writer->format.stream || !(writer->planes & PICTURE_PLANE_COLOR8))
        return zt_fail(err, ZT_ERR_ARGUMENT, "one picture as %s (expected a format of files)",
                       writer->format.title);
    ZT_TRY(image_check(image, err));
    ZT_TRY(picture_writer_check_size(writer, image->width, image->height, err));
    const picture_planes planes = {
        .width = image->width, .height = image->height, .color8 = *image};
    ZT_TRY(writer->encode(&planes, def, &w->a, out, err));
    if (def->text_count <= 0 || !def->texts || strcmp(writer->format.name, "png") != 0)
        return ZT_OK;
    return png_text_insert(*out, def->texts, def->text_count, &w->a, out, err);
}

zt_result zt_image_write(const char *path, const zt_image *image, const zt_encode_def *def,
                         zt_error *err)
{
    picture_work w;
    file_bytes bytes;
    if (!path)
        return zt_fail(err, ZT_ERR_ARGUMENT, "zt_image_write: no path");
    begin(&w, image);
    zt_result result = encode(&w, image, def, path, &bytes, err);
    if (result == ZT_OK)
        result = file_save(path, FILE_ANYWHERE, bytes, def && def->fsync, &w.memory, err);
    arena_finish(&w.a);
    return result;
}

zt_result zt_image_encode(const zt_image *image, const zt_encode_def *def, uint8_t **out_bytes,
                          size_t *out_size, zt_error *err)
{
    picture_work w;
    file_bytes encoded = {0};
    uint8_t *copy = NULL;
    if (!out_bytes || !out_size)
        return zt_fail(err, ZT_ERR_ARGUMENT, "zt_image_encode: out_bytes or out_size is NULL");
    begin(&w, image);
    zt_result result = encode(&w, image, def, NULL, &encoded, err);
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

typedef zt_result (*read_fn)(arena *a, const char *name, file_bytes bytes, zt_budget *whole,
                             zt_image *out_image, zt_error *err);

/// A picture of another format than those that are read here.
static zt_result refuse_format(const char *path, file_bytes bytes, const char *expected,
                               zt_error *err)
{
    const char *format = picture_format_name(bytes);
    return format
               ? zt_fail(err, ZT_ERR_UNSUPPORTED, "%s:0: %s picture (expected %s)", path, format,
                         expected)
               : zt_fail(err, ZT_ERR_FORMAT, "%s:0: not a picture (expected %s)", path, expected);
}

/// True when there are more frames than one: PNG, third edition, 11.3.6.1.
static bool is_animated(file_bytes png)
{
    png_chunk c;
    for (size_t at = PNG_SIGNATURE_BYTES;
         png_chunk_next(png, &at, &c) && !png_chunk_is(&c, "IDAT");)
        if (png_chunk_is(&c, "acTL") && c.size >= 4)
            return bytes_u32_be(c.data) > 1;
    return false;
}

static bool is_png(file_bytes bytes)
{
    const char *format = picture_format_name(bytes);
    return format && strcmp(format, "PNG") == 0;
}

/// A PNG that is one picture: nothing is read of an animation whose other frames would be lost.
static zt_result decode_png(arena *a, const char *path, file_bytes bytes, zt_budget *whole,
                            zt_image *out_image, zt_error *err)
{
    if (!is_png(bytes))
        return refuse_format(path, bytes, "PNG", err);
    if (is_animated(bytes))
        return zt_fail(err, ZT_ERR_UNSUPPORTED, "%s: an animated PNG (expected one picture)", path);
    return png_decode_image(a, path, bytes, whole, out_image, err);
}

/// PNG, or what decodes to 8-bit RGBA of one level.
static zt_result decode_any(arena *a, const char *path, file_bytes bytes, zt_budget *whole,
                            zt_image *out_image, zt_error *err)
{
    picture p;
    const char *format = picture_format_name(bytes);
    if (is_png(bytes))
        return png_decode_image(a, path, bytes, whole, out_image, err);
    if (!format || (strcmp(format, "JPEG") != 0 && strcmp(format, "WebP") != 0))
        return refuse_format(path, bytes, "PNG, JPEG or WebP", err);
    ZT_TRY(strcmp(format, "JPEG") == 0 ? jpeg_decode(a, path, bytes, (picture_need){0}, &p, err)
                                       : webp_decode(a, path, bytes, &p, err));
    ZT_TRY(zt_image_init(out_image, p.width, p.height, whole, err));
    for (size_t y = 0; y < (size_t)p.height; y++)
        memcpy(out_image->rgba8 + y * out_image->stride, picture_row(&p, 0, y),
               (size_t)p.width * 4);
    return ZT_OK;
}

static zt_result read_with(read_fn decode, const char *path, zt_budget *whole, zt_image *out_image,
                           zt_error *err)
{
    budget memory;
    arena a;
    file_bytes bytes;
    if (!path || !out_image)
        return zt_fail(err, ZT_ERR_ARGUMENT, "reading a picture: no path or no picture to fill");
    *out_image = (zt_image){0};
    budget_init_within(&memory, whole, 0, NULL);
    arena_init(&a, &memory);
    zt_result result = file_read_replaceable(&a, path, &bytes, err);
    if (result == ZT_OK)
        result = decode(&a, path, bytes, whole, out_image, err);
    if (err && (result == ZT_ERR_LIMIT || result == ZT_ERR_MEMORY) && !strstr(err->message, path)) {
        const zt_error inner = *err; // of an arena, which does not know the path
        (void)zt_fail(err, result, "%s: %s", path, inner.message);
    }
    arena_finish(&a);
    return result;
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

zt_result zt_image_read(const char *path, bool only_png, zt_budget *whole, zt_image *out_image,
                        zt_error *err)
{
    return read_with(only_png ? decode_png : decode_any, path, whole, out_image, err);
}
