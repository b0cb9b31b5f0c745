// SPDX-License-Identifier: MIT
/// Values over time, and the words of a list.
#include "scene/scene_value.h"

#include "base/nearest_name.h"

#include <math.h>
#include <string.h>

zt_result value_word(document_reader *r, const document_node *node, zt_word_list list, int32_t *out)
{
    const char *names[NAME_LIST_LIMIT];
    size_t count = 0;
    for (; zt_word_at(list, (int32_t)count); count++)
        names[count] = zt_word_at(list, (int32_t)count);
    return value_choice(r, node, names, count, out);
}

zt_result value_named(document_reader *r, const document_node *node, const named_int *list,
                      int32_t *out)
{
    const char *names[NAME_LIST_LIMIT];
    size_t count = 0;
    int32_t choice = 0;
    for (; list[count].name; count++)
        names[count] = list[count].name;
    ZT_TRY(value_choice(r, node, names, count, &choice));
    *out = list[choice].value;
    return ZT_OK;
}

zt_result value_read_word(document_reader *r, const document_node *node, const map_key *key,
                          void *target)
{
    int32_t choice = 0;
    ZT_TRY(value_word(r, node, (zt_word_list)key->kind, &choice));
    memcpy(target, &choice, sizeof choice);
    return ZT_OK;
}

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
static zt_result read_track_value(document_reader *r, const document_node *node, track_kind kind,
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
    bool loop;
    uint32_t count, width;
    double *time_s, *value;
    uint8_t *interpolation;
} track_reading;

static const char *const interpolations[] = {"linear", "step", "ease", "spline"};

/// [time, value] or [time, value, interpolation].
static zt_result read_track_key(document_reader *r, const document_node *key, track_reading *t)
{
    double value[4] = {0};
    uint32_t width = 0;
    const uint32_t at = t->count;
    ZT_TRY(value_list(r, key, 2, 3, "a key [time, value] or [time, value, interpolation]"));
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

zt_result scene_keep_step(document_reader *r, double at_s, double period_s)
{
    scene_step *step;
    ZT_TRY(ARENA_TAKE(r->keep, &step, 1, "scene", r->err));
    *step = (scene_step){at_s, period_s, scene_of(r)->steps};
    scene_of(r)->steps = step;
    return ZT_OK;
}

/// Keeps the steps of a track. The last key of a loop stands for no time. Numbers below -360 are
/// angles, whose whole turns are no step.
static zt_result keep_steps(document_reader *r, track_kind kind, const track *t)
{
    const bool angles = kind == TRACK_ROTATION || (kind == TRACK_NUMBER && t->min < -360.0);
    const uint32_t last = t->key_count - 1, width = t->width;
    const double length_s = t->time_s[last] - t->time_s[0];
    for (uint32_t k = 1; k <= last; k++) {
        const bool seam = k == last && t->loop;
        const bool holds = t->interpolation && t->interpolation[k - 1] == TRACK_STEP;
        const double *before = t->value + (size_t)(holds ? k - 1 : k) * width;
        const double *after = t->value + (size_t)(seam ? 0 : k) * width;
        bool changes = false;
        for (uint32_t i = 0; i < width; i++)
            changes |= (angles ? fmod(after[i] - before[i], 360.0) : after[i] - before[i]) != 0.0;
        if (changes && (holds || seam))
            ZT_TRY(scene_keep_step(r, t->time_s[k], t->loop ? length_s : 0.0));
    }
    return ZT_OK;
}

/// `standard`: the interpolation of keys that name none.
static zt_result read_track_keys(document_reader *r, const document_node *keys, uint8_t standard,
                                 track_reading *t, track *out)
{
    arena *a = r->keep;
    ZT_TRY(value_list(r, keys, 1, UINT32_MAX, "a list of keys [time, value]"));
    ZT_TRY(ARENA_TAKE(a, &t->time_s, keys->count, "scene", r->err));
    ZT_TRY(ARENA_TAKE(a, &t->value, (size_t)keys->count * 4, "scene", r->err));
    ZT_TRY(ARENA_TAKE(a, &t->interpolation, keys->count, "scene", r->err));
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
                   .max = t->max,
                   .loop = t->loop};
    return keep_steps(r, t->kind, out);
}

/// Keys, and what they have in common.
typedef struct track_map {
    const document_node *keys;
    int32_t interpolation;
    bool loop;
} track_map;

static zt_result read_track_map(document_reader *r, const document_node *value, track_reading *t,
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
    t->loop = map.loop;
    return read_track_keys(r, map.keys, (uint8_t)map.interpolation, t, out);
}

zt_result value_constant(document_reader *r, uint32_t width, const double *value, track *out)
{
    return track_constant(r->keep, value, width, out) ? ZT_OK
                                                      : arena_fail(r->keep, r->err, "scene");
}

zt_result value_track(document_reader *r, const document_node *node, track_kind kind, double min,
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

zt_result value_read_track(document_reader *r, const document_node *node, const map_key *key,
                           void *target)
{
    const scene_step *const steps = scene_of(r)->steps;
    ZT_TRY(value_track(r, node, (track_kind)key->kind, key->min, key->max, target));
    if (strcmp(key->name, "speed") == 0)
        scene_of(r)->steps = steps; // what goes at it does not jump
    return ZT_OK;
}
