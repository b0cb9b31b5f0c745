// SPDX-License-Identifier: MIT
/// Radiance pictures: a header of text lines, a line with the size, and rows of RGBE pixels. A row
/// is plain, in runs of whole pixels (up to 1991), or in runs of each component. References: G.
/// Ward, "Real Pixels", Graphics Gems II; Radiance reference manual, "File Formats".
#include "image/hdr_read.h"

#include "base/number.h"
#include "image/picture.h"

#include <float.h>
#include <string.h>

enum {
    NEW_WIDTH_MIN = 8, // of rows with runs of each component
    NEW_WIDTH_MAX = 0x7fff,
    RUN_MARK = 128,
    LINE_MAX_BYTES = 4096,
    EXPONENT_BIAS = 136,
};

typedef struct hdr_reader {
    const char *name;
    file_bytes bytes;
    size_t at;
    int32_t width, height;
    bool bottom_up, right_left;
    double exposure; ///< product of the EXPOSURE lines
} hdr_reader;

static zt_result fail(const hdr_reader *r, size_t at, const char *what, zt_error *err)
{
    return zt_fail(err, ZT_ERR_FORMAT, "%s:%zu: broken HDR: %s", r->name, at, what);
}

/// The next line without its line feed; NULL when there is none.
static const char *next_line(hdr_reader *r, size_t *out_length)
{
    const char *line = (const char *)r->bytes.data + r->at;
    const size_t left = r->bytes.size - r->at;
    const char *end = memchr(line, '\n', left < LINE_MAX_BYTES ? left : LINE_MAX_BYTES);
    if (!end)
        return NULL;
    *out_length = (size_t)(end - line);
    r->at += *out_length + 1;
    return line;
}

static bool starts_with(const char *line, size_t length, const char *word)
{
    const size_t n = strlen(word);
    return length >= n && memcmp(line, word, n) == 0;
}

/// Reads FORMAT and EXPOSURE; other variables are ignored.
static zt_result read_variable(hdr_reader *r, const char *line, size_t length, zt_error *err)
{
    const size_t at = (size_t)((const uint8_t *)line - r->bytes.data);
    if (starts_with(line, length, "FORMAT=") &&
        !starts_with(line + 7, length - 7, "32-bit_rle_rgbe"))
        return zt_fail(err, ZT_ERR_FORMAT,
                       "%s:%zu: unsupported HDR: %.*s (expected FORMAT=32-bit_rle_rgbe)", r->name,
                       at, (int)(length < 64 ? length : 64), line);
    if (!starts_with(line, length, "EXPOSURE="))
        return ZT_OK;
    const char *text = line + 9, *end = line + length;
    double value;
    while (text < end && *text == ' ')
        text++;
    if (!number_parse_double(text, end, &value) || !(value >= 1e-30 && value <= 1e30))
        return fail(r, at, "EXPOSURE is not a number from 1e-30 to 1e30", err);
    r->exposure *= value;
    if (!(r->exposure >= 1e-30 && r->exposure <= 1e30))
        return fail(r, at, "the product of all EXPOSURE lines is not from 1e-30 to 1e30", err);
    return ZT_OK;
}

/// Parses "-Y 128 +X 256": rows first, with a sign for the direction of each axis.
static bool parse_size(const char *line, size_t length, hdr_reader *r, int64_t *width,
                       int64_t *height)
{
    const char *end = line + length;
    if (length < 6 || (line[0] != '-' && line[0] != '+') || line[1] != 'Y' || line[2] != ' ')
        return false;
    r->bottom_up = line[0] == '+';
    const char *text = number_parse_int64(line + 3, end, height);
    if (!text || end - text < 5 || text[0] != ' ' || (text[1] != '-' && text[1] != '+') ||
        text[2] != 'X' || text[3] != ' ')
        return false;
    r->right_left = text[1] == '-';
    return number_parse_int64(text + 4, end, width) != NULL;
}

static zt_result read_size(hdr_reader *r, zt_error *err)
{
    const size_t at = r->at;
    size_t length = 0;
    int64_t width = 0, height = 0;
    const char *line = next_line(r, &length);
    if (!line)
        return fail(r, at, "it ends before its size", err);
    if (!parse_size(line, length, r, &width, &height))
        return fail(r, at, "its size is not written as -Y height +X width", err);
    if (width < 1 || height < 1)
        return zt_fail(err, ZT_ERR_FORMAT, "%s:%zu: HDR of %lld x %lld pixels", r->name, at,
                       (long long)width, (long long)height);
    if (width > PICTURE_SIDE_LIMIT || height > PICTURE_SIDE_LIMIT)
        return zt_fail(err, ZT_ERR_LIMIT, "%s:%zu: HDR of %lld x %lld pixels (at most %d a side)",
                       r->name, at, (long long)width, (long long)height, PICTURE_SIDE_LIMIT);
    r->width = (int32_t)width;
    r->height = (int32_t)height;
    return ZT_OK;
}

static zt_result read_header(hdr_reader *r, zt_error *err)
{
    size_t length = 0;
    if (!next_line(r, &length))
        return fail(r, r->bytes.size, "it ends in its header", err);
    for (;;) {
        const size_t at = r->at;
        const char *line = next_line(r, &length);
        if (!line)
            return fail(r, at, "a line of its header does not end", err);
        if (length == 0)
            return read_size(r, err);
        ZT_TRY(read_variable(r, line, length, err));
    }
}

/// Reads runs of each component: a count above 128 repeats the next byte, others copy bytes.
static zt_result read_components(hdr_reader *r, uint8_t *row, zt_error *err)
{
    const size_t width = (size_t)r->width;
    r->at += 4;
    for (size_t c = 0; c < 4; c++)
        for (size_t x = 0; x < width;) {
            if (r->bytes.size - r->at < 2)
                return fail(r, r->bytes.size, "its pixels end early", err);
            const uint8_t count = r->bytes.data[r->at++];
            const bool repeat = count > RUN_MARK;
            const size_t run = repeat ? (size_t)count - RUN_MARK : count;
            if (run == 0 || run > width - x)
                return fail(r, r->at - 1, "a run does not fit in its row", err);
            if (!repeat && run > r->bytes.size - r->at)
                return fail(r, r->bytes.size, "its pixels end early", err);
            for (size_t i = 0; i < run; i++)
                row[4 * (x + i) + c] = r->bytes.data[r->at + (repeat ? 0 : i)];
            r->at += repeat ? 1 : run;
            x += run;
        }
    return ZT_OK;
}

/// Reads plain pixels. A pixel 1, 1, 1, n repeats the previous one n times; in consecutive ones n
/// counts 256 times as much each time.
static zt_result read_pixels(hdr_reader *r, uint8_t *row, zt_error *err)
{
    const size_t width = (size_t)r->width;
    uint32_t shift = 0;
    for (size_t x = 0; x < width; r->at += 4) {
        if (r->bytes.size - r->at < 4)
            return fail(r, r->bytes.size, "its pixels end early", err);
        const uint8_t *p = r->bytes.data + r->at;
        if (p[0] != 1 || p[1] != 1 || p[2] != 1) {
            memcpy(row + 4 * x++, p, 4);
            shift = 0;
            continue;
        }
        const size_t run = shift <= 16 ? (size_t)p[3] << shift : width + 1;
        if (x == 0 || run > width - x)
            return fail(r, r->at, "a run does not fit in its row", err);
        for (size_t i = 0; i < run; i++, x++)
            memcpy(row + 4 * x, row + 4 * (x - 1), 4);
        shift += 8;
    }
    return ZT_OK;
}

static zt_result read_row(hdr_reader *r, uint8_t *row, zt_error *err)
{
    const uint8_t *p = r->bytes.data + r->at;
    const bool marked = r->width >= NEW_WIDTH_MIN && r->width <= NEW_WIDTH_MAX &&
                        r->bytes.size - r->at >= 4 && p[0] == 2 && p[1] == 2 && p[2] < RUN_MARK;
    if (!marked)
        return read_pixels(r, row, err);
    if ((p[2] << 8 | p[3]) != r->width)
        return fail(r, r->at, "a row gives another width", err);
    return read_components(r, row, err);
}

/// The value of one step for each exponent, divided by the exposure; all are normal doubles.
static void make_scales(double exposure, double scale[256])
{
    scale[0] = 0.0;
    double power = 1.0;
    for (int i = 0; i < EXPONENT_BIAS - 1; i++)
        power *= 0.5;
    for (int e = 1; e < 256; e++, power *= 2.0) // 2^(e - 136)
        scale[e] = power / exposure;
}

/// Values beyond the range of a float become FLT_MAX.
static void store_row(const hdr_reader *r, const double scale[256], const uint8_t *row, float *out)
{
    const size_t width = (size_t)r->width;
    for (size_t x = 0; x < width; x++) {
        const uint8_t *p = row + 4 * (r->right_left ? width - 1 - x : x);
        for (size_t c = 0; c < 3; c++) {
            const double value = p[c] * scale[p[3]];
            out[3 * x + c] = value > (double)FLT_MAX ? FLT_MAX : (float)value;
        }
    }
}

static zt_result decode_rows(hdr_reader *r, arena *temporary, float *rgb, zt_error *err)
{
    double scale[256];
    const size_t width = (size_t)r->width, height = (size_t)r->height;
    uint8_t *row = arena_alloc_raw(temporary, width, 4);
    if (!row)
        return arena_fail(temporary, err, "a row of an HDR");
    make_scales(r->exposure, scale);
    for (size_t y = 0; y < height; y++) {
        ZT_TRY(read_row(r, row, err));
        store_row(r, scale, row, rgb + 3 * width * (r->bottom_up ? height - 1 - y : y));
    }
    return ZT_OK;
}

bool hdr_is(file_bytes bytes)
{
    return bytes.size >= 2 && memcmp(bytes.data, "#?", 2) == 0;
}

zt_result hdr_decode(arena *a, const char *name, file_bytes bytes, hdr_picture *out, zt_error *err)
{
    hdr_reader r = {.name = name, .bytes = bytes, .exposure = 1.0};
    *out = (hdr_picture){0};
    if (!hdr_is(bytes))
        return zt_fail(err, ZT_ERR_FORMAT, "%s:0: not an HDR (no #? at its start)", name);
    ZT_TRY(read_header(&r, err));
    float *rgb = arena_alloc_raw(a, (size_t)r.width * (size_t)r.height, 3 * sizeof *rgb);
    if (!rgb)
        return arena_fail(a, err, "the pixels of an HDR");
    arena temporary;
    arena_init(&temporary, a->budget);
    const zt_result result = decode_rows(&r, &temporary, rgb, err);
    arena_finish(&temporary);
    if (result == ZT_OK)
        *out = (hdr_picture){r.width, r.height, rgb};
    return result;
}
