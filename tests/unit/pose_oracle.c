// SPDX-License-Identifier: MIT
#include "pose_oracle_parts.h"

#include <math.h>
#include <string.h>

double oracle_smallest_cosine = 1.0;

void oracle_direction(mat4 m, const double v[3], double out[3])
{
    for (int row = 0; row < 3; row++)
        out[row] = (double)m[0][row] * v[0] + (double)m[1][row] * v[1] + (double)m[2][row] * v[2];
}

static void spline(const model_channel *channel, uint32_t k, double s, int width, double *out)
{
    const double step = (double)channel->time_s[k + 1] - (double)channel->time_s[k];
    for (int i = 0; i < width; i++) {
        const double v0 = (double)channel->value[(size_t)(k * 3 + 1) * (size_t)width + (size_t)i];
        const double b0 = (double)channel->value[(size_t)(k * 3 + 2) * (size_t)width + (size_t)i];
        const double a1 = (double)channel->value[(size_t)(k * 3 + 3) * (size_t)width + (size_t)i];
        const double v1 = (double)channel->value[(size_t)(k * 3 + 4) * (size_t)width + (size_t)i];
        out[i] = v0 + s * (step * b0 + s * ((3.0 * (v1 - v0) - step * (2.0 * b0 + a1)) +
                                            s * (2.0 * (v0 - v1) + step * (b0 + a1))));
    }
}

/// The angle by atan2: acos would turn last bits into degrees where quaternions nearly agree.
static void great_circle(const double *from, const double *to, double s, double *out)
{
    double a[4], b[4], dot = 0.0, less = 0.0, more = 0.0, size[2] = {0.0, 0.0};
    for (int i = 0; i < 4; i++) {
        size[0] += from[i] * from[i];
        size[1] += to[i] * to[i];
        dot += from[i] * to[i];
    }
    for (int i = 0; i < 4; i++) {
        a[i] = from[i] / sqrt(size[0]);
        b[i] = (dot < 0.0 ? -to[i] : to[i]) / sqrt(size[1]);
        less += (a[i] - b[i]) * (a[i] - b[i]);
        more += (a[i] + b[i]) * (a[i] + b[i]);
    }
    const double angle = 2.0 * atan2(sqrt(less), sqrt(more));
    oracle_smallest_cosine = fmin(oracle_smallest_cosine, fabs(dot) / sqrt(size[0] * size[1]));
    for (int i = 0; i < 4; i++)
        out[i] = angle < 1e-9
                     ? a[i]
                     : (a[i] * sin((1.0 - s) * angle) + b[i] * sin(s * angle)) / sin(angle);
}

void oracle_channel_at(const model_channel *channel, double t, int width, double *out)
{
    const int parts = channel->interpolation == MODEL_CUBIC ? 3 : 1;
    uint32_t k = 0;
    while (k + 1 < channel->key_count && (double)channel->time_s[k + 1] <= t)
        k++;
    double from[4], to[4];
    const bool last = k + 1 == channel->key_count || t <= (double)channel->time_s[0];
    for (int i = 0; i < width; i++) {
        from[i] = (double)channel->value[(int)k * parts * width + (parts == 3 ? width : 0) + i];
        to[i] = last ? from[i] : (double)channel->value[(int)(k + 1) * parts * width + i];
    }
    if (last || channel->interpolation == MODEL_STEP) {
        memcpy(out, from, (size_t)width * sizeof *out);
        return;
    }
    const double s = (t - (double)channel->time_s[k]) /
                     ((double)channel->time_s[k + 1] - (double)channel->time_s[k]);
    if (channel->interpolation == MODEL_CUBIC)
        spline(channel, k, s, width, out);
    else if (channel->path == MODEL_ROTATION)
        great_circle(from, to, s, out);
    else
        for (int i = 0; i < width; i++)
            out[i] = (1.0 - s) * from[i] + s * to[i];
}

/// Where a layer is in its clip if that went on for ever.
static double own_time(const scene_layer *layer, double time_s)
{
    return layer->start_s + fmax(time_s - layer->at_s, 0.0) * layer->speed;
}

double oracle_clip_length(const zt_model *model, const scene_layer *layer)
{
    const model_clip *clip = &model->clips[layer->clip];
    return (double)clip->end_s - (double)clip->start_s;
}

/// The same where layers keep step: all of these show the same part of their clip, but for a lead.
double oracle_layer_time(const scene_instance *instance, const scene_layer *layer, double time_s,
                         double cycles)
{
    const scene_layer *bottom = &instance->layers[0];
    const zt_model *model = instance->model;
    if (cycles == 0.0 && (layer == bottom || !layer->sync))
        return own_time(layer, time_s);
    if (layer != bottom && !layer->sync)
        return own_time(layer, time_s);
    const double bottom_start = (double)model->clips[bottom->clip].start_s;
    const double part =
        (own_time(bottom, time_s) - bottom_start) / oracle_clip_length(model, bottom) + cycles;
    const double lead = layer == bottom ? 0.0 : layer->start_s;
    return (double)model->clips[layer->clip].start_s + lead +
           part * oracle_clip_length(model, layer);
}

/// Clip time by unrolling the loops one by one; rounded to float, in which clips are sampled.
double oracle_clip_time(const scene_layer *layer, const model_clip *clip, double t, int *out_loops)
{
    const double start = (double)clip->start_s, end = (double)clip->end_s, length = end - start;
    *out_loops = 0;
    if (layer->speed >= 0.0)
        t = fmax(t, start);
    if (layer->loop == SCENE_LOOP_ONCE || !(length > 0.0))
        return (double)(float)fmin(fmax(t, start), end);
    if (layer->loop == SCENE_LOOP_REPEAT) {
        for (; t > end; t -= length)
            ++*out_loops;
        for (; t < start; t += length)
            --*out_loops;
        return (double)(float)t;
    }
    while (t < start || t > end)
        t = t < start ? 2.0 * start - t : 2.0 * end - t;
    return (double)(float)t;
}

oracle_local_transform oracle_authored(const model_node *node)
{
    oracle_local_transform x;
    for (int i = 0; i < 4; i++) {
        x.r[i] = (double)node->rest.r[i];
        x.t[i % 3] = (double)node->rest.t[i % 3];
        x.s[i % 3] = (double)node->rest.s[i % 3];
    }
    return x;
}

void oracle_product(const double a[4], const double b[4], double out[4])
{
    for (int i = 0; i < 3; i++)
        out[i] = a[3] * b[i] + b[3] * a[i] + a[(i + 1) % 3] * b[(i + 2) % 3] -
                 a[(i + 2) % 3] * b[(i + 1) % 3];
    out[3] = a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2];
}

// ---- Layers -------------------------------------------------------------------------------------

static oracle_local_transform clip_at(const zt_model *model, int32_t clip_index, int32_t node,
                                      double t)
{
    oracle_local_transform x = oracle_authored(&model->nodes[node]);
    if (clip_index < 0)
        return x;
    const model_clip *clip = &model->clips[clip_index];
    for (uint32_t i = 0; i < clip->channel_count; i++) {
        const model_channel *channel = &clip->channels[i];
        if (channel->node == node && channel->path == MODEL_ROTATION)
            oracle_channel_at(channel, t, 4, x.r);
        else if (channel->node == node && channel->path != MODEL_WEIGHTS)
            oracle_channel_at(channel, t, 3, channel->path == MODEL_TRANSLATION ? x.t : x.s);
    }
    const double length =
        sqrt(x.r[0] * x.r[0] + x.r[1] * x.r[1] + x.r[2] * x.r[2] + x.r[3] * x.r[3]);
    for (int i = 0; i < 4; i++)
        x.r[i] /= length; // splines leave the sphere
    return x;
}

static bool holds_root(const scene_layer *layer, int32_t node)
{
    return layer->root_motion != SCENE_ROOT_KEEP && layer->root && layer->root->node == node;
}

static double shown_time(const scene_instance *instance, const scene_layer *layer, double time_s,
                         double cycles)
{
    int loops;
    if (layer->clip < 0)
        return 0.0;
    return oracle_clip_time(layer, &instance->model->clips[layer->clip],
                            oracle_layer_time(instance, layer, time_s, cycles), &loops);
}

static oracle_local_transform layer_at(const scene_instance *instance, const scene_layer *layer,
                                       int32_t node, double time_s, double cycles)
{
    oracle_local_transform x =
        clip_at(instance->model, layer->clip, node, shown_time(instance, layer, time_s, cycles));
    if (holds_root(layer, node))
        oracle_hold_root(instance->model, layer, &x);
    return x;
}

/// A pose of the layer's own clip is without its root motion too.
static oracle_local_transform reference_at(const zt_model *model, const scene_layer *layer,
                                           int32_t node)
{
    double t = layer->reference_s;
    if (layer->reference >= 0) {
        const model_clip *clip = &model->clips[layer->reference];
        t = (double)(float)fmin(fmax(t, (double)clip->start_s), (double)clip->end_s);
    }
    oracle_local_transform x = clip_at(model, layer->reference, node, t);
    if (layer->reference == layer->clip && holds_root(layer, node))
        oracle_hold_root(model, layer, &x);
    return x;
}

static double ramp(scene_ease ease, double x)
{
    x = fmin(fmax(x, 0.0), 1.0);
    return ease == SCENE_EASE_LINEAR ? x
           : ease == SCENE_EASE_SMOOTH
               ? 3.0 * x * x - 2.0 * x * x * x
               : 6.0 * pow(x, 5.0) - 15.0 * pow(x, 4.0) + 10.0 * pow(x, 3.0);
}

double oracle_weight(const scene_layer *layer, double time_s)
{
    const double *at = layer->weight.time_s, *value = layer->weight.value;
    const uint32_t count = layer->weight.key_count;
    double w = count ? value[count - 1] : 1.0;
    if (count && time_s <= at[0])
        w = value[0];
    for (uint32_t i = 0; i + 1 < count; i++)
        if (time_s >= at[i] && time_s < at[i + 1])
            w = value[i] + (value[i + 1] - value[i]) * (time_s - at[i]) / (at[i + 1] - at[i]);
    if (layer->has_begin && time_s < layer->at_s)
        return 0.0;
    if (layer->has_end && time_s >= layer->until_s)
        return 0.0;
    if (layer->has_begin && layer->fade_s > 0.0)
        w *= ramp(layer->ease, (time_s - layer->at_s) / layer->fade_s);
    if (layer->has_end && layer->fade_s > 0.0)
        w *= ramp(layer->ease, (layer->until_s - time_s) / layer->fade_s);
    return w;
}

/// The difference to - from, in the space of the parent, a part `w` of it on top of `base`.
static oracle_local_transform added(const oracle_local_transform *base,
                                    const oracle_local_transform *from,
                                    const oracle_local_transform *to, double w)
{
    const double none[4] = {0.0, 0.0, 0.0, 1.0};
    const double back[4] = {-from->r[0], -from->r[1], -from->r[2], from->r[3]};
    double whole[4], part[4];
    oracle_local_transform out;
    for (int k = 0; k < 3; k++) {
        out.t[k] = base->t[k] + w * (to->t[k] - from->t[k]);
        out.s[k] = base->s[k];
        if (fabs(from->s[k]) >= 1e-12) // else there is no ratio
            out.s[k] *= 1.0 + w * (to->s[k] / from->s[k] - 1.0);
    }
    oracle_product(to->r, back, whole);
    great_circle(none, whole, w, part);
    oracle_product(part, base->r, out.r);
    return out;
}

static oracle_local_transform mixed(const oracle_local_transform *a,
                                    const oracle_local_transform *b, double w)
{
    oracle_local_transform out;
    for (int k = 0; k < 3; k++) {
        out.t[k] = (1.0 - w) * a->t[k] + w * b->t[k];
        out.s[k] = (1.0 - w) * a->s[k] + w * b->s[k];
    }
    great_circle(a->r, b->r, w, out.r);
    return out;
}

double oracle_weight_on(const scene_layer *layer, int32_t node, double time_s)
{
    return oracle_weight(layer, time_s) * (layer->mask ? (double)layer->mask[node] : 1.0);
}

static oracle_local_transform local_of(const scene_instance *instance, int32_t node, double time_s,
                                       double cycles)
{
    oracle_local_transform x = oracle_authored(&instance->model->nodes[node]);
    for (uint32_t i = 0; i < instance->layer_count; i++) {
        const scene_layer *layer = &instance->layers[i];
        const double w = oracle_weight_on(layer, node, time_s);
        if (!(w > 0.0))
            continue;
        const oracle_local_transform over = layer_at(instance, layer, node, time_s, cycles);
        if (layer->mode == SCENE_ADDITIVE) {
            const oracle_local_transform from = reference_at(instance->model, layer, node);
            x = added(&x, &from, &over, w);
        } else {
            x = mixed(&x, &over, w);
        }
    }
    return x;
}

void oracle_local(const scene_instance *instance, int32_t node, double time_s, double cycles,
                  double t[3], double r[4], double s[3])
{
    const oracle_local_transform x = local_of(instance, node, time_s, cycles);
    memcpy(t, x.t, sizeof x.t);
    memcpy(r, x.r, sizeof x.r);
    memcpy(s, x.s, sizeof x.s);
}

// ---- Morph targets ------------------------------------------------------------------------------

/// The weight of one target in a clip at a time, as authored where the clip does not move it.
static double morph_at(const zt_model *model, int32_t node, uint32_t target, int32_t clip, double t)
{
    const model_mesh *mesh = &model->meshes[model->nodes[node].mesh];
    const float *own = model->nodes[node].morph_weights;
    double weight = (double)(own ? own[target] : mesh->morphs[target].weight), all[16];
    for (uint32_t i = 0; clip >= 0 && i < model->clips[clip].channel_count; i++) {
        const model_channel *channel = &model->clips[clip].channels[i];
        if (channel->path != MODEL_WEIGHTS || channel->node != node)
            continue;
        oracle_channel_at(channel, t, (int)mesh->morph_count, all);
        weight = all[target];
    }
    return weight;
}

void oracle_morph_weights(const scene_instance *instance, int32_t node, double time_s,
                          double cycles, double *out)
{
    const zt_model *model = instance->model;
    for (uint32_t k = 0; k < model->meshes[model->nodes[node].mesh].morph_count; k++) {
        out[k] = morph_at(model, node, k, -1, 0.0);
        for (uint32_t i = 0; i < instance->layer_count; i++) {
            const scene_layer *layer = &instance->layers[i];
            const double w = oracle_weight_on(layer, node, time_s);
            const double t = shown_time(instance, layer, time_s, cycles);
            const double over = morph_at(model, node, k, layer->clip, t);
            if (layer->mode == SCENE_ADDITIVE)
                out[k] +=
                    w * (over - morph_at(model, node, k, layer->reference, layer->reference_s));
            else
                out[k] += w * (over - out[k]);
        }
    }
}

// ---- The hierarchy ------------------------------------------------------------------------------

/// q v q*, with the length of q divided out.
static void rotate(const double q[4], const double v[3], double out[3])
{
    const double n = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
    double a[3];
    for (int i = 0; i < 3; i++)
        a[i] = q[3] * v[i] + q[(i + 1) % 3] * v[(i + 2) % 3] - q[(i + 2) % 3] * v[(i + 1) % 3];
    const double w = -(q[0] * v[0] + q[1] * v[1] + q[2] * v[2]);
    for (int i = 0; i < 3; i++)
        out[i] = (q[3] * a[i] - w * q[i] - (a[(i + 1) % 3] * q[(i + 2) % 3]) +
                  (a[(i + 2) % 3] * q[(i + 1) % 3])) /
                 n;
}

static void apply_matrix(const float *m, double p[3])
{
    double out[3];
    for (int row = 0; row < 3; row++)
        out[row] = (double)m[row] * p[0] + (double)m[4 + row] * p[1] + (double)m[8 + row] * p[2] +
                   (double)m[12 + row];
    memcpy(p, out, sizeof out);
}

void oracle_to_parent(const model_node *node, const double t[3], const double r[4],
                      const double s[3], double p[3])
{
    if (node->has_matrix) {
        apply_matrix(&node->matrix[0][0], p);
        return;
    }
    double scaled[3], turned[3];
    for (int i = 0; i < 3; i++)
        scaled[i] = p[i] * s[i];
    rotate(r, scaled, turned);
    for (int i = 0; i < 3; i++)
        p[i] = turned[i] + t[i];
}

/// From the space of a node to the world.
static void to_world(const scene_instance *instance, int32_t node, double time_s, double p[3])
{
    for (; node >= 0; node = instance->model->nodes[node].parent) {
        const oracle_local_transform x = local_of(instance, node, time_s, 0.0);
        oracle_to_parent(&instance->model->nodes[node], x.t, x.r, x.s, p);
    }
    for (int i = 0; i < 3; i++) {
        if (instance->scale.key_count)
            p[i] *= instance->scale.value[i];
        if (instance->translate.key_count)
            p[i] += instance->translate.value[i];
    }
}

static void vertex_in_world(const scene_instance *instance, int32_t node, uint32_t vertex,
                            double time_s, double out[3])
{
    const zt_model *model = instance->model;
    const model_mesh *mesh = &model->meshes[model->nodes[node].mesh];
    const vertex_position *v = &mesh->position[vertex];
    const double p[3] = {(double)v->x, (double)v->y, (double)v->z};
    if (model->nodes[node].skin < 0) {
        memcpy(out, p, sizeof p);
        to_world(instance, node, time_s, out);
        return;
    }
    const model_skin *skin = &model->skins[model->nodes[node].skin];
    out[0] = out[1] = out[2] = 0.0;
    for (int k = 0; k < 4; k++) {
        const uint16_t joint = mesh->joints[vertex].joint[k];
        double q[3];
        memcpy(q, p, sizeof p);
        apply_matrix(&skin->joint_from_bind[joint][0][0], q);
        to_world(instance, skin->joint_node[joint], time_s, q);
        for (int i = 0; i < 3; i++)
            out[i] += (double)mesh->weights[vertex].weight[k] * q[i];
    }
}

void oracle_bounds(const zt_scene *scene, double time_s, double out_min[3], double out_max[3])
{
    for (int i = 0; i < 3; i++) {
        out_min[i] = HUGE_VAL;
        out_max[i] = -HUGE_VAL;
    }
    for (uint32_t n = 0; n < scene->instance_count; n++) {
        const scene_instance *instance = &scene->instances[n];
        for (int32_t node = 0; node < (int32_t)instance->model->node_count; node++) {
            if (instance->model->nodes[node].mesh < 0 || !instance->model->nodes[node].visible)
                continue;
            for (uint32_t v = 0; v < ORACLE_VERTICES; v++) {
                double p[3];
                vertex_in_world(instance, node, v, time_s, p);
                for (int i = 0; i < 3; i++) {
                    out_min[i] = fmin(out_min[i], p[i]);
                    out_max[i] = fmax(out_max[i], p[i]);
                }
            }
        }
    }
}

// ---- Small things -------------------------------------------------------------------------------

trs oracle_lane(const pose_block *blocks, int i)
{
    const pose_block *b = &blocks[i / POSE_LANES];
    trs x;
    for (int k = 0; k < 4; k++)
        x.r[k] = b->r[k][i % POSE_LANES];
    for (int k = 0; k < 3; k++) {
        x.t[k] = b->t[k][i % POSE_LANES];
        x.s[k] = b->s[k][i % POSE_LANES];
    }
    return x;
}
