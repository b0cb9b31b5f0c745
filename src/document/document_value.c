// SPDX-License-Identifier: MIT
/// Maps by table; numbers, text, choices and colours.
#include "document/document_value.h"

#include "base/color_text.h"
#include "base/dvec3.h"
#include "base/nearest_name.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { KEYS_MAX = 64 };

zt_result value_fail(document_reader *r, const document_node *node, bool at_key, const char *format,
                     ...)
{
    char location[DOCUMENT_LOCATION_SIZE], text[900];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return zt_fail(r->err, ZT_ERR_FORMAT, "%s: %s",
                   document_location(r->path, node, at_key, location), text);
}

zt_result value_wrong(document_reader *r, const document_node *node, const char *expected)
{
    // An empty value is located where the next token starts: its key is nearer.
    if (node->kind == DOCUMENT_NULL && node->line != 0)
        return value_fail(r, node, true,
                          "found nothing (expected %s; text that starts with # needs quotes)",
                          expected);
    if (node->kind == DOCUMENT_STRING || node->kind == DOCUMENT_NUMBER)
        return value_fail(r, node, false, "found '%.80s' (expected %s)", node->text, expected);
    return value_fail(r, node, false, "found %s (expected %s)", document_kind_name(node->kind),
                      expected);
}

zt_result value_fail_load(document_reader *r, const document_node *node, zt_result result,
                          const char *message)
{
    char location[DOCUMENT_LOCATION_SIZE];
    if (result != ZT_ERR_INPUT)
        return zt_fail(r->err, result, "%s", message);
    return zt_fail(r->err, result, "%s: %s", document_location(r->path, node, false, location),
                   message);
}

zt_result value_path(document_reader *r, const document_node *node, const char *expected,
                     const char **out)
{
    char location[DOCUMENT_LOCATION_SIZE], other[FILE_PATH_SIZE];
    const bool confined = r->root_length != FILE_ANYWHERE;
    if (node->kind != DOCUMENT_STRING || node->text[0] == 0)
        return value_wrong(r, node, expected);
    if (strcmp(node->text, "-") == 0)
        return value_fail(r, node, false, "\"-\" is not standard input here (expected %s)",
                          expected);
    if (confined && !path_stays_inside(node->text))
        return zt_fail(r->err, ZT_ERR_INPUT,
                       "%s: '%.200s' lies outside the folder of this file (expected a path in it)",
                       document_location(r->path, node, false, location), node->text);
    // From memory a name is relative to the document as it is.
    *out = path_sibling(r->keep, r->in_memory ? "" : r->path, node->text);
    if (*out && !r->in_memory && file_form(*out, r->root_length, other) == other)
        *out = arena_text(r->keep, other, strlen(other));
    return *out ? ZT_OK : arena_fail(r->keep, r->err, "paths of the scene");
}

zt_result value_number(document_reader *r, const document_node *node, double min, double max,
                       double *out)
{
    char expected[96];
    snprintf(expected, sizeof expected, "a number from %.9g to %.9g", min, max);
    if (node->kind != DOCUMENT_NUMBER || !(node->number >= min && node->number <= max))
        return value_wrong(r, node, expected);
    *out = node->number;
    return ZT_OK;
}

zt_result value_format(document_reader *r, const document_node *node, void *target)
{
    (void)target;
    if (node->kind != DOCUMENT_NUMBER || node->number != 1.0)
        return value_wrong(r, node, "format 1, the only one this version reads");
    return ZT_OK;
}

zt_result value_bool(document_reader *r, const document_node *node, bool *out)
{
    if (node->kind != DOCUMENT_BOOL)
        return value_wrong(r, node, "true or false");
    *out = node->truth;
    return ZT_OK;
}

zt_result value_list(document_reader *r, const document_node *node, uint32_t min, uint32_t max,
                     const char *expected)
{
    const bool fits = node->kind == DOCUMENT_LIST && node->count >= min && node->count <= max;
    return fits ? ZT_OK : value_wrong(r, node, expected);
}

zt_result value_pair(document_reader *r, const document_node *node, double min, double max,
                     const char *expected, double out[2])
{
    ZT_TRY(value_list(r, node, 2, 2, expected));
    ZT_TRY(value_number(r, node->first, min, max, &out[0]));
    return value_number(r, node->last, min, max, &out[1]);
}

zt_result value_vector(document_reader *r, const document_node *node, double min, double max,
                       double out[3])
{
    ZT_TRY(value_list(r, node, 3, 3, "three numbers"));
    const document_node *item = node->first;
    for (int i = 0; i < 3; i++, item = item->next)
        ZT_TRY(value_number(r, item, min, max, &out[i]));
    return ZT_OK;
}

zt_result value_direction(document_reader *r, const document_node *node, double out[3])
{
    ZT_TRY(value_vector(r, node, -1e6, 1e6, out));
    if (!(dvec3_dot(dvec3_load(out), dvec3_load(out)) > 1e-12))
        return value_fail(r, node, false, "a direction of length 0 (expected some length)");
    return ZT_OK;
}

zt_result value_integer(document_reader *r, const document_node *node, int64_t min, int64_t max,
                        int64_t *out)
{
    char expected[96];
    snprintf(expected, sizeof expected, "a whole number from %lld to %lld", (long long)min,
             (long long)max);
    if (node->kind != DOCUMENT_NUMBER || !(node->number >= (double)min) ||
        !(node->number <= (double)max) || (double)(int64_t)node->number != node->number)
        return value_wrong(r, node, expected);
    *out = (int64_t)node->number;
    return ZT_OK;
}

zt_result value_check_text(document_reader *r, const document_node *node, const char *expected)
{
    if ((node->kind != DOCUMENT_STRING && node->kind != DOCUMENT_NUMBER) || node->text[0] == 0)
        return value_wrong(r, node, expected);
    return ZT_OK;
}

zt_result value_text(document_reader *r, const document_node *node, const char *expected,
                     const char **out)
{
    ZT_TRY(value_check_text(r, node, expected));
    *out = arena_text(r->keep, node->text, strlen(node->text));
    return *out ? ZT_OK : arena_fail(r->keep, r->err, "scene");
}

zt_result value_choice(document_reader *r, const document_node *node, const char *const *names,
                       size_t count, int32_t *out)
{
    char list[200] = "";
    for (size_t i = 0; i < count; i++) {
        if (node->kind == DOCUMENT_STRING && strcmp(node->text, names[i]) == 0) {
            *out = (int32_t)i;
            return ZT_OK;
        }
        strncat(list, i ? ", " : "", sizeof list - strlen(list) - 1);
        strncat(list, names[i], sizeof list - strlen(list) - 1);
    }
    const char *nearest =
        node->kind == DOCUMENT_STRING ? nearest_name(node->text, names, count) : NULL;
    if (nearest)
        return value_fail(r, node, false, "found '%.80s' (expected one of %s; did you mean '%s'?)",
                          node->text, list, nearest);
    char expected[256];
    snprintf(expected, sizeof expected, "one of %s", list);
    return value_wrong(r, node, expected);
}

static zt_result fail_color(document_reader *r, const document_node *node, const char *expected)
{
    const char *nearest = node->kind == DOCUMENT_STRING ? color_nearest_name(node->text) : NULL;
    return nearest ? value_fail(r, node, false, "found '%.80s' (expected %s; did you mean '%s'?)",
                                node->text, expected, nearest)
                   : value_wrong(r, node, expected);
}

zt_result value_color_text(document_reader *r, const document_node *node, void *target)
{
    double color[3];
    ZT_TRY(value_text(r, node, COLOR_TEXT_EXPECTED, target));
    return color_from_text(node->text, color) ? ZT_OK : fail_color(r, node, COLOR_TEXT_EXPECTED);
}

zt_result value_color(document_reader *r, const document_node *node, double out[3])
{
    static const char *const expected =
        "an sRGB colour like \"#20242c\", \"#fff\" or steelblue, or three linear numbers";
    if ((node->kind == DOCUMENT_STRING || node->kind == DOCUMENT_NUMBER) &&
        color_from_text(node->text, out))
        return ZT_OK;
    if (node->kind == DOCUMENT_STRING)
        return fail_color(r, node, expected);
    ZT_TRY(value_list(r, node, 3, 3, expected));
    const document_node *item = node->first;
    for (int i = 0; i < 3; i++, item = item->next)
        ZT_TRY(value_number(r, item, 0.0, 1e6, &out[i]));
    return ZT_OK;
}

static zt_result read_field(document_reader *r, const document_node *value, const map_key *key,
                            void *target)
{
    void *field = (char *)target + key->offset;
    int32_t choice = 0;
    switch (key->type) {
    case VALUE_CUSTOM: return key->read(r, value, field);
    case VALUE_BY_KEY: return key->read_by(r, value, key, field);
    case VALUE_NUMBER: return value_number(r, value, key->min, key->max, field);
    case VALUE_INTEGER: return value_integer(r, value, (int64_t)key->min, (int64_t)key->max, field);
    case VALUE_BOOL: return value_bool(r, value, field);
    case VALUE_CHOICE:
        ZT_TRY(value_choice(r, value, key->choices, key->choice_count, &choice));
        if (key->size == sizeof(bool))
            *(bool *)field = choice == 1;
        else
            memcpy(field, &choice, sizeof choice);
        return ZT_OK;
    case VALUE_PAIR: return value_pair(r, value, key->min, key->max, key->expected, field);
    case VALUE_VECTOR: return value_vector(r, value, key->min, key->max, field);
    case VALUE_DIRECTION: return value_direction(r, value, field);
    case VALUE_TEXT: return value_text(r, value, key->expected, field);
    case VALUE_PATH: return value_path(r, value, key->expected, field);
    case VALUE_NODE: *(const document_node **)field = value; return ZT_OK;
    }
    return ZT_OK;
}

static zt_result fail_unknown_key(document_reader *r, const document_node *member, const char *what,
                                  const map_key *keys, size_t count)
{
    const char *names[KEYS_MAX] = {NULL};
    char list[16 * KEYS_MAX] = "";
    size_t used = 0;
    for (size_t i = 0; i < count; i++) {
        names[i] = keys[i].name;
        if (used + strlen(names[i]) + sizeof ", " < sizeof list) // whole ones
            used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", used ? ", " : "",
                                     names[i]);
    }
    const char *nearest = nearest_name(member->key, names, count);
    if (nearest)
        return value_fail(r, member, true, "unknown key '%.80s' in %s (did you mean '%s'?)",
                          member->key, what, nearest);
    return value_fail(r, member, true, "unknown key '%.80s' in %s (expected one of %s)",
                      member->key, what, list);
}

zt_result value_map(document_reader *r, const document_node *map, const char *what,
                    const map_key *keys, size_t count, void *target)
{
    ZT_ASSERT(count <= KEYS_MAX);
    char expected[64];
    if (map->kind != DOCUMENT_MAP) {
        snprintf(expected, sizeof expected, "a map of %s", what);
        return value_wrong(r, map, expected);
    }
    const document_node *found[KEYS_MAX] = {NULL};
    for (const document_node *member = map->first; member; member = member->next) {
        size_t i = 0;
        while (i < count && strcmp(keys[i].name, member->key) != 0)
            i++;
        if (i == count)
            return fail_unknown_key(r, member, what, keys, count);
        found[i] = member;
    }
    for (size_t i = 0; i < count; i++) {
        if (found[i])
            ZT_TRY(read_field(r, found[i], &keys[i], target));
        else if (keys[i].presence == KEY_REQUIRED)
            return value_fail(r, map, false, "no key '%s' in %s (expected one)", keys[i].name,
                              what);
    }
    return ZT_OK;
}
