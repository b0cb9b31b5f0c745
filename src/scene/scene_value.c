// SPDX-License-Identifier: MIT
/// Maps by table; numbers, text, choices and colours; values over time.
#include "scene/scene_value.h"

#include "base/dvec3.h"
#include "base/nearest_name.h"
#include "document/color_text.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { KEYS_MAX = 32 };

zt_result value_fail(scene_reader *r, const document_node *node, bool at_key, const char *format,
                     ...)
{
    char location[DOCUMENT_LOCATION_SIZE], text[400];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return zt_fail(r->err, ZT_ERR_FORMAT, "%s: %s",
                   document_location(r->path, node, at_key, location), text);
}

zt_result value_wrong(scene_reader *r, const document_node *node, const char *expected)
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

zt_result value_fail_load(scene_reader *r, const document_node *node, zt_result result,
                          const char *message)
{
    char location[DOCUMENT_LOCATION_SIZE];
    if (result != ZT_ERR_INPUT)
        return zt_fail(r->err, result, "%s", message);
    return zt_fail(r->err, result, "%s: %s", document_location(r->path, node, false, location),
                   message);
}

zt_result value_path(scene_reader *r, const document_node *node, const char *expected,
                     const char **out)
{
    char location[DOCUMENT_LOCATION_SIZE];
    const bool confined = r->scene->root_length != FILE_ANYWHERE;
    if (node->kind != DOCUMENT_STRING || node->text[0] == 0)
        return value_wrong(r, node, expected);
    if (strcmp(node->text, "-") == 0)
        return value_fail(r, node, false, "\"-\" is not standard input here (expected %s)",
                          expected);
    if (confined && !path_stays_inside(node->text))
        return zt_fail(r->err, ZT_ERR_INPUT,
                       "%s: '%.200s' lies outside the scene's folder (expected a file in it)",
                       document_location(r->path, node, false, location), node->text);
    // From memory a name is relative to the scene as it is.
    *out = path_sibling(&r->scene->arena, r->scene->in_memory ? "" : r->path, node->text);
    return *out ? ZT_OK : arena_fail(&r->scene->arena, r->err, "paths of the scene");
}

// ---- Values -------------------------------------------------------------------------------------

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

zt_result value_format(scene_reader *r, const document_node *node, void *target)
{
    (void)target;
    if (node->kind != DOCUMENT_NUMBER || node->number != 1.0)
        return value_wrong(r, node, "format 1, the only one this version reads");
    return ZT_OK;
}

zt_result value_bool(scene_reader *r, const document_node *node, bool *out)
{
    if (node->kind != DOCUMENT_BOOL)
        return value_wrong(r, node, "true or false");
    *out = node->truth;
    return ZT_OK;
}

zt_result value_pair(scene_reader *r, const document_node *node, double min, double max,
                     const char *expected, double out[2])
{
    if (node->kind != DOCUMENT_LIST || node->count != 2)
        return value_wrong(r, node, expected);
    ZT_TRY(value_number(r, node->first, min, max, &out[0]));
    return value_number(r, node->last, min, max, &out[1]);
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

zt_result value_check_text(scene_reader *r, const document_node *node, const char *expected)
{
    if ((node->kind != DOCUMENT_STRING && node->kind != DOCUMENT_NUMBER) || node->text[0] == 0)
        return value_wrong(r, node, expected);
    return ZT_OK;
}

zt_result value_text(scene_reader *r, const document_node *node, const char *expected,
                     const char **out)
{
    ZT_TRY(value_check_text(r, node, expected));
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
        node->kind == DOCUMENT_STRING ? nearest_name(node->text, names, count) : NULL;
    if (nearest)
        return value_fail(r, node, false, "found '%.80s' (expected one of %s; did you mean '%s'?)",
                          node->text, list, nearest);
    char expected[256];
    snprintf(expected, sizeof expected, "one of %s", list);
    return value_wrong(r, node, expected);
}

zt_result value_word(scene_reader *r, const document_node *node, zt_word_list list, int32_t *out)
{
    const char *names[NAME_LIST_LIMIT];
    size_t count = 0;
    for (; zt_word_at(list, (int32_t)count); count++)
        names[count] = zt_word_at(list, (int32_t)count);
    return value_choice(r, node, names, count, out);
}

zt_result value_color(scene_reader *r, const document_node *node, double out[3])
{
    static const char *const expected =
        "an sRGB colour like \"#20242c\", \"#fff\" or steelblue, or three linear numbers";
    const bool is_text = node->kind == DOCUMENT_STRING;
    if ((is_text || node->kind == DOCUMENT_NUMBER) && color_from_text(node->text, out))
        return ZT_OK;
    const char *nearest = is_text ? color_nearest_name(node->text) : NULL;
    if (nearest)
        return value_fail(r, node, false, "found '%.80s' (expected %s; did you mean '%s'?)",
                          node->text, expected, nearest);
    if (node->kind != DOCUMENT_LIST || node->count != 3)
        return value_wrong(r, node, expected);
    const document_node *item = node->first;
    for (int i = 0; i < 3; i++, item = item->next)
        ZT_TRY(value_number(r, item, 0.0, 1e6, &out[i]));
    return ZT_OK;
}

// ---- Tracks -------------------------------------------------------------------------------------

static const char *expectation(track_kind kind)
{
    static const char *const names[] = {
        [TRACK_NUMBER] = "a number, or keys [[time, number], ...]",
        [TRACK_VECTOR] = "three numbers, or keys [[time, [x, y, z]], ...]",
        [TRACK_ROTATION] = "three angles or a quaternion of four numbers, or keys of them",
        [TRACK_SCALE] = "a number or three, or keys of them",
        [TRACK_SWITCH] = "true or false, or keys [[time, true], ...]",
        [TRACK_COLOR] = "a colour like \"#20242c\", steelblue or [r, g, b], or keys of them",
    };
    return names[kind];
}

static bool width_fits(track_kind kind, uint32_t width)
{
    switch (kind) {
    case TRACK_NUMBER:
    case TRACK_SWITCH: return width == 1;
    case TRACK_ROTATION: return width == 3 || width == 4;
    case TRACK_SCALE: return width == 1 || width == 3;
    case TRACK_VECTOR:
    case TRACK_COLOR: return width == 3;
    }
    return false;
}

/// The value of one key.
static zt_result read_track_value(scene_reader *r, const document_node *node, track_kind kind,
                                  double min, double max, double out[4], uint32_t *out_width)
{
    if (kind == TRACK_COLOR) {
        *out_width = 3;
        return value_color(r, node, out);
    }
    if (kind == TRACK_SWITCH) {
        bool on = false;
        *out_width = 1;
        if (node->kind != DOCUMENT_BOOL)
            return value_wrong(r, node, expectation(kind));
        ZT_TRY(value_bool(r, node, &on));
        out[0] = on ? 1.0 : 0.0;
        return ZT_OK;
    }
    if (node->kind == DOCUMENT_NUMBER && width_fits(kind, 1)) {
        *out_width = 1;
        return value_number(r, node, min, max, out);
    }
    if (node->kind != DOCUMENT_LIST || node->count > 4 || node->count < 2 ||
        !width_fits(kind, node->count))
        return value_wrong(r, node, expectation(kind));
    *out_width = node->count;
    const document_node *item = node->first;
    for (uint32_t i = 0; i < node->count; i++, item = item->next)
        ZT_TRY(value_number(r, item, min, max, &out[i]));
    if (kind == TRACK_ROTATION && node->count == 4) {
        const double square = out[0] * out[0] + out[1] * out[1] + out[2] * out[2] + out[3] * out[3];
        if (!(square > 1e-12))
            return value_fail(r, node, false, "a quaternion of length 0 (expected unit length)");
    }
    return ZT_OK;
}

/// Properties that all keys of a track share, and the keys read so far.
typedef struct track_reading {
    track_kind kind;
    double min, max;
    uint32_t count, width;
    double *time_s, *value;
    uint8_t *interpolation;
} track_reading;

static const char *const interpolations[] = {"linear", "step", "ease", "spline"};

/// [time, value] or [time, value, interpolation].
static zt_result read_track_key(scene_reader *r, const document_node *key, track_reading *t)
{
    double value[4] = {0};
    uint32_t width = 0;
    const uint32_t at = t->count;
    if (key->kind != DOCUMENT_LIST || key->count < 2 || key->count > 3)
        return value_wrong(r, key, "a key [time, value] or [time, value, interpolation]");
    ZT_TRY(value_number(r, key->first, -1e6, 1e6, &t->time_s[at]));
    ZT_TRY(read_track_value(r, key->first->next, t->kind, t->min, t->max, value, &width));
    if (key->count == 3) {
        int32_t choice = 0;
        if (t->kind == TRACK_SWITCH)
            return value_wrong(r, key->first->next->next, "a key [time, true or false]");
        ZT_TRY(value_choice(r, key->first->next->next, interpolations, COUNT_OF(interpolations),
                            &choice));
        t->interpolation[at] = (uint8_t)choice;
    }
    if (at > 0 && !(t->time_s[at] > t->time_s[at - 1]))
        return value_fail(r, key, false,
                          "a key that is not later than the one before it (expected rising "
                          "times)");
    if (at > 0 && width != t->width)
        return value_fail(r, key, false, "a key of %u numbers after keys of %u (expected the same)",
                          width, t->width);
    t->width = width;
    memcpy(t->value + (size_t)at * width, value, width * sizeof *value);
    t->count++;
    return ZT_OK;
}

/// `standard`: the interpolation of keys that name none.
static zt_result read_track_keys(scene_reader *r, const document_node *keys, uint8_t standard,
                                 track_reading *t, track *out)
{
    arena *a = &r->scene->arena;
    if (keys->kind != DOCUMENT_LIST || keys->count == 0)
        return value_wrong(r, keys, "a list of keys [time, value]");
    t->time_s = ARENA_ARRAY(a, double, keys->count);
    t->value = ARENA_ARRAY(a, double, (size_t)keys->count * 4);
    t->interpolation = ARENA_ARRAY(a, uint8_t, keys->count);
    if (!t->time_s || !t->value || !t->interpolation)
        return arena_fail(a, r->err, "scene");
    memset(t->interpolation, standard, keys->count);
    for (const document_node *key = keys->first; key; key = key->next)
        ZT_TRY(read_track_key(r, key, t));
    bool linear = true;
    for (uint32_t i = 0; i < t->count; i++)
        linear = linear && t->interpolation[i] == TRACK_LINEAR;
    *out = (track){.key_count = t->count,
                   .width = t->width,
                   .time_s = t->time_s,
                   .value = t->value,
                   .interpolation = linear ? NULL : t->interpolation,
                   .min = t->min,
                   .max = t->max};
    return ZT_OK;
}

/// Keys, and what they have in common.
typedef struct track_map {
    const document_node *keys;
    int32_t interpolation;
    bool loop;
} track_map;

static zt_result read_track_map(scene_reader *r, const document_node *value, track_reading *t,
                                track *out)
{
    static const map_key keys[] = {
        KEY_NODE("keys", KEY_REQUIRED, track_map, keys),
        KEY_CHOICE("interpolation", KEY_OPTIONAL, track_map, interpolation, interpolations),
        KEY_BOOL("loop", KEY_OPTIONAL, track_map, loop),
    };
    track_map map = {.interpolation = TRACK_LINEAR};
    ZT_TRY(value_map(r, value, "track", keys, COUNT_OF(keys), &map));
    if (t->kind == TRACK_SWITCH)
        map.interpolation = TRACK_STEP;
    ZT_TRY(read_track_keys(r, map.keys, (uint8_t)map.interpolation, t, out));
    out->loop = map.loop;
    return ZT_OK;
}

zt_result value_constant(scene_reader *r, uint32_t width, const double *value, track *out)
{
    return track_constant(&r->scene->arena, value, width, out)
               ? ZT_OK
               : arena_fail(&r->scene->arena, r->err, "scene");
}

zt_result value_track(scene_reader *r, const document_node *node, track_kind kind, double min,
                      double max, track *out)
{
    track_reading t = {.kind = kind, .min = min, .max = max};
    double value[4] = {0};
    uint32_t width = 0;
    if (node->kind == DOCUMENT_MAP)
        return read_track_map(r, node, &t, out);
    if (node->kind == DOCUMENT_LIST && node->first && node->first->kind == DOCUMENT_LIST)
        return read_track_keys(r, node, kind == TRACK_SWITCH ? TRACK_STEP : TRACK_LINEAR, &t, out);
    if (node->kind != DOCUMENT_LIST && node->kind != DOCUMENT_NUMBER && kind != TRACK_COLOR &&
        kind != TRACK_SWITCH)
        return value_wrong(r, node, expectation(kind));
    ZT_TRY(read_track_value(r, node, kind, min, max, value, &width));
    return value_constant(r, width, value, out);
}

// ---- Maps ---------------------------------------------------------------------------------------

static zt_result read_field(scene_reader *r, const document_node *value, const map_key *key,
                            void *target)
{
    void *field = (char *)target + key->offset;
    int32_t choice = 0;
    switch (key->type) {
    case VALUE_CUSTOM: return key->read(r, value, field);
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
    case VALUE_TRACK: return value_track(r, value, key->track, key->min, key->max, field);
    case VALUE_NODE: *(const document_node **)field = value; return ZT_OK;
    }
    return ZT_OK;
}

static zt_result fail_unknown_key(scene_reader *r, const document_node *member, const char *what,
                                  const map_key *keys, size_t count)
{
    const char *names[KEYS_MAX];
    char list[256] = "";
    size_t used = 0;
    for (size_t i = 0; i < count; i++) {
        names[i] = keys[i].name;
        const int wrote =
            snprintf(list + used, sizeof list - used, "%s%s", used ? ", " : "", keys[i].name);
        used += wrote > 0 && (size_t)wrote < sizeof list - used ? (size_t)wrote : 0;
    }
    const char *nearest = nearest_name(member->key, names, count);
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
