// SPDX-License-Identifier: MIT
/// Root motion of one clip: the way that it moves its root across the ground, and turns it where
/// the scene asks for that, is taken out of the pose; whole loops add up. Within one loop what is
/// taken out and what is left are together what the clip shows.
#include "pose/pose.h"
#include "pose/root_move.h"

#include <math.h>

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
    if (!root->channel) {
        out[0] = out[1] = out[2] = 0.0;
        return;
    }
    pose_sample_channel(root->channel, clip_time_s, 3, now);
    pose_sample_channel(root->channel, start_s, 3, then);
    for (int k = 0; k < 3; k++)
        out[k] = (double)now[k] - (double)then[k];
    across(root, out);
}

// ---- What is left -------------------------------------------------------------------------------

/// Turns the root back to where it looks at the start of its clip: t* q, t its turn about `up`.
static void hold_turn(const scene_root *root, pose_block *b, uint32_t lane)
{
    float q[4];
    double half[2];
    for (int k = 0; k < 4; k++)
        q[k] = b->r[k][lane];
    (void)scene_root_heading(root, q, half);
    const double w = half[0], x = -root->up[0] * half[1], y = -root->up[1] * half[1],
                 z = -root->up[2] * half[1];
    const double a[4] = {(double)q[0], (double)q[1], (double)q[2], (double)q[3]};
    b->r[0][lane] = (float)(((w * a[0] + x * a[3]) + y * a[2]) - z * a[1]);
    b->r[1][lane] = (float)(((w * a[1] + y * a[3]) + z * a[0]) - x * a[2]);
    b->r[2][lane] = (float)(((w * a[2] + z * a[3]) + x * a[1]) - y * a[0]);
    b->r[3][lane] = (float)(((w * a[3] - x * a[0]) - y * a[1]) - z * a[2]);
}

void pose_root_hold(const scene_layer *layer, pose_block *local)
{
    const scene_root *root = layer->root;
    if (layer->root_motion == SCENE_ROOT_KEEP || !root)
        return;
    float start[3];
    const uint32_t lane = (uint32_t)root->node % POSE_LANES;
    pose_block *b = &local[(uint32_t)root->node / POSE_LANES];
    if (root->rotation)
        hold_turn(root, b, lane);
    if (!root->channel)
        return;
    pose_sample_channel(root->channel, root->channel->time_s[0], 3, start);
    double way[3];
    for (int k = 0; k < 3; k++)
        way[k] = (double)b->t[k][lane] - (double)start[k];
    across(root, way);
    for (int k = 0; k < 3; k++)
        b->t[k][lane] = (float)((double)b->t[k][lane] - way[k]);
}

// ---- What is taken out --------------------------------------------------------------------------

static void to_model(const scene_root *root, const double v[3], double out[3])
{
    for (int row = 0; row < 3; row++)
        out[row] =
            (root->model_from_parent[0][row] * v[0] + root->model_from_parent[1][row] * v[1]) +
            root->model_from_parent[2][row] * v[2];
}

/// How far the root has turned in the model at a time of its clip.
static double turn_at(const scene_root *root, float clip_time_s)
{
    const model_channel *c = root->rotation;
    const model_timeline timeline = {c->time_s, c->key_count, 0.0f};
    const pose_moment m = pose_find_moment(&timeline, clip_time_s);
    float q[4];
    double half[2];
    pose_sample_channel(c, clip_time_s, 4, q);
    const double turn = scene_root_heading(root, q, half);
    const double near_deg = root->heading_deg[m.s < 0.5f ? m.first : m.first + 1];
    const double whole = turn + 360.0 * floor((near_deg - turn) / 360.0 + 0.5);
    return root->mirrored ? -whole : whole;
}

/// The move of a root that turns, at a time of its clip: it turns where it stands, not about the
/// origin.
static root_move turning_move(const scene_instance *instance, const scene_root *root,
                              float clip_time_s, float start_s)
{
    root_move out = {.heading_deg = turn_at(root, clip_time_s)};
    double place[3], start[3], pivot[3], turned[3];
    float then[3];
    root_at(root, clip_time_s, start_s, place);
    to_model(root, place, out.way);
    for (int k = 0; k < 3; k++)
        then[k] = instance->model->nodes[root->node].rest.t[k];
    if (root->channel)
        pose_sample_channel(root->channel, start_s, 3, then);
    for (int k = 0; k < 3; k++)
        start[k] = (double)then[k];
    to_model(root, start, pivot);
    for (int k = 0; k < 3; k++)
        pivot[k] += root->model_from_parent[3][k];
    root_move_turn(out.heading_deg, pivot, turned);
    for (int k = 0; k < 3; k++)
        out.way[k] += pivot[k] - turned[k];
    return out;
}

root_move root_move_of_layer(const scene_instance *instance, const scene_layer *layer,
                             double time_s, double sync_cycles)
{
    const scene_root *root = layer->root;
    const model_clip *clip = &instance->model->clips[layer->clip];
    const double length = (double)clip->end_s - (double)clip->start_s;
    const double way_s = pose_layer_way(instance, layer, time_s, sync_cycles);
    const double at_s = pose_wrap_time(layer, clip, way_s);
    const bool waits = way_s < (double)clip->start_s && layer->speed >= 0.0;
    const bool repeats = layer->loop == SCENE_LOOP_REPEAT && length > 0.0 && !waits;
    const double loops = repeats ? floor((way_s - at_s) / length + 0.5) : 0.0;
    if (root->rotation) {
        const root_move loop = turning_move(instance, root, clip->end_s, clip->start_s);
        const root_move whole = root_move_times(&loop, loops);
        const root_move rest = turning_move(instance, root, (float)at_s, clip->start_s);
        return root_move_then(&whole, &rest);
    }
    root_move out = {
        0.0, {0.0, 0.0, 0.0}
    };
    double place[3], stride[3] = {0.0, 0.0, 0.0};
    root_at(root, (float)at_s, clip->start_s, place);
    if (repeats) {
        root_at(root, clip->end_s, clip->start_s, stride);
        for (int k = 0; k < 3; k++)
            place[k] += loops * stride[k];
    }
    to_model(root, place, out.way);
    return out;
}
