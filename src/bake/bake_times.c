// SPDX-License-Identifier: MIT
/// Sample times: every frame from the first to the last and the end of the last, and between them
/// the times at which something has a key, so that keys can be where they were.
#include "bake/bake.h"
#include "base/maths.h"
#include "pose/pose_springs.h"
#include "scene/scene_ik.h"

#include <math.h>
#include <string.h>

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

/// Counts what the clip of a layer has passed: its ends and the keys of a channel.
static double passes_before(const scene_instance *instance, const scene_layer *layer,
                            const model_channel *channel, double time_s)
{
    const model_clip *clip = &instance->model->clips[layer->clip];
    const scene_clip_range range = scene_layer_range(layer, clip);
    const model_timeline keys = {channel->time_s, channel->key_count, 0.0f};
    const double cycles = pose_sync_cycles_since_start(instance, time_s);
    const double local_s = pose_layer_local_time(instance, layer, time_s, cycles);
    const pose_key_interval at =
        model_key_interval(&keys, (float)pose_wrap_time(layer, clip, local_s));
    const double ends = floor((local_s - range.start_s) / (range.end_s - range.start_s));
    return ends * 2.0 * channel->key_count + 2.0 * at.first + (at.s > 0.0f) + (at.s >= 1.0f);
}

/// Adds the times at which that changes, seen from halves of frames.
static void add_passes(time_list *list, const scene_instance *instance, const scene_layer *layer,
                       const model_channel *channel)
{
    const double half_s = 0.5 * (list->to_s - list->from_s) / list->frames;
    double at_s = list->from_s, passed = passes_before(instance, layer, channel, at_s);
    for (uint32_t f = 1; f <= 2 * list->frames && !list->crowded; f++) {
        const double end_s = list->from_s + half_s * f;
        while (at_s < end_s && !list->crowded &&
               passes_before(instance, layer, channel, end_s) != passed) {
            double next_s = end_s;
            while (next_s - at_s > 0.01 * BAKE_MIN_STEP_S) {
                const double middle_s = 0.5 * (at_s + next_s);
                if (!(middle_s > at_s && middle_s < next_s))
                    break; // late times are farther apart
                if (passes_before(instance, layer, channel, middle_s) == passed)
                    at_s = middle_s;
                else
                    next_s = middle_s;
            }
            add_time(list, next_s);
            at_s = maths_min(next_s + BAKE_MIN_STEP_S, end_s); // nearer times are one
            passed = passes_before(instance, layer, channel, at_s);
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
    const model_channel *before = NULL;
    for (uint32_t i = 0; i < clip->channel_count && length_s > 0.0; i++) {
        const model_channel *channel = &clip->channels[i];
        const uint32_t count = channel->key_count;
        if ((before && before->key_count == count &&
             memcmp(before->time_s, channel->time_s, count * sizeof *before->time_s) == 0) ||
            is_dense(list, count, length_s / fabs(layer->speed)))
            continue;
        before = channel;
        add_passes(list, instance, layer, channel);
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
