// SPDX-License-Identifier: MIT
/// Samples a channel by glTF 2.0, appendix C: exact at keys and between equal ones, without drift.
#include "model/model.h"

#include <math.h>
#include <string.h>

/// The key at or before a time between the first and the last. Most keys are almost evenly spaced:
/// there the guess is right or one off, and the correction has no branch. Otherwise bisection finds
/// the same key. Nothing is remembered from one call to the next.
static uint32_t key_before(const model_timeline *timeline, float at_s)
{
    const float *time_s = timeline->time_s;
    const uint32_t last = timeline->key_count - 2;
    const float guess = (at_s - time_s[0]) * timeline->keys_per_s;
    uint32_t low = guess < (float)last ? (uint32_t)guess : last;
    low += (uint32_t)(low < last && time_s[low + 1] <= at_s);
    low -= (uint32_t)(low > 0 && time_s[low] > at_s);
    if (time_s[low] <= at_s && at_s < time_s[low + 1])
        return low;
    low = 0;
    uint32_t high = last + 1; // keys [0, low] are at or before the time, keys [high, ...) after it
    while (high - low > 1) {
        const uint32_t middle = low + (high - low) / 2;
        if (time_s[middle] <= at_s)
            low = middle;
        else
            high = middle;
    }
    return low;
}

pose_key_interval model_key_interval(const model_timeline *timeline, float at_s)
{
    const float *time_s = timeline->time_s;
    const uint32_t count = timeline->key_count;
    if (count < 2 || !(at_s > time_s[0]))
        return (pose_key_interval){.first = 0, .s = 0.0f};
    if (at_s >= time_s[count - 1])
        return (pose_key_interval){.first = count - 2, .s = 1.0f};
    const uint32_t first = key_before(timeline, at_s);
    const float s = (at_s - time_s[first]) / (time_s[first + 1] - time_s[first]);
    return (pose_key_interval){.first = first, .s = s < 1.0f ? s : 1.0f};
}

/// Cubic Hermite spline: in-tangent, value, out-tangent per key; tangents are per second.
static void cubic(const float *from, const float *to, uint32_t width, float s, float step_s,
                  float *out)
{
    const float s2 = s * s, s3 = s2 * s;
    const float value_from = 2.0f * s3 - 3.0f * s2 + 1.0f;
    const float value_to = 3.0f * s2 - 2.0f * s3;
    const float tangent_from = step_s * (s3 - 2.0f * s2 + s);
    const float tangent_to = step_s * (s3 - s2);
    const float *v0 = from + width, *b0 = from + 2 * width, *a1 = to, *v1 = to + width;
    for (uint32_t i = 0; i < width; i++)
        out[i] =
            ((value_from * v0[i] + tangent_from * b0[i]) + value_to * v1[i]) + tangent_to * a1[i];
}

static bool all_finite(const float *value, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (!isfinite(value[i]))
            return false;
    return true;
}

void model_sample_channel(const model_channel *channel, float time_s, uint32_t width, float *out)
{
    const float span_s = channel->time_s[channel->key_count - 1] - channel->time_s[0];
    const model_timeline timeline = {channel->time_s, channel->key_count,
                                     (float)(channel->key_count - 1) / span_s};
    const pose_key_interval at = model_key_interval(&timeline, time_s);
    const bool spline = channel->interpolation == MODEL_CUBIC;
    const size_t stride = spline ? (size_t)width * 3 : width;
    const float *from = channel->value + at.first * stride, *to = from + stride;
    const float *nearest = at.s < 1.0f ? from : to;
    nearest = spline ? nearest + width : nearest;
    if (at.s <= 0.0f || at.s >= 1.0f || channel->interpolation == MODEL_STEP) {
        memcpy(out, nearest, width * sizeof *out);
        return;
    }
    if (spline) {
        const float *key = channel->time_s + at.first;
        cubic(from, to, width, at.s, key[1] - key[0], out);
        // A spline leaves the unit sphere. At the origin, or overflowing, its last key holds.
        if (!all_finite(out, width) || (channel->path == MODEL_ROTATION && !quatf_normalize(out)))
            memcpy(out, nearest, width * sizeof *out);
    } else if (channel->path == MODEL_ROTATION) {
        quatf_slerp(from, to, at.s, out);
    } else {
        for (uint32_t i = 0; i < width; i++)
            out[i] = from[i] - (from[i] - to[i]) * at.s; // between equal keys their value, in bits
    }
}
