// SPDX-License-Identifier: MIT
#include "ply/ply_header.h"

#include "base/number.h"
#include "base/row_find.h"

#include <string.h>
#include <strings.h>

typedef struct header_reader {
    text_scan text;
    arena *a;
    ply_header *out;
    ply_property *property; ///< [PLY_PROPERTIES_MAX] of all elements, one after the other
    uint32_t property_count;
    bool has_format;
} header_reader;

static const struct {
    const char *name;
    ply_type type;
} types[] = {
    {"char", PLY_INT8},   {"int8", PLY_INT8},     {"uchar", PLY_UINT8},   {"uint8", PLY_UINT8},
    {"short", PLY_INT16}, {"int16", PLY_INT16},   {"ushort", PLY_UINT16}, {"uint16", PLY_UINT16},
    {"int", PLY_INT32},   {"int32", PLY_INT32},   {"uint", PLY_UINT32},   {"uint32", PLY_UINT32},
    {"float", PLY_FLOAT}, {"float32", PLY_FLOAT}, {"double", PLY_DOUBLE}, {"float64", PLY_DOUBLE},
};

uint32_t ply_type_size(ply_type type)
{
    static const uint32_t sizes[PLY_TYPE_COUNT] = {1, 1, 2, 2, 4, 4, 4, 8};
    return sizes[type];
}

double ply_type_one(ply_type type)
{
    static const double ones[PLY_TYPE_COUNT] = {127.0,        255.0,        32767.0, 65535.0,
                                                2147483647.0, 4294967295.0, 1.0,     1.0};
    return ones[type];
}

int32_t ply_find(const ply_element *element, const char *name)
{
    return row_find(element->properties, element->property_count, sizeof *element->properties,
                    name);
}

/// Blanks of one line.
static void skip_blanks(text_scan *text)
{
    while (text->at < text->end && (*text->at == ' ' || *text->at == '\t'))
        text->at++;
}

/// The next word of the line. False: the line has none.
static bool next_word(text_scan *text, const char **out, size_t *out_length)
{
    skip_blanks(text);
    *out = text->at;
    while (text->at < text->end && !text_is_space(*text->at) && *text->at != 0)
        text->at++;
    *out_length = (size_t)(text->at - *out);
    return *out_length > 0;
}

static zt_result fail_at(const header_reader *r, const char *at, const char *expected)
{
    text_scan here = r->text;
    here.at = at;
    return text_scan_unexpected(&here, true, expected);
}

static zt_result read_type(header_reader *r, ply_type *out)
{
    const char *word;
    size_t length;
    if (next_word(&r->text, &word, &length))
        for (size_t i = 0; i < sizeof types / sizeof *types; i++)
            if (strlen(types[i].name) == length && strncasecmp(word, types[i].name, length) == 0) {
                *out = types[i].type;
                return ZT_OK;
            }
    return fail_at(r, word, "a type, such as float or uchar");
}

static zt_result read_name(header_reader *r, const char **out)
{
    const char *word;
    size_t length;
    if (!next_word(&r->text, &word, &length))
        return fail_at(r, word, "a name");
    char *name = arena_text(r->a, word, length);
    if (!name)
        return arena_fail(r->a, r->text.err, "a name");
    for (char *c = name; *c; c++)
        *c = (char)(*c >= 'A' && *c <= 'Z' ? *c + 32 : *c);
    *out = name;
    return ZT_OK;
}

static zt_result read_format(header_reader *r)
{
    static const char *const names[] = {"ascii", "binary_little_endian", "binary_big_endian"};
    const char *word;
    size_t length;
    if (next_word(&r->text, &word, &length))
        for (int i = 0; i < 3; i++)
            if (strlen(names[i]) == length && strncasecmp(word, names[i], length) == 0) {
                r->out->encoding = (ply_encoding)i;
                r->has_format = true;
                return ZT_OK;
            }
    return fail_at(r, word, "ascii, binary_little_endian or binary_big_endian");
}

static zt_result read_element(header_reader *r)
{
    const char *word;
    size_t length;
    int64_t count = -1;
    if (r->out->element_count == PLY_ELEMENTS_MAX)
        return fail_at(r, r->text.at, "at most 64 elements");
    ply_element *element = &r->out->elements[r->out->element_count];
    ZT_TRY(read_name(r, &element->name));
    if (!next_word(&r->text, &word, &length) ||
        number_parse_int64(word, word + length, &count) != word + length || count < 0)
        return fail_at(r, word, "the number of its instances");
    element->count = (uint64_t)count;
    element->properties = r->property + r->property_count;
    r->out->element_count++;
    return ZT_OK;
}

static zt_result read_property(header_reader *r)
{
    ply_property *p = &r->property[r->property_count];
    const char *word, *before = r->text.at;
    size_t length;
    if (r->out->element_count == 0)
        return fail_at(r, r->text.at, "an element before its properties");
    if (r->property_count == PLY_PROPERTIES_MAX)
        return fail_at(r, r->text.at, "at most 1024 properties");
    *p = (ply_property){.name = ""};
    p->is_list =
        next_word(&r->text, &word, &length) && length == 4 && strncasecmp(word, "list", 4) == 0;
    if (p->is_list)
        ZT_TRY(read_type(r, &p->length));
    else
        r->text.at = before;
    ZT_TRY(read_type(r, &p->type));
    ZT_TRY(read_name(r, &p->name));
    r->property_count++;
    r->out->elements[r->out->element_count - 1].property_count++;
    return ZT_OK;
}

static zt_result read_texture(header_reader *r)
{
    const char *end;
    ply_header *out = r->out;
    if (out->texture_count == PLY_TEXTURES_MAX)
        return fail_at(r, r->text.at, "at most 1024 textures");
    skip_blanks(&r->text);
    for (end = r->text.at; end < r->text.end && !text_is_line_end(*end);)
        end++;
    while (end > r->text.at && text_is_space(end[-1]))
        end--;
    if (end == r->text.at || memchr(r->text.at, 0, (size_t)(end - r->text.at)))
        return ZT_OK;
    ZT_TRY(ARENA_GROW(r->a, out->texture, out->texture_count, out->texture_capacity, "names",
                      r->text.err));
    const char *name = arena_text(r->a, r->text.at, (size_t)(end - r->text.at));
    out->texture[out->texture_count++] = name;
    return name ? ZT_OK : arena_fail(r->a, r->text.err, "a name");
}

/// The rest of a comment's line, of which "TextureFile NAME" means something.
static zt_result read_comment(header_reader *r)
{
    const char *word;
    size_t length;
    const bool names = next_word(&r->text, &word, &length) && length == 11 &&
                       strncasecmp(word, "TextureFile", 11) == 0;
    return names ? read_texture(r) : ZT_OK;
}

/// Moves over the rest of a line and its end: a line feed, a carriage return, or both.
static void skip_line(text_scan *text)
{
    while (text->at < text->end && !text_is_line_end(*text->at))
        text->at++;
    if (text->end - text->at >= 2 && text->at[0] == '\r' && text->at[1] == '\n')
        text->at++;
    if (text->at < text->end)
        text->at++;
}

/// Reads lines until the header ends.
static zt_result read_lines(header_reader *r)
{
    static const struct {
        const char *word;
        zt_result (*read)(header_reader *r);
    } lines[] = {{"format", read_format},
                 {"element", read_element},
                 {"property", read_property},
                 {"comment", read_comment},
                 {"texturefile", read_texture}};
    for (; r->text.at < r->text.end; skip_line(&r->text)) {
        const char *word;
        size_t length;
        if (!next_word(&r->text, &word, &length)) {
            if (word < r->text.end && !text_is_line_end(*word))
                break; // a zero byte
            continue;
        }
        if (length == 10 && strncasecmp(word, "end_header", 10) == 0) {
            skip_line(&r->text);
            return r->has_format ? ZT_OK : fail_at(r, word, "a format before it");
        }
        size_t i = 0;
        while (i < 5 &&
               !(strlen(lines[i].word) == length && strncasecmp(word, lines[i].word, length) == 0))
            i++;
        if (i < 5)
            ZT_TRY(lines[i].read(r));
        else
            r->out->unknown += length != 8 || strncasecmp(word, "obj_info", 8) != 0;
    }
    return fail_at(r, r->text.at, "end_header");
}

zt_result ply_header_read(const char *path, file_bytes bytes, arena *a, ply_header *out,
                          zt_error *err)
{
    const char *begin = (const char *)bytes.data;
    header_reader r = {{path, begin, begin, begin + bytes.size, err}, a, out, NULL, 0, false};
    *out = (ply_header){.encoding = PLY_TEXT};
    ZT_TRY(ARENA_TAKE(a, &r.property, PLY_PROPERTIES_MAX, "properties", err));
    if (bytes.size < 4 || strncasecmp(begin, "ply", 3) != 0 || !text_is_space(begin[3]))
        return fail_at(&r, begin, "ply");
    skip_line(&r.text);
    ZT_TRY(read_lines(&r));
    out->size = (size_t)(r.text.at - begin);
    return ZT_OK;
}
