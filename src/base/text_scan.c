// SPDX-License-Identifier: MIT
/// See text_scan.h. The file is one array of bytes; a token is a pointer into it.
#include "base/text_scan.h"

#include "base/number.h"

#include <float.h>
#include <stdarg.h>
#include <stdio.h>

bool text_scan_next(text_scan *text)
{
    while (text->at < text->end && text_is_space(*text->at))
        text->at++;
    return text->at < text->end;
}

zt_result text_scan_fail(const text_scan *text, zt_result code, const char *at, const char *format,
                         ...)
{
    uint64_t line = 1;
    const char *start = text->begin;
    for (const char *p = text->begin; p < at; p++) {
        const bool two = *p == '\r' && p + 1 < at && p[1] == '\n';
        if (text_is_line_end(*p) && !two) {
            line++;
            start = p + 1;
        }
    }
    char what[768];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    return zt_fail(text->err, code, "%s:%llu:%llu: %s", text->path, (unsigned long long)line,
                   (unsigned long long)(at - start) + 1, what);
}

zt_result file_place_fail(const file_place *file, zt_result code, size_t at, zt_error *err,
                          const char *format, ...)
{
    char what[200];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    if (!file->text)
        return zt_fail(err, code, "%s:%zu%s: %s", file->path, at,
                       file->unpacked ? " (unpacked)" : "", what);
    const text_scan text = {.path = file->path, .begin = file->text, .err = err};
    return text_scan_fail(&text, code, file->text + at, "%s", what);
}

const char *text_scan_found(const text_scan *text, char out[64])
{
    enum { SHOWN = 40 };
    if (text->at >= text->end)
        return "the file ends here";
    int length = 0;
    while (length < SHOWN && text->at + length < text->end && !text_is_space(text->at[length]))
        length++;
    snprintf(out, 64, "found '%.*s%s'", length, text->at, length == SHOWN ? "..." : "");
    return out;
}

zt_result text_scan_unexpected(const text_scan *text, bool in_line, const char *expected)
{
    char found[64];
    const bool ends = in_line && text->at < text->end && text_is_line_end(*text->at);
    return text_scan_fail(text, ZT_ERR_FORMAT, text->at, "%s (expected %s)",
                          ends ? "the line ends here" : text_scan_found(text, found), expected);
}

zt_result text_scan_floats(text_scan *text, const char *what, uint32_t count, float *out)
{
    for (uint32_t i = 0; i < count; i++) {
        double value = 0.0;
        const char *after = NULL;
        if (text_scan_next(text))
            after = number_parse_double(text->at, text->end, &value);
        if (!after || (after < text->end && !text_is_space(*after))) {
            char found[64];
            return text_scan_fail(
                text, ZT_ERR_FORMAT, text->at, "%s: %s (expected %u finite number%s)", what,
                text_scan_found(text, found), (unsigned)count, count == 1 ? "" : "s");
        }
        if (!(value >= -(double)FLT_MAX && value <= (double)FLT_MAX)) {
            char found[64];
            return text_scan_fail(text, ZT_ERR_FORMAT, text->at,
                                  "%s: %s (expected a number in the range of a float)", what,
                                  text_scan_found(text, found));
        }
        out[i] = (float)value;
        text->at = after;
    }
    return ZT_OK;
}

zt_result text_scan_integer(text_scan *text, const char *what, int64_t low, int64_t high,
                            int64_t *out)
{
    int64_t value = 0;
    const char *after = NULL;
    if (text_scan_next(text))
        after = number_parse_int64(text->at, text->end, &value);
    if (!after || (after < text->end && !text_is_space(*after)) || value < low || value > high) {
        char found[64];
        return text_scan_fail(text, ZT_ERR_FORMAT, text->at,
                              "%s: %s (expected an integer from %lld to %lld)", what,
                              text_scan_found(text, found), (long long)low, (long long)high);
    }
    *out = value;
    text->at = after;
    return ZT_OK;
}

zt_result text_scan_room(const text_scan *text, const char *what, uint64_t count,
                         uint64_t bytes_each)
{
    const uint64_t left = (uint64_t)(text->end - text->at);
    // + 1: the last thing need not be followed by a blank.
    if (count > (left + 1) / bytes_each)
        return text_scan_fail(
            text, ZT_ERR_FORMAT, text->at,
            "%llu %s cannot be in the %llu bytes that are left (expected at least "
            "%llu bytes each)",
            (unsigned long long)count, what, (unsigned long long)left,
            (unsigned long long)bytes_each);
    return ZT_OK;
}
