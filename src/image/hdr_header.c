// SPDX-License-Identifier: MIT
/// Reads the header of a Radiance picture. References: G. Ward, "Real Pixels", Graphics Gems II;
/// Radiance reference manual, "File Formats", section "Picture"; for GAMMA, which Radiance itself
/// does not write: B. Walter, "RGBE file format", 1995.
#include "image/hdr_header.h"

#include "base/number.h"

#include <string.h>

enum { LINE_MAX_BYTES = 4096 };

typedef struct header_reader {
    const char *name;
    file_bytes bytes;
    size_t at;
    int32_t side_limit; ///< pixels
    hdr_header *out;
} header_reader;

static zt_result fail(const header_reader *r, size_t at, const char *what, zt_error *err)
{
    return zt_fail(err, ZT_ERR_FORMAT, "%s:%zu: broken HDR: %s", r->name, at, what);
}

/// The next line without its line feed; NULL when there is none.
static const char *next_line(header_reader *r, size_t *out_length)
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
static zt_result multiply(const header_reader *r, size_t at, double factor, const char *what,
                          double *product, zt_error *err)
{
    *product *= factor;
    if (*product >= 1e-30 && *product <= 1e30)
        return ZT_OK;
    return zt_fail(err, ZT_ERR_FORMAT,
                   "%s:%zu: broken HDR: the product of all %s lines is not from 1e-30 to 1e30",
                   r->name, at, what);
}

static zt_result read_format(const header_reader *r, size_t at, const char *line, size_t length,
                             zt_error *err)
{
    r->out->xyz = starts_with(line + 7, length - 7, "32-bit_rle_xyze");
    if (r->out->xyz || starts_with(line + 7, length - 7, "32-bit_rle_rgbe"))
        return ZT_OK;
    return zt_fail(err, ZT_ERR_FORMAT,
                   "%s:%zu: unsupported HDR: %.*s (expected FORMAT=32-bit_rle_rgbe or "
                   "32-bit_rle_xyze)",
                   r->name, at, (int)(length < 64 ? length : 64), line);
}

/// Reads one variable; those that say nothing about values or orientation are ignored.
static zt_result read_variable(const header_reader *r, const char *line, size_t length,
                               zt_error *err)
{
    const size_t at = (size_t)((const uint8_t *)line - r->bytes.data);
    const char *end = line + length;
    double value[3];
    if (starts_with(line, length, "FORMAT="))
        return read_format(r, at, line, length, err);
    if (starts_with(line, length, "EXPOSURE=")) {
        if (!read_numbers(line + 9, end, 1e-30, 1e30, 1, value))
            return fail(r, at, "EXPOSURE is not a number from 1e-30 to 1e30", err);
        return multiply(r, at, value[0], "EXPOSURE", &r->out->exposure, err);
    }
    if (starts_with(line, length, "COLORCORR=")) {
        if (!read_numbers(line + 10, end, 1e-30, 1e30, 3, value))
            return fail(r, at, "COLORCORR is not three numbers from 1e-30 to 1e30", err);
        for (size_t c = 0; c < 3; c++)
            ZT_TRY(multiply(r, at, value[c], "COLORCORR", &r->out->correct[c], err));
        return ZT_OK;
    }
    if (starts_with(line, length, "GAMMA=")) {
        if (!read_numbers(line + 6, end, 0.1, 10.0, 1, value))
            return fail(r, at, "GAMMA is not a number from 0.1 to 10", err);
        r->out->gamma = value[0];
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

static zt_result read_size(header_reader *r, zt_error *err)
{
    const size_t at = r->at;
    size_t length = 0;
    int64_t width = 0, height = 0;
    const char *line = next_line(r, &length);
    if (!line)
        return fail(r, at, "it ends before its size", err);
    if (!parse_size(line, length, r->out, &width, &height))
        return fail(r, at, "its size is not written as -Y height +X width", err);
    if (width < 1 || height < 1)
        return zt_fail(err, ZT_ERR_FORMAT, "%s:%zu: HDR of %lld x %lld pixels", r->name, at,
                       (long long)width, (long long)height);
    if (width > r->side_limit || height > r->side_limit)
        return zt_fail(err, ZT_ERR_LIMIT, "%s:%zu: HDR of %lld x %lld pixels (at most %d a side)",
                       r->name, at, (long long)width, (long long)height, r->side_limit);
    r->out->width = (int32_t)width;
    r->out->height = (int32_t)height;
    r->out->pixels = r->at;
    return ZT_OK;
}

zt_result hdr_header_read(const char *name, file_bytes bytes, int32_t side_limit, hdr_header *out,
                          zt_error *err)
{
    header_reader r = {.name = name, .bytes = bytes, .side_limit = side_limit, .out = out};
    size_t length = 0;
    *out = (hdr_header){.exposure = 1.0, .correct = {1.0, 1.0, 1.0}, .gamma = 1.0};
    if (!next_line(&r, &length))
        return fail(&r, bytes.size, "it ends in its header", err);
    for (;;) {
        const size_t at = r.at;
        const char *line = next_line(&r, &length);
        if (!line)
            return fail(&r, at, "a line of its header does not end", err);
        if (length == 0)
            return read_size(&r, err);
        ZT_TRY(read_variable(&r, line, length, err));
    }
}
