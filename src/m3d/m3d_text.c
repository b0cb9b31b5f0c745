// SPDX-License-Identifier: MIT
#include "m3d/m3d_text.h"

#include <stdio.h>
#include <string.h>

static bool token_is(const text_scan *text, const char *label, size_t length)
{
    if ((size_t)(text->end - text->at) < length || memcmp(text->at, label, length) != 0)
        return false;
    const char *after = text->at + length;
    return label[length - 1] == ':' || after == text->end || text_is_space(*after);
}

zt_result m3d_text_label(text_scan *text, const char *label)
{
    const size_t length = strlen(label);
    if (!text_scan_next(text) || !token_is(text, label, length)) {
        char found[64];
        return text_scan_fail(text, ZT_ERR_FORMAT, text->at, "%s (expected '%s')",
                              text_scan_found(text, found), label);
    }
    text->at += length;
    return ZT_OK;
}

zt_result m3d_text_indexed(text_scan *text, const char *label, uint32_t index, const char *tail)
{
    char wanted[64];
    snprintf(wanted, sizeof wanted, "%s%u%s", label, (unsigned)index, tail);
    return m3d_text_label(text, wanted);
}

bool m3d_text_at_section(text_scan *text, const char *name)
{
    if (!text_scan_next(text) || *text->at != '*')
        return false;
    const char *p = text->at;
    while (p < text->end && *p == '*')
        p++;
    const size_t length = strlen(name);
    if ((size_t)(text->end - p) < length || memcmp(p, name, length) != 0)
        return false;
    p += length;
    return p == text->end || *p == '*' || text_is_space(*p);
}

zt_result m3d_text_section(text_scan *text, const char *name)
{
    if (!m3d_text_at_section(text, name)) {
        char found[64];
        return text_scan_fail(text, ZT_ERR_FORMAT, text->at, "%s (expected the section '***%s***')",
                              text_scan_found(text, found), name);
    }
    while (text->at < text->end && !text_is_space(*text->at))
        text->at++;
    return ZT_OK;
}

zt_result m3d_text_name(text_scan *text, const char *what, const char *stop, arena *keep,
                        const char **out_name)
{
    const char *first = text->at;
    while (first < text->end && text_is_space(*first) && !text_is_line_end(*first))
        first++;
    const size_t stop_length = strlen(stop);
    const char *last = first;
    for (; last < text->end && !text_is_line_end(*last); last++) {
        const text_scan here = {.at = last, .end = text->end};
        if ((last == text->at || text_is_space(last[-1])) &&
            (token_is(&here, stop, stop_length) ||
             (text->end - last >= 3 && memcmp(last, "***", 3) == 0)))
            break;
    }
    text->at = last;
    while (last > first && text_is_space(last[-1]))
        last--;
    if (memchr(first, 0, (size_t)(last - first)))
        return text_scan_fail(text, ZT_ERR_FORMAT, first, "%s: a zero byte in a name", what);
    *out_name = arena_text(keep, first, (size_t)(last - first));
    return *out_name ? ZT_OK : arena_fail(keep, text->err, what);
}
