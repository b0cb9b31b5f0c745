// SPDX-License-Identifier: MIT
/// PNG files in memory -> pictures of four channels: plain files by png_plain, others by libpng
/// with every colour type, depth, tRNS and interlacing. Other ancillary chunks are not read, so
/// gAMA, iCCP and sRGB change no value (ISO/IEC 15948). libpng's memory is the caller's budget.
#include "base/bytes.h"
#include "base/hash.h"
#include "base/inflate.h"
#include "image/picture_codecs.h"
#include "image/png_calls.h"
#include "image/png_plain.h"

#include <string.h>

/// The rows that are read: RGBA of 8 or 16 bits, of 8 bits always, or as the file has them.
typedef enum png_form { RGBA, NARROW, ROWS } png_form;

typedef struct png_reader {
    arena temporary; ///< memory of libpng
    png_calls calls;
    const char *name;
    file_bytes bytes;
    size_t at; ///< next byte
    png_structp png;
    png_infop info;
    png_form form;
    bool has_alpha;
    int32_t width, height;
    int32_t pixel_bytes; ///< 4 or 8
    uint8_t *pixels;
    size_t stride;
} png_reader;

static void on_read(png_structp png, png_bytep out, size_t size)
{
    png_reader *r = png_get_io_ptr(png);
    if (size > r->bytes.size - r->at) {
        r->at = r->bytes.size;
        png_error(png, "the file ends in the middle of the picture");
    }
    memcpy(out, r->bytes.data + r->at, size);
    r->at += size;
}

static zt_result reader_fail(const png_reader *r, zt_error *err)
{
    if (r->temporary.failed != ZT_OK)
        return arena_fail(&r->temporary, err, "decoding a PNG");
    return zt_fail(err, ZT_ERR_FORMAT, "%s:%zu: broken PNG: %s", r->name, r->at, r->calls.reason);
}

/// Checks the header before libpng, for better messages: another format, a size beyond the limit,
/// or too large for the file, before anything is allocated.
static zt_result check_header(const char *name, file_bytes bytes, zt_error *err)
{
    static const uint8_t start[16] = {137, 'P', 'N', 'G', '\r', '\n', 26,  '\n',
                                      0,   0,   0,   13,  'I',  'H',  'D', 'R'};
    if (bytes.size < 8 || memcmp(bytes.data, start, 8) != 0)
        return zt_fail(err, ZT_ERR_FORMAT, "%s:0: not a PNG (no PNG signature)", name);
    if (bytes.size < 33 || memcmp(bytes.data, start, sizeof start) != 0)
        return zt_fail(err, ZT_ERR_FORMAT, "%s:8: broken PNG: no header (expected IHDR)", name);
    const uint32_t width = bytes_u32_be(bytes.data + 16);
    const uint32_t height = bytes_u32_be(bytes.data + 20);
    if (width == 0 || height == 0)
        return zt_fail(err, ZT_ERR_FORMAT, "%s:16: broken PNG: %u x %u pixels", name, width,
                       height);
    ZT_TRY(picture_check_side(name, 16, "PNG", width, height, err));
    static const uint8_t channels[8] = {1, 0, 3, 1, 2, 0, 4, 0};
    const uint64_t bits = (uint64_t)channels[bytes.data[25] & 7] * bytes.data[24];
    const uint64_t raw = (width * bits + 7) / 8 * height;
    if (!inflate_is_possible(bytes.size, raw))
        return zt_fail(err, ZT_ERR_FORMAT,
                       "%s:16: broken PNG: %u x %u pixels cannot come from %zu bytes", name, width,
                       height, bytes.size);
    return ZT_OK;
}

/// Reads the header and sets up conversion to RGBA of 8 bits, or of 16 bits in host order.
static void read_header(void *user)
{
    png_reader *r = user;
    png_structp png = r->png;
    png_set_read_fn(png, r, on_read);
    png_set_user_limits(png, PICTURE_SIDE_LIMIT, PICTURE_SIDE_LIMIT);
    // An ancillary chunk with a wrong checksum is passed over, as browsers do.
    png_set_crc_action(png, PNG_CRC_ERROR_QUIT, PNG_CRC_WARN_DISCARD);
    png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_NEVER, NULL, -1); // all but tRNS
    png_read_info(png, r->info);

    const int depth = png_get_bit_depth(png, r->info);
    const int color = png_get_color_type(png, r->info);
    const bool transparency = png_get_valid(png, r->info, PNG_INFO_tRNS) != 0;
    r->has_alpha = (color & PNG_COLOR_MASK_ALPHA) != 0 || transparency;
    r->width = (int32_t)png_get_image_width(png, r->info);
    r->height = (int32_t)png_get_image_height(png, r->info);
    r->pixel_bytes = depth == 16 && r->form != NARROW ? 8 : 4;
    r->stride = png_get_rowbytes(png, r->info);
    png_set_interlace_handling(png);
    if (r->form == ROWS)
        return;

    png_set_expand(png); // palette, depths below 8, tRNS
    if (depth == 16 && r->form == NARROW)
        png_set_scale_16(png);
    if ((color & PNG_COLOR_MASK_COLOR) == 0)
        png_set_gray_to_rgb(png);
    if (!r->has_alpha)
        png_set_add_alpha(png, 0xffff, PNG_FILLER_AFTER);
    const uint16_t one = 1;
    uint8_t low_first;
    memcpy(&low_first, &one, 1);
    if (r->pixel_bytes == 8 && low_first)
        png_set_swap(png);
    png_read_update_info(png, r->info);
    if (png_get_rowbytes(png, r->info) != (size_t)r->width * (size_t)r->pixel_bytes)
        png_error(png, "unexpected row size");
}

static void read_pixels(void *user)
{
    png_reader *r = user;
    const int passes = png_get_interlace_type(r->png, r->info) == PNG_INTERLACE_NONE ? 1 : 7;
    for (int pass = 0; pass < passes; pass++)
        for (int32_t y = 0; y < r->height; y++) {
            if (arena_cancelled(&r->temporary))
                png_error(r->png, "cancelled");
            png_read_row(r->png, r->pixels + (size_t)y * r->stride, NULL);
        }
    png_read_end(r->png, NULL);
}

/// The consequence of a failure of png_plain. ZT_OK: libpng reads the file, perhaps with a smaller
/// budget. Not without memory: it is stricter, and chance would decide what is broken.
static zt_result plain_failure(zt_result plain, zt_error *err)
{
    if (plain == ZT_ERR_MEMORY)
        return zt_fail(err, ZT_ERR_MEMORY, "decoding a PNG: the system has no memory left");
    return plain == ZT_ERR_CANCELLED ? cancel_fail(err) : ZT_OK;
}

static zt_result reader_open(png_reader *r, arena *a, const char *name, file_bytes bytes,
                             png_form form, zt_error *err)
{
    *r = (png_reader){.name = name, .bytes = bytes, .form = form};
    arena_init(&r->temporary, a->budget);
    ZT_TRY(check_header(name, bytes, err));
    r->calls.memory = &r->temporary;
    r->png = png_create_read_struct_2(PNG_LIBPNG_VER_STRING, &r->calls, png_on_error,
                                      png_on_warning, &r->calls, png_on_malloc, png_on_free);
    r->info = r->png ? png_create_info_struct(r->png) : NULL;
    if (!r->info && r->temporary.failed != ZT_OK)
        return arena_fail(&r->temporary, err, "decoding a PNG");
    if (!r->info)
        return zt_fail(err, ZT_ERR_INTERNAL, "%s: libpng cannot start", name);
    return png_attempt(r->png, read_header, r) ? ZT_OK : reader_fail(r, err);
}

static void reader_close(png_reader *r)
{
    if (r->png)
        png_destroy_read_struct(&r->png, r->info ? &r->info : NULL, NULL);
    arena_finish(&r->temporary);
}

zt_result png_decode(arena *a, const char *name, file_bytes bytes, picture *out, zt_error *err)
{
    *out = (picture){0};
    png_reader r;
    zt_result result = reader_open(&r, a, name, bytes, RGBA, err);
    if (result != ZT_OK)
        goto done;
    png_plain_picture plain;
    const zt_result fast = png_plain_rows(a, bytes, &plain);
    if (fast == ZT_OK) {
        *out = (picture){.width = r.width,
                         .height = r.height,
                         .level_count = 1,
                         .format = plain.pixel_bytes == 3 ? PICTURE_RGB8 : PICTURE_RGBA8,
                         .has_alpha = r.has_alpha,
                         .pitch = plain.pitch,
                         .level = {plain.first}};
        goto done;
    }
    result = plain_failure(fast, err);
    if (result != ZT_OK)
        goto done;
    r.stride = (size_t)r.width * (size_t)r.pixel_bytes;
    r.pixels = arena_alloc_raw(a, (size_t)r.height, r.stride);
    if (!r.pixels) {
        result = arena_fail(a, err, "the pixels of a PNG");
        goto done;
    }
    if (!png_attempt(r.png, read_pixels, &r)) {
        result = fast == ZT_ERR_LIMIT ? arena_fail(a, err, "decoding a PNG") : reader_fail(&r, err);
        goto done;
    }
    *out = (picture){.width = r.width,
                     .height = r.height,
                     .level_count = 1,
                     .format = r.pixel_bytes == 8 ? PICTURE_RGBA16 : PICTURE_RGBA8,
                     .has_alpha = r.has_alpha,
                     .level = {r.pixels}};
done:
    reader_close(&r);
    return result;
}

zt_result png_decode_image(arena *a, const char *path, file_bytes bytes, zt_budget *whole,
                           zt_image *out_image, zt_error *err)
{
    png_reader r;
    zt_image image = {0};
    zt_result result = reader_open(&r, a, path, bytes, NARROW, err);
    if (result == ZT_OK)
        result = zt_image_init(&image, r.width, r.height, whole, err);
    if (result == ZT_OK) {
        r.pixels = image.rgba8;
        r.stride = image.stride;
        const zt_result fast = png_plain_decode(&r.temporary, bytes, r.pixels, r.stride);
        if (fast != ZT_OK)
            result = plain_failure(fast, err);
        if (fast != ZT_OK && result == ZT_OK && !png_attempt(r.png, read_pixels, &r))
            result = reader_fail(&r, err);
    }
    reader_close(&r);
    if (result == ZT_OK)
        *out_image = image;
    else
        zt_image_finish(&image);
    return result;
}

zt_result zt_png_hash(const char *path, zt_budget *whole, uint64_t *out, zt_error *err)
{
    budget memory;
    arena a;
    file_bytes bytes;
    png_reader r = {0};
    if (!path || !out)
        return zt_fail(err, ZT_ERR_ARGUMENT, "zt_png_hash: no path, or no hash to fill");
    budget_init_within(&memory, whole, 0, NULL);
    arena_init(&a, &memory);
    zt_result result = file_read_replaceable(&a, path, &bytes, err);
    if (result == ZT_OK)
        result = reader_open(&r, &a, path, bytes, ROWS, err);
    if (result == ZT_OK)
        result = ARENA_TAKE_RAW(&a, &r.pixels, (size_t)r.height * r.stride, "a PNG", err);
    if (result == ZT_OK && !png_attempt(r.png, read_pixels, &r))
        result = reader_fail(&r, err);
    if (result == ZT_OK)
        *out = hash_byte_rows(r.pixels, r.stride, r.stride, r.height);
    reader_close(&r);
    arena_finish(&a);
    return result;
}
