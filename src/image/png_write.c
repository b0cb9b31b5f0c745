// SPDX-License-Identifier: MIT
/// Pictures -> PNG files. Fast: png_bands encodes bands of rows as IDAT chunks. Small: rows
/// filtered here, deflated by libdeflate as one stream. libpng writes the other chunks. Bytes do
/// not depend on the processor, of a fast file not on a library's version either.
#include "image/png_write.h"

#include "base/color_text.h"
#include "base/hash.h"
#include "base/maths.h"
#include "image/image.h"
#include "image/png_calls.h"
#include "image/png_chunk.h"
#include "image/png_filter.h"
#include "image/png_text.h"

#include <math.h>

/// Size at which IDAT chunks are split: the length of a chunk must stay below 2^31.
#define CHUNK_BYTES ((size_t)1 << 30)
/// HEADER_BYTES: an upper bound of signature, IHDR, sRGB, tEXt and IEND with their frames.
enum { HEADER_BYTES = 256 };
/// Memory that libdeflate 1.14 allocates for a compressor of level 10, rounded up.
enum { COMPRESSOR_BYTES = 10 << 20 };

/// Rows of samples: RGBA of 8 bits, or what is written as it is.
typedef struct png_rows {
    int32_t width, height;
    int32_t bits, channels;                        ///< 16: the high byte first
    enum { PNG_SRGB, PNG_LINEAR, PNG_DATA } space; ///< which chunks say it; data has none
    const uint8_t *bytes;
    size_t stride; ///< bytes from row to row
} png_rows;

typedef struct png_writer {
    png_calls calls; ///< memory: the caller's, for libpng, rows, deflated data and the result
    png_structp png;
    png_infop info;
    png_rows rows;        ///< bytes are not used with a plan
    bool opaque;          ///< rows are RGBA of 8 bits, of which RGB is written
    const uint64_t *key;  ///< of the frame; NULL: none
    const png_plan *plan; ///< fast: encoded bands; NULL: `deflated` instead
    const uint8_t *deflated;
    size_t deflated_size;
    uint8_t *out;
    size_t out_size, out_capacity;
} png_writer;

static void on_write(png_structp png, png_bytep data, size_t size)
{
    png_writer *w = png_get_io_ptr(png);
    if (size > w->out_capacity - w->out_size)
        png_error(png, "the file is larger than expected");
    memcpy(w->out + w->out_size, data, size);
    w->out_size += size;
}

static void on_flush(png_structp png) { (void)png; }

static void write_chunks(void *user)
{
    static const int types[] = {0, PNG_COLOR_TYPE_GRAY, 0, PNG_COLOR_TYPE_RGB, PNG_COLOR_TYPE_RGBA};
    png_writer *w = user;
    const png_rows *rows = &w->rows;
    png_set_write_fn(w->png, w, on_write, on_flush);
    png_set_IHDR(w->png, w->info, (png_uint_32)rows->width, (png_uint_32)rows->height, rows->bits,
                 types[w->opaque ? 3 : rows->channels], PNG_INTERLACE_NONE,
                 PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    if (rows->space == PNG_SRGB)
        png_set_sRGB(w->png, w->info, PNG_sRGB_INTENT_PERCEPTUAL);
    if (rows->space == PNG_LINEAR) {
        png_set_gAMA_fixed(w->png, w->info, PNG_FP_1);
        png_set_cHRM_fixed(w->png, w->info, 31270, 32900, 64000, 33000, 30000, 60000, 15000, 6000);
    }
    png_write_info(w->png, w->info);
    if (w->key)
        w->out_size = (size_t)(png_key_write(*w->key, w->out + w->out_size) - w->out);
    if (w->plan) // complete chunks; libpng would compute the CRC of all bytes again
        w->out_size = (size_t)(png_bands_write(w->plan, w->out + w->out_size) - w->out);
    for (size_t at = 0; at < w->deflated_size; at += CHUNK_BYTES) {
        const size_t left = w->deflated_size - at;
        png_write_chunk(w->png, (png_const_bytep) "IDAT", w->deflated + at,
                        left < CHUNK_BYTES ? left : CHUNK_BYTES);
    }
    png_write_chunk(w->png, (png_const_bytep) "IEND", NULL, 0);
}

static void pack_rgb(const uint8_t *rgba, int32_t width, uint8_t *rgb)
{
    for (int32_t x = 0; x < width - 1; x++)
        memcpy(rgb + 3 * x, rgba + 4 * x, 4); // one word; the fourth byte is overwritten next
    memcpy(rgb + 3 * (width - 1), rgba + 4 * (width - 1), 3);
}

/// Filters rows into `raw`, 1 + row_size bytes each. `rows`: four rows of zeros. False: cancelled.
static bool filter_rows(const png_writer *w, int filter_count, size_t row_size, uint8_t *rows,
                        uint8_t *raw)
{
    const uint8_t *above = rows; // zeros above the first row
    uint8_t *try_row = rows + row_size;
    uint8_t *packed[2] = {rows + 2 * row_size, rows + 3 * row_size};
    const size_t pixel_bytes = row_size / (size_t)w->rows.width;
    for (int32_t y = 0; y < w->rows.height; y++) {
        const uint8_t *row = w->rows.bytes + (size_t)y * w->rows.stride;
        if (budget_cancelled(w->calls.memory->budget))
            return false;
        if (w->opaque) {
            pack_rgb(row, w->rows.width, packed[y & 1]);
            row = packed[y & 1];
        }
        png_filter_row(row, above, row_size, pixel_bytes, filter_count, try_row,
                       raw + (size_t)y * (row_size + 1));
        above = row;
    }
    return true;
}

/// Filters and deflates; stores the result in `w` if it is the smallest so far.
static zt_result deflate_with(png_writer *w, int filter_count,
                              struct libdeflate_compressor *compressor, zt_error *err)
{
    const size_t row_size = (size_t)w->rows.width * (size_t)(w->opaque ? 3 : w->rows.channels) *
                            (size_t)w->rows.bits / 8;
    const size_t raw_size = (row_size + 1) * (size_t)w->rows.height;
    const size_t bound = libdeflate_zlib_compress_bound(compressor, raw_size);
    uint8_t *rows = arena_alloc(w->calls.memory, 4, row_size);
    uint8_t *raw = rows ? arena_alloc_raw(w->calls.memory, raw_size, 1) : NULL;
    uint8_t *deflated = raw ? arena_alloc_raw(w->calls.memory, bound, 1) : NULL;
    if (!deflated)
        return arena_fail(w->calls.memory, err, "encoding a PNG");
    if (!filter_rows(w, filter_count, row_size, rows, raw))
        return cancel_fail(err);
    const size_t size = libdeflate_zlib_compress(compressor, raw, raw_size, deflated, bound);
    if (size == 0)
        return zt_fail(err, ZT_ERR_INTERNAL, "compressed PNG data exceeds its bound");
    if (!w->deflated || size < w->deflated_size) {
        w->deflated = deflated;
        w->deflated_size = size;
    }
    return ZT_OK;
}

/// Deflates the filtered rows as a zlib stream, with all filters and with None only, which wins on
/// flat art; the smaller is kept. Level 10 is faster and smaller than 9, and near 12. Fast: all
/// filters alone, at level 1.
static zt_result deflate_rows(png_writer *w, zt_png_mode mode, zt_error *err)
{
    if (!arena_charge(w->calls.memory, COMPRESSOR_BYTES))
        return arena_fail(w->calls.memory, err, "compressing a PNG");
    struct libdeflate_compressor *c = libdeflate_alloc_compressor(mode == ZT_PNG_SMALL ? 10 : 1);
    if (!c)
        return zt_fail(err, ZT_ERR_MEMORY, "no memory to compress a PNG");
    zt_result result = deflate_with(w, PNG_FILTER_COUNT, c, err);
    if (result == ZT_OK && mode == ZT_PNG_SMALL)
        result = deflate_with(w, 1, c, err);
    libdeflate_free_compressor(c);
    return result;
}

/// Writes the file around the `data_size` bytes of IDAT chunks from w->plan or w->deflated.
static zt_result write_guarded(png_writer *w, size_t data_size, zt_error *err)
{
    w->out_capacity = HEADER_BYTES + data_size;
    w->out = arena_alloc_raw(w->calls.memory, w->out_capacity + 1, 1); // file_bytes end with a 0
    if (!w->out)
        return arena_fail(w->calls.memory, err, "an encoded PNG");
    w->png = png_create_write_struct_2(PNG_LIBPNG_VER_STRING, &w->calls, png_on_error,
                                       png_on_warning, &w->calls, png_on_malloc, png_on_free);
    w->info = w->png ? png_create_info_struct(w->png) : NULL;
    if (!w->info || !png_attempt(w->png, write_chunks, w)) {
        if (w->calls.memory->failed != ZT_OK)
            return arena_fail(w->calls.memory, err, "encoding a PNG");
        return zt_fail(err, ZT_ERR_INTERNAL, "libpng cannot write: %s", w->calls.reason);
    }
    w->out[w->out_size] = 0;
    return ZT_OK;
}

static zt_result write_png(png_writer *w, size_t data_size, file_bytes *out, zt_error *err)
{
    const zt_result result = write_guarded(w, data_size, err);
    if (w->png)
        png_destroy_write_struct(&w->png, w->info ? &w->info : NULL);
    if (result == ZT_OK)
        *out = (file_bytes){.data = w->out, .size = w->out_size};
    return result;
}

static png_rows rows_of(const zt_image *image)
{
    return (png_rows){image->width, image->height, 8, 4, PNG_SRGB, image->rgba8, image->stride};
}

zt_result png_plan_finish(const png_plan *plan, arena *a, file_bytes *out, zt_error *err)
{
    *out = (file_bytes){0};
    png_writer w = {.calls.memory = a,
                    .rows = rows_of(plan->image),
                    .opaque = plan->opaque,
                    .key = plan->key,
                    .plan = plan};
    return write_png(&w, png_bands_size(plan), out, err);
}

static zt_result encode_fast(const zt_image *image, const uint64_t *key, arena *a, file_bytes *out,
                             zt_error *err)
{
    png_plan plan;
    ZT_TRY(png_plan_begin(&plan, image, a, err));
    plan.key = key;
    uint8_t *scratch;
    ZT_TRY(ARENA_TAKE_RAW(a, &scratch, plan.scratch_size, "encoding a PNG", err));
    for (int32_t i = 0; i < plan.band_count; i++) {
        if (budget_cancelled(a->budget))
            return cancel_fail(err);
        png_band_encode(&plan, i, scratch);
    }
    return png_plan_finish(&plan, a, out, err);
}

static zt_result encode_deflated(png_writer *w, zt_png_mode mode, file_bytes *out, zt_error *err)
{
    ZT_TRY(deflate_rows(w, mode, err));
    const size_t chunks = w->deflated_size / CHUNK_BYTES + 1;
    return write_png(w, chunks * PNG_CHUNK_BYTES + w->deflated_size, out, err);
}

static zt_result encode_small(const zt_image *image, const uint64_t *key, arena *a, file_bytes *out,
                              zt_error *err)
{
    ZT_TRY(image_check(image, err));
    png_writer w = {
        .calls.memory = a, .rows = rows_of(image), .opaque = png_is_opaque(image), .key = key};
    return encode_deflated(&w, ZT_PNG_SMALL, out, err);
}

zt_result png_encode(const zt_image *image, zt_png_mode mode, arena *a, file_bytes *out,
                     zt_error *err)
{
    return png_encode_keyed(image, mode, NULL, a, out, err);
}

zt_result png_encode_keyed(const zt_image *image, zt_png_mode mode, const uint64_t *key, arena *a,
                           file_bytes *out, zt_error *err)
{
    *out = (file_bytes){0};
    if (mode != ZT_PNG_FAST && mode != ZT_PNG_SMALL)
        return zt_fail(err, ZT_ERR_ARGUMENT, "PNG mode %d (expected ZT_PNG_FAST or ZT_PNG_SMALL)",
                       (int)mode);
    return mode == ZT_PNG_SMALL ? encode_small(image, key, a, out, err)
                                : encode_fast(image, key, a, out, err);
}

// ---- Planes -------------------------------------------------------------------------------------

/// The meaning of a plane's numbers. NONE: PNG files do not hold them.
typedef enum plane_levels { NONE, SHARE, SIGNED, LIGHT, DEPTH, NUMBER } plane_levels;

static plane_levels levels_of(picture_plane plane)
{
    const zt_plane_kind *kind = &picture_plane_table[plane].kind;
    if (plane == PLANE_COLOR || plane == PLANE_DISPLAY) // of colour, display colours
        return LIGHT;
    if (plane == PLANE_DEPTH || plane == PLANE_NORMAL)
        return plane == PLANE_DEPTH ? DEPTH : SIGNED;
    if (plane == PLANE_UV || (kind->half && kind->channels == 1))
        return SHARE;
    return kind->integer ? NUMBER : kind->half ? LIGHT : NONE;
}

picture_plane png_plane_of(const picture_planes *frame)
{
    int p = PLANE_ALBEDO;
    while (p < PLANE_COUNT && !(frame->plane[p].data && levels_of((picture_plane)p)))
        p++;
    return (picture_plane)p;
}

zt_result png_plane_check(picture_plane plane, const zt_encode_def *encoding, zt_error *err)
{
    const plane_levels levels = levels_of(plane);
    const bool deep = levels >= DEPTH || (levels == LIGHT && encoding->linear);
    const char *expected = NULL;
    if (levels == NONE)
        expected = ".exr";
    else if (levels == DEPTH && !(encoding->depth_unit_mm > 0.0))
        expected = ".exr, or a unit of depth";
    else if (encoding->bits != 0 && encoding->bits != 16 && (encoding->bits != 8 || deep))
        expected = deep ? "16 bits" : "8 or 16 bits";
    return expected ? zt_fail(err, ZT_ERR_ARGUMENT, "'%s' as such a PNG (expected %s)",
                              picture_plane_table[plane].kind.name, expected)
                    : ZT_OK;
}

/// Channel `c` of a pixel in levels up to `highest`, not rounded. Four channels: the last is alpha.
static double level_of(picture_plane plane, const float *in, int c, double highest,
                       const zt_encode_def *encoding)
{
    const int channels = picture_plane_table[plane].kind.channels;
    const double alpha = channels == 4 && c < 3 ? (double)in[3] : 1.0;
    const double v = c < channels && alpha > 0.0 ? (double)in[c] / alpha : 0.0;
    const plane_levels levels = levels_of(plane);
    uint32_t number;
    memcpy(&number, in, sizeof number);
    if (levels == NUMBER)
        return number;
    if (levels == DEPTH)
        return isfinite(v) ? v * 1000.0 / encoding->depth_unit_mm : 0.0;
    if (levels == SIGNED)
        return in[0] != 0.0f || in[1] != 0.0f || in[2] != 0.0f ? highest * 0.5 * (v + 1.0) : 0.0;
    return highest * (levels == LIGHT && c < 3 && !encoding->linear ? srgb_encode(v) : v);
}

zt_result png_plane_encode(const picture_planes *frame, picture_plane plane,
                           const zt_encode_def *encoding, arena *a, file_bytes *out, zt_error *err)
{
    const int32_t bits = encoding->bits == 8 ? 8 : 16;
    const double highest = bits == 8 ? 255.0 : 65535.0;
    const int channels = picture_plane_table[plane].kind.channels;
    png_rows rows = {frame->width, frame->height, bits, channels == 1 ? 1 : 3, PNG_DATA, NULL, 0};
    uint8_t *to;
    ZT_TRY(png_plane_check(plane, encoding, err));
    if (levels_of(plane) == LIGHT)
        rows.space = encoding->linear ? PNG_LINEAR : PNG_SRGB;
    rows.channels += channels == 4 && frame->color8.keep_alpha;
    rows.stride = (size_t)frame->width * (size_t)(rows.channels * bits / 8);
    ZT_TRY(ARENA_TAKE_RAW(a, &to, (size_t)frame->height * rows.stride, "encoding a PNG", err));
    rows.bytes = to;
    for (int32_t i = 0; i < frame->width * frame->height * rows.channels; i++) {
        const int32_t pixel = i / rows.channels;
        const float *in =
            picture_plane_at(frame, plane, pixel % frame->width, pixel / frame->width);
        const double level = level_of(plane, in, i % rows.channels, highest, encoding);
        if (level > highest && levels_of(plane) == NUMBER)
            return zt_fail(err, ZT_ERR_LIMIT, "number %.0f as PNG (expected up to 65535, or .exr)",
                           level);
        const uint32_t whole = level > 0.0 ? (uint32_t)(maths_min(level, highest) + 0.5) : 0;
        ZT_TRY(arena_go_on_at(a, (size_t)i, "encoding a PNG", err));
        if (bits == 16)
            *to++ = (uint8_t)(whole >> 8);
        *to++ = (uint8_t)whole;
    }
    png_writer w = {
        .calls.memory = a, .rows = rows, .key = encoding->has_key ? &encoding->key : NULL};
    ZT_TRY(encode_deflated(&w, encoding->png, out, err));
    return png_texts_add(
        hash_byte_rows(rows.bytes, rows.stride, rows.stride, rows.height),
        picture_plane_table[plane == PLANE_DISPLAY ? PLANE_COLOR : plane].kind.name, encoding, a,
        out, err);
}
