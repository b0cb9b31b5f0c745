// SPDX-License-Identifier: MIT
#include "scene/scene_blend.h"

#include "base/maths.h"

#include <string.h>

enum { BLEND_MIN = 2, KEYS_PER_KEY = 3 }; ///< clips; keys: its own, and two that are passed

zt_result scene_read_blend(document_reader *r, const document_node *value, scene_blend *out)
{
    static const map_key keys[] = {
        KEY_TRACK("by", KEY_REQUIRED, scene_blend, by, TRACK_NUMBER, -1e6, 1e6),
        KEY_NODE("clips", KEY_REQUIRED, scene_blend, clips),
    };
    *out = (scene_blend){.clips = NULL};
    ZT_TRY(value_map(r, value, "blend", keys, COUNT_OF(keys), out));
    const track *by = &out->by;
    if (by->loop || track_uses(by, TRACK_EASE) || track_uses(by, TRACK_SPLINE))
        return value_fail(r, document_member(value, "by"), false,
                          "a blend by a curve or a loop (expected keys that are linear or steps)");
    if (out->clips->kind != DOCUMENT_LIST || out->clips->count < BLEND_MIN ||
        out->clips->count > SCENE_LAYER_LIMIT)
        return value_wrong(r, out->clips, "a list of 2 to 64 layers, each with its value");
    return ZT_OK;
}

static double weight_of(double value, double from, double to)
{
    return maths_clamp((value - from) / (to - from), 0.0, 1.0);
}

/// A track as it is built.
typedef struct weight_keys {
    uint32_t count;
    double *time_s, *value;
    uint8_t *interpolation;
} weight_keys;

static void add_key(weight_keys *keys, double time_s, double weight, bool step)
{
    if (keys->count > 0 && !(time_s > keys->time_s[keys->count - 1]))
        return; // rounding: the value is passed where a key is
    keys->time_s[keys->count] = time_s;
    keys->value[keys->count] = weight;
    keys->interpolation[keys->count++] = step ? TRACK_STEP : TRACK_LINEAR;
}

zt_result scene_blend_weight(document_reader *r, const scene_blend *blend, double from, double to,
                             track *out)
{
    arena *a = r->keep;
    const track *parameter = &blend->by;
    const size_t room = (size_t)parameter->key_count * KEYS_PER_KEY;
    weight_keys keys = {.time_s = ARENA_ARRAY(a, double, room),
                        .value = ARENA_ARRAY(a, double, room),
                        .interpolation = ARENA_ARRAY(a, uint8_t, room)};
    if (!keys.time_s || !keys.value || !keys.interpolation)
        return arena_fail(a, r->err, "blend");
    for (uint32_t i = 0; i < parameter->key_count; i++) {
        const bool step = parameter->interpolation && parameter->interpolation[i] == TRACK_STEP;
        const double v = parameter->value[i], t = parameter->time_s[i];
        add_key(&keys, t, weight_of(v, from, to), step);
        if (step || i + 1 == parameter->key_count)
            continue;
        const double after = parameter->value[i + 1], length_s = parameter->time_s[i + 1] - t;
        const double ends[2] = {after > v ? from : to, after > v ? to : from};
        for (int k = 0; k < 2; k++)
            if ((ends[k] - v) * (ends[k] - after) < 0.0)
                add_key(&keys, t + length_s * ((ends[k] - v) / (after - v)),
                        weight_of(ends[k], from, to), false);
    }
    *out = (track){.key_count = keys.count,
                   .width = 1,
                   .time_s = keys.time_s,
                   .value = keys.value,
                   .interpolation = keys.interpolation,
                   .max = 1.0};
    return ZT_OK;
}
