// SPDX-License-Identifier: MIT
/// The oracle of poses: root motion, and layers that keep step. See pose_oracle.h.
#include "pose_oracle_parts.h"

#include <math.h>
#include <string.h>

#define PI 3.14159265358979323846

/// A direction of the space of the root's parent in the model, whose bones are as authored.
static void in_model(const zt_model *model, int32_t parent, const double v[3], double out[3])
{
    double far[3] = {v[0], v[1], v[2]}, origin[3] = {0.0, 0.0, 0.0};
    for (; parent >= 0; parent = model->nodes[parent].parent) {
        const oracle_local_transform x = oracle_authored(&model->nodes[parent]);
        oracle_to_parent(&model->nodes[parent], x.t, x.r, x.s, far);
        oracle_to_parent(&model->nodes[parent], x.t, x.r, x.s, origin);
    }
    for (int k = 0; k < 3; k++)
        out[k] = far[k] - origin[k];
}

/// The three axes of that space in the model, and the model's +y in that space.
static void root_frame(const zt_model *model, const scene_root *root, double axes[3][3],
                       double up[3])
{
    double length = 0.0;
    for (int k = 0; k < 3; k++) {
        const double axis[3] = {k == 0, k == 1, k == 2};
        in_model(model, model->nodes[root->node].parent, axis, axes[k]);
        length += axes[k][1] * axes[k][1];
    }
    for (int k = 0; k < 3; k++)
        up[k] = axes[k][1] / sqrt(length);
}

/// The turn of a root about `up` since the first key of its clip, in radians.
static double root_turn(const scene_root *root, const double up[3], const double r[4])
{
    const float *first = root->rotation->value;
    double since[4];
    if (root->rotation->interpolation == MODEL_CUBIC)
        first += 4;
    const double back[4] = {-(double)first[0], -(double)first[1], -(double)first[2],
                            (double)first[3]};
    oracle_product(r, back, since);
    const double along = since[0] * up[0] + since[1] * up[1] + since[2] * up[2];
    return remainder(2.0 * atan2(along, since[3]), 2.0 * PI);
}

void oracle_hold_root(const zt_model *model, const scene_layer *layer, oracle_local_transform *x)
{
    const scene_root *root = layer->root;
    double axes[3][3], up[3], start[3], height = 0.0, turned[4];
    root_frame(model, root, axes, up);
    if (root->rotation) {
        const double half = -0.5 * root_turn(root, up, x->r);
        const double back[4] = {up[0] * sin(half), up[1] * sin(half), up[2] * sin(half), cos(half)};
        oracle_product(back, x->r, turned);
        memcpy(x->r, turned, sizeof turned);
    }
    if (!root->channel)
        return;
    oracle_channel_at(root->channel, -HUGE_VAL, 3, start);
    for (int k = 0; k < 3; k++)
        height += up[k] * (x->t[k] - start[k]);
    for (int k = 0; k < 3; k++)
        x->t[k] = start[k] + up[k] * height;
}

/// A rotation about +y, after which it is oracle_local_transform.
typedef struct ground_move {
    double angle, v[3];
} ground_move;

static ground_move then(const ground_move *a, const ground_move *b)
{
    const double c = cos(a->angle), s = sin(a->angle);
    return (ground_move){a->angle + b->angle,
                         {a->v[0] + c * b->v[0] + s * b->v[2], a->v[1] + b->v[1],
                          a->v[2] + c * b->v[2] - s * b->v[0]}};
}

static ground_move inverse(const ground_move *a)
{
    const double c = cos(a->angle), s = sin(a->angle);
    return (ground_move){-a->angle,
                         {-(c * a->v[0] - s * a->v[2]), -a->v[1], -(c * a->v[2] + s * a->v[0])}};
}

/// The move that takes the root from the start of its clip to where it is at a clip time.
static ground_move clip_move(const zt_model *model, const scene_layer *layer, double clip_time_s)
{
    const scene_root *root = layer->root;
    const model_node *node = &model->nodes[root->node];
    double axes[3][3], up[3], now[3], start[3], height = 0.0, at_start[3], r[4];
    ground_move out = {0.0, {0.0, 0.0, 0.0}};
    root_frame(model, root, axes, up);
    for (int k = 0; k < 3; k++)
        now[k] = start[k] = (double)node->rest.t[k];
    if (root->channel) {
        oracle_channel_at(root->channel, clip_time_s, 3, now);
        oracle_channel_at(root->channel, -HUGE_VAL, 3, start);
    }
    for (int k = 0; k < 3; k++)
        height += up[k] * (now[k] - start[k]);
    for (int k = 0; k < 3; k++)
        for (int row = 0; row < 3; row++)
            out.v[row] += axes[k][row] * (now[k] - start[k] - up[k] * height);
    out.v[1] = 0.0;
    if (!root->rotation)
        return out;
    oracle_channel_at(root->rotation, clip_time_s, 4, r);
    const double length = sqrt(r[0] * r[0] + r[1] * r[1] + r[2] * r[2] + r[3] * r[3]);
    for (int k = 0; k < 4; k++)
        r[k] /= length;
    // Mirrored, the same turn in the parent's space goes the other way in the model.
    double det = 0.0;
    for (int k = 0; k < 3; k++)
        det += axes[0][k] * (axes[1][(k + 1) % 3] * axes[2][(k + 2) % 3] -
                             axes[1][(k + 2) % 3] * axes[2][(k + 1) % 3]);
    out.angle = (det < 0.0 ? -1.0 : 1.0) * root_turn(root, up, r);
    // It turns where it stands.
    memcpy(at_start, start, sizeof start);
    for (int32_t i = node->parent; i >= 0; i = model->nodes[i].parent) {
        const oracle_local_transform x = oracle_authored(&model->nodes[i]);
        oracle_to_parent(&model->nodes[i], x.t, x.r, x.s, at_start);
    }
    const double c = cos(out.angle), s = sin(out.angle);
    out.v[0] += at_start[0] - (c * at_start[0] + s * at_start[2]);
    out.v[2] += at_start[2] - (c * at_start[2] - s * at_start[0]);
    return out;
}

static bool travels(const scene_layer *layer)
{
    return layer->root_motion == SCENE_ROOT_EXTRACT && layer->root && layer->clip >= 0;
}

/// The move of a layer since its clip's start: its loops one after the other, and the part of one.
static ground_move layer_move(const oracle_motion *m, const scene_layer *layer)
{
    const zt_model *model = m->instance->model;
    const model_clip *clip = &model->clips[layer->clip];
    int loops;
    const double t = oracle_clip_time(
        layer, clip, oracle_layer_time(m->instance, layer, m->time_s, m->cycles), &loops);
    ground_move loop = clip_move(model, layer, (double)clip->end_s);
    ground_move out = {0.0, {0.0, 0.0, 0.0}};
    if (loops < 0)
        loop = inverse(&loop);
    for (int i = 0; i < (loops < 0 ? -loops : loops); i++)
        out = then(&out, &loop);
    const ground_move part = clip_move(model, layer, t);
    return then(&out, &part);
}

/// The mean rate of the layers in step, beyond the bottom layer's own, in cycles a second.
static double rate_beyond(const scene_instance *instance, double time_s)
{
    double alone = 0.0, rate = 0.0;
    for (uint32_t i = 0; i < instance->layer_count; i++) {
        const scene_layer *layer = &instance->layers[i];
        if (i > 0 && (!layer->sync || layer->mode == SCENE_ADDITIVE))
            continue;
        if (layer->clip < 0)
            return 0.0;
        const double own = layer->speed / oracle_clip_length(instance->model, layer);
        if (i == 0)
            alone = rate = own;
        else
            rate += (own - rate) * oracle_weight(layer, time_s);
    }
    return rate - alone;
}

/// The node whose share of a mask counts: the layer's root, else that of the lowest that travels.
static int32_t root_node(const scene_instance *instance, const scene_layer *layer)
{
    for (uint32_t i = 0; !layer->root && i < instance->layer_count; i++)
        if (travels(&instance->layers[i]))
            layer = &instance->layers[i];
    return layer->root ? layer->root->node : 0;
}

/// The displacement of a step as seen from the heading in its middle (-1), or from there again (1).
static void halve_heading(ground_move *step, double sign)
{
    const ground_move half = {sign * 0.5 * step->angle, {0.0, 0.0, 0.0}};
    const ground_move straight = {0.0, {step->v[0], step->v[1], step->v[2]}};
    const ground_move seen = then(&half, &straight);
    memcpy(step->v, seen.v, sizeof step->v);
}

static void small_step(oracle_motion *m, double to_s)
{
    const scene_instance *instance = m->instance;
    const double from_s = m->time_s, step_s = to_s - from_s, middle_s = from_s + 0.5 * step_s;
    ground_move before[16], own[16], step = {0.0, {0.0, 0.0, 0.0}};
    bool any = false;
    for (uint32_t i = 0; i < instance->layer_count; i++)
        if (travels(&instance->layers[i])) {
            before[i] = layer_move(m, &instance->layers[i]);
            any = true;
        }
    // Simpson's rule, a hair inside: weights may jump at the ends.
    if (from_s >= instance->layers[0].at_s)
        m->cycles +=
            step_s / 6.0 *
            (rate_beyond(instance, from_s + 1e-9 * step_s) + 4.0 * rate_beyond(instance, middle_s) +
             rate_beyond(instance, to_s - 1e-9 * step_s));
    m->time_s = to_s;
    for (uint32_t i = 0; any && i < instance->layer_count; i++) {
        const scene_layer *layer = &instance->layers[i];
        const double w = oracle_weight_on(layer, root_node(instance, layer), middle_s);
        const double less = layer->mode == SCENE_ADDITIVE ? 0.0 : w;
        own[i] = (ground_move){0.0, {0.0, 0.0, 0.0}};
        if (travels(layer)) {
            const ground_move after = layer_move(m, layer), back = inverse(&before[i]);
            own[i] = then(&back, &after);
            halve_heading(&own[i], -1.0);
        }
        step.angle += w * own[i].angle - less * step.angle;
        for (int k = 0; k < 3; k++)
            step.v[k] += w * own[i].v[k] - less * step.v[k];
    }
    for (uint32_t i = 0; any && i < instance->layer_count; i++)
        m->bend_m += oracle_weight_on(&instance->layers[i],
                                      root_node(instance, &instance->layers[i]), middle_s) *
                     hypot(own[i].v[0], own[i].v[2]) * fabs(own[i].angle - step.angle) / step_s;
    halve_heading(&step, 1.0);
    const ground_move so_far = {m->heading_deg * PI / 180.0,
                                {m->displacement[0], m->displacement[1], m->displacement[2]}};
    const ground_move now = then(&so_far, &step);
    m->heading_deg = now.angle * 180.0 / PI;
    memcpy(m->displacement, now.v, sizeof now.v);
}

static void nearer(double break_s, double time_s, double *next_s)
{
    if (break_s > time_s && break_s < *next_s)
        *next_s = break_s;
}

/// Steps end where a weight bends or jumps.
void oracle_follow(oracle_motion *m, double time_s)
{
    const scene_instance *instance = m->instance;
    const double longest_s = 1.0 / 300.0;
    for (uint32_t i = 0; !m->started && i < instance->layer_count; i++)
        if (i == 0 || instance->layers[i].at_s < m->time_s)
            m->time_s = instance->layers[i].at_s;
    m->started = true;
    while (m->time_s < time_s) {
        double next_s = fmin(m->time_s + longest_s, time_s);
        for (uint32_t i = 0; i < instance->layer_count; i++) {
            const scene_layer *layer = &instance->layers[i];
            nearer(layer->at_s, m->time_s, &next_s);
            nearer(layer->at_s + layer->fade_s, m->time_s, &next_s);
            nearer(layer->until_s - layer->fade_s, m->time_s, &next_s);
            nearer(layer->until_s, m->time_s, &next_s);
            for (uint32_t k = 0; k < layer->weight.key_count; k++)
                nearer(layer->weight.time_s[k], m->time_s, &next_s);
        }
        small_step(m, next_s);
    }
}
