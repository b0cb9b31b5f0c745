// SPDX-License-Identifier: MIT
/// Which codec a picture needs: decoding, and the size from the header alone. A new format is one
/// row of the table, and one in base/picture_kind.c. References for the headers: PNG (ISO/IEC
/// 15948) 11.2.2, JPEG (ITU-T T.81) B.1.1 and B.2.2, WebP (RFC 9649), DDS (Microsoft, "Programming
/// Guide for DDS"), KTX 2.0 section 3; for BMP and TGA see their decoders.
#include "base/bytes.h"
#include "base/picture_kind.h"
#include "base/row_find.h"
#include "image/jpeg_markers.h"
#include "image/picture_codecs.h"
#include "texture/texture_codecs.h"

#include <string.h>

/// Walks to the frame header, as decoders do: over fill bytes, stray bytes, bare markers.
static bool measure_jpeg(file_bytes b, uint32_t *width, uint32_t *height)
{
    size_t at = 2;
    while (at + 9 <= b.size) {
        const uint8_t code = b.data[at + 1];
        if (b.data[at] != 0xff || code == 0 || code == 0xff) {
            at++;
        } else if (jpeg_marker_starts_frame(code)) {
            *height = (uint32_t)bytes_load_be(b.data + at + 5, 2);
            *width = (uint32_t)bytes_load_be(b.data + at + 7, 2);
            return true;
        } else if (code == MARKER_EOI || code == MARKER_SOS) {
            return false;
        } else if (jpeg_marker_is_bare(code)) {
            at += 2;
        } else { // a length below 2 is wrong: it is skipped itself
            const size_t length = (size_t)bytes_load_be(b.data + at + 2, 2);
            at += length < 2 ? 4 : 2 + length;
        }
    }
    return false;
}

/// Reads the first chunk: a lossy frame has its size after a start code, a lossless one 14 bits a
/// side after a signature, an extended file 24 bits a side of its canvas.
static bool measure_webp(file_bytes b, uint32_t *width, uint32_t *height)
{
    const uint8_t *chunk = b.data + 12;
    if (b.size < 30)
        return false;
    if (memcmp(chunk, "VP8 ", 4) == 0) {
        *width = (uint32_t)bytes_load_le(chunk + 14, 2) & 0x3fff;
        *height = (uint32_t)bytes_load_le(chunk + 16, 2) & 0x3fff;
        return memcmp(chunk + 11, "\x9d\x01\x2a", 3) == 0;
    }
    if (memcmp(chunk, "VP8L", 4) == 0) {
        const uint32_t bits = bytes_u32_le(chunk + 9);
        *width = 1 + (bits & 0x3fff);
        *height = 1 + (bits >> 14 & 0x3fff);
        return chunk[8] == 0x2f;
    }
    *width = 1 + (uint32_t)bytes_load_le(chunk + 12, 3);
    *height = 1 + (uint32_t)bytes_load_le(chunk + 15, 3);
    return memcmp(chunk, "VP8X", 4) == 0;
}

static bool measure_png(file_bytes b, uint32_t *width, uint32_t *height)
{
    if (b.size < 24 || memcmp(b.data, "\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR", 16) != 0)
        return false;
    *width = bytes_u32_be(b.data + 16);
    *height = bytes_u32_be(b.data + 20);
    return true;
}

static bool measure_dds(file_bytes b, uint32_t *width, uint32_t *height)
{
    if (b.size < 128)
        return false;
    *height = bytes_u32_le(b.data + 12);
    *width = bytes_u32_le(b.data + 16);
    return true;
}

static bool measure_ktx2(file_bytes b, uint32_t *width, uint32_t *height)
{
    if (b.size < 80)
        return false;
    *width = bytes_u32_le(b.data + 20);
    *height = bytes_u32_le(b.data + 24);
    return true;
}

static bool measure_bmp(file_bytes b, uint32_t *width, uint32_t *height)
{
    if (b.size < 26)
        return false;
    const bool core = bytes_u32_le(b.data + 14) == 12; // sides of 16 bits
    const int64_t rows =
        core ? (int64_t)bytes_load_le(b.data + 20, 2) : (int64_t)(int32_t)bytes_u32_le(b.data + 22);
    *width = core ? (uint32_t)bytes_load_le(b.data + 18, 2) : bytes_u32_le(b.data + 18);
    *height = (uint32_t)(rows < 0 ? -rows : rows);
    return true;
}

static bool measure_tga(file_bytes b, uint32_t *width, uint32_t *height)
{
    *width = (uint32_t)bytes_load_le(b.data + 12, 2);
    *height = (uint32_t)bytes_load_le(b.data + 14, 2);
    return true;
}

typedef struct picture_codec {
    const char *name;
    bool (*measure)(file_bytes bytes, uint32_t *width, uint32_t *height);
    /// One of the two. Decoders that can reduce set out->skip themselves.
    zt_result (*decode)(arena *a, const char *name, file_bytes bytes, picture *out, zt_error *err);
    zt_result (*decode_reduced)(arena *a, const char *name, file_bytes bytes, picture_need need,
                                picture *out, zt_error *err);
} picture_codec;

static const picture_codec codecs[] = {
    {"PNG", measure_png, png_decode, NULL},    {"JPEG", measure_jpeg, NULL, jpeg_decode},
    {"WebP", measure_webp, webp_decode, NULL}, {"KTX2", measure_ktx2, NULL, ktx2_decode},
    {"DDS", measure_dds, dds_decode, NULL},    {"BMP", measure_bmp, bmp_decode, NULL},
    {"TGA", measure_tga, tga_decode, NULL},
};

static const picture_codec *find_codec(file_bytes bytes)
{
    const int32_t i = ROW_FIND(codecs, picture_kind_of(bytes)->name);
    return i >= 0 ? &codecs[i] : NULL;
}

static zt_result fail_unknown(const char *name, file_bytes bytes, zt_error *err)
{
    const char *foreign = picture_kind_of(bytes)->name;
    if (foreign)
        return zt_fail(
            err, ZT_ERR_FORMAT,
            "%s:0: %s pictures are not supported (expected PNG, JPEG, WebP, KTX2, DDS, BMP or TGA)",
            name, foreign);
    return zt_fail(err, ZT_ERR_FORMAT,
                   "%s:0: not a picture (expected PNG, JPEG, WebP, KTX2, DDS, BMP or TGA)", name);
}

bool picture_measure(file_bytes bytes, picture *out)
{
    uint32_t width = 0, height = 0;
    const picture_codec *codec = find_codec(bytes);
    if (!codec || !codec->measure(bytes, &width, &height))
        return false;
    if (width < 1 || height < 1 || width > PICTURE_SIDE_LIMIT || height > PICTURE_SIDE_LIMIT)
        return false;
    *out = (picture){.width = (int32_t)width, .height = (int32_t)height, .codec = codec->name};
    return true;
}

static zt_result check_side(const char *name, const picture_codec *codec, uint32_t width,
                            uint32_t height, int32_t limit, picture *out, zt_error *err)
{
    if (width <= (uint32_t)limit && height <= (uint32_t)limit)
        return ZT_OK;
    *out = (picture){.too_large = true};
    return zt_fail(err, ZT_ERR_LIMIT, "%s: %s of %u x %u pixels (at most %d a side)", name,
                   codec->name, width, height, (int)limit);
}

zt_result picture_decode(arena *a, const char *name, file_bytes bytes, picture_need need,
                         picture *out, zt_error *err)
{
    *out = (picture){0};
    const picture_codec *codec = find_codec(bytes);
    if (!codec) {
        out->unknown = true;
        return fail_unknown(name, bytes, err);
    }
    const int32_t limit = a->budget->limits->texture_side;
    uint32_t width = 0, height = 0;
    if (codec->measure(bytes, &width, &height))
        ZT_TRY(check_side(name, codec, width, height, limit, out, err));
    const picture size = {.width = (int32_t)width, .height = (int32_t)height};
    if (need.counted)
        ZT_TRY(arena_work(a, picture_steps(&size), "textures", err));
    if (codec->decode_reduced) {
        ZT_TRY(codec->decode_reduced(a, name, bytes, need, out, err));
    } else {
        ZT_TRY(codec->decode(a, name, bytes, out, err));
        out->skip = picture_reduction(out->width, out->height, need.min_side);
    }
    // A decoder may find another size than the header was thought to have.
    ZT_TRY(check_side(name, codec, (uint32_t)out->width, (uint32_t)out->height, limit, out, err));
    out->codec = codec->name;
    return ZT_OK;
}
