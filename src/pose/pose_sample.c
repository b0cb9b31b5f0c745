// SPDX-License-Identifier: MIT
/// Clips: shot time -> clip time -> local transforms. Interpolation by glTF 2.0, appendix C.
/// Values are exact at keys, and constant where two keys are equal: nothing drifts in a held pose.
#include "pose/pose.h"

#include <math.h>
#include <string.h>

double pose_animation_time(const zt_scene *scene, double time_s)
{
    return isnan(scene->freeze_time_s) ? time_s : scene->freeze_time_s;
}

double pose_clip_time(const scene_animation *animation, const model_clip *clip, double time_s)
{
    const double start = (double)clip->start_s, end = (double)clip->end_s;
    const double length = end - start;
    const double elapsed = time_s > animation->at_s ? time_s - animation->at_s : 0.0;
    const double t = animation->start_s + elapsed * animation->speed;
    const bool repeat = animation->loop == SCENE_LOOP_REPEAT && length > 0.0;
    if (t > end)
        return repeat ? start + fmod(t - start, length) : end;
    if (t < start) {
        // Only a clip that runs backwards comes from above: it repeats below its start.
        const bool backwards = repeat && animation->speed < 0.0;
        return backwards ? end - fmod(start - t, length) : start;
    }
    return t == t ? t : start;
}

/// Where a time stands between the keys of a channel: at key `first`, or `s` of the way to the
/// next.
typedef struct key_position {
    uint32_t first;
    bool between;
    float s;      ///< in (0, 1) when between
    float step_s; ///< seconds from key `first` to the next, when between
} key_position;

static key_position find_key(const model_channel *channel, float time_s)
{
    const float *key_time = channel->time_s;
    uint32_t low = 0, high = channel->key_count; // keys [0, low) are at or before the time
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (key_time[middle] <= time_s)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == 0)
        return (key_position){.first = 0};
    const uint32_t first = low - 1;
    if (low == channel->key_count || key_time[first] == time_s)
        return (key_position){.first = first};
    const float step = key_time[low] - key_time[first];
    const float s = (time_s - key_time[first]) / step;
    if (s <= 0.0f || s >= 1.0f) // rounded onto a key
        return (key_position){.first = s <= 0.0f ? first : low};
    return (key_position){.first = first, .between = true, .s = s, .step_s = step};
}

/// Cubic Hermite spline: in-tangent, value, out-tangent per key; tangents are per second.
static void cubic(const float *from, const float *to, uint32_t width, key_position at, float *out)
{
    const float s = at.s, s2 = s * s, s3 = s2 * s;
    const float value_from = 2.0f * s3 - 3.0f * s2 + 1.0f;
    const float value_to = 3.0f * s2 - 2.0f * s3;
    const float tangent_from = at.step_s * (s3 - 2.0f * s2 + s);
    const float tangent_to = at.step_s * (s3 - s2);
    const float *v0 = from + width, *b0 = from + 2 * width, *a1 = to, *v1 = to + width;
    for (uint32_t i = 0; i < width; i++)
        out[i] =
            ((value_from * v0[i] + tangent_from * b0[i]) + value_to * v1[i]) + tangent_to * a1[i];
}

/// One channel at `time_s`; `width` floats.
static void sample_channel(const model_channel *channel, float time_s, uint32_t width, float *out)
{
    const key_position at = find_key(channel, time_s);
    const bool spline = channel->interpolation == MODEL_CUBIC;
    const size_t stride = spline ? (size_t)width * 3 : width;
    const float *from = channel->value + at.first * stride;
    const float *held = spline ? from + width : from;
    if (!at.between || channel->interpolation == MODEL_STEP) {
        memcpy(out, held, width * sizeof *out);
        return;
    }
    const float *to = from + stride;
    if (spline) {
        cubic(from, to, width, at, out);
        if (channel->path == MODEL_ROTATION)
            // A spline leaves the unit sphere; where it meets the origin there is no rotation
            // and the one held stays.
            if (!maths_quat_normalize(out))
                memcpy(out, held, 4 * sizeof *out);
    } else if (channel->path == MODEL_ROTATION) {
        maths_slerp(from, to, at.s, out);
    } else {
        for (uint32_t i = 0; i < width; i++)
            out[i] = from[i] + (to[i] - from[i]) * at.s;
    }
}

void pose_sample(const zt_model *model, const model_clip *clip, float clip_time_s, trs *local)
{
    for (uint32_t i = 0; i < model->node_count; i++)
        local[i] = model->nodes[i].rest;
    if (!clip)
        return;
    for (uint32_t i = 0; i < clip->channel_count; i++) {
        const model_channel *channel = &clip->channels[i];
        trs *target = &local[channel->node];
        switch (channel->path) {
        case MODEL_TRANSLATION:
            sample_channel(channel, clip_time_s, 3, target->t);
            break;
        case MODEL_ROTATION:
            sample_channel(channel, clip_time_s, 4, target->r);
            break;
        case MODEL_SCALE:
            sample_channel(channel, clip_time_s, 3, target->s);
            break;
        case MODEL_WEIGHTS: // of morph targets: no transform
            break;
        }
    }
}
