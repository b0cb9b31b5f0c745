// SPDX-License-Identifier: MIT
/// See picture_encoders.h. References: ITU-T T.81 (markers, comments), T.871 (JFIF: APP0 comes
/// first).
#include "base/bytes.h"
#include "image/file_key.h"
#include "image/image.h"
#include "image/jpeg_library.h"
#include "image/picture_encoders.h"
#include "image/png_bands.h"

#include <string.h>

enum {
    QUALITY_DEFAULT = 90,
    MARKER_BYTES = 4, // a marker and the length of its segment
    COMMENT_BYTES = MARKER_BYTES + FILE_KEY_BYTES,
    // The encoder's memory, rounded up: tables, rows before and after blocks, pointers to rows.
    ENCODER_BYTES = 256 << 10,
    ENCODER_BYTES_X = 256,
    ENCODER_BYTES_Y = 8,
};

/// Pixels as libjpeg takes them.
typedef struct jpeg_pixels {
    const uint8_t *data;
    size_t stride;
    int channels;
    J_COLOR_SPACE format;
} jpeg_pixels;

typedef struct jpeg_encoder {
    struct jpeg_compress_struct lib;
    jpeg_errors errors;
    const jpeg_pixels *pixels;
    JDIMENSION width, height;
    int quality;
    unsigned char *bytes; ///< with room for the largest file
    unsigned long size;
} jpeg_encoder;

/// Pictures with alpha over black, as a copy; others as they are.
static zt_result flatten(const zt_image *image, arena *a, jpeg_pixels *out, zt_error *err)
{
    const size_t width = (size_t)image->width, height = (size_t)image->height;
    *out = (jpeg_pixels){image->rgba8, image->stride, 4, JCS_EXT_RGBX};
    if (!image->keep_alpha && png_is_opaque(image))
        return ZT_OK;
    uint8_t *pixels;
    ZT_TRY(ARENA_TAKE_RAW(a, &pixels, 3 * width * height, "encoding a JPEG", err));
    *out = (jpeg_pixels){pixels, 3 * width, 3, JCS_RGB};
    for (size_t y = 0; y < height; y++) {
        const uint8_t *row = image->rgba8 + y * image->stride;
        for (size_t x = 0; x < width; x++, row += 4, pixels += 3)
            for (int c = 0; c < 3; c++)
                pixels[c] = (uint8_t)((row[c] * row[3] + 127) / 255);
    }
    return ZT_OK;
}

/// Chroma of the full size.
static void write_pixels(void *user)
{
    jpeg_encoder *e = user;
    jpeg_create_compress(&e->lib);
    jpeg_mem_dest(&e->lib, &e->bytes, &e->size);
    e->lib.image_width = e->width;
    e->lib.image_height = e->height;
    e->lib.input_components = e->pixels->channels;
    e->lib.in_color_space = e->pixels->format;
    jpeg_set_defaults(&e->lib);
    jpeg_set_quality(&e->lib, e->quality, TRUE);
    e->lib.dct_method = JDCT_ISLOW;
    for (int i = 0; i < e->lib.num_components; i++)
        e->lib.comp_info[i].h_samp_factor = e->lib.comp_info[i].v_samp_factor = 1;
    jpeg_start_compress(&e->lib, TRUE);
    while (e->lib.next_scanline < e->height) {
        const uint8_t *data = e->pixels->data + e->lib.next_scanline * e->pixels->stride;
        JSAMPROW row = (JSAMPROW)(uintptr_t)data; // read only
        jpeg_write_scanlines(&e->lib, &row, 1);
    }
    jpeg_finish_compress(&e->lib);
}

/// No file is larger: in each block 64 values of three components, of at most 16 bits each.
static size_t largest_file(const zt_image *image)
{
    const size_t width = ((size_t)image->width + 7) & ~(size_t)7;
    const size_t height = ((size_t)image->height + 7) & ~(size_t)7;
    return width * height * 6 + 2048;
}

static zt_result compress(const zt_image *image, const jpeg_pixels *pixels, int quality, arena *a,
                          file_bytes *out, zt_error *err)
{
    const uint64_t charge = ENCODER_BYTES + (uint64_t)image->width * ENCODER_BYTES_X +
                            (uint64_t)image->height * ENCODER_BYTES_Y;
    const size_t room = largest_file(image);
    uint8_t *bytes = arena_alloc_raw(a, room, 1);
    if (!bytes || !arena_charge(a, charge))
        return arena_fail(a, err, "encoding a JPEG");
    jpeg_encoder e = {.pixels = pixels,
                      .width = (JDIMENSION)image->width,
                      .height = (JDIMENSION)image->height,
                      .quality = quality,
                      .bytes = bytes,
                      .size = room};
    e.lib.err = jpeg_errors_init(&e.errors);
    const bool written = jpeg_attempt(&e.errors, write_pixels, &e);
    jpeg_destroy_compress(&e.lib);
    if (!written && jpeg_lacks_memory(&e.errors))
        return zt_fail(err, ZT_ERR_MEMORY, "no memory for a JPEG encoder");
    if (!written)
        return zt_fail(err, ZT_ERR_INTERNAL, "libjpeg cannot write: %s", e.errors.text);
    ZT_ASSERT(e.bytes == bytes); // otherwise libjpeg took a larger block
    *out = (file_bytes){bytes, e.size};
    return ZT_OK;
}

/// Where the comment begins: behind SOI and the APP0 of JFIF. 0: no JFIF.
static size_t comment_at(file_bytes bytes)
{
    static const uint8_t begin[] = {0xFF, 0xD8, 0xFF, 0xE0};
    if (bytes.size < 6 || memcmp(bytes.data, begin, sizeof begin) != 0)
        return 0;
    const size_t at = 4 + (size_t)bytes_load_be(bytes.data + 4, 2);
    return at < bytes.size ? at : 0;
}

static zt_result add_comment(file_bytes file, uint64_t key, arena *a, file_bytes *out,
                             zt_error *err)
{
    const uint8_t head[MARKER_BYTES] = {0xFF, 0xFE, 0, COMMENT_BYTES - 2};
    const size_t at = comment_at(file), size = file.size + COMMENT_BYTES;
    uint8_t *bytes; // ends with a 0, as file_bytes do
    ZT_TRY(ARENA_TAKE_RAW(a, &bytes, size + 1, "an encoded JPEG", err));
    if (at == 0)
        return zt_fail(err, ZT_ERR_INTERNAL, "libjpeg wrote no JFIF");
    memcpy(bytes, file.data, at);
    memcpy(bytes + at, head, sizeof head);
    memcpy(bytes + at + COMMENT_BYTES, file.data + at, file.size - at);
    bytes[size] = 0;
    file_key_write(key, (file_bytes){bytes, at + MARKER_BYTES},
                   (file_bytes){bytes + at + COMMENT_BYTES, file.size - at},
                   bytes + at + MARKER_BYTES);
    *out = (file_bytes){bytes, size};
    return ZT_OK;
}

zt_result jpeg_encode(const picture_planes *frame, const zt_encode_def *encoding, arena *a,
                      file_bytes *out, zt_error *err)
{
    const zt_image *image = &frame->color8;
    const int32_t quality = encoding->jpeg_quality ? encoding->jpeg_quality : QUALITY_DEFAULT;
    jpeg_pixels pixels;
    *out = (file_bytes){0};
    if (quality < 1 || quality > 100)
        return zt_fail(err, ZT_ERR_ARGUMENT, "JPEG quality %d (expected 1 to 100)", (int)quality);
    ZT_TRY(image_check(image, err));
    ZT_TRY(flatten(image, a, &pixels, err));
    if (budget_cancelled(a->budget))
        return cancel_fail(err);
    ZT_TRY(compress(image, &pixels, quality, a, out, err));
    return encoding->has_key ? add_comment(*out, encoding->key, a, out, err) : ZT_OK;
}

bool jpeg_key_matches(file_bytes bytes, uint64_t key, int32_t width, int32_t height)
{
    (void)width;
    (void)height;
    const size_t at = comment_at(bytes);
    return at > 0 && file_key_matches(bytes, at + MARKER_BYTES, key);
}
