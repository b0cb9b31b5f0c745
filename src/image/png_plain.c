// SPDX-License-Identifier: MIT
/// Decodes 8-bit RGB and RGBA files about three times as fast as libpng: the chunks are checked and
/// joined, libdeflate inflates all rows at once, and Paeth filters, a chain from pixel to pixel,
/// are undone four rows at a time, each row one pixel behind the row above (ISO/IEC 15948, clauses
/// 5, 9).
#include "image/png_plain.h"

#include "base/inflate.h"
#include "image/png_chunk.h"

enum { UNFILTER_SLACK = 4 }; ///< bytes that may be read after the rows, and after the row of zeros

/// Paeth's predictor of clause 9.4: with p = a + b - c, |p - a| = |b - c| and |p - b| = |a - c|.
static inline int paeth(int left, int above, int corner)
{
    const int to_left = above - corner, to_above = left - corner, both = to_left + to_above;
    const int pa = to_left < 0 ? -to_left : to_left, pb = to_above < 0 ? -to_above : to_above;
    const int pc = both < 0 ? -both : both;
    // Branches: they predict well in smooth pictures, and selecting by masks lengthens the chain
    // from pixel to pixel (measured: twice the time).
    const int rest = pb <= pc ? above : corner;
    return pa <= pb && pa <= pc ? left : rest;
}

/// Undoes the filter of one row in place; inlined with a constant `bpp`. `above` is the unfiltered
/// row above. False when the filter does not exist.
static inline bool unfilter_row(int filter, uint8_t *row, const uint8_t *above, size_t size,
                                size_t bpp)
{
    switch (filter) {
    case 0: return true;
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
    default: return false;
    }
}

// ---- Four rows of Paeth's filter at a time ------------------------------------------------------

enum { ROWS = 4 };

/// Four channels of a pixel in each row: 128 bits, which every target supports.
typedef uint8_t lanes __attribute__((vector_size(16)));
typedef int8_t lanes_i8 __attribute__((vector_size(16)));
typedef uint32_t lanes_u32 __attribute__((vector_size(16)));

/// Values of lanes have 128 added: few targets compare unsigned bytes.
static const lanes bias = {128, 128, 128, 128, 128, 128, 128, 128,
                           128, 128, 128, 128, 128, 128, 128, 128};

static inline lanes lanes_less(lanes a, lanes b) { return (lanes)((lanes_i8)a < (lanes_i8)b); }

/// The first where the mask is 0, else the second.
static inline lanes lanes_select(lanes mask, lanes a, lanes b) { return a ^ ((a ^ b) & mask); }

/// paeth() in all lanes of biased values. p lies beyond the farther of left and above where both
/// are on one side of the corner, and the corner is then never the nearest. Else it lies between
/// them, |pa - pb| from the corner. Distances are not biased.
static inline lanes lanes_paeth(lanes left, lanes above, lanes corner)
{
    const lanes falls = lanes_less(above, corner), falls_too = lanes_less(left, corner);
    const lanes pa = ((above - corner) ^ falls) - falls;
    const lanes pb = ((left - corner) ^ falls_too) - falls_too;
    const lanes by_above = lanes_less(pb ^ bias, pa ^ bias), by_left = ~by_above;
    const lanes least = lanes_select(by_above, pa, pb);
    const lanes pc = ((pa - pb) ^ by_left) - by_left;
    const lanes by_corner = (falls ^ falls_too) & lanes_less(pc ^ bias, least ^ bias);
    return lanes_select(by_corner, lanes_select(by_above, left, above), corner);
}

static inline uint32_t load_u32(const uint8_t *p)
{
    uint32_t value;
    memcpy(&value, p, sizeof value);
    return value;
}

/// Pixels [first, last) of one row.
static inline void paeth_pixels(uint8_t *row, const uint8_t *above, size_t first, size_t last,
                                size_t bpp)
{
    for (size_t i = first * bpp; i < last * bpp; i++) {
        const int left = i < bpp ? 0 : row[i - bpp], corner = i < bpp ? 0 : above[i - bpp];
        row[i] = (uint8_t)(row[i] + paeth(left, above[i], corner));
    }
}

/// Undoes four rows of >= ROWS pixels below `above`: at step t row r is at pixel t - r.
static inline void paeth_four_rows(uint8_t *const row[ROWS], const uint8_t *above, size_t width,
                                   size_t bpp)
{
    for (size_t r = 0; r + 1 < ROWS; r++)
        paeth_pixels(row[r], r == 0 ? above : row[r - 1], 0, ROWS - 1 - r, bpp);
    lanes left = (lanes)(lanes_u32){load_u32(row[0] + 2 * bpp), load_u32(row[1] + bpp),
                                    load_u32(row[2]), 0} ^
                 bias;
    lanes corner =
        (lanes)(lanes_u32){load_u32(above + 2 * bpp), load_u32(row[0] + bpp), load_u32(row[1]), 0} ^
        bias;
    for (size_t t = ROWS - 1; t < width; t++) {
        uint8_t *const at[ROWS] = {row[0] + t * bpp, row[1] + (t - 1) * bpp, row[2] + (t - 2) * bpp,
                                   row[3] + (t - 3) * bpp};
        const lanes raw =
            (lanes)(lanes_u32){load_u32(at[0]), load_u32(at[1]), load_u32(at[2]), load_u32(at[3])};
        const lanes first = (lanes)(lanes_u32){load_u32(above + t * bpp)} ^ bias;
        const lanes up =
            (lanes)__builtin_shufflevector((lanes_u32)first, (lanes_u32)left, 0, 4, 5, 6);
        left = lanes_paeth(left, up, corner) + raw;
        corner = up;
        const lanes_u32 pixels = (lanes_u32)(left ^ bias);
        for (int r = 0; r < ROWS; r++) {
            const uint32_t pixel = pixels[r];
            memcpy(at[r], &pixel, bpp);
        }
    }
    for (size_t r = 1; r < ROWS; r++)
        paeth_pixels(row[r], row[r - 1], width - r, width, bpp);
}

/// Undoes all rows; inlined with a constant `bpp`. `zeros` is the row above the first.
static inline bool unfilter_rows(uint8_t *rows, size_t width, size_t height, size_t bpp,
                                 const uint8_t *zeros)
{
    const size_t size = width * bpp, pitch = size + 1;
    const uint8_t *above = zeros;
    for (size_t y = 0; y < height;) {
        uint8_t *const row[ROWS] = {rows + y * pitch + 1, rows + (y + 1) * pitch + 1,
                                    rows + (y + 2) * pitch + 1, rows + (y + 3) * pitch + 1};
        size_t paeths = 0;
        while (paeths < ROWS && y + paeths < height && row[paeths][-1] == 4)
            paeths++;
        if (paeths == ROWS && width >= ROWS) {
            paeth_four_rows(row, above, width, bpp);
            above = row[ROWS - 1];
            y += ROWS;
        } else {
            if (!unfilter_row(row[0][-1], row[0], above, size, bpp))
                return false;
            above = row[0];
            y++;
        }
    }
    return true;
}

static bool unfilter(uint8_t *rows, size_t width, size_t height, size_t pixel_bytes,
                     const uint8_t *zeros)
{
    return pixel_bytes == 3 ? unfilter_rows(rows, width, height, 3, zeros)
                            : unfilter_rows(rows, width, height, 4, zeros);
}

// ---- Chunks and rows ----------------------------------------------------------------------------

typedef struct plain_file {
    int32_t width, height;
    size_t pixel_bytes;   ///< 3 or 4
    const uint8_t *first; ///< data of the first IDAT
    size_t idat_size;     ///< of all IDATs
    uint32_t idat_count;
} plain_file;

static bool read_header(plain_file *f, const uint8_t *data)
{
    f->width = (int32_t)bytes_u32_be(data);
    f->height = (int32_t)bytes_u32_be(data + 4);
    const uint8_t color = data[9];
    f->pixel_bytes = color == 2 ? 3 : 4;
    return data[8] == 8 && (color == 2 || color == 6) && data[10] == 0 && data[11] == 0 &&
           data[12] == 0;
}

/// Names are four letters: libpng refuses files with others.
static bool is_name(const uint8_t name[4])
{
    for (int i = 0; i < 4; i++) {
        const uint8_t lower = name[i] | 0x20;
        if (lower < 'a' || lower > 'z')
            return false;
    }
    return true;
}

/// Walks the chunks to IEND; copies IDATs to `joined` unless NULL. False: not plain, or not intact.
static bool read_chunks(plain_file *f, file_bytes bytes, uint8_t *joined)
{
    bool idat_before = false;
    *f = (plain_file){.width = 0};
    png_chunk c;
    for (size_t at = PNG_SIGNATURE_BYTES; png_chunk_next(bytes, &at, &c);) {
        if (!is_name(c.type) || !png_chunk_is_intact(&c))
            return false;
        const bool idat = png_chunk_is(&c, "IDAT");
        if (f->pixel_bytes == 0) {
            if (!png_chunk_is(&c, "IHDR") || c.size != PNG_IHDR_BYTES || !read_header(f, c.data))
                return false;
        } else if (idat) {
            if (f->idat_count > 0 && !idat_before) // IDATs must be consecutive
                return false;
            if (joined)
                memcpy(joined + f->idat_size, c.data, c.size);
            if (f->idat_count++ == 0)
                f->first = c.data;
            f->idat_size += c.size;
        } else if (png_chunk_is(&c, "IEND")) {
            return c.size == 0 && f->idat_count > 0;
        } else if (!(c.type[0] & 0x20) || png_chunk_is(&c, "tRNS")) {
            return false; // an unknown critical chunk, or one that changes pixels
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

/// Inflates all rows and undoes their filters. ZT_ERR_FORMAT: not a plain file, or broken.
static zt_result inflate_rows(arena *temporary, file_bytes bytes, plain_file *f, uint8_t **out)
{
    if (!read_chunks(f, bytes, NULL))
        return ZT_ERR_FORMAT;
    const size_t row_size = (size_t)f->width * f->pixel_bytes;
    const size_t raw_size = (row_size + 1) * (size_t)f->height;
    uint8_t *raw = arena_alloc_raw(temporary, raw_size + UNFILTER_SLACK, 1);
    uint8_t *above = raw ? arena_alloc(temporary, row_size + UNFILTER_SLACK, 1)
                         : NULL; // zeros above the first row
    uint8_t *joined = NULL;
    if (above && f->idat_count > 1)
        joined = arena_alloc_raw(temporary, f->idat_size, 1);
    if (!above || (f->idat_count > 1 && !joined))
        return temporary->failed;
    if (joined)
        (void)read_chunks(f, bytes, joined); // as before
    const file_bytes packed = {joined ? joined : f->first, f->idat_size};
    ZT_TRY(inflate_exactly(INFLATE_ZLIB, packed, raw, raw_size));
    if (!unfilter(raw, (size_t)f->width, (size_t)f->height, f->pixel_bytes, above))
        return ZT_ERR_FORMAT;
    *out = raw;
    return ZT_OK;
}

zt_result png_plain_rows(arena *a, file_bytes bytes, png_plain_picture *out)
{
    plain_file f;
    uint8_t *raw = NULL;
    ZT_TRY(inflate_rows(a, bytes, &f, &raw));
    *out = (png_plain_picture){raw + 1, (size_t)f.width * f.pixel_bytes + 1, f.pixel_bytes};
    return ZT_OK;
}

zt_result png_plain_decode(arena *temporary, file_bytes bytes, uint8_t *pixels, size_t stride)
{
    plain_file f;
    uint8_t *raw = NULL;
    ZT_TRY(inflate_rows(temporary, bytes, &f, &raw));
    const size_t row_size = (size_t)f.width * f.pixel_bytes;
    for (int32_t y = 0; y < f.height; y++) {
        const uint8_t *row = raw + (size_t)y * (row_size + 1) + 1;
        if (f.pixel_bytes == 3)
            expand_rgb(row, f.width, pixels + (size_t)y * stride);
        else
            memcpy(pixels + (size_t)y * stride, row, row_size);
    }
    return ZT_OK;
}
