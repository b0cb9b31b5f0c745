// SPDX-License-Identifier: MIT
#include "ply/ply_values.h"

#include "base/bytes.h"
#include "base/number.h"

#include <math.h>
#include <string.h>

static zt_result fail_end(const ply_values *v, const char *what)
{
    if (v->encoding == PLY_TEXT)
        return text_scan_fail(&v->text, ZT_ERR_FORMAT, v->text.at,
                              "the line ends here (expected %s)", what);
    return zt_fail(v->text.err, ZT_ERR_FORMAT, "%s:%lld: the file ends here (expected %s)",
                   v->text.path, (long long)(v->text.end - v->text.begin), what);
}

zt_result ply_begin_instance(ply_values *v, const ply_element *element)
{
    if (v->encoding != PLY_TEXT || element->property_count == 0)
        return ZT_OK;
    if (!text_scan_next(&v->text))
        return text_scan_fail(&v->text, ZT_ERR_FORMAT, v->text.at,
                              "the file ends here (expected %llu of '%.40s')",
                              (unsigned long long)element->count, element->name);
    for (v->line_end = v->text.at; v->line_end < v->text.end && !text_is_line_end(*v->line_end);)
        v->line_end++;
    return ZT_OK;
}

void ply_end_instance(ply_values *v)
{
    if (v->encoding != PLY_TEXT || !v->line_end)
        return;
    const char *c = v->text.at;
    while (c < v->line_end && text_is_space(*c))
        c++;
    v->long_lines += c < v->line_end;
    v->text.at = v->line_end;
}

static zt_result read_text(ply_values *v, double *out)
{
    text_scan *text = &v->text;
    while (text->at < v->line_end && text_is_space(*text->at))
        text->at++;
    if (text->at >= v->line_end)
        return fail_end(v, "a value");
    const char *after = number_parse_loose(text->at, v->line_end, out);
    if (!after || (after < v->line_end && !text_is_space(*after)))
        return text_scan_unexpected(text, false, "a number");
    text->at = after;
    return ZT_OK;
}

static double value_of(uint64_t bits, ply_type type)
{
    const uint32_t low = (uint32_t)bits;
    float single;
    double value;
    switch (type) {
    case PLY_INT8: return (double)(int8_t)low;
    case PLY_INT16: return (double)(int16_t)low;
    case PLY_INT32: return (double)(int32_t)low;
    case PLY_FLOAT: memcpy(&single, &low, sizeof single); return (double)single;
    case PLY_DOUBLE: memcpy(&value, &bits, sizeof value); return value;
    case PLY_UINT8:
    case PLY_UINT16:
    case PLY_UINT32:
    case PLY_TYPE_COUNT: break;
    }
    return (double)low;
}

zt_result ply_read(ply_values *v, ply_type type, double *out)
{
    if (v->encoding == PLY_TEXT)
        return read_text(v, out);
    const size_t size = ply_type_size(type);
    if ((size_t)(v->text.end - v->text.at) < size)
        return fail_end(v, "more values");
    const uint8_t *bytes = (const uint8_t *)v->text.at;
    *out = value_of(v->encoding == PLY_LITTLE_ENDIAN ? bytes_load_le(bytes, size)
                                                     : bytes_load_be(bytes, size),
                    type);
    v->text.at += size;
    return ZT_OK;
}

zt_result ply_read_length(ply_values *v, const ply_property *property, uint32_t *out)
{
    double length;
    const char *at = v->text.at;
    ZT_TRY(ply_read(v, property->length, &length));
    const size_t each = v->encoding == PLY_TEXT ? 2 : ply_type_size(property->type);
    const char *end = v->encoding == PLY_TEXT ? v->line_end + 1 : v->text.end;
    if (!(length >= 0.0) || length != floor(length) ||
        length * (double)each > (double)(end - v->text.at)) {
        text_scan here = v->text;
        here.at = at;
        if (v->encoding == PLY_TEXT)
            return text_scan_fail(&here, ZT_ERR_FORMAT, at,
                                  "a list of %g values in '%.40s' does not fit on its line", length,
                                  property->name);
        return zt_fail(v->text.err, ZT_ERR_FORMAT,
                       "%s:%lld: a list of %g values in '%.40s' is longer than the file",
                       v->text.path, (long long)(at - v->text.begin), length, property->name);
    }
    *out = (uint32_t)length;
    return ZT_OK;
}

zt_result ply_skip(ply_values *v, const ply_property *property)
{
    uint32_t count = 1;
    double unused;
    if (property->is_list)
        ZT_TRY(ply_read_length(v, property, &count));
    for (uint32_t i = 0; i < count; i++)
        ZT_TRY(ply_read(v, property->type, &unused));
    return ZT_OK;
}

zt_result ply_skip_element(ply_values *v, const ply_element *element, arena *a)
{
    if (element->property_count == 0)
        return ZT_OK;
    for (uint64_t i = 0; i < element->count; i++) {
        ZT_TRY(arena_go_on_at(a, i, "values", v->text.err));
        ZT_TRY(ply_begin_instance(v, element));
        for (uint32_t k = 0; k < element->property_count; k++)
            ZT_TRY(ply_skip(v, &element->properties[k]));
        ply_end_instance(v);
    }
    return ZT_OK;
}

zt_result ply_check_room(const ply_values *v, const ply_element *element)
{
    uint64_t least = 0;
    for (uint32_t k = 0; k < element->property_count; k++) {
        const ply_property *p = &element->properties[k];
        least += v->encoding == PLY_TEXT ? 2 : ply_type_size(p->is_list ? p->length : p->type);
    }
    const uint64_t left = (uint64_t)(v->text.end - v->text.at) + (v->encoding == PLY_TEXT);
    if (least == 0 || element->count <= left / least)
        return ZT_OK;
    return zt_fail(
        v->text.err, ZT_ERR_FORMAT,
        "%s:%lld: %llu of '%.40s' cannot be in the %llu bytes that are left (expected at "
        "least %llu bytes each)",
        v->text.path, (long long)(v->text.at - v->text.begin), (unsigned long long)element->count,
        element->name, (unsigned long long)left, (unsigned long long)least);
}
