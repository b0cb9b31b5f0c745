// SPDX-License-Identifier: MIT
/// Radiance pictures: a header, then rows or columns of RGBE or XYZE pixels. A row is plain, in
/// runs of whole pixels (up to 1991), or in runs of each component. References: G. Ward, "Real
/// Pixels", Graphics Gems II; Radiance reference manual, "File Formats", section "Picture"; for
/// GAMMA, which Radiance itself does not write: B. Walter, "RGBE file format", 1995.
#include "base/maths.h"
#include "base/number.h"
#include "image/hdr_picture.h"

#include <float.h>
#include <string.h>

enum {
    LINE_MAX_BYTES = 4096,
    NEW_WIDTH_MIN = 8, // of rows with runs of each component
    NEW_WIDTH_MAX = 0x7fff,
    RUN_MARK = 128,
    EXPONENT_BIAS = 136,
};

/// Text lines, an empty line, and the line with the size.
typedef struct hdr_header {
    int32_t width, height;
    bool columns;      ///< the file stores columns, not rows ("+X 256 -Y 128")
    bool right_left;   ///< -X: the first stored column is the rightmost
    bool bottom_up;    ///< +Y: the first stored row is the lowest
    bool xyz;          ///< CIE XYZ instead of RGB
    double exposure;   ///< product of the EXPOSURE lines
    double correct[3]; ///< products of the COLORCORR lines
    double gamma;      ///< of the GAMMA line: stored = linear^(1 / gamma)
} hdr_header;

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

/// Reads `count` numbers from `min` to `max`, with spaces before each; text after them is ignored.
static bool read_numbers(const char *text, const char *end, double min, double max, size_t count,
                         double *out)
{
    for (size_t i = 0; i < count; i++) {
        while (text < end && (*text == ' ' || *text == '\t'))
            text++;
        text = number_parse_double(text, end, &out[i]);
        if (!text || !(out[i] >= min && out[i] <= max))
            return false;
    }
    return true;
}

/// Multiplies a factor of the header; the product must stay a factor that can be divided out.
static zt_result multiply(const hdr_reader *r, size_t at, double factor, const char *what,
                          double *product, zt_error *err)
{
    *product *= factor;
    if (*product >= 1e-30 && *product <= 1e30)
        return ZT_OK;
    return zt_fail(err, ZT_ERR_FORMAT,
                   "%s:%zu: broken HDR: the product of all %s lines is not from 1e-30 to 1e30",
                   r->name, at, what);
}

static zt_result read_format(hdr_reader *r, size_t at, const char *line, size_t length,
                             zt_error *err)
{
    r->header.xyz = starts_with(line + 7, length - 7, "32-bit_rle_xyze");
    if (r->header.xyz || starts_with(line + 7, length - 7, "32-bit_rle_rgbe"))
        return ZT_OK;
    return zt_fail(err, ZT_ERR_FORMAT,
                   "%s:%zu: unsupported HDR: %.*s (expected FORMAT=32-bit_rle_rgbe or "
                   "32-bit_rle_xyze)",
                   r->name, at, (int)(length < 64 ? length : 64), line);
}

/// Reads one variable; those that say nothing about values or orientation are ignored.
static zt_result read_variable(hdr_reader *r, const char *line, size_t length, zt_error *err)
{
    const size_t at = (size_t)((const uint8_t *)line - r->bytes.data);
    const char *end = line + length;
    double value[3];
    if (starts_with(line, length, "FORMAT="))
        return read_format(r, at, line, length, err);
    if (starts_with(line, length, "EXPOSURE=")) {
        if (!read_numbers(line + 9, end, 1e-30, 1e30, 1, value))
            return fail(r, at, "EXPOSURE is not a number from 1e-30 to 1e30", err);
        return multiply(r, at, value[0], "EXPOSURE", &r->header.exposure, err);
    }
    if (starts_with(line, length, "COLORCORR=")) {
        if (!read_numbers(line + 10, end, 1e-30, 1e30, 3, value))
            return fail(r, at, "COLORCORR is not three numbers from 1e-30 to 1e30", err);
        for (size_t c = 0; c < 3; c++)
            ZT_TRY(multiply(r, at, value[c], "COLORCORR", &r->header.correct[c], err));
        return ZT_OK;
    }
    if (starts_with(line, length, "GAMMA=")) {
        if (!read_numbers(line + 6, end, 0.1, 10.0, 1, value))
            return fail(r, at, "GAMMA is not a number from 0.1 to 10", err);
        r->header.gamma = value[0];
    }
    return ZT_OK;
}

/// Parses one axis of the size, such as "-Y 128"; NULL when it is none.
static const char *parse_axis(const char *text, const char *end, char *out_axis, bool *out_negative,
                              int64_t *out_count)
{
    if (end - text < 4 || (text[0] != '-' && text[0] != '+') ||
        (text[1] != 'X' && text[1] != 'Y') || text[2] != ' ')
        return NULL;
    *out_negative = text[0] == '-';
    *out_axis = text[1];
    return number_parse_int64(text + 3, end, out_count);
}

/// Parses "-Y 128 +X 256", or "+X 256 -Y 128" for columns: slow axis first; Y grows upwards.
static bool parse_size(const char *line, size_t length, hdr_header *out, int64_t *width,
                       int64_t *height)
{
    const char *end = line + length;
    char axis[2];
    bool negative[2];
    int64_t count[2];
    const char *text = parse_axis(line, end, &axis[0], &negative[0], &count[0]);
    if (!text || text == end || *text != ' ' ||
        !parse_axis(text + 1, end, &axis[1], &negative[1], &count[1]) || axis[0] == axis[1])
        return false;
    const int x = axis[0] == 'X' ? 0 : 1;
    out->columns = x == 0;
    out->right_left = negative[x];
    out->bottom_up = !negative[1 - x];
    *width = count[x];
    *height = count[1 - x];
    return true;
}

static zt_result read_size(hdr_reader *r, int32_t side_limit, zt_error *err)
{
    const size_t at = r->at;
    size_t length = 0;
    int64_t width = 0, height = 0;
    const char *line = next_line(r, &length);
    if (!line)
        return fail(r, at, "it ends before its size", err);
    if (!parse_size(line, length, &r->header, &width, &height))
        return fail(r, at, "its size is not written as -Y height +X width", err);
    if (width < 1 || height < 1)
        return zt_fail(err, ZT_ERR_FORMAT, "%s:%zu: HDR of %lld x %lld pixels", r->name, at,
                       (long long)width, (long long)height);
    if (width > side_limit || height > side_limit)
        return zt_fail(err, ZT_ERR_LIMIT, "%s:%zu: HDR of %lld x %lld pixels (at most %d a side)",
                       r->name, at, (long long)width, (long long)height, side_limit);
    r->header.width = (int32_t)width;
    r->header.height = (int32_t)height;
    return ZT_OK;
}

static zt_result read_header(hdr_reader *r, int32_t side_limit, zt_error *err)
{
    size_t length = 0;
    r->header = (hdr_header){.exposure = 1.0, .correct = {1.0, 1.0, 1.0}, .gamma = 1.0};
    if (!next_line(r, &length))
        return fail(r, r->bytes.size, "it ends in its header", err);
    for (;;) {
        const size_t at = r->at;
        const char *line = next_line(r, &length);
        if (!line)
            return fail(r, at, "a line of its header does not end", err);
        if (length == 0)
            return read_size(r, side_limit, err);
        ZT_TRY(read_variable(r, line, length, err));
    }
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
    ZT_TRY(read_header(&r, a->budget->limits->texture_side, err));
    const int32_t width = r.header.width, height = r.header.height;
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
