// SPDX-License-Identifier: MIT
/// Output name patterns: "####", "%04d" or "{frame:4}", and "{plane}", in the name of the file ->
/// the file of a frame. Folders are no patterns, one # is itself, and so are \# and %% in the name.
#include "render/frame_job.h"

#include <stdio.h>
#include <string.h>

typedef struct frame_field {
    size_t at, length; ///< place of the field in the pattern; length 0: no field
    int digits;
    bool plane; ///< it is {plane}
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

/// Characters at `text` that stand for its second one: \# and %%, 0 for others.
static size_t escape_length(const char *text)
{
    return strncmp(text, "\\#", 2) == 0 || strncmp(text, "%%", 2) == 0 ? 2 : 0;
}

/// {frame} or {frame:4}: its length, 0 for a malformed one.
static size_t read_braces(const char *text, int *out_digits)
{
    if (text[6] == '}')
        return 7;
    const size_t length = text[6] == ':' ? read_digits(text + 7, '}', out_digits) : 0;
    return length > 1 ? 7 + length : 0;
}

/// The field at `at`, if one begins there. ZT_ERR_ARGUMENT for one that is malformed.
static zt_result read_field(const char *pattern, size_t at, frame_field *out, zt_error *err)
{
    const char *text = pattern + at;
    *out = (frame_field){.at = at};
    if (text[0] == '#') {
        const size_t length = strspn(text, "#");
        out->length = length > 1 ? length : 0;
        out->digits = (int)(length > 20 ? 20 : length);
    } else if (text[0] == '%') {
        const size_t length = read_digits(text + 1, 'd', &out->digits);
        out->length = length ? 1 + length : 0;
    } else if (strncmp(text, "{frame", 6) == 0 || strncmp(text, "{plane", 6) == 0) {
        out->plane = text[1] == 'p';
        out->length = out->plane ? 7u * (text[6] == '}') : read_braces(text, &out->digits);
        if (out->length == 0)
            return zt_fail(err, ZT_ERR_ARGUMENT,
                           "pattern '%s': column %zu: a malformed field (expected %s)", pattern,
                           at + 1, out->plane ? "{plane}" : "{frame:4}");
    }
    return ZT_OK;
}

/// The field of the frame, then that of the plane.
static zt_result find_fields(const char *pattern, frame_field out[2], zt_error *err)
{
    size_t fields[2] = {0}, i = (size_t)(path_name(pattern) - pattern);
    out[0] = out[1] = (frame_field){.at = strlen(pattern)};
    while (pattern[i]) {
        const size_t escaped = escape_length(pattern + i);
        if (escaped > 0) {
            i += escaped;
            continue;
        }
        frame_field field = {0};
        ZT_TRY(read_field(pattern, i, &field, err));
        i += field.length ? field.length : 1;
        if (field.length) {
            fields[field.plane]++;
            out[field.plane] = field;
        }
    }
    if (fields[0] > 1)
        return zt_fail(err, ZT_ERR_ARGUMENT,
                       "pattern '%s': %zu frame fields (expected one of ####, %%04d, {frame:4})",
                       pattern, fields[0]);
    if (fields[1] > 1)
        return zt_fail(err, ZT_ERR_ARGUMENT, "pattern '%s': {plane} %zu times (expected once)",
                       pattern, fields[1]);
    return ZT_OK;
}

bool frame_path_has_field(const char *pattern, bool plane)
{
    frame_field field[2];
    return find_fields(pattern, field, NULL) == ZT_OK && field[plane].length > 0;
}

void frame_path_with_plane(const char *pattern, char *out, size_t size)
{
    frame_field field[2];
    (void)find_fields(pattern, field, NULL);
    const bool numbered = field[0].length > 0;
    const size_t at = numbered ? field[0].at : path_stem_length(pattern);
    snprintf(out, size, "%.*s%s%s", (int)at, pattern, numbered ? "{plane}-" : "-{plane}",
             pattern + at);
}

/// Appends bytes `from` to `to` of the pattern without their escapes.
static void append(const char *pattern, size_t from, size_t to, char *out, size_t size, size_t *at)
{
    const size_t name = (size_t)(path_name(pattern) - pattern);
    for (size_t i = from; i < to; i++) {
        if (i >= name && i + 1 < to && escape_length(pattern + i))
            i++;
        if (*at + 1 < size)
            out[*at] = pattern[i];
        ++*at;
    }
}

zt_result frame_path(const char *pattern, int64_t frame, const char *plane, bool single,
                     char *out_path, size_t out_size, zt_error *err)
{
    if (!pattern || pattern[0] == 0 || !out_path || out_size == 0)
        return zt_fail(err, ZT_ERR_ARGUMENT,
                       "no name for the files of frames (expected a pattern)");
    frame_field field[2];
    ZT_TRY(find_fields(pattern, field, err));
    char number[48] = "";
    if (field[0].length) {
        snprintf(number, sizeof number, "%s%0*lld", frame < 0 ? "-" : "", field[0].digits,
                 (long long)(frame < 0 ? -frame : frame));
    } else if (!single) {
        field[0].at = path_stem_length(pattern);
        snprintf(number, sizeof number, "-%s%04lld", frame < 0 ? "-" : "",
                 (long long)(frame < 0 ? -frame : frame));
    }
    const char *texts[] = {number, field[1].length ? plane : ""};
    size_t length = 0, at = 0;
    for (int i = 0; i < 2; i++) {
        const int next = field[1].at < field[0].at ? 1 - i : i;
        append(pattern, at, field[next].at, out_path, out_size, &length);
        append(texts[next], 0, strlen(texts[next]), out_path, out_size, &length);
        at = field[next].at + field[next].length;
    }
    append(pattern, at, strlen(pattern), out_path, out_size, &length);
    if (length >= out_size)
        return zt_fail(err, ZT_ERR_ARGUMENT, "pattern '%.200s...': a path longer than %zu bytes",
                       pattern, out_size - 1);
    out_path[length] = 0;
    return ZT_OK;
}

zt_result zt_frame_path(const char *pattern, int64_t frame, bool single, char *out_path,
                        size_t out_size, zt_error *err)
{
    return frame_path(pattern, frame, picture_plane_table[PLANE_COLOR].kind.name, single, out_path,
                      out_size, err);
}
