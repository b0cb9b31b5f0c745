// SPDX-License-Identifier: MIT
/// Windows and OS/2 bitmaps -> 8-bit RGBA: 1 to 32 bits a pixel, palettes, masks, run-length coded.
/// Alpha counts where a mask says which bits it has. Reference: Microsoft, "Bitmap Storage",
/// BITMAPINFOHEADER and BITMAPV5HEADER.
#include "base/bytes.h"
#include "texture/texture_codecs.h"

#include <string.h>

enum {
    FILE_HEADER = 14,
    CORE_HEADER = 12, // sizes of the headers that may follow
    INFO_HEADER = 40,
    ALPHA_HEADER = 56, // from here on a mask of alpha is part of it
    OS2_HEADER = 64,
    MASKS = 54, // of the file
    RLE8 = 1,
    RLE4 = 2,
    BITFIELDS = 3,
    ALPHA_BITFIELDS = 6,
    RUN_MAX = 255, // pixels
};

typedef struct bmp_file {
    const char *name;
    file_bytes bytes;
    int32_t width, height;
    bool top_down;
    uint32_t bits, compression;
    size_t pixels; ///< offset
    uint32_t mask[4];
    uint8_t palette[256][4]; ///< RGBA; black where the file has none
} bmp_file;

static zt_result ends_early(const bmp_file *f, zt_error *err)
{
    return zt_fail(err, ZT_ERR_FORMAT, "%s:%zu: broken BMP: the data ends early", f->name,
                   f->bytes.size);
}

static bool is_coded(const bmp_file *f) { return f->compression == RLE8 || f->compression == RLE4; }

/// True for pixels that are read.
static bool is_known(const bmp_file *f)
{
    const uint32_t bits = f->bits;
    switch (f->compression) {
    case 0: return bits == 1 || bits == 4 || bits == 8 || bits == 16 || bits == 24 || bits == 32;
    case RLE8: return bits == 8 && !f->top_down;
    case RLE4: return bits == 4 && !f->top_down;
    default: return bits == 16 || bits == 32;
    }
}

/// The first `count` masks are in the file.
static void read_masks(bmp_file *f, int count)
{
    static const uint32_t of_16[4] = {0x7c00, 0x3e0, 0x1f}, of_32[4] = {0xff0000, 0xff00, 0xff};
    memcpy(f->mask, f->bits == 16 ? of_16 : of_32, sizeof f->mask);
    for (int i = 0; i < count; i++)
        f->mask[i] = bytes_u32_le(f->bytes.data + MASKS + 4 * i);
}

static void read_palette(bmp_file *f, uint32_t header, uint32_t used)
{
    const size_t size = header == CORE_HEADER ? 3 : 4;
    const uint32_t limit = 1u << f->bits, count = used > 0 && used < limit ? used : limit;
    for (uint32_t i = 0; i < 256; i++)
        f->palette[i][3] = 255;
    for (uint32_t i = 0; i < count; i++) {
        const size_t at = FILE_HEADER + header + i * size;
        for (size_t c = 0; c < 3 && at + 3 <= f->bytes.size; c++)
            f->palette[i][c] = f->bytes.data[at + 2 - c];
    }
}

static zt_result read_header(bmp_file *f, zt_error *err)
{
    const uint8_t *d = f->bytes.data;
    if (f->bytes.size < FILE_HEADER + CORE_HEADER)
        return ends_early(f, err);
    const uint32_t header = bytes_u32_le(d + FILE_HEADER);
    const bool core = header == CORE_HEADER;
    if (!core && header < INFO_HEADER)
        return zt_fail(err, ZT_ERR_FORMAT, "%s:%d: broken BMP: a header of %u bytes", f->name,
                       FILE_HEADER, header);
    if (f->bytes.size < (core ? FILE_HEADER + CORE_HEADER : MASKS))
        return ends_early(f, err);
    const int64_t height = core ? (int64_t)bytes_load_le(d + 20, 2) : (int32_t)bytes_u32_le(d + 22);
    f->pixels = bytes_u32_le(d + 10);
    f->width = (int32_t)(core ? bytes_load_le(d + 18, 2) : bytes_u32_le(d + 18));
    f->top_down = height < 0;
    f->height = (int32_t)(height < 0 ? -height : height);
    f->bits = (uint32_t)bytes_load_le(d + (core ? 24 : 28), 2);
    f->compression = core ? 0 : bytes_u32_le(d + 30);
    if (f->width < 1 || f->height < 1)
        return zt_fail(err, ZT_ERR_FORMAT, "%s:18: broken BMP: %d x %d pixels", f->name, f->width,
                       f->height);
    ZT_TRY(picture_check_side(f->name, 18, "BMP", (uint32_t)f->width, (uint32_t)f->height, err));
    const bool fields = f->compression == BITFIELDS || f->compression == ALPHA_BITFIELDS;
    if ((f->compression > RLE4 && (!fields || header == OS2_HEADER)) || !is_known(f))
        return zt_fail(err, ZT_ERR_FORMAT,
                       "%s:28: a BMP of %u bits and compression %u is not supported", f->name,
                       f->bits, f->compression);
    const bool alpha = f->compression == ALPHA_BITFIELDS || header >= ALPHA_HEADER;
    if (fields && f->bytes.size < (alpha ? MASKS + 16 : MASKS + 12))
        return ends_early(f, err);
    read_masks(f, fields ? (alpha ? 4 : 3) : 0);
    if (f->bits <= 8)
        read_palette(f, header, core ? 0 : bytes_u32_le(d + 46));
    return ZT_OK;
}

/// The bits of a mask as 8 bits; 255 of alpha without a mask.
static uint8_t masked(uint32_t value, uint32_t mask, uint8_t none)
{
    const int shift = mask ? __builtin_ctz(mask) : 0;
    const uint64_t limit = mask >> shift, own = (value & mask) >> shift;
    return mask ? (uint8_t)((own * 255 + limit / 2) / limit) : none;
}

static void read_pixel(const bmp_file *f, const uint8_t *row, int32_t x, uint8_t out[4])
{
    const size_t at = (size_t)x * f->bits / 8;
    if (f->bits <= 8) {
        const uint32_t shift = 8 - f->bits - (uint32_t)x * f->bits % 8;
        memcpy(out, f->palette[row[at] >> shift & ((1u << f->bits) - 1)], 4);
    } else if (f->bits == 24) {
        const uint8_t color[4] = {row[at + 2], row[at + 1], row[at], 255};
        memcpy(out, color, 4);
    } else {
        const uint32_t value = (uint32_t)bytes_load_le(row + at, f->bits / 8);
        for (int c = 0; c < 4; c++)
            out[c] = masked(value, f->mask[c], c == 3 ? 255 : 0);
    }
}

static zt_result read_rows(const bmp_file *f, arena *a, uint8_t *pixels, zt_error *err)
{
    const size_t used = ((size_t)f->width * f->bits + 7) / 8, stride = (used + 3) / 4 * 4;
    for (int32_t y = 0; y < f->height; y++) {
        const int32_t row = f->top_down ? y : f->height - 1 - y;
        const uint8_t *from = f->bytes.data + f->pixels + stride * (size_t)y;
        ZT_TRY(arena_go_on(a, "the pixels of a BMP", err));
        for (int32_t x = 0; x < f->width; x++)
            read_pixel(f, from, x, pixels + 4 * ((size_t)row * (size_t)f->width + (size_t)x));
    }
    return ZT_OK;
}

/// The place of the next coded pixel.
typedef struct bmp_pen {
    const bmp_file *f;
    uint8_t *pixels;
    int64_t x, y; ///< from the bottom
} bmp_pen;

static void put_index(bmp_pen *pen, uint32_t index)
{
    const bmp_file *f = pen->f;
    if (pen->x < f->width && pen->y < f->height)
        memcpy(pen->pixels + 4 * ((f->height - 1 - pen->y) * f->width + pen->x), f->palette[index],
               4);
    pen->x++;
}

/// Pixel i of bytes with one or two of them.
static uint32_t index_at(const bmp_file *f, const uint8_t *bytes, uint32_t i)
{
    return f->bits == 8 ? bytes[i] : bytes[i / 2] >> (i % 2 ? 0 : 4) & 15;
}

/// Reads on behind an escape. False at the end of the picture, or of the data.
static bool read_escape(bmp_pen *pen, const uint8_t **at, const uint8_t *end, uint32_t code)
{
    const size_t size = code == 2           ? 2
                        : code < 2          ? 0
                        : pen->f->bits == 8 ? (code + 1) / 2 * 2
                                            : ((code + 1) / 2 + 1) / 2 * 2;
    if (code == 1 || (size_t)(end - *at) < size)
        return false;
    if (code == 0) {
        pen->x = 0;
        pen->y++;
    } else if (code == 2) {
        pen->x += (*at)[0];
        pen->y += (*at)[1];
    }
    if (code > 2)
        for (uint32_t i = 0; i < code; i++)
            put_index(pen, index_at(pen->f, *at, i));
    *at += size;
    return true;
}

/// Pixels that the file leaves out have the first colour.
static zt_result read_runs(const bmp_file *f, arena *a, uint8_t *pixels, zt_error *err)
{
    const uint8_t *at = f->bytes.data + f->pixels, *end = f->bytes.data + f->bytes.size;
    bmp_pen pen = {.f = f, .pixels = pixels};
    for (size_t i = 0; i < (size_t)f->width * (size_t)f->height; i++)
        memcpy(pixels + 4 * i, f->palette[0], 4);
    while (pen.y < f->height && end - at >= 2) {
        const uint8_t run = at[0], *value = at + 1;
        ZT_TRY(arena_go_on(a, "the pixels of a BMP", err));
        at += 2;
        if (run == 0 && !read_escape(&pen, &at, end, *value))
            break;
        for (uint32_t i = 0; i < run; i++)
            put_index(&pen, index_at(f, value, f->bits == 8 ? 0 : i % 2));
    }
    return ZT_OK;
}

/// Before memory is taken.
static zt_result check_size(const bmp_file *f, zt_error *err)
{
    const uint64_t width = (uint64_t)f->width, height = (uint64_t)f->height;
    const uint64_t used = (width * f->bits + 7) / 8, stride = (used + 3) / 4 * 4;
    const uint64_t need = is_coded(f) ? width * height / RUN_MAX : stride * (height - 1) + used;
    if (f->pixels > f->bytes.size || need > f->bytes.size - f->pixels)
        return ends_early(f, err);
    return ZT_OK;
}

zt_result bmp_decode(arena *a, const char *name, file_bytes bytes, picture *out, zt_error *err)
{
    bmp_file f = {.name = name, .bytes = bytes};
    *out = (picture){0};
    if (bytes.size < 2 || memcmp(bytes.data, "BM", 2) != 0)
        return zt_fail(err, ZT_ERR_FORMAT, "%s:0: not a BMP", name);
    ZT_TRY(read_header(&f, err));
    ZT_TRY(check_size(&f, err));
    picture p;
    uint8_t *pixels;
    ZT_TRY(picture_take(a, f.width, f.height, "the pixels of a BMP", &p, &pixels, err));
    p.has_alpha = f.bits > 8 && f.mask[3] != 0;
    ZT_TRY(is_coded(&f) ? read_runs(&f, a, pixels, err) : read_rows(&f, a, pixels, err));
    *out = p;
    return ZT_OK;
}
