// SPDX-License-Identifier: MIT
/// Root motion of a layer is known in closed form, M(t): its clip's, and loops add up. Of an
/// instance it is the integral of w(t) dM(t) over layers by weights, each step along the heading
/// reached. While one layer has full weight it is M(a)^-1 M(b); while nothing rotates and weights
/// are constant, w times that; else a sum over short steps.
///
/// Within a loop, the motion taken out of a pose and the pose that is left give the clip.
#include "pose/root_motion.h"

#include "base/maths.h"
#include "base/quat.h"
#include "pose/pose.h"

#include <math.h>

/// Seconds of a step while weights change; the error falls with its square (0.0005 of a stride).
#define STEP_S (1.0 / 128.0)
enum {
    MIN_STEPS = 8,           ///< between two breakpoints of a weight
    MAX_STEPS = 1024,        ///< and of one length, where lengths grow
    GROWING_STEPS = 1 << 15, ///< enough for 1,000 years
};

// ---- Composition --------------------------------------------------------------------------------

static dvec3 rotate_about_y(double degrees, dvec3 v)
{
    double sine, cosine;
    maths_sincos_deg(degrees, &sine, &cosine);
    return (dvec3){cosine * v.x + sine * v.z, v.y, cosine * v.z - sine * v.x};
}

/// `a`, and then `b` in the direction that `a` leads to.
static root_motion motion_then(const root_motion *a, const root_motion *b)
{
    const dvec3 next = rotate_about_y(a->heading_deg, b->displacement);
    return (root_motion){a->heading_deg + b->heading_deg, dvec3_add(next, a->displacement)};
}

/// The motion that follows `a` to give `b`.
static root_motion motion_between(const root_motion *a, const root_motion *b)
{
    const dvec3 step = dvec3_sub(b->displacement, a->displacement);
    return (root_motion){b->heading_deg - a->heading_deg, rotate_about_y(-a->heading_deg, step)};
}

/// `count` times `a`, backwards when negative, by squaring: as many steps as binary digits.
static root_motion motion_times(const root_motion *a, double count)
{
    const root_motion none = {0};
    root_motion out = none, power = count < 0.0 ? motion_between(a, &none) : *a;
    for (double left = fabs(count); left >= 1.0; left = floor(0.5 * left)) {
        if (fmod(left, 2.0) >= 1.0)
            out = motion_then(&out, &power);
        power = motion_then(&power, &power);
    }
    return out;
}

// ---- One clip -----------------------------------------------------------------------------------

static dvec3 translation_at(const scene_root *root, float clip_time_s)
{
    float t[3];
    model_sample_channel(root->channel, clip_time_s, 3, t);
    return dvec3_from_floats(t);
}

/// The displacement of the root over ground since its clip's start, in its parent's space.
static dvec3 ground_displacement(const scene_root *root, float clip_time_s, float start_s)
{
    if (!root->channel)
        return (dvec3){0.0, 0.0, 0.0};
    const dvec3 moved = dvec3_sub(translation_at(root, clip_time_s), translation_at(root, start_s));
    return dvec3_reject(moved, root->up);
}

/// Rotates the root back to its heading at the start of the clip.
static void remove_heading(const scene_root *root, pose_block *b, uint32_t lane)
{
    float q[4];
    double half[2];
    for (int k = 0; k < 4; k++)
        q[k] = b->r[k][lane];
    (void)scene_root_heading(root, q, half);
    const dvec3 axis = dvec3_scale(root->up, half[1]);
    const quat back = {-axis.x, -axis.y, -axis.z, half[0]};
    quat_to_floats(quat_multiply(back, quat_from_floats(q)), q);
    for (int k = 0; k < 4; k++)
        b->r[k][lane] = q[k];
}

void root_motion_remove(const scene_layer *layer, pose_block *local)
{
    const scene_root *root = layer->root;
    if (layer->root_motion == SCENE_ROOT_KEEP || !root || root->steady)
        return;
    const uint32_t lane = (uint32_t)root->node % POSE_LANES;
    pose_block *b = &local[(uint32_t)root->node / POSE_LANES];
    if (root->rotation)
        remove_heading(root, b, lane);
    if (!root->channel)
        return;
    float t[3];
    for (int k = 0; k < 3; k++)
        t[k] = b->t[k][lane];
    const dvec3 posed = dvec3_from_floats(t);
    const dvec3 moved = dvec3_sub(posed, translation_at(root, root->channel->time_s[0]));
    dvec3_to_floats(dvec3_sub(posed, dvec3_reject(moved, root->up)), t);
    for (int k = 0; k < 3; k++)
        b->t[k][lane] = t[k];
}

/// The heading of the root in the model at a time of its clip, continuous from key to key.
static double heading_at(const scene_root *root, float clip_time_s)
{
    const model_channel *c = root->rotation;
    const model_timeline timeline = {c->time_s, c->key_count, 0.0f};
    const pose_key_interval at = model_key_interval(&timeline, clip_time_s);
    float q[4];
    double half[2];
    model_sample_channel(c, clip_time_s, 4, q);
    const double heading = scene_root_heading(root, q, half);
    const double near_deg = root->heading_deg[at.s < 0.5f ? at.first : at.first + 1];
    const double unwrapped = heading + 360.0 * floor((near_deg - heading) / 360.0 + 0.5);
    return root->mirrored ? -unwrapped : unwrapped;
}

/// The motion of a rotating root: about where it is at the clip's start, not about the origin.
static root_motion rotating_motion(const scene_instance *instance, const scene_root *root,
                                   float clip_time_s, float start_s)
{
    const affine *model_from_parent = &root->model_from_parent;
    const double heading_deg = heading_at(root, clip_time_s);
    const dvec3 moved =
        dmat3_transform(&model_from_parent->m, ground_displacement(root, clip_time_s, start_s));
    const dvec3 start = root->channel
                            ? translation_at(root, start_s)
                            : dvec3_from_floats(instance->model->nodes[root->node].rest.t);
    const dvec3 pivot = affine_point(model_from_parent, start);
    const dvec3 rotated = rotate_about_y(heading_deg, pivot);
    return (root_motion){heading_deg, dvec3_add(moved, dvec3_sub(pivot, rotated))};
}

/// The same from the start of a layer's range; of a whole clip since its start, bit for bit.
static root_motion motion_in_range(const scene_instance *instance, const scene_layer *layer,
                                   float start_s, float clip_time_s)
{
    const float clip_start_s = instance->model->clips[layer->clip].start_s;
    const root_motion to = rotating_motion(instance, layer->root, clip_time_s, clip_start_s);
    if (!layer->has_range)
        return to;
    const root_motion from = rotating_motion(instance, layer->root, start_s, clip_start_s);
    return motion_between(&from, &to);
}

/// The motion of a layer's root since the start of its range, in the space of the instance.
/// `sync_cycles`: of pose_sync_cycles_since_start(). Only of layers that extract a root.
static root_motion layer_motion(const scene_instance *instance, const scene_layer *layer,
                                double time_s, double sync_cycles)
{
    const scene_root *root = layer->root;
    const model_clip *clip = &instance->model->clips[layer->clip];
    const scene_clip_range range = scene_layer_range(layer, clip);
    const float start_s = (float)range.start_s, end_s = (float)range.end_s;
    const double length = range.end_s - range.start_s;
    const double local_s = pose_layer_local_time(instance, layer, time_s, sync_cycles);
    const double clip_s = pose_wrap_time(layer, clip, local_s);
    const bool waits = local_s < range.start_s && !scene_layer_goes_back(layer);
    const bool repeats = layer->loop == SCENE_LOOP_REPEAT && length > 0.0 && !waits;
    const double loops = repeats ? floor((local_s - clip_s) / length + 0.5) : 0.0;
    if (root->steady)
        return (root_motion){
            .displacement = dvec3_scale(root->velocity, (clip_s - range.start_s) + loops * length)};
    if (root->rotation) {
        const root_motion loop = motion_in_range(instance, layer, start_s, end_s);
        const root_motion whole = motion_times(&loop, loops);
        const root_motion rest = motion_in_range(instance, layer, start_s, (float)clip_s);
        return motion_then(&whole, &rest);
    }
    dvec3 moved = ground_displacement(root, (float)clip_s, start_s);
    if (repeats) {
        const dvec3 stride = ground_displacement(root, end_s, start_s);
        moved = dvec3_add(moved, dvec3_scale(stride, loops));
    }
    return (root_motion){.displacement = dmat3_transform(&root->model_from_parent.m, moved)};
}

// ---- All layers of an instance ------------------------------------------------------------------

typedef struct integral {
    const scene_instance *instance;
    int32_t root;          ///< node of the lowest layer that moves: masks of the others count there
    bool rotates;          ///< some root does
    double time_s, cycles; ///< how far it is integrated
    root_motion motion;
} integral;

static bool moves_instance(const scene_layer *layer)
{
    return layer->root_motion == SCENE_ROOT_EXTRACT && layer->root && layer->clip >= 0;
}

static double weight_at(const integral *in, const scene_layer *layer, double time_s)
{
    const double weight = pose_layer_weight(layer, time_s);
    if (!layer->mask)
        return weight;
    return weight * (double)layer->mask[layer->root ? layer->root->node : in->root];
}

/// The motion of one layer from the integral's time to `to_s`.
static root_motion layer_step(const integral *in, const scene_layer *layer, double to_s,
                              double cycles)
{
    if (!moves_instance(layer))
        return (root_motion){0};
    const root_motion before = layer_motion(in->instance, layer, in->time_s, in->cycles);
    const root_motion after = layer_motion(in->instance, layer, to_s, cycles);
    return motion_between(&before, &after);
}

/// One step to `to_s`: the motions of all layers, bottom first, by their weights at
/// `weights_at_s`.
static void integrate_step(integral *in, double to_s, double weights_at_s)
{
    const scene_instance *instance = in->instance;
    const double cycles = in->cycles + pose_sync_cycles(instance, in->time_s, to_s);
    root_motion step = {0};
    for (uint32_t i = 0; i < instance->layer_count; i++) {
        const scene_layer *layer = &instance->layers[i];
        const double weight = weight_at(in, layer, weights_at_s);
        root_motion change = layer_step(in, layer, to_s, cycles);
        if (layer->mode == SCENE_OVERRIDE) {
            change.heading_deg -= step.heading_deg;
            change.displacement = dvec3_sub(change.displacement, step.displacement);
        }
        step.heading_deg += change.heading_deg * weight;
        step.displacement = dvec3_add(step.displacement, dvec3_scale(change.displacement, weight));
    }
    in->motion = motion_then(&in->motion, &step);
    in->time_s = to_s;
    in->cycles = cycles;
}

static bool weights_change(const integral *in, double break_s)
{
    const double from_s = in->time_s, third = (break_s - from_s) / 3.0;
    bool changes = false;
    for (uint32_t i = 0; i < in->instance->layer_count && isfinite(break_s); i++) {
        const scene_layer *layer = &in->instance->layers[i];
        const double early = pose_layer_weight(layer, from_s + third);
        changes |= early != pose_layer_weight(layer, from_s + 2.0 * third) ||
                   early != pose_layer_weight(layer, from_s);
    }
    return changes;
}

/// True when several layers contribute at a time: one's rotation bends another's path.
static bool weights_mix(const integral *in, double time_s)
{
    bool mix = false;
    for (uint32_t i = 0; i < in->instance->layer_count; i++) {
        const scene_layer *layer = &in->instance->layers[i];
        const double weight = weight_at(in, layer, time_s);
        mix |= weight > 0.0 && (weight < 1.0 || layer->mode == SCENE_ADDITIVE);
    }
    return mix;
}

/// Steps that double after every MAX_STEPS: at most a 500th of the time since the first, and few.
static void integrate_growing(integral *in, double end_s)
{
    double to_s = in->time_s, step_s = STEP_S;
    for (int k = 1; k < GROWING_STEPS && in->time_s < end_s; k++) {
        to_s += step_s;
        integrate_step(in, to_s < end_s ? to_s : end_s, to_s - 0.5 * step_s);
        if (k % MAX_STEPS == 0)
            step_s *= 2.0;
    }
    if (in->time_s < end_s)
        integrate_step(in, end_s, end_s);
}

/// Integrates to `end_s`. `break_s`, not before it, is the next breakpoint of a weight: steps
/// divide the time up to it, whatever `end_s` is, so that nothing jumps from one frame to the next.
static void integrate(integral *in, double end_s, double break_s)
{
    const double from_s = in->time_s;
    const bool bends = in->rotates && weights_mix(in, 0.5 * (from_s + end_s));
    if (!bends && !weights_change(in, break_s)) {
        integrate_step(in, end_s, 0.5 * (from_s + end_s));
        return;
    }
    if (!isfinite(break_s)) {
        integrate_growing(in, end_s);
        return;
    }
    double count = ceil((break_s - from_s) / STEP_S);
    count = count < MIN_STEPS ? MIN_STEPS : count > MAX_STEPS ? MAX_STEPS : count;
    const double step_s = (break_s - from_s) / count;
    for (int k = 0; k < (int)count && in->time_s < end_s; k++) {
        const double to_s = k + 1 < (int)count ? from_s + (k + 1) * step_s : break_s;
        integrate_step(in, to_s < end_s ? to_s : end_s, from_s + (k + 0.5) * step_s);
    }
}

static double next_breakpoint(const integral *in)
{
    double next = (double)INFINITY;
    for (uint32_t i = 0; i < in->instance->layer_count; i++) {
        const double own = pose_next_breakpoint(&in->instance->layers[i], in->time_s);
        next = own < next ? own : next;
    }
    return next;
}

root_motion root_motion_evaluate(const scene_instance *instance, double time_s)
{
    integral in = {.instance = instance, .root = -1};
    for (uint32_t i = 0; i < instance->layer_count; i++) {
        const scene_layer *layer = &instance->layers[i];
        if (!moves_instance(layer))
            continue;
        // A layer in step moves as soon as the bottom layer does.
        const double bottom_s = instance->layers[0].at_s;
        const double from_s = layer->sync && bottom_s < layer->at_s ? bottom_s : layer->at_s;
        if (in.root < 0 || from_s < in.time_s)
            in.time_s = from_s;
        if (in.root < 0)
            in.root = layer->root->node;
        in.rotates |= layer->root->rotation != NULL;
    }
    if (in.root < 0)
        return in.motion;
    in.cycles = pose_sync_cycles_since_start(instance, in.time_s);
    while (in.time_s < time_s) {
        const double next = next_breakpoint(&in);
        integrate(&in, next < time_s ? next : time_s, next);
    }
    return in.motion;
}
