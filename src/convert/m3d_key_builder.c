// SPDX-License-Identifier: MIT
/// Builds the keys of a bone. The format has one list of keys for translation, rotation and scale,
/// with linear interpolation, along the shorter arc for rotations. Channels with different key
/// times are sampled at the union of their times. A step becomes two keys at neighbouring floats; a
/// spline is sampled SPLINE_RATE times a second. Reference: glTF 2.0, appendix C, for the splines.
#include "base/maths.h"
#include "convert/m3d_builder.h"

#include <stdlib.h>
#include <string.h>

#define SPLINE_RATE 60.0

/// Limits of the samples between two keys of a spline: fewer if the channel has many keys.
enum { SPLINE_SAMPLES_MAX = 1024, SPLINE_MANY_KEYS = 4096, SPLINE_SAMPLES_FEW = 8 };

static uint32_t spline_samples(const model_channel *c, uint32_t key)
{
    const double wanted = ((double)c->time_s[key + 1] - (double)c->time_s[key]) * SPLINE_RATE;
    const uint32_t max = c->key_count > SPLINE_MANY_KEYS ? SPLINE_SAMPLES_FEW : SPLINE_SAMPLES_MAX;
    return wanted >= (double)max ? max : (uint32_t)wanted + 1;
}

/// Writes the times at which a channel needs keys to `out`, unless it is NULL; returns their count.
static size_t channel_times(const model_channel *c, float *out)
{
    size_t count = 0;
    for (uint32_t k = 0; k < c->key_count; k++) {
        const uint32_t samples =
            c->interpolation == MODEL_CUBIC && k + 1 < c->key_count ? spline_samples(c, k) : 1;
        if (out && c->interpolation == MODEL_STEP && k > 0)
            out[count] = maths_float_before(c->time_s[k]);
        count += c->interpolation == MODEL_STEP && k > 0;
        for (uint32_t i = 0; i < samples; i++, count++)
            if (out)
                out[count] = i == 0 ? c->time_s[k]
                                    : (float)((double)c->time_s[k] +
                                              ((double)c->time_s[k + 1] - (double)c->time_s[k]) *
                                                  (double)i / (double)samples);
    }
    return count;
}

static int compare_times(const void *left, const void *right)
{
    const float a = *(const float *)left, b = *(const float *)right;
    return (a > b) - (a < b);
}

/// Value of a cubic Hermite spline between keys k and k + 1 at s in [0, 1].
static void spline_value(const model_channel *c, uint32_t k, double s, size_t width, float *out)
{
    const float *a = &c->value[3 * width * k], *b = a + 3 * width;
    const double dt = (double)c->time_s[k + 1] - (double)c->time_s[k];
    const double s2 = s * s, s3 = s2 * s;
    for (size_t i = 0; i < width; i++)
        out[i] =
            (float)((2.0 * s3 - 3.0 * s2 + 1.0) * (double)a[width + i] +
                    (s3 - 2.0 * s2 + s) * dt * (double)a[2 * width + i] +
                    (3.0 * s2 - 2.0 * s3) * (double)b[width + i] + (s3 - s2) * dt * (double)b[i]);
    if (width == 4)
        (void)quatf_normalize(out);
}

static void value_between(const model_channel *c, uint32_t k, double s, size_t width, float *out)
{
    if (c->interpolation == MODEL_CUBIC) {
        spline_value(c, k, s, width, out);
        return;
    }
    const float *a = &c->value[width * k], *b = a + width;
    if (width == 4) {
        quatf_slerp(a, b, (float)s, out);
        return;
    }
    for (size_t i = 0; i < width; i++)
        out[i] = (float)((double)a[i] + ((double)b[i] - (double)a[i]) * s);
}

/// Value of a channel at a time. `k` is the current key, which advances with rising times.
static void channel_value(const model_channel *c, float time_s, uint32_t *k, float *out)
{
    const size_t width = c->path == MODEL_ROTATION ? 4 : 3;
    while (*k + 1 < c->key_count && c->time_s[*k + 1] <= time_s)
        ++*k;
    const bool exact = time_s <= c->time_s[*k] || *k + 1 == c->key_count;
    if (exact || c->interpolation == MODEL_STEP) {
        const float *value = c->interpolation == MODEL_CUBIC
                                 ? &c->value[width * (3 * (size_t)*k + 1)]
                                 : &c->value[width * *k];
        memcpy(out, value, width * sizeof *out);
        return;
    }
    const double t0 = (double)c->time_s[*k], t1 = (double)c->time_s[*k + 1];
    value_between(c, *k, ((double)time_s - t0) / (t1 - t0), width, out);
}

static void sample_channel(const model_channel *c, const m3d_out_keys *keys)
{
    uint32_t key = 0;
    for (uint32_t i = 0; i < keys->count; i++) {
        channel_value(c, keys->key[i].time_s, &key, trs_part(&keys->key[i].pose, (int)c->path));
    }
}

/// Collects the key times of all channels of a bone, in rising order without duplicates. With
/// `ends`, which the first bone has, the ends of the clip too, so that its duration is kept.
static zt_result collect_times(m3d_builder *m, const model_clip *clip,
                               const model_channel *const *channels, bool ends, arena *a,
                               m3d_out_keys *out)
{
    size_t count = 0, at = 0;
    for (int i = 0; i < 3; i++)
        count += channels[i] ? channel_times(channels[i], NULL) : 0;
    count += ends ? 2 : count == 0;
    float *times;
    ZT_TRY(ARENA_TAKE_RAW(a, &times, count, "key frames", m->job->err));
    ZT_TRY(ARENA_TAKE_RAW(a, &out->key, count, "key frames", m->job->err));
    for (int i = 0; i < 3; i++)
        at += channels[i] ? channel_times(channels[i], times + at) : 0;
    if (at < count)
        times[at++] = clip->start_s;
    if (at < count)
        times[at++] = clip->end_s;
    qsort(times, count, sizeof *times, compare_times);
    for (size_t i = 0; i < count; i++)
        if (out->count == 0 || times[i] > out->key[out->count - 1].time_s)
            out->key[out->count++].time_s = times[i];
    return ZT_OK;
}

zt_result m3d_builder_keys(m3d_builder *m, const model_clip *clip,
                           const model_channel *const *by_node, uint32_t bone, arena *a,
                           m3d_out_keys *out)
{
    static const model_channel *const none[3];
    const int32_t node = m->bones[bone].node;
    const model_channel *const *channels = node >= 0 ? &by_node[3 * (size_t)node] : none;
    const trs rest = node >= 0 ? m->model->nodes[node].rest : trs_identity();
    *out = (m3d_out_keys){0};
    ZT_TRY(collect_times(m, clip, channels, bone == 0, a, out));
    for (uint32_t i = 0; i < out->count; i++)
        out->key[i].pose = rest;
    for (int i = 0; i < 3; i++)
        if (channels[i])
            sample_channel(channels[i], out);
    return ZT_OK;
}

zt_result m3d_builder_report_clip(m3d_builder *m, const model_clip *clip)
{
    bool spline = false, weights = false;
    for (uint32_t i = 0; i < clip->channel_count; i++) {
        weights |= clip->channels[i].path == MODEL_WEIGHTS;
        spline |= clip->channels[i].interpolation == MODEL_CUBIC &&
                  clip->channels[i].path != MODEL_WEIGHTS;
    }
    if (spline)
        ZT_TRY(convert_report_loss(
            m->job, "the splines of the clip '%.64s' are sampled at %g keys a second", clip->name,
            SPLINE_RATE));
    if (clip->property_channel_count > 0)
        ZT_TRY(convert_report_loss(
            m->job,
            "the clip '%.64s' animates more than nodes (materials, lights, cameras): "
            "only nodes are kept",
            clip->name));
    if (weights)
        ZT_TRY(convert_report_loss(m->job, "the morph weights of the clip '%.64s' are dropped",
                                   clip->name));
    return ZT_OK;
}
