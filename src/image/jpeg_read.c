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

/// A marker and what belongs to it. `length`: without the marker's two bytes; 0: it is bare.
typedef struct jpeg_segment {
    uint8_t marker;
    size_t begin, length;
    const uint8_t *data; ///< from the length on
} jpeg_segment;

/// The next segment from *at on. In coded data it begins at a 0xff that is neither stuffed (0xff00)
/// nor a fill byte.
static bool segment_next(file_bytes bytes, size_t *at, jpeg_segment *out)
{
    const uint8_t *d = bytes.data;
    while (*at + 1 < bytes.size) {
        const uint8_t *next = memchr(d + *at, 0xff, bytes.size - *at - 1);
        if (!next)
            return false;
        *at = (size_t)(next - d);
        if (d[*at + 1] == 0 || d[*at + 1] == 0xff) {
            ++*at;
            continue;
        }
        *out = (jpeg_segment){.marker = d[*at + 1], .begin = *at, .data = d + *at + 2};
        *at += 2;
        if (out->marker == MARKER_EOI || jpeg_marker_is_bare(out->marker))
            return true;
        if (bytes.size - *at < 2)
            return false;
        out->length = (size_t)d[*at] << 8 | d[*at + 1];
        *at += out->length < 2 ? 2 : out->length;
        return true;
    }
    return false;
}

static jpeg_markers markers_read(file_bytes bytes)
{
    jpeg_markers m = {0};
    jpeg_segment s;
    int components = 0;
    for (size_t at = 2; segment_next(bytes, &at, &s);) { // after SOI
        const size_t left = (size_t)(bytes.data + bytes.size - s.data);
        if (s.marker == MARKER_EOI) {
            m.ended = true;
            return m;
        }
        if (jpeg_marker_starts_frame(s.marker) && left > 7) {
            m.many_scans |= (s.marker & 3) == 2; // progressive: SOF2, 6, 10 and 14
            m.height = s.data[3] << 8 | s.data[4];
            m.width = s.data[5] << 8 | s.data[6];
            components = s.data[7];
        }
        if (s.marker == MARKER_SOS && left > 2 && s.data[2] < components)
            m.many_scans = true;
        if (s.marker == MARKER_APP14 && s.length >= 14 && left >= 7 &&
            memcmp(s.data + 2, "Adobe", 5) == 0)
            m.adobe = true;
    }
    return m;
}

/// True for a scan that adds next to nothing at a quarter or an eighth: the first five frequencies
/// in zigzag order count, but for their last two bits. A scan refines what was read before it, so
/// after one that is skipped all others of its component are. Means are left: without any frequency
/// the decoder would smooth them.
static bool scan_is_skipped(const jpeg_segment *s, bool skipped[256])
{
    if (s->length < 8 || s->data[2] != 1)
        return false; // frequencies come one component at a time
    const uint8_t component = s->data[3], first = s->data[5], refined_bit = s->data[7] >> 4;
    skipped[component] |= first > 5 || (first > 0 && refined_bit > 0 && refined_bit <= 2);
    return skipped[component] && first > 0;
}

/// Copies a file without the scans that are skipped to `out`; returns the copy's size.
static size_t scans_copy(file_bytes bytes, uint8_t *out)
{
    bool skipped[256] = {false}, skips = false;
    size_t size = 2, from = 2;
    jpeg_segment s;
    memcpy(out, bytes.data, 2);
    for (size_t at = 2; segment_next(bytes, &at, &s);) {
        if (s.marker >= MARKER_RST0 && s.marker < MARKER_SOI)
            continue; // inside of a scan
        memcpy(out + size, bytes.data + from, skips ? 0 : s.begin - from);
        size += skips ? 0 : s.begin - from;
        from = s.begin;
        skips = s.marker == MARKER_SOS && (size_t)(bytes.data + bytes.size - s.data) >= s.length &&
                scan_is_skipped(&s, skipped);
        if (s.marker == MARKER_EOI)
            break;
    }
    memcpy(out + size, (const uint8_t[]){0xff, MARKER_EOI}, 2);
    return size + 2;
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
    // Components of half the size are reduced once less.
    if (markers.many_scans && halvings >= 2 && subsampling == TJSAMP_444) {
        uint8_t *copy = arena_alloc_raw(temporary, bytes.size + 2, 1);
        if (!copy)
            return arena_fail(temporary, err, "the scans of a JPEG");
        bytes = (file_bytes){copy, scans_copy(bytes, copy)};
    }
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
