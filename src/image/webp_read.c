// SPDX-License-Identifier: MIT
/// WebP files in memory -> 8-bit RGBA pictures, by libwebp: lossy (RFC 6386) with or without alpha,
/// and lossless, in simple and extended containers (RFC 9649). Nothing is scaled or dithered, so
/// that every build gives the same bytes. Animations are rejected.
#include "image/picture_codecs.h"

#include <string.h>
#include <webp/decode.h>

enum { RIFF_BYTES = 12 };

/// The decoder allocates from the system: at most the size of the pixels (the argb plane of a
/// lossless picture; less for a lossy one) plus rows and tables. The same amount is reserved from
/// the arena first, so that the budget applies.
static zt_result reserve_decoder(arena *temporary, int width, int height, zt_error *err)
{
    const size_t pixels = (size_t)width * (size_t)height * 4;
    const size_t rows = (size_t)width * 4 * 32 + ((size_t)1 << 18);
    if (!arena_alloc_raw(temporary, pixels + rows, 1))
        return arena_fail(temporary, err, "the planes of a WebP");
    return ZT_OK;
}

static zt_result fail(const char *name, size_t size, VP8StatusCode status, zt_error *err)
{
    if (status == VP8_STATUS_OUT_OF_MEMORY)
        return zt_fail(err, ZT_ERR_MEMORY, "%s: no memory for a WebP decoder", name);
    if (status == VP8_STATUS_NOT_ENOUGH_DATA)
        return zt_fail(err, ZT_ERR_FORMAT, "%s:%zu: broken WebP: the data ends early", name, size);
    if (status == VP8_STATUS_UNSUPPORTED_FEATURE)
        return zt_fail(err, ZT_ERR_FORMAT, "%s: WebP with a feature that is not supported", name);
    return zt_fail(err, ZT_ERR_FORMAT, "%s: broken WebP: the bitstream is damaged", name);
}

/// Reads and checks the headers.
static zt_result check_features(const char *name, file_bytes bytes, WebPDecoderConfig *config,
                                zt_error *err)
{
    const VP8StatusCode status = WebPGetFeatures(bytes.data, bytes.size, &config->input);
    if (status != VP8_STATUS_OK)
        return fail(name, bytes.size, status, err);
    const int width = config->input.width, height = config->input.height;
    if (config->input.has_animation)
        return zt_fail(err, ZT_ERR_FORMAT,
                       "%s:%d: an animated WebP is not supported (expected a still picture)", name,
                       RIFF_BYTES);
    if (width < 1 || height < 1)
        return zt_fail(err, ZT_ERR_FORMAT, "%s:%d: WebP of %d x %d pixels", name, RIFF_BYTES, width,
                       height);
    if (width > PICTURE_SIDE_LIMIT || height > PICTURE_SIDE_LIMIT)
        return zt_fail(err, ZT_ERR_LIMIT, "%s:%d: WebP of %d x %d pixels (at most %d a side)", name,
                       RIFF_BYTES, width, height, PICTURE_SIDE_LIMIT);
    return ZT_OK;
}

static zt_result decode(arena *temporary, arena *a, const char *name, file_bytes bytes,
                        WebPDecoderConfig *config, picture *out, zt_error *err)
{
    ZT_TRY(check_features(name, bytes, config, err));
    const int width = config->input.width, height = config->input.height;
    uint8_t *pixels = arena_alloc_raw(a, (size_t)width * (size_t)height, 4);
    if (!pixels)
        return arena_fail(a, err, "the pixels of a WebP");
    ZT_TRY(reserve_decoder(temporary, width, height, err));
    config->output.colorspace = MODE_RGBA; // straight alpha
    config->output.is_external_memory = 1;
    config->output.u.RGBA = (WebPRGBABuffer){
        .rgba = pixels, .stride = width * 4, .size = (size_t)width * (size_t)height * 4};
    const VP8StatusCode status = WebPDecode(bytes.data, bytes.size, config);
    if (status != VP8_STATUS_OK)
        return fail(name, bytes.size, status, err);
    *out = (picture){.width = width,
                     .height = height,
                     .level_count = 1,
                     .format = PICTURE_RGBA8,
                     .has_alpha = config->input.has_alpha != 0,
                     .level = {pixels}};
    return ZT_OK;
}

static bool has_riff_header(file_bytes bytes)
{
    return bytes.size >= RIFF_BYTES && memcmp(bytes.data, "RIFF", 4) == 0 &&
           memcmp(bytes.data + 8, "WEBP", 4) == 0;
}

zt_result webp_decode(arena *a, const char *name, file_bytes bytes, picture *out, zt_error *err)
{
    *out = (picture){0};
    if (!has_riff_header(bytes))
        return zt_fail(err, ZT_ERR_FORMAT, "%s:0: not a WebP (no RIFF header of WEBP)", name);
    WebPDecoderConfig config;
    if (!WebPInitDecoderConfig(&config))
        return zt_fail(err, ZT_ERR_INTERNAL, "%s: libwebp is of another version than its header",
                       name);
    arena temporary;
    arena_init(&temporary, a->budget);
    const zt_result result = decode(&temporary, a, name, bytes, &config, out, err);
    WebPFreeDecBuffer(&config.output);
    arena_finish(&temporary);
    return result;
}
