// SPDX-License-Identifier: MIT
/// Root motion: the way that a clip moves its root across the ground, taken out of the pose and
/// given to the instance, loop after loop. Within one loop of one clip it is what the clip shows.
///
/// A layer's way D(t) is known at once: whole loops times the stride, and the rest. An instance
/// goes on by the ways of its layers, each by its weight: it is where the integral of w(t) dD(t)
/// has brought it. Where weights stand still that is w (D(b) - D(a)); while they change, the sum
/// over short cells, with the weight in the middle of each.
#include "pose/pose.h"

#include <math.h>

/// Of a second: a cell while weights change. The error falls with its square; half of a permille of
/// a stride at a tenth of a clip.
#define CELL_S (1.0 / 128.0)
enum { CELLS_LEAST = 8, CELLS_MOST = 1024 };

/// From a place in the space of the root's parent: what of it lies across the ground.
static void across(const scene_root *root, double v[3])
{
    const double height = (root->up[0] * v[0] + root->up[1] * v[1]) + root->up[2] * v[2];
    for (int k = 0; k < 3; k++)
        v[k] -= root->up[k] * height;
}

/// How far the root is across the ground at a time of its clip, from where it is at the start.
static void root_at(const scene_root *root, float clip_time_s, float start_s, double out[3])
{
    float now[3], then[3];
    pose_sample_channel(root->channel, clip_time_s, 3, now);
    pose_sample_channel(root->channel, start_s, 3, then);
    for (int k = 0; k < 3; k++)
        out[k] = (double)now[k] - (double)then[k];
    across(root, out);
}

void pose_root_hold(const scene_layer *layer, pose_block *local)
{
    const scene_root *root = layer->root;
    if (layer->root_motion == SCENE_ROOT_KEEP || !root)
        return;
    float start[3];
    const uint32_t lane = (uint32_t)root->node % POSE_LANES;
    pose_block *b = &local[(uint32_t)root->node / POSE_LANES];
    pose_sample_channel(root->channel, root->channel->time_s[0], 3, start);
    double way[3];
    for (int k = 0; k < 3; k++)
        way[k] = (double)b->t[k][lane] - (double)start[k];
    across(root, way);
    for (int k = 0; k < 3; k++)
        b->t[k][lane] = (float)((double)b->t[k][lane] - way[k]);
}

// ---- Travel -------------------------------------------------------------------------------------

static bool travels(const scene_layer *layer)
{
    return layer->root_motion == SCENE_ROOT_EXTRACT && layer->root && layer->clip >= 0;
}

/// Where a layer's own way has brought it, in the instance's space.
static void layer_way(const scene_instance *instance, const scene_layer *layer, double time_s,
                      double sync_cycles, double out[3])
{
    const model_clip *clip = &instance->model->clips[layer->clip];
    const double length = (double)clip->end_s - (double)clip->start_s;
    const double way_s = pose_layer_way(instance, layer, time_s, sync_cycles);
    const double at_s = pose_wrap_time(layer, clip, way_s);
    double place[3], stride[3] = {0.0, 0.0, 0.0};
    root_at(layer->root, (float)at_s, clip->start_s, place);
    const bool waits = way_s < (double)clip->start_s && layer->speed >= 0.0;
    if (layer->loop == SCENE_LOOP_REPEAT && length > 0.0 && !waits) {
        const double loops = floor((way_s - at_s) / length + 0.5);
        root_at(layer->root, clip->end_s, clip->start_s, stride);
        for (int k = 0; k < 3; k++)
            place[k] += loops * stride[k];
    }
    for (int row = 0; row < 3; row++)
        out[row] = (layer->root->model_from_parent[0][row] * place[0] +
                    layer->root->model_from_parent[1][row] * place[1]) +
                   layer->root->model_from_parent[2][row] * place[2];
}

typedef struct journey {
    const scene_instance *instance;
    int32_t root;          ///< of the lowest layer that travels: its weight is the others' too
    double time_s, cycles; ///< how far it was followed
    double way[3];
} journey;

/// One step: the ways of all layers from the journey's time to `to_s`, by their weights at
/// `weights_at_s`.
static void go_on(journey *j, double to_s, double weights_at_s)
{
    const scene_instance *instance = j->instance;
    const double cycles = j->cycles + pose_sync_cycles(instance, j->time_s, to_s);
    double step[3] = {0.0, 0.0, 0.0};
    for (uint32_t i = 0; i < instance->layer_count; i++) {
        const scene_layer *layer = &instance->layers[i];
        double weight = pose_layer_weight(layer, weights_at_s), own[3] = {0.0, 0.0, 0.0};
        if (layer->mask)
            weight *= (double)layer->mask[layer->root ? layer->root->node : j->root];
        if (travels(layer)) {
            double before[3];
            layer_way(instance, layer, j->time_s, j->cycles, before);
            layer_way(instance, layer, to_s, cycles, own);
            for (int k = 0; k < 3; k++)
                own[k] -= before[k];
        }
        for (int k = 0; k < 3; k++)
            step[k] +=
                layer->mode == SCENE_ADDITIVE ? own[k] * weight : (own[k] - step[k]) * weight;
    }
    for (int k = 0; k < 3; k++)
        j->way[k] += step[k];
    j->time_s = to_s;
    j->cycles = cycles;
}

/// Follows the journey to `end_s`; until `break_s`, beyond, no weight bends. The cells do not
/// depend on where it ends, so that nothing jumps from one frame to the next.
static void follow(journey *j, double end_s, double break_s)
{
    const scene_instance *instance = j->instance;
    const double from_s = j->time_s;
    bool changes = false;
    for (uint32_t i = 0; i < instance->layer_count && isfinite(break_s); i++) {
        const scene_layer *layer = &instance->layers[i];
        const double third = (break_s - from_s) / 3.0;
        const double early = pose_layer_weight(layer, from_s + third);
        changes |= early != pose_layer_weight(layer, from_s + 2.0 * third) ||
                   early != pose_layer_weight(layer, from_s);
    }
    if (!changes) {
        go_on(j, end_s, 0.5 * (from_s + end_s));
        return;
    }
    double count = ceil((break_s - from_s) / CELL_S);
    count = count < CELLS_LEAST ? CELLS_LEAST : count > CELLS_MOST ? CELLS_MOST : count;
    const double cell_s = (break_s - from_s) / count;
    for (int k = 0; k < (int)count && j->time_s < end_s; k++) {
        const double to_s = k + 1 < (int)count ? from_s + (k + 1) * cell_s : break_s;
        go_on(j, to_s < end_s ? to_s : end_s, from_s + (k + 0.5) * cell_s);
    }
}

void pose_root_travel(const scene_instance *instance, double time_s, double out[3])
{
    journey j = {.instance = instance, .root = -1};
    for (uint32_t i = 0; i < instance->layer_count; i++) {
        const scene_layer *layer = &instance->layers[i];
        if (!travels(layer))
            continue;
        if (j.root < 0 || layer->at_s < j.time_s)
            j.time_s = layer->at_s;
        if (j.root < 0)
            j.root = layer->root->node;
    }
    if (j.root >= 0)
        j.cycles = pose_sync_until(instance, j.time_s);
    while (j.root >= 0 && j.time_s < time_s) {
        double next = (double)INFINITY;
        for (uint32_t i = 0; i < instance->layer_count; i++) {
            const double own = pose_next_break(&instance->layers[i], j.time_s);
            next = own < next ? own : next;
        }
        follow(&j, next < time_s ? next : time_s, next);
    }
    for (int k = 0; k < 3; k++)
        out[k] = j.way[k];
}
