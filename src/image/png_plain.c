// SPDX-License-Identifier: MIT
/// The PNG files that most textures are -> RGBA, about three times as fast as libpng does it: the
/// chunks are checked and joined, libdeflate inflates all rows at once, and the filters are undone
/// several rows at a time (ISO/IEC 15948, clause 5).
#include "image/png_plain.h"

#include "image/png_unfilter.h"

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

static void expand_rgb(const uint8_t *rgb, int32_t width, uint8_t *rgba)
{
    for (size_t x = 0; x < (size_t)width; x++) {
        rgba[4 * x + 0] = rgb[3 * x + 0];
        rgba[4 * x + 1] = rgb[3 * x + 1];
        rgba[4 * x + 2] = rgb[3 * x + 2];
        rgba[4 * x + 3] = 255;
    }
}

/// All rows with their filters undone.
static uint8_t *inflate_rows(arena *temporary, file_bytes bytes, plain_file *f)
{
    if (bytes.size < SIGNATURE_BYTES || !read_chunks(f, bytes, NULL))
        return NULL;
    const size_t row_size = (size_t)f->width * f->pixel_bytes;
    const size_t raw_size = (row_size + 1) * (size_t)f->height;
    uint8_t *raw = arena_alloc_raw(temporary, raw_size + PNG_UNFILTER_SLACK, 1);
    uint8_t *above = raw ? arena_alloc(temporary, row_size + PNG_UNFILTER_SLACK, 1)
                         : NULL; // zeros above the first row
    uint8_t *joined = NULL;
    if (above && f->idat_count > 1)
        joined = arena_alloc_raw(temporary, f->idat_size, 1);
    if (!above || (f->idat_count > 1 && (!joined || !read_chunks(f, bytes, joined))))
        return NULL;
    struct libdeflate_decompressor *d = libdeflate_alloc_decompressor();
    if (!d)
        return NULL;
    const enum libdeflate_result inflated =
        libdeflate_zlib_decompress(d, joined ? joined : f->first, f->idat_size, raw, raw_size,
                                   NULL); // all of raw_size or fail
    libdeflate_free_decompressor(d);
    if (inflated != LIBDEFLATE_SUCCESS)
        return NULL;
    return png_unfilter(raw, (size_t)f->width, (size_t)f->height, f->pixel_bytes, above) ? raw
                                                                                         : NULL;
}

bool png_plain_rows(arena *a, file_bytes bytes, png_plain_picture *out)
{
    plain_file f;
    const uint8_t *raw = inflate_rows(a, bytes, &f);
    if (raw)
        *out = (png_plain_picture){raw + 1, (size_t)f.width * f.pixel_bytes + 1, f.pixel_bytes};
    return raw != NULL;
}

bool png_plain_decode(arena *temporary, file_bytes bytes, uint8_t *pixels, size_t stride)
{
    plain_file f;
    const uint8_t *raw = inflate_rows(temporary, bytes, &f);
    if (!raw)
        return false;
    const size_t row_size = (size_t)f.width * f.pixel_bytes;
    for (int32_t y = 0; y < f.height; y++) {
        const uint8_t *row = raw + (size_t)y * (row_size + 1) + 1;
        if (f.pixel_bytes == 3)
            expand_rgb(row, f.width, pixels + (size_t)y * stride);
        else
            memcpy(pixels + (size_t)y * stride, row, row_size);
    }
    return true;
}
