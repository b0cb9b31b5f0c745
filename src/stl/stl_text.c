// SPDX-License-Identifier: MIT
/// STL as text: any number of solids with facets in them. Words are of any case, white space of any
/// kind; a loop of more than three corners, which some programs write, is a fan of triangles.
#include "base/number.h"
#include "mesh/far_points.h"
#include "stl/stl_soup.h"

#include <string.h>
#include <strings.h>

enum { LOOKED_AT = 1 << 16, BINARY_HEAD = 84 }; // bytes

static bool is_word(const char *at, const char *end, const char *word)
{
    const size_t length = strlen(word);
    return (size_t)(end - at) >= length && strncasecmp(at, word, length) == 0 &&
           (at + length == end || text_is_space(at[length]));
}

bool stl_is_text(file_bytes bytes, size_t start)
{
    const char *at = (const char *)bytes.data + start;
    const char *end = (const char *)bytes.data + bytes.size;
    if (start > bytes.size || !is_word(at, end, "solid") ||
        memchr(bytes.data, 0, bytes.size < BINARY_HEAD ? bytes.size : BINARY_HEAD))
        return false;
    for (const char *c = at; c < end && c - at < LOOKED_AT; c++) {
        if (*c == 0)
            return false;
        if (c > at && text_is_space(c[-1]) &&
            (is_word(c, end, "facet") || is_word(c, end, "endsolid")))
            return true;
    }
    return false;
}

/// Moves over the word. False: it is not the next one.
static bool take_word(text_scan *text, const char *word)
{
    if (!text_scan_next(text) || !is_word(text->at, text->end, word))
        return false;
    text->at += strlen(word);
    return true;
}

static zt_result expect_word(text_scan *text, const char *word)
{
    return take_word(text, word) ? ZT_OK : text_scan_unexpected(text, false, word);
}

static zt_result read_number(text_scan *text, double *out)
{
    const char *after = text_scan_next(text) ? number_parse_loose(text->at, text->end, out) : NULL;
    if (!after || (after < text->end && !text_is_space(*after)))
        return text_scan_unexpected(text, false, "a number");
    text->at = after;
    return ZT_OK;
}

static zt_result read_point(text_scan *text, double out[3])
{
    for (int k = 0; k < 3; k++)
        ZT_TRY(read_number(text, &out[k]));
    return ZT_OK;
}

/// A text's triangles while their number is not known.
typedef struct facets {
    stl_soup *soup;
    double (*corner)[3][3]; ///< [capacity]
    uint32_t capacity;
} facets;

static zt_result add_triangle(const double corner[3][3], facets *f, zt_error *err)
{
    stl_soup *soup = f->soup;
    ZT_TRY(stl_soup_check(soup, (uint64_t)soup->count + 1, err));
    ZT_TRY(ARENA_GROW(soup->a, f->corner, soup->count, f->capacity, "triangles", err));
    memcpy(f->corner[soup->count++], corner, sizeof *f->corner);
    return ZT_OK;
}

/// A facet, behind its first word.
static zt_result read_facet(text_scan *text, facets *f)
{
    double corner[3][3], normal[3];
    int count = 0;
    ZT_TRY(expect_word(text, "normal"));
    ZT_TRY(read_point(text, normal));
    ZT_TRY(expect_word(text, "outer"));
    ZT_TRY(expect_word(text, "loop"));
    while (take_word(text, "vertex")) {
        if (count > 2)
            memcpy(corner[1], corner[2], sizeof corner[1]);
        ZT_TRY(read_point(text, corner[count < 2 ? count : 2]));
        if (++count > 2)
            ZT_TRY(add_triangle((const double(*)[3])corner, f, text->err));
    }
    if (count < 3)
        return text_scan_unexpected(text, false, "vertex");
    ZT_TRY(expect_word(text, "endloop"));
    return expect_word(text, "endfacet");
}

/// The rest of a line without blanks at its ends.
static zt_result read_name(text_scan *text, const char **out, stl_soup *soup)
{
    const char *first = text->at, *last;
    while (first < text->end && text_is_space(*first) && !text_is_line_end(*first))
        first++;
    for (last = first; last < text->end && !text_is_line_end(*last);)
        last++;
    text->at = last;
    while (last > first && text_is_space(last[-1]))
        last--;
    *out = arena_text(soup->a, first, (size_t)(last - first));
    return *out ? ZT_OK : arena_fail(soup->a, text->err, "a name");
}

zt_result stl_read_text(text_scan *text, bool at_origin, stl_soup *out)
{
    const char *name;
    facets f = {.soup = out};
    vertex_position *place;
    ZT_TRY(expect_word(text, "solid"));
    ZT_TRY(read_name(text, &out->name, out));
    while (text_scan_next(text)) {
        ZT_TRY(arena_go_on_at(out->a, out->count, "triangles", text->err));
        if (take_word(text, "facet"))
            ZT_TRY(read_facet(text, &f));
        else if (take_word(text, "endsolid") || take_word(text, "solid"))
            ZT_TRY(read_name(text, &name, out));
        else
            return text_scan_unexpected(text, false, "facet, endsolid or solid");
    }
    const uint32_t corners = 3 * out->count;
    ZT_TRY(ARENA_TAKE_RAW(out->a, &place, corners, "triangles", text->err));
    far_points_load((const double *)f.corner, corners, place, at_origin ? &out->middle : NULL);
    for (uint32_t c = 0; c < corners; c++) // one behind the other
        memmove((float *)place + 3 * (size_t)c, &place[c], 3 * sizeof(float));
    out->places.first = (const uint8_t *)place;
    out->places.stride = 9 * sizeof(float);
    return ZT_OK;
}
