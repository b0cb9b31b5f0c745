// SPDX-License-Identifier: MIT
/// WebP files in memory -> 8-bit RGBA pictures, by libwebp: lossy (RFC 6386) with or without alpha,
/// and lossless, in simple and extended containers (RFC 9649). Nothing is scaled or dithered, so
/// that every build gives the same bytes. Animations are rejected.
#include "image/library_memory.h"
#include "image/picture_codecs.h"

#include <string.h>
#include <webp/decode.h>

enum {
    RIFF_BYTES = 12,
    FORMAT_LOSSY = 1, // of WebPBitstreamFeatures
    LOSSLESS_PIXEL_BYTES = 6,
    GROUP_PIXELS_MIN = 16,
    GROUPS_MAX = 1 << 16,
    GROUP_BITS_MIN = 20,
    GROUP_BYTES = 6 << 10,      // five tables of 256 entries of four bytes, and the group itself
    GROUP_BYTES_ALL = 22 << 10, // as they are allocated
};

/// The decoder allocates from the system; as much is charged first. Lossy: rows and tables.
/// Lossless, and alpha: pixels, transforms, prefix codes, and for each group of five codes the
/// filled part of their tables. A block of 4 x 4 pixels or more has a group; at most 2^16 differ,
/// each of 20 bits of the file or more (RFC 9649, 3.7.2, 3.7.4).
static zt_result charge_decoder(arena *temporary, const WebPBitstreamFeatures *input, size_t size,
                                size_t *out_asked, zt_error *err)
{
    const uint64_t pixels = (uint64_t)input->width * (uint64_t)input->height;
    uint64_t bytes = (uint64_t)input->width * 4 * 32 + ((uint64_t)1 << 18), unfilled = 0;
    if (input->format != FORMAT_LOSSY || input->has_alpha) {
        uint64_t groups = pixels / GROUP_PIXELS_MIN + 1;
        groups = groups < GROUPS_MAX ? groups : GROUPS_MAX;
        const uint64_t coded = (uint64_t)size * 8 / GROUP_BITS_MIN + 1;
        groups = groups < coded ? groups : coded;
        bytes += pixels * LOSSLESS_PIXEL_BYTES + groups * GROUP_BYTES;
        unfilled = groups * (GROUP_BYTES_ALL - GROUP_BYTES);
    }
    *out_asked = (size_t)(bytes + unfilled);
    if (!arena_charge(temporary, bytes))
        return arena_fail(temporary, err, "the decoder of a WebP");
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
    return picture_check_side(name, RIFF_BYTES, "WebP", (uint32_t)width, (uint32_t)height, err);
}

static zt_result decode(arena *temporary, arena *a, const char *name, file_bytes bytes,
                        WebPDecoderConfig *config, picture *out, zt_error *err)
{
    ZT_TRY(check_features(name, bytes, config, err));
    const int width = config->input.width, height = config->input.height;
    picture p;
    uint8_t *pixels;
    ZT_TRY(picture_take(a, width, height, "the pixels of a WebP", &p, &pixels, err));
    p.has_alpha = config->input.has_alpha != 0;
    size_t asked;
    ZT_TRY(charge_decoder(temporary, &config->input, bytes.size, &asked, err));
    if (!library_has_memory(asked))
        return fail(name, bytes.size, VP8_STATUS_OUT_OF_MEMORY, err);
    config->output.colorspace = MODE_RGBA; // straight alpha
    config->output.is_external_memory = 1;
    config->output.u.RGBA = (WebPRGBABuffer){
        .rgba = pixels, .stride = width * 4, .size = (size_t)width * (size_t)height * 4};
    VP8StatusCode status = WebPDecode(bytes.data, bytes.size, config);
    if (status != VP8_STATUS_OK && !library_has_memory(asked))
        status = VP8_STATUS_OUT_OF_MEMORY;
    else if (status != VP8_STATUS_OK)
        status = WebPDecode(bytes.data, bytes.size, config);
    if (status != VP8_STATUS_OK)
        return fail(name, bytes.size, status, err);
    *out = p;
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
