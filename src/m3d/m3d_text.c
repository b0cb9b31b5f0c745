// SPDX-License-Identifier: MIT
/// Tokens of an .m3d text. The file is one array of bytes; a token is a pointer into it.
#include "m3d/m3d_text.h"

#include "base/number.h"

#include <float.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static bool is_space(char c)
{
    return c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\f' || c == '\v';
}

static bool is_line_end(char c) { return c == '\n' || c == '\r'; }

bool m3d_text_next(m3d_text *text)
{
    while (text->at < text->end && is_space(*text->at))
        text->at++;
    return text->at < text->end;
}

zt_result m3d_text_fail(const m3d_text *text, zt_result code, const char *at, const char *format,
                        ...)
{
    uint64_t line = 1;
    const char *start = text->begin;
    for (const char *p = text->begin; p < at; p++) {
        const bool two = *p == '\r' && p + 1 < at && p[1] == '\n';
        if (is_line_end(*p) && !two) {
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

const char *m3d_text_found(const m3d_text *text, char out[64])
{
    enum { SHOWN = 40 };
    if (text->at >= text->end)
        return "the file ends here";
    int length = 0;
    while (length < SHOWN && text->at + length < text->end && !is_space(text->at[length]))
        length++;
    snprintf(out, 64, "found '%.*s%s'", length, text->at, length == SHOWN ? "..." : "");
    return out;
}

static bool token_is(const m3d_text *text, const char *label, size_t length)
{
    if ((size_t)(text->end - text->at) < length || memcmp(text->at, label, length) != 0)
        return false;
    const char *after = text->at + length;
    return label[length - 1] == ':' || after == text->end || is_space(*after);
}

static bool is_title(const m3d_text *text)
{
    return text->end - text->at >= 3 && memcmp(text->at, "***", 3) == 0;
}

zt_result m3d_text_label(m3d_text *text, const char *label)
{
    const size_t length = strlen(label);
    if (!m3d_text_next(text) || !token_is(text, label, length)) {
        char found[64];
        return m3d_text_fail(text, ZT_ERR_FORMAT, text->at, "%s (expected '%s')",
                             m3d_text_found(text, found), label);
    }
    text->at += length;
    return ZT_OK;
}

zt_result m3d_text_indexed(m3d_text *text, const char *label, uint32_t index, const char *tail)
{
    char wanted[64];
    snprintf(wanted, sizeof wanted, "%s%u%s", label, (unsigned)index, tail);
    return m3d_text_label(text, wanted);
}

bool m3d_text_at_section(m3d_text *text, const char *name)
{
    if (!m3d_text_next(text) || *text->at != '*')
        return false;
    const char *p = text->at;
    while (p < text->end && *p == '*')
        p++;
    const size_t length = strlen(name);
    if ((size_t)(text->end - p) < length || memcmp(p, name, length) != 0)
        return false;
    p += length;
    return p == text->end || *p == '*' || is_space(*p);
}

zt_result m3d_text_section(m3d_text *text, const char *name)
{
    if (!m3d_text_at_section(text, name)) {
        char found[64];
        return m3d_text_fail(text, ZT_ERR_FORMAT, text->at, "%s (expected the section '***%s***')",
                             m3d_text_found(text, found), name);
    }
    while (text->at < text->end && !is_space(*text->at))
        text->at++;
    return ZT_OK;
}

zt_result m3d_text_floats(m3d_text *text, const char *what, uint32_t count, float *out)
{
    for (uint32_t i = 0; i < count; i++) {
        double value = 0.0;
        const char *after = NULL;
        if (m3d_text_next(text))
            after = number_parse_double(text->at, text->end, &value);
        if (!after || (after < text->end && !is_space(*after))) {
            char found[64];
            return m3d_text_fail(
                text, ZT_ERR_FORMAT, text->at, "%s: %s (expected %u finite number%s)", what,
                m3d_text_found(text, found), (unsigned)count, count == 1 ? "" : "s");
        }
        if (!(value >= -(double)FLT_MAX && value <= (double)FLT_MAX)) {
            char found[64];
            return m3d_text_fail(text, ZT_ERR_FORMAT, text->at,
                                 "%s: %s (expected a number in the range of a float)", what,
                                 m3d_text_found(text, found));
        }
        out[i] = (float)value;
        text->at = after;
    }
    return ZT_OK;
}

zt_result m3d_text_integer(m3d_text *text, const char *what, int64_t low, int64_t high,
                           int64_t *out)
{
    int64_t value = 0;
    const char *after = NULL;
    if (m3d_text_next(text))
        after = number_parse_int64(text->at, text->end, &value);
    if (!after || (after < text->end && !is_space(*after)) || value < low || value > high) {
        char found[64];
        return m3d_text_fail(text, ZT_ERR_FORMAT, text->at,
                             "%s: %s (expected an integer from %lld to %lld)", what,
                             m3d_text_found(text, found), (long long)low, (long long)high);
    }
    *out = value;
    text->at = after;
    return ZT_OK;
}

zt_result m3d_text_name(m3d_text *text, const char *what, const char *stop, arena *keep,
                        const char **out_name)
{
    const char *first = text->at;
    while (first < text->end && is_space(*first) && !is_line_end(*first))
        first++;
    const size_t stop_length = strlen(stop);
    const char *last = first;
    for (; last < text->end && !is_line_end(*last); last++) {
        const m3d_text here = {.at = last, .end = text->end};
        if ((last == text->at || is_space(last[-1])) &&
            (token_is(&here, stop, stop_length) || is_title(&here)))
            break;
    }
    text->at = last;
    while (last > first && is_space(last[-1]))
        last--;
    if (memchr(first, 0, (size_t)(last - first)))
        return m3d_text_fail(text, ZT_ERR_FORMAT, first, "%s: a zero byte in a name", what);
    *out_name = arena_text(keep, first, (size_t)(last - first));
    return *out_name ? ZT_OK : arena_fail(keep, text->err, what);
}

zt_result m3d_text_room(const m3d_text *text, const char *what, uint64_t count, uint64_t bytes_each)
{
    const uint64_t left = (uint64_t)(text->end - text->at);
    // + 1: the last thing need not be followed by a blank.
    if (count > (left + 1) / bytes_each)
        return m3d_text_fail(text, ZT_ERR_FORMAT, text->at,
                             "%llu %s cannot be in the %llu bytes that are left (expected at least "
                             "%llu bytes each)",
                             (unsigned long long)count, what, (unsigned long long)left,
                             (unsigned long long)bytes_each);
    return ZT_OK;
}
