// SPDX-License-Identifier: MIT
#include "document/picture_value.h"

#include "base/def_fields.h"
#include "base/number.h"

static zt_result check_side(document_reader *r, const document_node *node, double side)
{
    const int32_t limit = r->keep->budget->limits->picture_side;
    char location[DOCUMENT_LOCATION_SIZE];
    if (side <= limit)
        return ZT_OK;
    return zt_fail(r->err, ZT_ERR_LIMIT, "%s: size %.9g (expected 1 to %d a side)",
                   document_location(r->path, node, false, location), side, limit);
}

static zt_result read_side(document_reader *r, const document_node *side, int32_t *out)
{
    int64_t pixels = 0;
    if (side->kind == DOCUMENT_NUMBER)
        ZT_TRY(check_side(r, side, side->number));
    ZT_TRY(value_integer(r, side, 1, INT32_MAX, &pixels));
    *out = (int32_t)pixels;
    return ZT_OK;
}

zt_result value_size(document_reader *r, const document_node *value, void *target)
{
    static const char expected[] = "a size [width, height] in pixels, WxH, or one number";
    int32_t *size = target;
    const char *text = NULL;
    if (value->kind == DOCUMENT_LIST) {
        ZT_TRY(value_list(r, value, 2, 2, expected));
        ZT_TRY(read_side(r, value->first, &size[0]));
        return read_side(r, value->last, &size[1]);
    }
    ZT_TRY(value_text(r, value, expected, &text));
    if (!number_parse_size(text, &size[0], &size[1]))
        return value_wrong(r, value, expected);
    return check_side(r, value, size[0] > size[1] ? size[0] : size[1]);
}

zt_result value_rate(document_reader *r, const document_node *value, void *target)
{
    int32_t *rate = target;
    const char *text = NULL;
    ZT_TRY(value_text(r, value, "a frame rate like 30 or 30000/1001", &text));
    return number_parse_rate(text, &rate[0], &rate[1])
               ? ZT_OK
               : value_wrong(r, value,
                             "a frame rate above 0 and up to 1000, like 30 or 30000/1001");
}

zt_result value_step(document_reader *r, const document_node *value, void *target)
{
    const def_field *field = def_find(&shot_table, value->key);
    int64_t number = 0;
    if (value_integer(r, value, 1, INT32_MAX, &number) != ZT_OK || !def_is_step(field, number))
        return value_wrong(r, value, def_steps(field));
    *(int32_t *)target = (int32_t)number;
    return ZT_OK;
}
