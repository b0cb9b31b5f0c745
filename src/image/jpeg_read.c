// SPDX-License-Identifier: MIT
/// JPEG files in memory -> 8-bit RGBA, by TurboJPEG with the accurate integer DCT and fancy
/// upsampling: its SIMD and C give the same bytes. Grey, YCbCr, RGB, CMYK, YCCK; baseline and
/// progressive (ITU-T T.81). A file that ends early is an error; damage only warned of is not.
#include "image/jpeg_markers.h"
#include "image/picture_codecs.h"

#include <string.h>
#include <turbojpeg.h>

enum {
    COMPONENTS_MAX = 4,
    DECODER_ROWS = 64,        // of all samples of a row, in the decoder's buffers
    DECODER_BYTES = 128 << 10 // its tables
};

/// Facts from the markers that TurboJPEG does not report.
typedef struct jpeg_markers {
    bool adobe;        ///< APP14 "Adobe": its CMYK values are inverted
    bool many_scans;   ///< progressive, or a scan per component: the decoder holds all coefficients
    bool ended;        ///< there is an EOI marker
    int width, height; ///< of the frame header; 0 without one
} jpeg_markers;

/// Walks markers up to EOI; in coded data to a 0xff neither stuffed (0xff00) nor a fill byte.
static jpeg_markers markers_read(file_bytes bytes)
{
    jpeg_markers m = {0};
    const uint8_t *d = bytes.data;
    int components = 0;
    size_t at = 2; // after SOI
    while (at + 1 < bytes.size) {
        const uint8_t *next = memchr(d + at, 0xff, bytes.size - at - 1);
        if (!next)
            return m;
        at = (size_t)(next - d);
        if (d[at + 1] == 0 || d[at + 1] == 0xff) {
            at++;
            continue;
        }
        const uint8_t marker = d[at + 1];
        at += 2;
        if (marker == MARKER_EOI) {
            m.ended = true;
            return m;
        }
        if (jpeg_marker_is_bare(marker))
            continue;
        if (bytes.size - at < 2)
            return m;
        const size_t length = (size_t)d[at] << 8 | d[at + 1];
        if (jpeg_marker_starts_frame(marker) && bytes.size - at > 7) {
            m.many_scans |= (marker & 3) == 2; // progressive: SOF2, 6, 10 and 14
            m.height = d[at + 3] << 8 | d[at + 4];
            m.width = d[at + 5] << 8 | d[at + 6];
            components = d[at + 7];
        }
        if (marker == MARKER_SOS && bytes.size - at > 2 && d[at + 2] < components)
            m.many_scans = true;
        if (marker == MARKER_APP14 && length >= 14 && bytes.size - at >= 7 &&
            memcmp(d + at + 2, "Adobe", 5) == 0)
            m.adobe = true;
        at += length < 2 ? 2 : length;
    }
    return m;
}

static uint8_t multiply_unorm8(uint32_t a, uint32_t b) { return (uint8_t)((a * b + 127) / 255); }

/// Converts CMYK to RGBA in place by R = (1 - C)(1 - K), without a colour profile.
static void rgba_from_cmyk(uint8_t *pixels, size_t count, bool inverted)
{
    const uint8_t flip = inverted ? 0 : 255;
    for (size_t i = 0; i < count; i++) {
        uint8_t *p = pixels + 4 * i;
        const uint8_t light = p[3] ^ flip;
        for (int c = 0; c < 3; c++)
            p[c] = multiply_unorm8(p[c] ^ flip, light);
        p[3] = 255;
    }
}

static zt_result check_size(const char *name, file_bytes bytes, int width, int height,
                            int32_t side_limit, picture *out, zt_error *err)
{
    if (width < 1 || height < 1)
        return zt_fail(err, ZT_ERR_FORMAT, "%s: broken JPEG: %d x %d pixels", name, width, height);
    out->too_large = width > side_limit || height > side_limit;
    if (out->too_large)
        return zt_fail(err, ZT_ERR_LIMIT, "%s: JPEG of %d x %d pixels (at most %d a side)", name,
                       width, height, (int)side_limit);
    // Every MCU (at most 32 x 32 pixels) takes at least one bit.
    if ((uint64_t)width * (uint64_t)height / 1024 / 8 > bytes.size)
        return zt_fail(err, ZT_ERR_FORMAT,
                       "%s: broken JPEG: %d x %d pixels cannot come from %zu bytes", name, width,
                       height, bytes.size);
    return ZT_OK;
}

/// The decoder allocates from the system: tables, rows of each component before and after
/// upsampling, and for a picture with many scans all coefficients (16 bits each, sides rounded up
/// to MCUs). As much is charged first.
static zt_result charge_decoder(arena *temporary, bool many_scans, int width, int height,
                                zt_error *err)
{
    const uint64_t padded_width = ((uint64_t)width + 31) & ~(uint64_t)31;
    const uint64_t padded_height = ((uint64_t)height + 31) & ~(uint64_t)31;
    const uint64_t rows = padded_width * COMPONENTS_MAX * DECODER_ROWS;
    const uint64_t coefficients =
        many_scans ? padded_height * padded_width * COMPONENTS_MAX * sizeof(int16_t) : 0;
    if (!arena_charge(temporary, DECODER_BYTES + rows + coefficients))
        return arena_fail(temporary, err, "the decoder of a JPEG");
    return ZT_OK;
}

/// "Insufficient memory (case 4)" of libjpeg, "Memory allocation failure" of TurboJPEG.
static zt_result fail_decoder(const char *name, const char *reason, zt_error *err)
{
    if (strstr(reason, "nsufficient memory") || strstr(reason, "llocation failure"))
        return zt_fail(err, ZT_ERR_MEMORY, "%s: no memory for a JPEG decoder", name);
    return zt_fail(err, ZT_ERR_FORMAT, "%s: broken JPEG: %s", name, reason);
}

static bool contains_premature(const char *text) { return strstr(text, "remature end") != NULL; }

/// Number of halvings by the decoder: it means 2 x 2, 4 x 4 or 8 x 8 pixels from low
/// frequencies. Both sides must be divisible: it rounds sizes up, mip chains round them down.
static int32_t decoder_halvings(int width, int height, picture_need need)
{
    int32_t halvings = picture_reduction(width, height, need.min_side);
    if (halvings > 0 && need.color)
        halvings--;
    if (halvings > 3)
        halvings = 3;
    while (((width | height) & ((1 << halvings) - 1)) != 0)
        halvings--;
    return halvings;
}

static zt_result decode_pixels(tjhandle decoder, const char *name, file_bytes bytes, bool cmyk,
                               uint8_t *pixels, int width, int height, zt_error *err)
{
    const int format = cmyk ? TJPF_CMYK : TJPF_RGBA;
    const int flags = TJFLAG_ACCURATEDCT | TJFLAG_LIMITSCANS;
    // TurboJPEG 2.1 calls an error behind a warning a warning as well. It ends before the last row.
    const uint8_t unwritten[4] = {0x5a, 0xa5, 0x3c, 0};
    uint8_t *last = pixels + 4 * ((size_t)width * (size_t)height - 1);
    memcpy(last, unwritten, sizeof unwritten);
    if (tjDecompress2(decoder, bytes.data, (unsigned long)bytes.size, pixels, width, width * 4,
                      height, format, flags) == 0)
        return ZT_OK;
    const char *reason = tjGetErrorStr2(decoder);
    if (tjGetErrorCode(decoder) == TJERR_FATAL || contains_premature(reason) ||
        memcmp(last, unwritten, sizeof unwritten) == 0)
        return fail_decoder(name, reason, err);
    return ZT_OK;
}

static zt_result decode(tjhandle decoder, arena *temporary, arena *a, const char *name,
                        file_bytes bytes, picture_need need, picture *out, zt_error *err)
{
    const jpeg_markers markers = markers_read(bytes);
    const int32_t side_limit = a->budget->limits->texture_side;
    int width = markers.width, height = markers.height, subsampling = 0, colorspace = 0;
    if (width <= side_limit && height <= side_limit &&
        tjDecompressHeader3(decoder, bytes.data, (unsigned long)bytes.size, &width, &height,
                            &subsampling, &colorspace) != 0 &&
        (tjGetErrorCode(decoder) == TJERR_FATAL || width < 1 || height < 1))
        return fail_decoder(name, tjGetErrorStr2(decoder), err);
    ZT_TRY(check_size(name, bytes, width, height, side_limit, out, err));
    if (!markers.ended)
        return zt_fail(err, ZT_ERR_FORMAT, "%s:%zu: broken JPEG: the data ends early (no EOI)",
                       name, bytes.size);
    const int32_t halvings = decoder_halvings(width, height, need);
    const int32_t skip = picture_reduction(width, height, need.min_side) - halvings;
    width >>= halvings;
    height >>= halvings;
    const size_t count = (size_t)width * (size_t)height;
    uint8_t *pixels = arena_alloc_raw(a, count, 4);
    if (!pixels)
        return arena_fail(a, err, "the pixels of a JPEG");
    const bool cmyk = colorspace == TJCS_CMYK || colorspace == TJCS_YCCK;
    ZT_TRY(
        charge_decoder(temporary, markers.many_scans, width << halvings, height << halvings, err));
    ZT_TRY(decode_pixels(decoder, name, bytes, cmyk, pixels, width, height, err));
    if (cmyk)
        rgba_from_cmyk(pixels, count, markers.adobe);
    *out = (picture){.width = width,
                     .height = height,
                     .level_count = 1,
                     .format = PICTURE_RGBA8,
                     .skip = skip,
                     .level = {pixels}};
    return ZT_OK;
}

zt_result jpeg_decode(arena *a, const char *name, file_bytes bytes, picture_need need, picture *out,
                      zt_error *err)
{
    *out = (picture){0};
    if (bytes.size < 3 || bytes.data[0] != 0xff || bytes.data[1] != MARKER_SOI ||
        bytes.data[2] != 0xff)
        return zt_fail(err, ZT_ERR_FORMAT, "%s:0: not a JPEG (no SOI marker)", name);
    tjhandle decoder = tjInitDecompress();
    if (!decoder)
        return zt_fail(err, ZT_ERR_MEMORY, "no memory for a JPEG decoder");
    arena temporary;
    arena_init(&temporary, a->budget);
    const zt_result result = decode(decoder, &temporary, a, name, bytes, need, out, err);
    arena_finish(&temporary);
    tjDestroy(decoder);
    return result;
}
