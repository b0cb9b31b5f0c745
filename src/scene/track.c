// SPDX-License-Identifier: MIT
/// Evaluates tracks, only with + - * / and square roots in double: every build gives the same bits.
#include "scene/scene.h"

#include <string.h>

uint32_t track_keys_until(const track *t, double time_s)
{
    uint32_t low = 0, high = t->key_count; // keys [0, low) are at or before time_s
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (t->time_s[middle] <= time_s)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

void track_evaluate(const track *t, double time_s, double *out_value)
{
    const uint32_t width = t->width, low = track_keys_until(t, time_s);
    if (low == 0 || low == t->key_count) {
        const uint32_t held = low == 0 ? 0 : low - 1;
        memcpy(out_value, t->value + (size_t)held * width, width * sizeof *out_value);
        return;
    }
    const double *from = t->value + (size_t)(low - 1) * width;
    const double *to = from + width;
    const double s = (time_s - t->time_s[low - 1]) / (t->time_s[low] - t->time_s[low - 1]);
    for (uint32_t i = 0; i < width; i++)
        out_value[i] = from[i] == to[i] ? from[i] : from[i] + (to[i] - from[i]) * s;
}

static quat rotation_of_key(const track *t, uint32_t key)
{
    const double *v = t->value + (size_t)key * 4;
    quat q = {v[0], v[1], v[2], v[3]};
    return quat_normalize(&q) ? q : quat_identity();
}

quat track_evaluate_rotation(const track *t, double time_s)
{
    const uint32_t low = track_keys_until(t, time_s);
    if (low == 0 || low == t->key_count)
        return rotation_of_key(t, low == 0 ? 0 : low - 1);
    const double s = (time_s - t->time_s[low - 1]) / (t->time_s[low] - t->time_s[low - 1]);
    return quat_slerp(rotation_of_key(t, low - 1), rotation_of_key(t, low), s);
}

bool track_constant(arena *a, const double *value, uint32_t width, track *out)
{
    double *copy = ARENA_ARRAY(a, double, width + 1u);
    if (!copy)
        return false;
    copy[0] = 0.0; // the key's time
    memcpy(copy + 1, value, width * sizeof *copy);
    *out = (track){.key_count = 1, .width = width, .time_s = copy, .value = copy + 1};
    return true;
}
