// SPDX-License-Identifier: MIT
/// Truevision TGA -> 8-bit RGBA: grey, palettes, 15 to 32 bits a pixel, plain and run-length coded,
/// from any corner. Reference: Truevision TGA File Format Specification 2.0 (1991).
#include "base/bytes.h"
#include "base/picture_kind.h"
#include "texture/texture_codecs.h"

#include <string.h>

enum {
    PALETTE = 1, // image types; 8 more: run-length coded
    COLOR = 2,
    GREY = 3,
    CODED = 8,
    RIGHT_TO_LEFT = 0x10, // of the descriptor
    TOP_DOWN = 0x20,
    RUN_MAX = 128, // pixels
};

typedef struct tga_file {
    const char *name;
    const uint8_t *at, *end; ///< the rest of the file
    int32_t width, height;
    int kind; ///< without CODED
    bool coded;
    uint8_t descriptor;
    size_t pixel_bytes;
    const uint8_t *map;
    size_t map_bytes; ///< of an entry
    uint32_t map_first, map_count;
} tga_file;

static zt_result ends_early(const tga_file *f, const uint8_t *begin, zt_error *err)
{
    return zt_fail(err, ZT_ERR_FORMAT, "%s:%zu: broken TGA: the data ends early", f->name,
                   (size_t)(f->end - begin));
}

/// picture_is_tga() has looked at the header.
static zt_result open_file(const char *name, file_bytes bytes, tga_file *f, zt_error *err)
{
    const uint8_t *h = bytes.data;
    *f = (tga_file){.name = name,
                    .end = h + bytes.size,
                    .width = (int32_t)bytes_load_le(h + 12, 2),
                    .height = (int32_t)bytes_load_le(h + 14, 2),
                    .kind = h[2] & 7,
                    .coded = h[2] & CODED,
                    .descriptor = h[17],
                    .pixel_bytes = (h[16] + 7u) / 8,
                    .map_first = (uint32_t)bytes_load_le(h + 3, 2),
                    .map_count = (uint32_t)bytes_load_le(h + 5, 2),
                    .map_bytes = (h[7] + 7u) / 8};
    ZT_TRY(picture_check_side(name, 12, "TGA", (uint32_t)f->width, (uint32_t)f->height, err));
    const size_t map_size = h[1] ? f->map_count * f->map_bytes : 0;
    if (bytes.size < PICTURE_TGA_HEADER + h[0] + map_size)
        return ends_early(f, h, err);
    f->map = h + PICTURE_TGA_HEADER + h[0];
    f->at = f->map + map_size;
    const size_t left = (size_t)(f->end - f->at);
    const uint64_t pixels = (uint64_t)f->width * (uint64_t)f->height;
    const uint64_t limit = f->coded ? (uint64_t)left * RUN_MAX : left / f->pixel_bytes;
    return pixels > limit ? ends_early(f, h, err) : ZT_OK;
}

static uint8_t from_5_bits(uint32_t value) { return (uint8_t)(((value & 31) * 255 + 15) / 31); }

/// A colour of 2 to 4 bytes, blue first.
static void read_color(const uint8_t *p, size_t size, uint8_t out[4])
{
    const uint32_t low = p[0] | (uint32_t)p[1] << 8;
    const bool packed = size == 2;
    out[0] = packed ? from_5_bits(low >> 10) : p[2];
    out[1] = packed ? from_5_bits(low >> 5) : p[1];
    out[2] = packed ? from_5_bits(low) : p[0];
    out[3] = size == 4 ? p[3] : 255;
}

static void read_pixel(const tga_file *f, const uint8_t *p, uint8_t out[4])
{
    if (f->kind == COLOR) {
        read_color(p, f->pixel_bytes, out);
    } else if (f->kind == PALETTE) {
        const uint32_t entry = (uint32_t)bytes_load_le(p, f->pixel_bytes) - f->map_first;
        memset(out, 0, 4);
        if (entry < f->map_count)
            read_color(f->map + entry * f->map_bytes, f->map_bytes, out);
    } else {
        memset(out, p[0], 3);
        out[3] = f->pixel_bytes == 2 ? p[1] : 255;
    }
}

static uint8_t *place_of(const tga_file *f, uint8_t *pixels, int32_t x, int32_t y)
{
    const int32_t row = f->descriptor & TOP_DOWN ? y : f->height - 1 - y;
    const int32_t column = f->descriptor & RIGHT_TO_LEFT ? f->width - 1 - x : x;
    return pixels + 4 * ((size_t)row * (size_t)f->width + (size_t)column);
}

/// Pixels in the order of the file. A run may go on in the next row.
static zt_result read_pixels(tga_file *f, arena *a, const uint8_t *begin, uint8_t *pixels,
                             zt_error *err)
{
    uint32_t left = 0; // pixels of the packet
    bool repeats = false;
    for (int32_t y = 0; y < f->height; y++) {
        ZT_TRY(arena_go_on(a, "the pixels of a TGA", err));
        for (int32_t x = 0; x < f->width; x++) {
            if (f->coded && left == 0) {
                if (f->at == f->end)
                    return ends_early(f, begin, err);
                repeats = *f->at & 128;
                left = (*f->at++ & 127u) + 1;
            }
            if ((size_t)(f->end - f->at) < f->pixel_bytes)
                return ends_early(f, begin, err);
            read_pixel(f, f->at, place_of(f, pixels, x, y));
            left -= f->coded;
            if (!repeats || left == 0)
                f->at += f->pixel_bytes;
        }
    }
    return ZT_OK;
}

/// Files whose fourth byte means nothing have 0 there.
static bool has_alpha(uint8_t *pixels, size_t count)
{
    bool clear = true, opaque = true;
    for (size_t i = 0; i < count; i++) {
        clear = clear && pixels[4 * i + 3] == 0;
        opaque = opaque && pixels[4 * i + 3] == 255;
    }
    if (clear)
        for (size_t i = 0; i < count; i++)
            pixels[4 * i + 3] = 255;
    return !clear && !opaque;
}

zt_result tga_decode(arena *a, const char *name, file_bytes bytes, picture *out, zt_error *err)
{
    tga_file f;
    *out = (picture){0};
    if (!picture_is_tga(bytes))
        return zt_fail(err, ZT_ERR_FORMAT, "%s:0: not a TGA", name);
    ZT_TRY(open_file(name, bytes, &f, err));
    picture p;
    uint8_t *pixels;
    ZT_TRY(picture_take(a, f.width, f.height, "the pixels of a TGA", &p, &pixels, err));
    ZT_TRY(read_pixels(&f, a, bytes.data, pixels, err));
    p.has_alpha = has_alpha(pixels, (size_t)f.width * (size_t)f.height);
    *out = p;
    return ZT_OK;
}
