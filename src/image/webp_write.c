// SPDX-License-Identifier: MIT
/// See picture_encoders.h. Reference: WebP Image Format (RFC 9649), 2.
#include "base/hash.h"
#include "image/file_key.h"
#include "image/image.h"
#include "image/library_memory.h"
#include "image/picture_encoders.h"
#include "image/png_bands.h"
#include "image/png_text.h"
#include "image/webp_chunk.h"

#include <errno.h>
#include <string.h>
#include <webp/encode.h>

enum {
    LEVEL_FAST = 1,  // of WebPConfigLosslessPreset: 0 is 5 times faster and a quarter larger,
    LEVEL_SMALL = 6, // and levels above 6 gain nothing on rendered pictures
    EXTENDED_BYTES = WEBP_CHUNK_BYTES + 10,
    KEY_BYTES = WEBP_CHUNK_BYTES + FILE_KEY_BYTES,
    FLAG_XMP = 0x04,
    FLAG_ALPHA = 0x10,
};
_Static_assert(FILE_KEY_BYTES % 2 == 0, "chunks have even lengths");

/// The most that libwebp 1.2.4 allocates, measured and rounded up: for each pixel its copy, hash
/// chains, references and the file; and histograms, one for each square of 2^(7 - method) pixels a
/// side, which is doubled until there are at most 2600.
enum {
    ENCODER_BYTES = 2 << 20,
    ENCODER_BYTES_PIXEL = 48,
    HISTOGRAM_BYTES = 20 << 10,
    HISTOGRAMS_MAX = 2600,
};

static uint64_t encoder_bytes(const zt_image *image, int method)
{
    const uint64_t width = (uint64_t)image->width, height = (uint64_t)image->height;
    uint64_t count = 0;
    for (int bits = method < 5 ? 7 - method : 2; bits < 15; bits++) {
        count = (((width - 1) >> bits) + 1) * (((height - 1) >> bits) + 1);
        if (count <= HISTOGRAMS_MAX)
            break;
    }
    return width * height * ENCODER_BYTES_PIXEL + count * HISTOGRAM_BYTES + ENCODER_BYTES;
}

static int on_progress(int percent, const WebPPicture *p)
{
    (void)percent;
    return !budget_cancelled(p->user_data);
}

static zt_result fail(const WebPPicture *p, zt_error *err)
{
    if (p->error_code == VP8_ENC_ERROR_USER_ABORT)
        return cancel_fail(err);
    if (errno == ENOMEM || p->error_code == VP8_ENC_ERROR_OUT_OF_MEMORY ||
        p->error_code == VP8_ENC_ERROR_BITSTREAM_OUT_OF_MEMORY ||
        p->error_code == VP8_ENC_ERROR_BAD_WRITE) // of WebPMemoryWrite
        return zt_fail(err, ZT_ERR_MEMORY, "no memory for a WebP encoder");
    return zt_fail(err, ZT_ERR_INTERNAL, "libwebp cannot write: error %d", (int)p->error_code);
}

/// The simple file that libwebp makes, in its own memory.
static zt_result configure(const zt_encode_def *encoding, WebPConfig *out, WebPPicture *p,
                           zt_error *err)
{
    const int level = encoding->png == ZT_PNG_SMALL ? LEVEL_SMALL : LEVEL_FAST;
    if (encoding->webp_quality < 0 || encoding->webp_quality > 100)
        return zt_fail(err, ZT_ERR_ARGUMENT, "WebP quality %d (expected 1 to 100, or 0: lossless)",
                       (int)encoding->webp_quality);
    if (!WebPConfigInit(out) || !WebPPictureInit(p) ||
        (encoding->webp_quality == 0 && !WebPConfigLosslessPreset(out, level)))
        return zt_fail(err, ZT_ERR_INTERNAL, "libwebp is of another version than its header");
    if (encoding->webp_quality > 0)
        out->quality = (float)encoding->webp_quality;
    else
        out->exact = 1; // the colour of transparent pixels, too
    p->use_argb = 1;
    return ZT_OK;
}

/// libwebp 1.2.4 calls files whole that lack a table which it had no memory for: what was refused
/// shows in errno alone.
static zt_result run_encoder(const zt_image *image, const WebPConfig *config, WebPPicture *p,
                             zt_error *err)
{
    errno = 0;
    if (!WebPPictureImportRGBA(p, image->rgba8, (int)image->stride) || !WebPEncode(config, p))
        return fail(p, err);
    return errno == ENOMEM ? zt_fail(err, ZT_ERR_MEMORY, "no memory for a WebP encoder") : ZT_OK;
}

static zt_result compress(const zt_image *image, const zt_encode_def *encoding, budget *work,
                          WebPMemoryWriter *file, zt_error *err)
{
    WebPConfig config;
    WebPPicture p;
    ZT_TRY(configure(encoding, &config, &p, err));
    arena memory;
    arena_init(&memory, work);
    zt_result result = ZT_OK;
    p.width = image->width;
    p.height = image->height;
    p.writer = WebPMemoryWrite;
    p.custom_ptr = file;
    p.progress_hook = on_progress;
    p.user_data = work;
    const uint64_t bytes = encoder_bytes(image, config.method);
    if (!arena_charge(&memory, bytes))
        result = arena_fail(&memory, err, "encoding a WebP");
    else if (!library_has_memory((size_t)bytes))
        result = zt_fail(err, ZT_ERR_MEMORY, "no memory for a WebP encoder");
    else
        result = run_encoder(image, &config, &p, err);
    WebPPictureFree(&p);
    arena_finish(&memory);
    return result;
}

/// The chunk of a simple file in an extended one with text and key, or as it is. Lengths are even.
static zt_result wrap(const zt_image *image, const zt_encode_def *encoding, file_bytes simple,
                      arena *a, file_bytes *out, zt_error *err)
{
    const size_t at_pixels = webp_pixels_at(simple.data, simple.size);
    const bool extended = encoding->has_key || at_pixels > WEBP_RIFF_BYTES;
    const char *xmp;
    ZT_TRY(picture_xmp_make(hash_pixel_rows(image), NULL, encoding, a, &xmp, err));
    const size_t xmp_size = xmp ? WEBP_CHUNK_BYTES + strlen(xmp) : 0;
    const size_t size = WEBP_RIFF_BYTES + (simple.size - at_pixels) + xmp_size +
                        (extended ? EXTENDED_BYTES : 0) + (encoding->has_key ? KEY_BYTES : 0);
    uint8_t *bytes; // ends with a 0, as file_bytes do
    ZT_TRY(ARENA_TAKE_RAW(a, &bytes, size + 1, "an encoded WebP", err));
    uint8_t *at = webp_put_chunk(bytes, "RIFF", size - WEBP_CHUNK_BYTES);
    memcpy(at, "WEBP", 4);
    at += 4;
    if (extended) {
        at = webp_put_chunk(at, "VP8X", EXTENDED_BYTES - WEBP_CHUNK_BYTES);
        at = webp_put(at, (png_is_opaque(image) ? 0 : FLAG_ALPHA) | (xmp ? FLAG_XMP : 0), 4);
        at = webp_put(at, (uint32_t)image->width - 1, 3);
        at = webp_put(at, (uint32_t)image->height - 1, 3);
    }
    memcpy(at, simple.data + at_pixels, simple.size - at_pixels);
    at += simple.size - at_pixels;
    if (xmp)
        memcpy(webp_put_chunk(at, "XMP ", strlen(xmp)), xmp, strlen(xmp));
    at += xmp_size;
    if (encoding->has_key) {
        at = webp_put_chunk(at, "ZOET", FILE_KEY_BYTES);
        file_key_write(encoding->key, (file_bytes){bytes, (size_t)(at - bytes)}, (file_bytes){0},
                       at);
    }
    bytes[size] = 0;
    *out = (file_bytes){bytes, size};
    return ZT_OK;
}

zt_result webp_encode(const picture_planes *frame, const zt_encode_def *encoding, arena *a,
                      file_bytes *out, zt_error *err)
{
    const zt_image *image = &frame->color8;
    WebPMemoryWriter file;
    *out = (file_bytes){0};
    ZT_TRY(image_check(image, err));
    if (image->width > WEBP_SIDE_LIMIT || image->height > WEBP_SIDE_LIMIT)
        return zt_fail(err, ZT_ERR_LIMIT, "WebP of %d x %d pixels (at most %d a side)",
                       (int)image->width, (int)image->height, (int)WEBP_SIDE_LIMIT);
    WebPMemoryWriterInit(&file);
    zt_result result = compress(image, encoding, a->budget, &file, err);
    if (result == ZT_OK)
        result = wrap(image, encoding, (file_bytes){file.mem, file.size}, a, out, err);
    WebPMemoryWriterClear(&file);
    return result;
}

bool webp_key_matches(file_bytes bytes, uint64_t key, int32_t width, int32_t height)
{
    (void)width;
    (void)height;
    return bytes.size > KEY_BYTES && memcmp(bytes.data, "RIFF", 4) == 0 &&
           memcmp(bytes.data + bytes.size - KEY_BYTES, "ZOET", 4) == 0 &&
           file_key_matches(bytes, bytes.size - FILE_KEY_BYTES, key);
}
