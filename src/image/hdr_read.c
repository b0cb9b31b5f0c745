// SPDX-License-Identifier: MIT
/// Radiance pictures: a header (hdr_header.c), then rows or columns of RGBE or XYZE pixels. A row
/// is plain, in runs of whole pixels (up to 1991), or in runs of each component. References: G.
/// Ward, "Real Pixels", Graphics Gems II; Radiance reference manual, "File Formats".
#include "base/maths.h"
#include "image/hdr_header.h"
#include "image/hdr_picture.h"

#include <float.h>
#include <string.h>

enum {
    NEW_WIDTH_MIN = 8, // of rows with runs of each component
    NEW_WIDTH_MAX = 0x7fff,
    RUN_MARK = 128,
    EXPONENT_BIAS = 136,
};

typedef struct hdr_reader {
    const char *name;
    file_bytes bytes;
    size_t at;
    hdr_header header;
    int32_t row; ///< pixels in a row of the file, which may be a column of the picture
} hdr_reader;

/// A component is mantissa[m] * step[c][e].
typedef struct hdr_scale {
    double mantissa[256];
    double step[3][256];
} hdr_scale;

static zt_result fail(const hdr_reader *r, size_t at, const char *what, zt_error *err)
{
    return zt_fail(err, ZT_ERR_FORMAT, "%s:%zu: broken HDR: %s", r->name, at, what);
}

/// Reads runs of each component: a count above 128 repeats the next byte, others copy bytes.
static zt_result read_components(hdr_reader *r, uint8_t *row, zt_error *err)
{
    const size_t width = (size_t)r->row;
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

/// Reads plain pixels. 1, 1, 1, n repeats the last one n times; n of the next counts 256 n, ...
static zt_result read_pixels(hdr_reader *r, uint8_t *row, zt_error *err)
{
    const size_t width = (size_t)r->row;
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
    const bool marked = r->row >= NEW_WIDTH_MIN && r->row <= NEW_WIDTH_MAX &&
                        r->bytes.size - r->at >= 4 && p[0] == 2 && p[1] == 2 && p[2] < RUN_MARK;
    if (!marked)
        return read_pixels(r, row, err);
    if ((p[2] << 8 | p[3]) != r->row)
        return fail(r, r->at, "a row gives another width", err);
    return read_components(r, row, err);
}

/// Luminous efficacy that Radiance assumes of white light: X, Y, Z are photometric, RGB is not.
static const double lumens_per_watt = 179.0;

/// Linear RGB of the standard Radiance primaries (0.640 0.330, 0.290 0.600, 0.150 0.060) and their
/// white (1/3 1/3) from CIE XYZ: the inverse of the matrix whose columns are the primaries, scaled
/// to give white. Radiance reference manual, PRIMARIES.
static const double rgb_from_xyz[3][3] = {
    {2.5653128430296377, -1.1668496158068058, -0.39846322722283206},
    {-1.0221081721279115, 1.9782866166600868, 0.043821555467824715},
    {0.074724377296855854, -0.2519395671702736, 1.1772151898734178},
};

/// Undoes gamma in mantissas and powers of two apart; all steps are normal doubles.
static void make_scale(const hdr_header *h, hdr_scale *out)
{
    const bool plain = h->gamma == 1.0;
    for (int m = 0; m < 256; m++)
        out->mantissa[m] = plain || m == 0 ? m : maths_exp2(h->gamma * maths_log2(m));
    double power = 1.0;
    for (int i = 0; i < EXPONENT_BIAS - 1; i++)
        power *= 0.5;
    for (int e = 0; e < 256; e++) {
        const double linear = plain ? power : maths_exp2(h->gamma * (e - EXPONENT_BIAS));
        for (size_t c = 0; c < 3; c++) // 2^(e - 136)
            out->step[c][e] = e == 0 ? 0.0 : linear / (h->exposure * h->correct[c]);
        power *= e == 0 ? 1.0 : 2.0;
    }
}

/// Values beyond a float become FLT_MAX, negative ones (colours outside the primaries) 0.
static float to_float(double value)
{
    if (!(value > 0.0))
        return 0.0f;
    return value > (double)FLT_MAX ? FLT_MAX : (float)value;
}

static void store_pixel(const hdr_reader *r, const hdr_scale *scale, const uint8_t p[4],
                        float out[3])
{
    double v[3];
    for (size_t c = 0; c < 3; c++)
        v[c] = scale->mantissa[p[c]] * scale->step[c][p[3]];
    for (size_t c = 0; c < 3; c++)
        out[c] =
            to_float(!r->header.xyz ? v[c]
                                    : ((rgb_from_xyz[c][0] * v[0] + rgb_from_xyz[c][1] * v[1]) +
                                       rgb_from_xyz[c][2] * v[2]) /
                                          lumens_per_watt);
}

/// Stores row `index` of the file, which is a row or a column of the picture.
static void store_row(const hdr_reader *r, const hdr_scale *scale, const uint8_t *row, size_t index,
                      float *rgb)
{
    const hdr_header *h = &r->header;
    const size_t width = (size_t)h->width, height = (size_t)h->height;
    for (size_t i = 0; i < (size_t)r->row; i++) {
        const size_t x = h->columns ? index : i, y = h->columns ? i : index;
        const size_t to_x = h->right_left ? width - 1 - x : x;
        const size_t to_y = h->bottom_up ? height - 1 - y : y;
        store_pixel(r, scale, row + 4 * i, rgb + 3 * (to_y * width + to_x));
    }
}

static zt_result decode_rows(hdr_reader *r, arena *temporary, float *rgb, zt_error *err)
{
    uint8_t *row = arena_alloc_raw(temporary, (size_t)r->row, 4);
    hdr_scale *scale = arena_alloc_raw(temporary, 1, sizeof *scale);
    if (!row || !scale)
        return arena_fail(temporary, err, "a row of an HDR");
    make_scale(&r->header, scale);
    const size_t rows = (size_t)(r->header.columns ? r->header.width : r->header.height);
    for (size_t i = 0; i < rows; i++) {
        if (budget_cancelled(temporary->budget))
            return cancel_fail(err);
        ZT_TRY(read_row(r, row, err));
        store_row(r, scale, row, i, rgb);
    }
    return ZT_OK;
}

bool hdr_is(file_bytes bytes) { return bytes.size >= 2 && memcmp(bytes.data, "#?", 2) == 0; }

zt_result hdr_decode(arena *a, const char *name, file_bytes bytes, hdr_picture *out, zt_error *err)
{
    hdr_reader r = {.name = name, .bytes = bytes};
    *out = (hdr_picture){0};
    if (!hdr_is(bytes))
        return zt_fail(err, ZT_ERR_FORMAT, "%s:0: not an HDR (no #? at its start)", name);
    ZT_TRY(hdr_header_read(name, bytes, a->budget->limits->texture_side, &r.header, err));
    const int32_t width = r.header.width, height = r.header.height;
    r.at = r.header.pixels;
    r.row = r.header.columns ? height : width;
    float *rgb;
    ZT_TRY(
        ARENA_TAKE_RAW(a, &rgb, 3 * (size_t)width * (size_t)height, "the pixels of an HDR", err));
    arena temporary;
    arena_init(&temporary, a->budget);
    const zt_result result = decode_rows(&r, &temporary, rgb, err);
    arena_finish(&temporary);
    if (result == ZT_OK)
        *out = (hdr_picture){width, height, rgb};
    return result;
}
