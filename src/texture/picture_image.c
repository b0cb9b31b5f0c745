// SPDX-License-Identifier: MIT
/// zt_image_read: a picture file of any format that is decoded, as 8-bit RGBA.
#include "base/bytes.h"
#include "base/picture_kind.h"
#include "image/picture_codecs.h"
#include "image/png_chunk.h"
#include "texture/texture_codecs.h"

#include <string.h>

/// True when there are more frames than one: PNG, third edition, 11.3.6.1; WebP, RFC 9649, 2.7.1.
static bool is_animated(file_bytes b, const char *format)
{
    png_chunk c;
    if (strcmp(format, "WebP") == 0)
        return b.size > 20 && memcmp(b.data + 12, "VP8X", 4) == 0 && (b.data[20] & 2);
    if (strcmp(format, "PNG") != 0)
        return false;
    for (size_t at = PNG_SIGNATURE_BYTES; png_chunk_next(b, &at, &c) && !png_chunk_is(&c, "IDAT");)
        if (png_chunk_is(&c, "acTL") && c.size >= 4)
            return bytes_u32_be(c.data) > 1;
    return false;
}

/// Level 0; channels of 16 bits to the nearest of 8.
static void copy_pixels(const picture *p, zt_image *out)
{
    const size_t pixel = picture_pixel_bytes(p->format), width = (size_t)p->width;
    for (size_t y = 0; y < (size_t)p->height; y++) {
        const uint8_t *from = picture_row(p, 0, y);
        uint8_t *to = out->rgba8 + y * out->stride;
        for (size_t x = 0; x < width; x++, from += pixel, to += 4) {
            uint16_t wide[4];
            to[3] = 255;
            if (p->format != PICTURE_RGBA16) {
                memcpy(to, from, pixel);
                continue;
            }
            memcpy(wide, from, sizeof wide);
            for (int c = 0; c < 4; c++)
                to[c] = (uint8_t)((wide[c] * 255u + 32767u) / 65535u);
        }
    }
}

static zt_result decode(arena *a, const char *path, file_bytes bytes, bool single, zt_budget *whole,
                        zt_image *out_image, zt_error *err)
{
    picture p;
    const char *format = picture_kind_of(bytes)->name;
    if (single && format && is_animated(bytes, format))
        return zt_fail(err, ZT_ERR_UNSUPPORTED, "%s: an animated %s (expected one picture)", path,
                       format);
    if (format && strcmp(format, "PNG") == 0)
        return png_decode_image(a, path, bytes, whole, out_image, err);
    const zt_result result = picture_decode(a, path, bytes, (picture_need){0}, &p, err);
    if (result != ZT_OK && p.unknown && format)
        return zt_fail(err, ZT_ERR_UNSUPPORTED,
                       "%s:0: %s picture (expected PNG, JPEG, WebP, KTX2, DDS, BMP or TGA)", path,
                       format);
    if (result == ZT_OK && single && p.note)
        return zt_fail(err, ZT_ERR_UNSUPPORTED, "%s: %s (expected one picture)", path, p.note);
    if (result != ZT_OK)
        return result;
    ZT_TRY(zt_image_init(out_image, p.width, p.height, whole, err));
    copy_pixels(&p, out_image);
    return ZT_OK;
}

zt_result zt_image_read(const char *path, bool single, zt_budget *whole, zt_image *out_image,
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
        result = decode(&a, path, bytes, single, whole, out_image, err);
    if (err && (result == ZT_ERR_LIMIT || result == ZT_ERR_MEMORY) && !strstr(err->message, path)) {
        const zt_error inner = *err; // of an arena, which does not know the path
        (void)zt_fail(err, result, "%s: %s", path, inner.message);
    }
    arena_finish(&a);
    return result;
}
