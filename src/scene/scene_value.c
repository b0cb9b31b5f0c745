// SPDX-License-Identifier: MIT
/// Maps by table, and plain values: numbers, text, choices, colours.
#include "scene/scene_value.h"

#include "base/dvec3.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { KEYS_MAX = 32 };

zt_result value_fail(scene_reader *r, const document_node *node, bool at_key, const char *format,
                     ...)
{
    char place[DOCUMENT_LOCATION_SIZE], text[400];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return zt_fail(r->err, ZT_ERR_FORMAT, "%s: %s", document_location(r->path, node, at_key, place),
                   text);
}

zt_result value_wrong(scene_reader *r, const document_node *node, const char *expected)
{
    // The place of nothing is where the next thing starts: its key is nearer.
    if (node->kind == DOCUMENT_NULL && node->line != 0)
        return value_fail(r, node, true,
                          "found nothing (expected %s; text that starts with # needs quotes)",
                          expected);
    if (node->kind == DOCUMENT_STRING || node->kind == DOCUMENT_NUMBER)
        return value_fail(r, node, false, "found '%.80s' (expected %s)", node->text, expected);
    return value_fail(r, node, false, "found %s (expected %s)", document_kind_name(node->kind),
                      expected);
}

static zt_result fail_unknown_key(scene_reader *r, const document_node *member, const char *what,
                                  const map_key *keys, size_t count)
{
    const char *names[KEYS_MAX];
    char list[256] = "";
    size_t used = 0, known = 0;
    for (size_t i = 0; i < count; i++) {
        if (keys[i].presence == KEY_LATER)
            continue;
        names[known++] = keys[i].name;
        const int wrote =
            snprintf(list + used, sizeof list - used, "%s%s", used ? ", " : "", keys[i].name);
        used += wrote > 0 && (size_t)wrote < sizeof list - used ? (size_t)wrote : 0;
    }
    const char *nearest = scene_nearest_name(member->key, names, known);
    if (nearest)
        return value_fail(r, member, true, "unknown key '%.80s' in %s (did you mean '%s'?)",
                          member->key, what, nearest);
    return value_fail(r, member, true, "unknown key '%.80s' in %s (expected one of %s)",
                      member->key, what, list);
}

zt_result value_map(scene_reader *r, const document_node *map, const char *what,
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
        if (keys[i].presence == KEY_LATER)
            return value_fail(r, member, true, "the key '%s' in %s is not yet supported",
                              keys[i].name, what);
        found[i] = member;
    }
    for (size_t i = 0; i < count; i++) {
        if (found[i])
            ZT_TRY(keys[i].read(r, found[i], target));
        else if (keys[i].presence == KEY_REQUIRED)
            return value_fail(r, map, false, "no key '%s' in %s (expected one)", keys[i].name,
                              what);
    }
    return ZT_OK;
}

zt_result value_number(scene_reader *r, const document_node *node, double min, double max,
                       double *out)
{
    char expected[96];
    snprintf(expected, sizeof expected, "a number from %.9g to %.9g", min, max);
    if (node->kind != DOCUMENT_NUMBER || !(node->number >= min && node->number <= max))
        return value_wrong(r, node, expected);
    *out = node->number;
    return ZT_OK;
}

zt_result value_vector(scene_reader *r, const document_node *node, double min, double max,
                       double out[3])
{
    if (node->kind != DOCUMENT_LIST || node->count != 3)
        return value_wrong(r, node, "three numbers");
    const document_node *item = node->first;
    for (int i = 0; i < 3; i++, item = item->next)
        ZT_TRY(value_number(r, item, min, max, &out[i]));
    return ZT_OK;
}

zt_result value_direction(scene_reader *r, const document_node *node, double out[3])
{
    ZT_TRY(value_vector(r, node, -1e6, 1e6, out));
    if (!(dvec3_dot(dvec3_load(out), dvec3_load(out)) > 1e-12))
        return value_fail(r, node, false, "a direction of length 0 (expected some length)");
    return ZT_OK;
}

zt_result value_integer(scene_reader *r, const document_node *node, int64_t min, int64_t max,
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

zt_result value_text(scene_reader *r, const document_node *node, const char *expected,
                     const char **out)
{
    if ((node->kind != DOCUMENT_STRING && node->kind != DOCUMENT_NUMBER) || node->text[0] == 0)
        return value_wrong(r, node, expected);
    *out = arena_text(&r->scene->arena, node->text, strlen(node->text));
    return *out ? ZT_OK : arena_fail(&r->scene->arena, r->err, "scene");
}

zt_result value_choice(scene_reader *r, const document_node *node, const char *const *names,
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
        node->kind == DOCUMENT_STRING ? scene_nearest_name(node->text, names, count) : NULL;
    if (nearest)
        return value_fail(r, node, false, "found '%.80s' (expected one of %s; did you mean '%s'?)",
                          node->text, list, nearest);
    char expected[256];
    snprintf(expected, sizeof expected, "one of %s", list);
    return value_wrong(r, node, expected);
}

static int hex_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

bool color_from_hex(const char *text, double out[3])
{
    text += *text == '#';
    if (strlen(text) != 6)
        return false;
    for (int i = 0; i < 3; i++) {
        const int high = hex_digit(text[2 * i]), low = hex_digit(text[2 * i + 1]);
        if (high < 0 || low < 0)
            return false;
        out[i] = srgb_decode((double)(high * 16 + low) / 255.0);
    }
    return true;
}

zt_result value_color(scene_reader *r, const document_node *node, double out[3])
{
    static const char *const expected = "an sRGB colour like \"#20242c\" or three linear numbers";
    if ((node->kind == DOCUMENT_STRING || node->kind == DOCUMENT_NUMBER) &&
        color_from_hex(node->text, out))
        return ZT_OK;
    if (node->kind != DOCUMENT_LIST || node->count != 3)
        return value_wrong(r, node, expected);
    const document_node *item = node->first;
    for (int i = 0; i < 3; i++, item = item->next)
        ZT_TRY(value_number(r, item, 0.0, 1e6, &out[i]));
    return ZT_OK;
}
