// SPDX-License-Identifier: MIT
/// Evaluates tracks, only with + - * / and square roots in double: every build gives the same bits.
#include "scene/track.h"

#include "base/maths.h"

#include <math.h>
#include <string.h>

bool track_uses(const track *t, track_interpolation how)
{
    return t->interpolation && memchr(t->interpolation, (int)how, t->key_count);
}

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

/// Where a time is on a track.
typedef struct track_place {
    uint32_t from, to; ///< keys; the same one before the first and after the last
    double s;          ///< 0 to 1
    double step_s;     ///< from key to key
    track_interpolation interpolation;
} track_place;

static track_place find_place(const track *t, double time_s)
{
    const double first = t->time_s[0], length = t->time_s[t->key_count - 1] - first;
    if (t->loop && length > 0.0 && isfinite(time_s)) {
        const double into = fmod(time_s - first, length);
        time_s = first + (into < 0.0 ? into + length : into);
    }
    const uint32_t low = track_keys_until(t, time_s);
    track_place p = {.from = low > 0 ? low - 1 : 0};
    p.to = low > 0 && low < t->key_count ? low : p.from;
    if (p.to == p.from)
        return p;
    p.step_s = t->time_s[p.to] - t->time_s[p.from];
    p.s = (time_s - t->time_s[p.from]) / p.step_s;
    if (t->interpolation)
        p.interpolation = (track_interpolation)t->interpolation[p.from];
    if (p.interpolation == TRACK_STEP)
        p.to = p.from;
    if (p.interpolation == TRACK_EASE)
        p.s = p.s * p.s * (3.0 - 2.0 * p.s);
    return p;
}

/// The slope at a key, of component `i`. `sign`: NULL, or by key the factor of its numbers.
static double slope_at(const track *t, uint32_t key, uint32_t i, const double sign[4])
{
    const uint32_t last = t->key_count - 1, width = t->width;
    uint32_t before = key > 0 ? key - 1 : key, after = key < last ? key + 1 : key;
    double between = t->time_s[after] - t->time_s[before];
    if (t->loop && last > 1 && (key == 0 || key == last)) {
        before = last - 1;
        after = 1;
        between = (t->time_s[last] - t->time_s[last - 1]) + (t->time_s[1] - t->time_s[0]);
    }
    return (sign[1] * t->value[(size_t)after * width + i] -
            sign[0] * t->value[(size_t)before * width + i]) /
           between;
}

/// Component `i` of the curve between keys. Signs: of the keys before, from, to and after.
static double spline(const track *t, const track_place *p, uint32_t i, const double sign[4])
{
    const double s = p->s, s2 = s * s, s3 = s2 * s;
    const double from = sign[1] * t->value[(size_t)p->from * t->width + i];
    const double to = sign[2] * t->value[(size_t)p->to * t->width + i];
    const bool starts = p->from == 0 && !t->loop, ends = p->to == t->key_count - 1 && !t->loop;
    const double leave =
        slope_at(t, p->from, i, (double[]){starts ? sign[1] : sign[0], sign[2], 0.0, 0.0});
    const double arrive =
        slope_at(t, p->to, i, (double[]){sign[1], ends ? sign[2] : sign[3], 0.0, 0.0});
    return (2.0 * s3 - 3.0 * s2 + 1.0) * from + (s3 - 2.0 * s2 + s) * p->step_s * leave +
           (3.0 * s2 - 2.0 * s3) * to + (s3 - s2) * p->step_s * arrive;
}

void track_evaluate(const track *t, double time_s, double *out_value)
{
    static const double same[4] = {1.0, 1.0, 1.0, 1.0};
    const track_place p = find_place(t, time_s);
    const double *from = t->value + (size_t)p.from * t->width;
    const double *to = t->value + (size_t)p.to * t->width;
    for (uint32_t i = 0; i < t->width; i++) {
        out_value[i] = from[i] == to[i] ? from[i] : from[i] + (to[i] - from[i]) * p.s;
        if (p.to != p.from && p.interpolation == TRACK_SPLINE) {
            const double v = spline(t, &p, i, same);
            out_value[i] = maths_clamp(v, t->min, t->max);
        }
    }
}

/// The integral over the part `s` of the interval after a key.
static double part_integral(const track *t, uint32_t key, double s)
{
    const double step_s = t->time_s[key + 1] - t->time_s[key];
    const double from = t->value[key], change = t->value[key + 1] - from;
    const track_interpolation how =
        t->interpolation ? (track_interpolation)t->interpolation[key] : TRACK_LINEAR;
    const double risen = how == TRACK_STEP   ? 0.0
                         : how == TRACK_EASE ? s * s * s * (1.0 - 0.5 * s)
                                             : 0.5 * s * s;
    return step_s * (from * s + change * risen);
}

const double *track_sums(arena *a, const track *t)
{
    double *sum = ARENA_ARRAY(a, double, t->key_count);
    if (!sum)
        return NULL;
    for (uint32_t k = 1; k < t->key_count; k++)
        sum[k] = sum[k - 1] + part_integral(t, k - 1, 1.0);
    return sum;
}

double track_integral(const track *t, const double *sum, double time_s)
{
    const uint32_t low = track_keys_until(t, time_s), last = t->key_count - 1;
    if (low == 0)
        return (time_s - t->time_s[0]) * t->value[0];
    if (low > last)
        return sum[last] + (time_s - t->time_s[last]) * t->value[last];
    const double s = (time_s - t->time_s[low - 1]) / (t->time_s[low] - t->time_s[low - 1]);
    return sum[low - 1] + part_integral(t, low - 1, s);
}

static quat rotation_of_key(const track *t, uint32_t key)
{
    const double *v = t->value + (size_t)key * 4;
    quat q = {v[0], v[1], v[2], v[3]};
    return quat_normalize(&q) ? q : quat_identity();
}

/// The sign that turns the quaternion of `key` to the hemisphere of `with` times `sign`.
static double side_of(const track *t, uint32_t key, uint32_t with, double sign)
{
    const double *a = t->value + (size_t)key * 4, *b = t->value + (size_t)with * 4;
    const double dot = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
    return dot < 0.0 ? -sign : sign;
}

static quat spline_rotation(const track *t, const track_place *p)
{
    const uint32_t last = t->key_count - 1;
    uint32_t before = p->from - (p->from > 0), after = p->to + (p->to < last);
    if (t->loop && last > 0) {
        before = p->from == 0 ? last - 1 : before;
        after = p->to == last ? 1 : after;
    }
    double sign[4] = {1.0, 1.0, 1.0, 1.0};
    sign[0] = side_of(t, before, p->from, sign[1]);
    sign[2] = side_of(t, p->to, p->from, sign[1]);
    sign[3] = side_of(t, after, p->to, sign[2]);
    quat q = {spline(t, p, 0, sign), spline(t, p, 1, sign), spline(t, p, 2, sign),
              spline(t, p, 3, sign)};
    return quat_normalize(&q) ? q : rotation_of_key(t, p->from);
}

quat track_evaluate_rotation(const track *t, double time_s)
{
    const track_place p = find_place(t, time_s);
    if (p.to == p.from)
        return rotation_of_key(t, p.from);
    if (p.interpolation == TRACK_SPLINE)
        return spline_rotation(t, &p);
    return quat_slerp(rotation_of_key(t, p.from), rotation_of_key(t, p.to), p.s);
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
