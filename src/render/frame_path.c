// SPDX-License-Identifier: MIT
/// Output name patterns: "####", "%04d" or "{frame:4}" -> the file name of a frame.
#include "render/frame_path.h"

#include "base/file.h"

#include <stdio.h>
#include <string.h>

typedef struct frame_field {
    size_t at, length; ///< of the field in the pattern; length 0: no field
    int digits;
} frame_field;

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Digits of "04d" or "4}": at most two, 0 to 20. Returns the characters read, 0 when malformed.
static size_t read_digits(const char *text, char terminator, int *out_digits)
{
    size_t length = 0;
    *out_digits = 0;
    while (is_digit(text[length]) && length < 3)
        *out_digits = *out_digits * 10 + (text[length++] - '0');
    return text[length] == terminator && *out_digits <= 20 ? length + 1 : 0;
}

static zt_result find_field(const char *pattern, frame_field *out, zt_error *err)
{
    *out = (frame_field){.at = strlen(pattern)};
    size_t fields = 0;
    for (size_t i = 0; pattern[i];) {
        frame_field field = {.at = i};
        if (pattern[i] == '#') {
            while (pattern[i + field.length] == '#')
                field.length++;
            field.digits = (int)(field.length > 20 ? 20 : field.length);
        } else if (pattern[i] == '%') {
            const size_t length = read_digits(pattern + i + 1, 'd', &field.digits);
            if (length == 0)
                return zt_fail(err, ZT_ERR_ARGUMENT,
                               "pattern '%s': column %zu: '%%' without a frame (expected %%04d)",
                               pattern, i + 1);
            field.length = 1 + length;
        } else if (strncmp(pattern + i, "{frame", 6) == 0) {
            size_t length = 0;
            if (pattern[i + 6] == '}')
                length = 1;
            else if (pattern[i + 6] == ':' &&
                     (length = read_digits(pattern + i + 7, '}', &field.digits)) > 1)
                length++;
            else
                length = 0;
            if (length == 0)
                return zt_fail(err, ZT_ERR_ARGUMENT,
                               "pattern '%s': column %zu: a malformed field (expected {frame:4})",
                               pattern, i + 1);
            field.length = 6 + length;
        }
        i += field.length ? field.length : 1;
        if (field.length) {
            fields++;
            *out = field;
        }
    }
    if (fields > 1)
        return zt_fail(err, ZT_ERR_ARGUMENT,
                       "pattern '%s': %zu frame fields (expected one of ####, %%04d, {frame:4})",
                       pattern, fields);
    return ZT_OK;
}

bool frame_path_has_field(const char *pattern)
{
    frame_field field;
    return find_field(pattern, &field, NULL) == ZT_OK && field.length > 0;
}

// Offset of "-####" in a name without a field: before the suffix.
static size_t suffix_at(const char *pattern)
{
    const size_t name = (size_t)(path_name(pattern) - pattern);
    const char *dot = strrchr(pattern + name, '.');
    return dot && dot > pattern + name ? (size_t)(dot - pattern) : strlen(pattern);
}

zt_result zt_frame_path(const char *pattern, int64_t frame, bool single, char *out_path,
                        size_t out_size, zt_error *err)
{
    if (!pattern || pattern[0] == 0 || !out_path || out_size == 0)
        return zt_fail(err, ZT_ERR_ARGUMENT,
                       "no name for the files of frames (expected a pattern)");
    frame_field field;
    ZT_TRY(find_field(pattern, &field, err));
    char number[48] = "";
    if (field.length) {
        snprintf(number, sizeof number, "%s%0*lld", frame < 0 ? "-" : "", field.digits,
                 (long long)(frame < 0 ? -frame : frame));
    } else if (!single) {
        field.at = suffix_at(pattern);
        snprintf(number, sizeof number, "-%s%04lld", frame < 0 ? "-" : "",
                 (long long)(frame < 0 ? -frame : frame));
    }
    const int wrote = snprintf(out_path, out_size, "%.*s%s%s", (int)field.at, pattern, number,
                               pattern + field.at + field.length);
    if (wrote < 0 || (size_t)wrote >= out_size)
        return zt_fail(err, ZT_ERR_ARGUMENT, "pattern '%.200s...': a path longer than %zu bytes",
                       pattern, out_size - 1);
    return ZT_OK;
}
