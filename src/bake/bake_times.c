// SPDX-License-Identifier: MIT
/// Sample times: every frame from the first to the last and the end of the last, and between them
/// the times at which something has a key, so that keys can be where they were.
#include "bake/bake.h"
#include "base/maths.h"
#include "pose/pose_springs.h"
#include "scene/scene_ik.h"

#include <math.h>

enum {
    SAMPLE_LIMIT = 1000000,
    DENSITY_MAX = 4 ///< key times of one source, for each frame: with more, frames are enough
};

typedef struct time_list {
    const zt_scene *scene;
    arena *a;
    double from_s, to_s;
    uint32_t frames;
    uint32_t count, capacity;
    double *time_s;
    bool crowded; ///< there are more times than are of use
} time_list;

/// Sorts the times, and keeps those that are apart: sources share most of them.
static void tidy(time_list *list)
{
    uint32_t kept = 0;
    maths_sort(list->time_s, list->count);
    for (uint32_t i = 0; i < list->count; i++)
        if (kept == 0 || list->time_s[i] - list->time_s[kept - 1] >= BAKE_MIN_STEP_S)
            list->time_s[kept++] = list->time_s[i];
    list->count = kept;
}

/// The number of times that are of use: with more, frames are enough.
static double max_times(const time_list *list)
{
    return (double)DENSITY_MAX * (double)list->frames + 64.0;
}

/// Makes room for one more time. False: there are too many, or the arena has failed.
static bool make_room(time_list *list)
{
    if (list->count < list->capacity)
        return true;
    tidy(list);
    list->crowded |= (double)list->count > max_times(list);
    if (list->crowded || list->count < list->capacity / 2)
        return !list->crowded;
    const uint32_t capacity = list->capacity ? 2 * list->capacity : 256;
    double *grown = ARENA_ARRAY_RAW(list->a, double, capacity);
    if (!grown)
        return false;
    for (uint32_t i = 0; i < list->count; i++)
        grown[i] = list->time_s[i];
    list->time_s = grown;
    list->capacity = capacity;
    return true;
}

static void add_time(time_list *list, double time_s)
{
    if (time_s > list->from_s && time_s < list->to_s && make_room(list))
        list->time_s[list->count++] = time_s;
}

/// True when so many keys a period are more than frames can use.
static bool is_dense(const time_list *list, double keys, double period_s)
{
    const double length = list->to_s - list->from_s;
    const double periods = period_s > 0.0 ? length / period_s + 1.0 : 1.0;
    return !(keys * periods <= max_times(list));
}

/// Adds `first_s`, and with a period all times that are multiples of it away, if not too dense.
static void add_repeated(time_list *list, double first_s, double period_s)
{
    if (!(period_s > 0.0)) {
        add_time(list, first_s);
        return;
    }
    if (is_dense(list, 1.0, period_s))
        return;
    const double before = floor((first_s - list->from_s) / period_s);
    const double from_s = first_s - before * period_s;
    const double count = ceil((list->to_s - from_s) / period_s);
    for (int64_t k = 0; (double)k < count; k++)
        add_time(list, from_s + (double)k * period_s);
}

static void add_track(time_list *list, const track *t)
{
    double period_s = 0.0;
    if (t->key_count < 2)
        return;
    if (t->loop)
        period_s = t->time_s[t->key_count - 1] - t->time_s[0];
    if (is_dense(list, t->key_count, period_s))
        return;
    for (uint32_t k = 0; k < t->key_count; k++)
        add_repeated(list, t->time_s[k], period_s);
}

/// Adds the shot times at which a layer that is not synchronized passes a time of its clip.
static void add_clip_time(time_list *list, const scene_layer *layer, const model_clip *clip,
                          double clip_s)
{
    const scene_clip_range range = scene_layer_range(layer, clip);
    const double start_s = range.start_s, length_s = range.end_s - start_s;
    if (clip_s < range.start_s || clip_s > range.end_s)
        return;
    const double shot_s = layer->at_s + (clip_s - layer->start_s) / layer->speed;
    const double rate = fabs(layer->speed);
    switch (length_s > 0.0 ? layer->loop : SCENE_LOOP_ONCE) {
    case SCENE_LOOP_ONCE: add_time(list, shot_s); return;
    case SCENE_LOOP_REPEAT: add_repeated(list, shot_s, length_s / rate); return;
    case SCENE_LOOP_PING_PONG:
        add_repeated(list, shot_s, 2.0 * length_s / rate);
        add_repeated(list, shot_s + 2.0 * (start_s + length_s - clip_s) / layer->speed,
                     2.0 * length_s / rate);
        return;
    }
}

/// True for a layer in step with others, as the bottom layer is with any, or of a keyed speed.
static bool is_uneven(const scene_instance *instance, const scene_layer *layer)
{
    bool uneven = layer->sync || layer->speed_keys;
    for (uint32_t i = 1; i < instance->layer_count && layer == instance->layers; i++)
        uneven |= instance->layers[i].sync;
    return uneven;
}

/// Keys before the time of a layer's clip: as many as before, and none was passed.
static uint32_t keys_before(const scene_instance *instance, const scene_layer *layer,
                            const model_channel *channel, double time_s)
{
    const double cycles = pose_sync_cycles_since_start(instance, time_s);
    const double local_s = pose_layer_local_time(instance, layer, time_s, cycles);
    const double clip_s = pose_wrap_time(layer, &instance->model->clips[layer->clip], local_s);
    uint32_t low = 0, high = channel->key_count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if ((double)channel->time_s[middle] < clip_s)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/// Adds the times at which a clip that does not run evenly passes keys, seen from halves of frames.
static void add_passes(time_list *list, const scene_instance *instance, const scene_layer *layer,
                       const model_channel *channel)
{
    const double half_s = 0.5 * (list->to_s - list->from_s) / list->frames;
    double at_s = list->from_s;
    uint32_t keys = keys_before(instance, layer, channel, at_s);
    for (uint32_t f = 1; f <= 2 * list->frames && !list->crowded; f++) {
        const double end_s = list->from_s + half_s * f;
        while (keys_before(instance, layer, channel, end_s) != keys) {
            double passed_s = end_s;
            while (passed_s - at_s > 0.1 * BAKE_MIN_STEP_S) {
                const double middle_s = 0.5 * (at_s + passed_s);
                if (keys_before(instance, layer, channel, middle_s) == keys)
                    at_s = middle_s;
                else
                    passed_s = middle_s;
            }
            add_time(list, passed_s);
            at_s = passed_s;
            keys = keys_before(instance, layer, channel, at_s);
        }
        at_s = end_s;
    }
}

static void add_layer(time_list *list, const scene_instance *instance, const scene_layer *layer)
{
    double at_s = list->from_s;
    for (int i = 0; i < 1000 && at_s < list->to_s; i++) {
        at_s = pose_next_breakpoint(layer, at_s);
        add_time(list, at_s);
    }
    if (layer->speed_keys)
        add_track(list, &layer->speed_keys->keys);
    if (layer->clip < 0 || !isnan(list->scene->freeze_time_s) || !(fabs(layer->speed) > 1e-9))
        return;
    const model_clip *clip = &instance->model->clips[layer->clip];
    const scene_clip_range range = scene_layer_range(layer, clip);
    const double length_s = range.end_s - range.start_s;
    const bool uneven = is_uneven(instance, layer);
    if (layer->has_range && !uneven) {
        add_clip_time(list, layer, clip, range.start_s);
        add_clip_time(list, layer, clip, range.end_s);
    }
    const float *before = NULL;
    for (uint32_t i = 0; i < clip->channel_count; i++) {
        const model_channel *channel = &clip->channels[i];
        if (channel->time_s == before ||
            is_dense(list, channel->key_count, length_s / fabs(layer->speed)))
            continue;
        before = channel->time_s;
        if (uneven)
            add_passes(list, instance, layer, channel);
        for (uint32_t k = 0; k < channel->key_count && !uneven; k++)
            add_clip_time(list, layer, clip, (double)channel->time_s[k]);
    }
}

static void add_instance(time_list *list, const scene_instance *instance)
{
    add_track(list, &instance->translate);
    add_track(list, &instance->rotate);
    add_track(list, &instance->scale);
    for (uint32_t i = 0; i < instance->layer_count; i++)
        add_layer(list, instance, &instance->layers[i]);
    for (uint32_t i = 0; i < instance->bone_key_count; i++) {
        const scene_bone_keys *keys = &instance->bone_keys[i];
        add_track(list, &keys->translate);
        add_track(list, &keys->rotate);
        add_track(list, &keys->scale);
        add_track(list, &keys->weight);
    }
    for (uint32_t i = 0; i < instance->ik_count; i++) {
        add_track(list, &instance->ik[i].weight);
        add_track(list, &instance->ik[i].target.point);
    }
    for (uint32_t i = 0; i < instance->parent_change_count; i++)
        add_time(list, instance->parent_changes[i].time_s);
    for (uint32_t i = 0; i < instance->morph_count; i++)
        add_track(list, &instance->morphs[i].weight);
}

/// Frames, and the times of the list that are apart from all others.
static zt_result merge(bake_job *bake, const time_list *list, int64_t first)
{
    const uint32_t capacity = list->frames + 1 + list->count;
    frame_time *time = ARENA_ARRAY_RAW(bake->a, frame_time, capacity);
    float *key_s = ARENA_ARRAY_RAW(bake->a, float, capacity);
    uint32_t count = 0, next = 0;
    if (!time || !key_s)
        return arena_fail(bake->a, bake->err, "sample times");
    const uint32_t frames = list->frames > 1 ? list->frames + 1 : 1;
    for (uint32_t f = 0; f < frames; f++) {
        const frame_time at = scene_frame_time(bake->scene, first + f);
        for (; next < list->count && list->time_s[next] < at.shot_s; next++) {
            const double t = list->time_s[next];
            const float key = (float)(t - list->from_s);
            if (count == 0 || t - time[count - 1].shot_s < BAKE_MIN_STEP_S ||
                at.shot_s - t < BAKE_MIN_STEP_S || !(key > key_s[count - 1]) ||
                !(key < (float)(at.shot_s - list->from_s)))
                continue;
            time[count] = scene_shot_time(bake->scene, t);
            key_s[count++] = key;
        }
        time[count] = at;
        key_s[count++] = (float)(at.shot_s - list->from_s);
    }
    ZT_TRY(spring_trail_build(bake->kernels->pose, bake->scene, list->to_s, bake->a, &bake->trail,
                              bake->err));
    bake->times = (bake_times){count, time, key_s};
    return ZT_OK;
}

zt_result bake_find_times(bake_job *bake)
{
    const zt_scene *scene = bake->scene;
    int64_t first = scene->selected.frame[0], last = first;
    for (int64_t i = 1; i < scene->selected.count; i++) {
        first = scene->selected.frame[i] < first ? scene->selected.frame[i] : first;
        last = scene->selected.frame[i] > last ? scene->selected.frame[i] : last;
    }
    if (last - first >= SAMPLE_LIMIT)
        return zt_fail(bake->err, ZT_ERR_LIMIT, "%s: a shot of %lld frames (at most %d are baked)",
                       scene->path, (long long)(last - first + 1), (int)SAMPLE_LIMIT);
    time_list list = {.scene = scene,
                      .a = bake->a,
                      .from_s = scene_frame_time(scene, first).shot_s,
                      .to_s = scene_frame_time(scene, last + 1).shot_s,
                      .frames = (uint32_t)(last - first + 1)};
    for (uint32_t i = 0; i < scene->instance_count && list.frames > 1; i++)
        add_instance(&list, &scene->instances[i]);
    if (bake->a->failed != ZT_OK)
        return arena_fail(bake->a, bake->err, "sample times");
    tidy(&list);
    if (list.crowded || (double)list.count > max_times(&list))
        list.count = 0;
    return merge(bake, &list, first);
}
