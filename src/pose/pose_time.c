// SPDX-License-Identifier: MIT
/// Layers over shot time: weight and clip time, in closed form or as integrals: any frame alone.
#include "pose/pose.h"

#include <math.h>

static double ease(scene_ease kind, double x)
{
    if (!(x > 0.0))
        return 0.0;
    if (x >= 1.0)
        return 1.0;
    if (kind == SCENE_EASE_LINEAR)
        return x;
    // The cubic with zero slope at both ends, and the quintic with zero curvature there too.
    return kind == SCENE_EASE_SMOOTH ? x * x * (3.0 - 2.0 * x)
                                     : x * x * x * (10.0 - x * (15.0 - 6.0 * x));
}

double pose_layer_weight(const scene_layer *layer, double time_s)
{
    double weight = 1.0;
    if (layer->weight.key_count > 0)
        track_evaluate(&layer->weight, time_s, &weight);
    if (layer->has_begin) {
        if (!(time_s >= layer->at_s))
            return 0.0;
        if (layer->fade_s > 0.0)
            weight *= ease(layer->ease, (time_s - layer->at_s) / layer->fade_s);
    }
    if (layer->has_end) {
        if (!(time_s < layer->until_s))
            return 0.0;
        if (layer->fade_s > 0.0)
            weight *= ease(layer->ease, (layer->until_s - time_s) / layer->fade_s);
    }
    return weight;
}

static void min_breakpoint(double at_s, double time_s, double *next)
{
    if (at_s > time_s && at_s < *next)
        *next = at_s;
}

double pose_next_breakpoint(const scene_layer *layer, double time_s)
{
    double next = (double)INFINITY;
    min_breakpoint(layer->at_s, time_s, &next);
    if (layer->has_begin)
        min_breakpoint(layer->at_s + layer->fade_s, time_s, &next);
    if (layer->has_end) {
        min_breakpoint(layer->until_s - layer->fade_s, time_s, &next);
        min_breakpoint(layer->until_s, time_s, &next);
    }
    const track *weight = &layer->weight;
    const uint32_t key = track_keys_until(weight, time_s);
    if (key < weight->key_count)
        min_breakpoint(weight->time_s[key], time_s, &next);
    return next;
}

/// A part of a clip that repeats begins anew where it ends: its end is another pose than its start,
/// and would stand there for one frame. `beyond`: from the start of the part, as the sum of the
/// shot's times, which may fall short of a whole number of parts by their rounding.
static double time_in_part(double start, double length, double beyond)
{
    const double rounding = 1e-9 * (1.0 + fabs(beyond));
    const double into = fmod(beyond, length);
    return length - into < rounding && rounding < length ? start : start + into;
}

double pose_wrap_time(const scene_layer *layer, const model_clip *clip, double local_s)
{
    const scene_clip_range range = scene_layer_range(layer, clip);
    const double start = range.start_s, end = range.end_s;
    const double length = end - start;
    const scene_loop loop = length > 0.0 ? layer->loop : SCENE_LOOP_ONCE;
    double t = local_s;
    // Before the start only a clip that plays backwards goes on.
    if (!(t >= start) && !(t < start && scene_layer_goes_back(layer)))
        return start;
    if (t >= start && loop == SCENE_LOOP_REPEAT && layer->has_range)
        return time_in_part(start, length, t - start);
    if (t >= start && t <= end)
        return t;
    const double beyond = t < start ? start - t : t - start; // from the start, in either direction
    switch (loop) {
    case SCENE_LOOP_ONCE: return t < start ? start : end;
    case SCENE_LOOP_REPEAT:
        return t < start ? end - fmod(beyond, length) : start + fmod(beyond, length);
    case SCENE_LOOP_PING_PONG:
        t = fmod(beyond, 2.0 * length);
        return t <= length ? start + t : end - (t - length);
    }
    return start;
}

static double unsynced_time(const scene_layer *layer, double time_s)
{
    return layer->start_s + scene_layer_played(layer, time_s);
}

double pose_clip_time(const scene_layer *layer, const model_clip *clip, double time_s)
{
    return pose_wrap_time(layer, clip, unsynced_time(layer, time_s));
}

static scene_clip_range range_of(const scene_instance *instance, const scene_layer *layer)
{
    return scene_layer_range(layer, &instance->model->clips[layer->clip]);
}

static double clip_length(const scene_instance *instance, const scene_layer *layer)
{
    const scene_clip_range range = range_of(instance, layer);
    return range.end_s - range.start_s;
}

/// The shared rate minus the bottom layer's own, in cycles a second: 0 while it is alone.
static double extra_rate(const scene_instance *instance, double time_s)
{
    const scene_layer *bottom = &instance->layers[0];
    const double alone = bottom->speed / clip_length(instance, bottom);
    double rate = alone;
    for (uint32_t i = 1; i < instance->layer_count; i++) {
        const scene_layer *layer = &instance->layers[i];
        if (!layer->sync || layer->mode != SCENE_OVERRIDE)
            continue;
        const double own = layer->speed / clip_length(instance, layer);
        rate -= (rate - own) * pose_layer_weight(layer, time_s);
    }
    return rate - alone;
}

static bool has_sync(const scene_instance *instance)
{
    for (uint32_t i = 1; i < instance->layer_count; i++)
        if (instance->layers[i].sync)
            return true;
    return false;
}

double pose_sync_cycles(const scene_instance *instance, double from_s, double to_s)
{
    // Between two breakpoints the rate is a polynomial of time. Gauss-Legendre quadrature with
    // eight points (Abramowitz & Stegun, table 25.4) is exact up to degree 15, which two eased
    // fades with keyed weights reach.
    static const double abscissa[4] = {0.183434642495649805, 0.525532409916328986,
                                       0.796666477413626740, 0.960289856497536232};
    static const double quadrature_weight[4] = {0.362683783378361983, 0.313706645877887287,
                                                0.222381034453374471, 0.101228536290376259};
    double cycles = 0.0;
    if (from_s < instance->layers[0].at_s)
        from_s = instance->layers[0].at_s; // the bottom layer has not started
    while (from_s < to_s && has_sync(instance)) {
        double next = to_s;
        for (uint32_t i = 1; i < instance->layer_count; i++) {
            const double own = instance->layers[i].sync
                                   ? pose_next_breakpoint(&instance->layers[i], from_s)
                                   : (double)INFINITY;
            next = own < next ? own : next;
        }
        const double middle = 0.5 * (from_s + next), half = 0.5 * (next - from_s);
        for (int k = 0; k < 4; k++)
            cycles += half * quadrature_weight[k] *
                      (extra_rate(instance, middle - half * abscissa[k]) +
                       extra_rate(instance, middle + half * abscissa[k]));
        from_s = next;
    }
    return cycles;
}

double pose_layer_local_time(const scene_instance *instance, const scene_layer *layer,
                             double time_s, double sync_cycles)
{
    const scene_layer *bottom = &instance->layers[0];
    if (layer != bottom && !layer->sync)
        return unsynced_time(layer, time_s);
    const double local_s = unsynced_time(bottom, time_s);
    if (sync_cycles == 0.0 && layer == bottom)
        return local_s;
    const scene_clip_range below = range_of(instance, bottom);
    const double length = clip_length(instance, bottom);
    if (layer == bottom)
        return local_s + length * sync_cycles;
    const scene_clip_range own = range_of(instance, layer);
    if (layer->clip == bottom->clip && own.start_s == below.start_s && own.end_s == below.end_s)
        return local_s + length * sync_cycles + layer->start_s;
    const double cycles = (local_s - below.start_s) / length + sync_cycles;
    return own.start_s + layer->start_s + cycles * clip_length(instance, layer);
}

double pose_sync_cycles_since_start(const scene_instance *instance, double time_s)
{
    return instance->layer_count > 1 ? pose_sync_cycles(instance, instance->layers[0].at_s, time_s)
                                     : 0.0;
}

pose_layer_iterator pose_layers_begin(const scene_instance *instance, double time_s)
{
    return (pose_layer_iterator){instance, time_s, pose_sync_cycles_since_start(instance, time_s),
                                 0};
}

bool pose_layers_next(pose_layer_iterator *it, pose_active_layer *out)
{
    while (it->next < it->instance->layer_count) {
        const scene_layer *layer = &it->instance->layers[it->next++];
        *out = (pose_active_layer){.layer = layer,
                                   .weight = (float)pose_layer_weight(layer, it->time_s)};
        if (!(out->weight > 0.0f))
            continue;
        if (layer->clip >= 0)
            out->at_s = (float)pose_wrap_time(
                layer, &it->instance->model->clips[layer->clip],
                pose_layer_local_time(it->instance, layer, it->time_s, it->sync_cycles));
        return true;
    }
    return false;
}
