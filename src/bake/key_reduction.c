// SPDX-License-Identifier: MIT
/// Reduction of one curve; see key_reduction.h.
#include "bake/key_reduction.h"

#include "base/subdivide.h"

#include <math.h>
#include <string.h>

/// The farthest sample in (before, end) of what keys give; `before` when none exceeds the
/// tolerance.
static uint32_t find_farthest(const key_curve *curve, uint32_t before, uint32_t after, uint32_t end)
{
    uint32_t farthest = before;
    double max = curve->tolerance;
    for (uint32_t k = before + 1; k < end; k++) {
        const double d = curve->distance(curve->user, before, after, k);
        if (!(d <= max)) {
            max = d;
            farthest = k;
        }
    }
    return farthest;
}

static zt_result cut_at_farthest(void *user, uint32_t from, uint32_t to, uint32_t *out_cut)
{
    *out_cut = find_farthest(user, from, to, to);
    return ZT_OK;
}

zt_result key_reduce(key_curve curve, uint32_t count, bool *keyed, arena *a, zt_error *err)
{
    uint32_t *keys, key_count = 1;
    arena own; // curves are many
    arena_init(&own, a->budget);
    zt_result result = ARENA_TAKE(&own, &keys, count, "keys", err);
    if (result == ZT_OK && find_farthest(&curve, 0, 0, count) > 0)
        result = subdivide(count - 1, cut_at_farthest, &curve, keys, &key_count, &own, err);
    memset(keyed, 0, count * sizeof *keyed);
    for (uint32_t i = 0; i < key_count && result == ZT_OK; i++)
        keyed[keys[i]] = true;
    arena_finish(&own);
    return result;
}

zt_result key_list_make(const bool *keyed, uint32_t count, arena *keep, key_list *out,
                        zt_error *err)
{
    uint32_t keys = 0, *sample;
    for (uint32_t k = 0; k < count; k++)
        keys += keyed[k];
    ZT_TRY(ARENA_TAKE_RAW(keep, &sample, keys, "keys", err));
    *out = (key_list){.sample = sample};
    for (uint32_t k = 0; k < count; k++)
        if (keyed[k])
            sample[out->count++] = k;
    return ZT_OK;
}

double key_rows_difference(const key_rows *rows, uint32_t before, uint32_t after, uint32_t sample,
                           uint32_t index)
{
    const float *value = rows->value + index;
    const double t0 = (double)rows->time_s[before], t1 = (double)rows->time_s[after];
    const double s = after > before ? ((double)rows->time_s[sample] - t0) / (t1 - t0) : 0.0;
    const double a = (double)value[(size_t)before * rows->width];
    const double b = (double)value[(size_t)after * rows->width];
    return fabs(a + s * (b - a) - (double)value[(size_t)sample * rows->width]);
}
