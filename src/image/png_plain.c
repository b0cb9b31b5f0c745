// SPDX-License-Identifier: MIT
/// The PNG files that most textures are -> RGBA, about three times as fast as libpng does it: the
/// chunks are checked and joined, libdeflate inflates all rows at once, and the filters are undone
/// with the pixel size known to the compiler (ISO/IEC 15948, clauses 5 and 9).
#include "image/png_plain.h"

#include <libdeflate.h>
#include <string.h>

enum { SIGNATURE_BYTES = 8, CHUNK_FRAME_BYTES = 12, IHDR_BYTES = 13 };

static uint32_t big_endian_u32(const uint8_t *p)
{
    return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

typedef struct plain_file {
    int32_t width, height;
    size_t pixel_bytes;   ///< 3 or 4
    const uint8_t *first; ///< data of the first IDAT
    size_t idat_size;     ///< of all IDATs
    uint32_t idat_count;
} plain_file;

static bool read_header(plain_file *f, const uint8_t *data)
{
    f->width = (int32_t)big_endian_u32(data);
    f->height = (int32_t)big_endian_u32(data + 4);
    const uint8_t color = data[9];
    f->pixel_bytes = color == 2 ? 3 : 4;
    return data[8] == 8 && (color == 2 || color == 6) && data[10] == 0 && data[11] == 0 &&
           data[12] == 0;
}

/// Walks the chunks up to IEND; copies the IDATs to `joined` unless it is NULL. False when the file
/// is not plain, or not intact.
static bool read_chunks(plain_file *f, file_bytes bytes, uint8_t *joined)
{
    bool idat_before = false;
    *f = (plain_file){.width = 0};
    for (size_t at = SIGNATURE_BYTES; bytes.size - at >= CHUNK_FRAME_BYTES;) {
        const uint8_t *chunk = bytes.data + at, *name = chunk + 4, *data = chunk + 8;
        const size_t size = big_endian_u32(chunk);
        if (size > bytes.size - at - CHUNK_FRAME_BYTES ||
            libdeflate_crc32(0, name, size + 4) != big_endian_u32(data + size))
            return false;
        at += CHUNK_FRAME_BYTES + size;
        const bool idat = memcmp(name, "IDAT", 4) == 0;
        if (f->pixel_bytes == 0) {
            if (memcmp(name, "IHDR", 4) != 0 || size != IHDR_BYTES || !read_header(f, data))
                return false;
        } else if (idat) {
            if (f->idat_count > 0 && !idat_before) // they follow each other
                return false;
            if (joined)
                memcpy(joined + f->idat_size, data, size);
            if (f->idat_count++ == 0)
                f->first = data;
            f->idat_size += size;
        } else if (memcmp(name, "IEND", 4) == 0) {
            return size == 0 && f->idat_count > 0;
        } else if (!(name[0] & 0x20) || memcmp(name, "tRNS", 4) == 0) {
            return false; // other critical chunks, and what changes pixels
        }
        idat_before = idat;
    }
    return false;
}

/// Paeth's predictor of clause 9.4: with p = a + b - c, |p - a| = |b - c| and |p - b| = |a - c|.
static inline int paeth(int left, int above, int corner)
{
    const int to_left = above - corner, to_above = left - corner, both = to_left + to_above;
    const int pa = to_left < 0 ? -to_left : to_left, pb = to_above < 0 ? -to_above : to_above;
    const int pc = both < 0 ? -both : both;
    // A plain choice: pictures are smooth enough for the branches to be foreseen, and selecting by
    // masks lengthens the chain from pixel to pixel (measured: twice the time).
    const int rest = pb <= pc ? above : corner;
    return pa <= pb && pa <= pc ? left : rest;
}

/// Undoes the filter of one row in place; always inlined with `bpp` known. `above` is the row above
/// without its filter.
static inline bool unfilter(int filter, uint8_t *row, const uint8_t *above, size_t size, size_t bpp)
{
    switch (filter) {
    case 0:
        return true;
    case 1:
        for (size_t i = bpp; i < size; i++)
            row[i] = (uint8_t)(row[i] + row[i - bpp]);
        return true;
    case 2:
        for (size_t i = 0; i < size; i++)
            row[i] = (uint8_t)(row[i] + above[i]);
        return true;
    case 3:
        for (size_t i = 0; i < bpp; i++)
            row[i] = (uint8_t)(row[i] + above[i] / 2);
        for (size_t i = bpp; i < size; i++)
            row[i] = (uint8_t)(row[i] + (row[i - bpp] + above[i]) / 2);
        return true;
    case 4: {
        int left[4] = {0}, corner[4] = {0}; // in registers: the chain runs through the left pixel
        for (size_t i = 0; i < size; i += bpp)
            for (size_t k = 0; k < bpp; k++) {
                const int up = above[i + k];
                left[k] = (row[i + k] + paeth(left[k], up, corner[k])) & 255;
                corner[k] = up;
                row[i + k] = (uint8_t)left[k];
            }
        return true;
    }
    default:
        return false;
    }
}

static void expand_rgb(const uint8_t *rgb, int32_t width, uint8_t *rgba)
{
    for (size_t x = 0; x < (size_t)width; x++) {
        rgba[4 * x + 0] = rgb[3 * x + 0];
        rgba[4 * x + 1] = rgb[3 * x + 1];
        rgba[4 * x + 2] = rgb[3 * x + 2];
        rgba[4 * x + 3] = 255;
    }
}

bool png_plain_decode(arena *temporary, file_bytes bytes, uint8_t *pixels, size_t stride)
{
    plain_file f;
    if (bytes.size < SIGNATURE_BYTES || !read_chunks(&f, bytes, NULL))
        return false;
    const size_t row_size = (size_t)f.width * f.pixel_bytes;
    const size_t raw_size = (row_size + 1) * (size_t)f.height;
    uint8_t *raw = arena_alloc_raw(temporary, raw_size, 1);
    uint8_t *above = raw ? arena_alloc(temporary, row_size, 1) : NULL; // zeros above the first row
    uint8_t *joined = NULL;
    if (above && f.idat_count > 1)
        joined = arena_alloc_raw(temporary, f.idat_size, 1);
    if (!above || (f.idat_count > 1 && (!joined || !read_chunks(&f, bytes, joined))))
        return false;
    struct libdeflate_decompressor *d = libdeflate_alloc_decompressor();
    if (!d)
        return false;
    const enum libdeflate_result inflated = libdeflate_zlib_decompress(
        d, joined ? joined : f.first, f.idat_size, raw, raw_size, NULL); // all of raw_size or fail
    libdeflate_free_decompressor(d);
    if (inflated != LIBDEFLATE_SUCCESS)
        return false;
    for (int32_t y = 0; y < f.height; y++) {
        uint8_t *row = raw + (size_t)y * (row_size + 1) + 1, *out = pixels + (size_t)y * stride;
        const bool rgb = f.pixel_bytes == 3;
        if (rgb ? !unfilter(row[-1], row, above, row_size, 3)
                : !unfilter(row[-1], row, above, row_size, 4))
            return false;
        if (rgb)
            expand_rgb(row, f.width, out);
        else
            memcpy(out, row, row_size);
        above = row;
    }
    return true;
}
