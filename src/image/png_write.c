// SPDX-License-Identifier: MIT
/// Pictures -> PNG files. Fast: png_bands encodes bands of rows as IDAT chunks. Small: rows
/// filtered here, deflated by libdeflate as one stream. libpng writes the other chunks. Bytes do
/// not depend on the processor, of a fast file not on a library's version either.
#include "image/png_write.h"

#include "image/image.h"
#include "image/png_calls.h"
#include "image/png_chunk.h"
#include "image/png_filter.h"
#include "image/png_text.h"

/// Size at which IDAT chunks are split: the length of a chunk must stay below 2^31.
#define CHUNK_BYTES ((size_t)1 << 30)
/// HEADER_BYTES: an upper bound of signature, IHDR, sRGB, tEXt and IEND with their frames.
enum { HEADER_BYTES = 256 };
/// Memory that libdeflate 1.14 allocates for a compressor of level 10, rounded up.
enum { COMPRESSOR_BYTES = 10 << 20 };

typedef struct png_writer {
    png_calls calls; ///< memory: the caller's, for libpng, rows, deflated data and the result
    png_structp png;
    png_infop info;
    int32_t width, height;
    bool opaque;
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
    png_writer *w = user;
    png_set_write_fn(w->png, w, on_write, on_flush);
    png_set_IHDR(w->png, w->info, (png_uint_32)w->width, (png_uint_32)w->height, 8,
                 w->opaque ? PNG_COLOR_TYPE_RGB : PNG_COLOR_TYPE_RGB_ALPHA, PNG_INTERLACE_NONE,
                 PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_set_sRGB(w->png, w->info, PNG_sRGB_INTENT_PERCEPTUAL);
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
static bool filter_rows(const zt_image *image, bool opaque, int filter_count, size_t row_size,
                        uint8_t *rows, uint8_t *raw, budget *work)
{
    const uint8_t *above = rows; // zeros above the first row
    uint8_t *try_row = rows + row_size;
    uint8_t *packed[2] = {rows + 2 * row_size, rows + 3 * row_size};
    for (int32_t y = 0; y < image->height; y++) {
        const uint8_t *row = image->rgba8 + (size_t)y * image->stride;
        if (budget_cancelled(work))
            return false;
        if (opaque) {
            pack_rgb(row, image->width, packed[y & 1]);
            row = packed[y & 1];
        }
        png_filter_row(row, above, row_size, opaque ? 3 : 4, filter_count, try_row,
                       raw + (size_t)y * (row_size + 1));
        above = row;
    }
    return true;
}

/// Filters and deflates; stores the result in `w` if it is the smallest so far.
static zt_result deflate_with(png_writer *w, const zt_image *image, int filter_count,
                              struct libdeflate_compressor *compressor, zt_error *err)
{
    const size_t row_size = (size_t)image->width * (w->opaque ? 3 : 4);
    const size_t raw_size = (row_size + 1) * (size_t)image->height;
    const size_t bound = libdeflate_zlib_compress_bound(compressor, raw_size);
    uint8_t *rows = arena_alloc(w->calls.memory, 4, row_size);
    uint8_t *raw = rows ? arena_alloc_raw(w->calls.memory, raw_size, 1) : NULL;
    uint8_t *deflated = raw ? arena_alloc_raw(w->calls.memory, bound, 1) : NULL;
    if (!deflated)
        return arena_fail(w->calls.memory, err, "encoding a PNG");
    if (!filter_rows(image, w->opaque, filter_count, row_size, rows, raw, w->calls.memory->budget))
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
/// flat art; the smaller is kept. Level 10 is faster and smaller than 9, and near 12.
static zt_result deflate_rows(png_writer *w, const zt_image *image, zt_error *err)
{
    if (!arena_charge(w->calls.memory, COMPRESSOR_BYTES))
        return arena_fail(w->calls.memory, err, "compressing a PNG");
    struct libdeflate_compressor *c = libdeflate_alloc_compressor(10);
    if (!c)
        return zt_fail(err, ZT_ERR_MEMORY, "no memory to compress a PNG");
    zt_result result = deflate_with(w, image, PNG_FILTER_COUNT, c, err);
    if (result == ZT_OK)
        result = deflate_with(w, image, 1, c, err);
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

zt_result png_plan_finish(const png_plan *plan, arena *a, file_bytes *out, zt_error *err)
{
    *out = (file_bytes){0};
    png_writer w = {.calls.memory = a,
                    .width = plan->image->width,
                    .height = plan->image->height,
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

static zt_result encode_small(const zt_image *image, const uint64_t *key, arena *a, file_bytes *out,
                              zt_error *err)
{
    ZT_TRY(image_check(image, err));
    png_writer w = {.calls.memory = a,
                    .width = image->width,
                    .height = image->height,
                    .opaque = png_is_opaque(image),
                    .key = key};
    ZT_TRY(deflate_rows(&w, image, err));
    const size_t chunks = w.deflated_size / CHUNK_BYTES + 1;
    return write_png(&w, chunks * PNG_CHUNK_BYTES + w.deflated_size, out, err);
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
