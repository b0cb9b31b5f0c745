// SPDX-License-Identifier: MIT
/// Steps: keys and clips that hold or start again elsewhere, layers that begin or end at once.
#include "base/maths.h"
#include "model/clip_copy.h"
#include "pose/pose.h"

#include <math.h>

/// The largest part of its size, or of 1, by which a value changes that counts as the same.
#define SAME_PART 1e-4f
enum { LOOK_COUNT = 8 }; ///< at a layer on the way to an end: it may turn back, or hold shortly

typedef struct step_search {
    const zt_scene *scene;
    double time_s, *from_s, *to_s;
    const scene_instance *instance;
    const scene_layer *layer;
    float *value; ///< room for the values of a channel at two times
} step_search;

/// Narrows the times at the steps at_s + n period_s, or with a period of 0 at_s.
static void cut(step_search *s, double at_s, double period_s)
{
    at_s += period_s > 0.0 ? floor((s->time_s - at_s) / period_s) * period_s : 0.0;
    const double next_s = at_s > s->time_s ? at_s : at_s + period_s;
    if (at_s <= s->time_s && at_s > *s->from_s)
        *s->from_s = at_s;
    if (next_s > s->time_s && next_s < *s->to_s)
        *s->to_s = next_s;
}

/// True when the clip of the layer has other values at one time than at another; `holds`: in a
/// channel that holds its values. Motion that is taken out of the pose does not count.
static bool clip_differs(const step_search *s, const float time_s[2], bool holds)
{
    const zt_model *model = s->instance->model;
    const model_clip *clip = &model->clips[s->layer->clip];
    const scene_root *root = s->layer->root_motion == SCENE_ROOT_KEEP ? NULL : s->layer->root;
    const uint32_t moves = clip->channel_count, count = moves + clip->property_channel_count;
    bool differs = false;
    for (uint32_t i = 0; i < count && !differs; i++) {
        const model_property_channel *p = i < moves ? NULL : &clip->property_channels[i - moves];
        const model_channel *c = p ? &p->keys : &clip->channels[i];
        const uint32_t width = p                          ? model->properties[p->property].width
                               : c->path == MODEL_WEIGHTS ? clip_morph_count(model, c->node)
                                                          : clip_width(c->path);
        float *a = s->value, *b = a + width, size = 1.0f, gap = 0.0f, sum = 0.0f;
        if ((holds && c->interpolation != MODEL_STEP) ||
            (root && (c == root->channel || c == root->rotation)))
            continue;
        model_sample_channel(c, time_s[0], width, a);
        model_sample_channel(c, time_s[1], width, b);
        for (uint32_t k = 0; k < width; k++) {
            size = maths_maxf(size, fabsf(a[k]));
            gap = maths_maxf(gap, fabsf(a[k] - b[k]));
            sum = maths_maxf(sum, fabsf(a[k] + b[k])); // 0: the same rotation
        }
        differs = (c->path == MODEL_ROTATION ? maths_minf(gap, sum) : gap) > SAME_PART * size;
    }
    return differs;
}

/// True when the clip of the layer steps between a time and the frame's.
static bool is_parted(const step_search *s, double at_s)
{
    const model_clip *clip = &s->instance->model->clips[s->layer->clip];
    const scene_clip_range range = scene_layer_range(s->layer, clip);
    double local_s[2], clip_s[2];
    for (int i = 0; i < 2; i++) {
        const double time_s = scene_shot_time(s->scene, i ? s->time_s : at_s).animation_s;
        const double cycles = pose_sync_cycles_since_start(s->instance, time_s);
        local_s[i] = pose_layer_local_time(s->instance, s->layer, time_s, cycles);
        clip_s[i] = pose_wrap_time(s->layer, clip, local_s[i]);
    }
    // The last key of a channel that holds stands for no time.
    const float ends[2] = {(float)range.start_s, (float)(range.end_s - 2e-7 * fabs(range.end_s))};
    if (s->layer->loop != SCENE_LOOP_ONCE)
        clip_s[0] = maths_min(clip_s[0], (double)ends[1]);
    const double leapt_s = (local_s[1] - local_s[0]) - (clip_s[1] - clip_s[0]);
    return clip_differs(s, (const float[]){(float)clip_s[0], (float)clip_s[1]}, true) ||
           (s->layer->loop == SCENE_LOOP_REPEAT &&
            fabs(leapt_s) > 0.5 * (range.end_s - range.start_s) && clip_differs(s, ends, false));
}

/// The end of the times that no step of the layer's clip parts from the frame's, towards `end_s`.
static double find_step(const step_search *s, double end_s)
{
    double near_s = s->time_s, far_s = near_s;
    bool parted = false;
    for (int i = 1; i <= LOOK_COUNT && !parted && s->layer->clip >= 0; i++) {
        near_s = far_s;
        far_s = i < LOOK_COUNT ? s->time_s + (end_s - s->time_s) * i / LOOK_COUNT : end_s;
        parted = is_parted(s, far_s);
    }
    for (int i = 0; i < 60 && parted; i++) { // to neighbouring numbers
        const double middle_s = 0.5 * (near_s + far_s);
        *(is_parted(s, middle_s) ? &far_s : &near_s) = middle_s;
    }
    return !parted ? end_s : end_s < s->time_s ? near_s : far_s;
}

zt_result pose_unstepped(const zt_scene *scene, frame_time time, arena *scratch, double *from_s,
                         double *to_s, zt_error *err)
{
    const size_t width = pose_morph_capacity(scene) + MODEL_PROPERTY_WIDTH;
    const double rate = scene->turntable.clip_rate > 0.0 ? scene->turntable.clip_rate : 1.0;
    pose_active_layer active[SCENE_LAYER_LIMIT];
    step_search s = {.scene = scene, .time_s = time.shot_s, .from_s = from_s, .to_s = to_s};
    ZT_TRY(ARENA_TAKE_RAW(scratch, &s.value, 2 * width, "steps", err));
    for (const scene_step *step = scene->steps; step; step = step->next)
        cut(&s, step->at_s, step->period_s);
    for (uint32_t i = 0; i < scene->instance_count && isnan(scene->freeze_time_s); i++) {
        s.instance = &scene->instances[i];
        for (uint32_t k = 0; k < s.instance->layer_count; k++) {
            const scene_layer *layer = &s.instance->layers[k];
            if (layer->has_begin && !(layer->fade_s > 0.0))
                cut(&s, layer->at_s / rate, 0.0);
            if (layer->has_end && !(layer->fade_s > 0.0))
                cut(&s, layer->until_s / rate, 0.0);
        }
        const uint32_t count = pose_active_layers(s.instance, time.animation_s, active);
        for (uint32_t k = 0; k < count; k++) {
            s.layer = active[k].layer;
            *from_s = find_step(&s, *from_s);
            *to_s = find_step(&s, *to_s);
        }
    }
    return ZT_OK;
}
