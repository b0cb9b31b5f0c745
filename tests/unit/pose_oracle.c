// SPDX-License-Identifier: MIT
/// See pose_oracle.h. A point goes up the hierarchy node by node; no matrix is ever multiplied.
#include "pose_oracle.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

double oracle_between(uint64_t *seed, double low, double high)
{
    *seed ^= *seed << 13;
    *seed ^= *seed >> 7;
    *seed ^= *seed << 17;
    return low + (high - low) * ((double)(*seed >> 11) * 0x1p-53);
}

static int below(uint64_t *seed, int count)
{
    return (int)oracle_between(seed, 0.0, (double)count);
}

void oracle_random_rotation(uint64_t *seed, float out[4])
{
    double q[4], length = 0.0;
    for (int i = 0; i < 4; i++) {
        q[i] = oracle_between(seed, -1.0, 1.0);
        length += q[i] * q[i];
    }
    for (int i = 0; i < 4; i++)
        out[i] = (float)(q[i] / sqrt(length));
}

void oracle_direction(mat4 m, const double v[3], double out[3])
{
    for (int row = 0; row < 3; row++)
        out[row] = (double)m[0][row] * v[0] + (double)m[1][row] * v[1] + (double)m[2][row] * v[2];
}

// ---- Random models ------------------------------------------------------------------------------

static trs random_trs(uint64_t *seed)
{
    trs x;
    oracle_random_rotation(seed, x.r);
    for (int i = 0; i < 3; i++) {
        x.t[i] = (float)oracle_between(seed, -2.0, 2.0);
        x.s[i] = (float)oracle_between(seed, 0.5, 1.5);
    }
    return x;
}

static void fill_channel(oracle_case *c, int index)
{
    static const model_interpolation kinds[] = {MODEL_STEP, MODEL_LINEAR, MODEL_CUBIC};
    static const model_path paths[] = {MODEL_TRANSLATION, MODEL_ROTATION, MODEL_SCALE};
    model_channel *channel = &c->channels[index];
    channel->node = below(&c->seed, ORACLE_NODES);
    channel->path = paths[below(&c->seed, 3)];
    channel->interpolation = kinds[below(&c->seed, 3)];
    channel->key_count = 1 + (uint32_t)below(&c->seed, ORACLE_KEYS);
    channel->time_s = c->times[index];
    channel->value = c->values[index];
    const bool rotation = channel->path == MODEL_ROTATION;
    const bool spline = channel->interpolation == MODEL_CUBIC;
    const int width = rotation ? 4 : 3, parts = spline ? 3 : 1;
    float time_s = (float)oracle_between(&c->seed, 0.0, 1.0);
    for (uint32_t key = 0; key < channel->key_count; key++) {
        c->times[index][key] = time_s;
        time_s += (float)oracle_between(&c->seed, 0.05, 1.0);
        for (int part = 0; part < parts; part++) {
            float *value = &c->values[index][((int)key * parts + part) * width];
            const bool tangent = spline && part != 1;
            for (int k = 0; k < width; k++)
                value[k] = (float)oracle_between(&c->seed, tangent ? -0.5 : 0.5, 1.5);
            if (rotation && !tangent)
                oracle_random_rotation(&c->seed, value);
        }
    }
}

static void fill_meshes(oracle_case *c)
{
    for (int m = 0; m < 2; m++) {
        for (int i = 0; i < ORACLE_VERTICES; i++)
            c->position[m][i] = (vertex_position){(float)oracle_between(&c->seed, -1.0, 1.0),
                                                  (float)oracle_between(&c->seed, -1.0, 1.0),
                                                  (float)oracle_between(&c->seed, -1.0, 1.0), 1.0f};
        c->meshes[m] = (model_mesh){.vertex_count = ORACLE_VERTICES, .position = c->position[m]};
    }
    for (int i = 0; i < ORACLE_VERTICES; i++) {
        float left = 1.0f;
        for (int k = 0; k < 4; k++) {
            c->joints[i].joint[k] = (uint16_t)below(&c->seed, (int)c->skin.joint_count);
            const float w = k == 3 ? left : left * (float)oracle_between(&c->seed, 0.0, 1.0);
            c->weights[i].weight[k] = w;
            left -= w;
        }
    }
    c->meshes[0].joints = c->joints;
    c->meshes[0].weights = c->weights;
}

static void fill_nodes(oracle_case *c)
{
    for (int i = 0; i < ORACLE_NODES; i++) {
        model_node *node = &c->nodes[i];
        *node = (model_node){.parent = i == 0 ? -1 : below(&c->seed, i + 1) - 1,
                             .mesh = below(&c->seed, 4) - 2,
                             .skin = -1,
                             .visible = below(&c->seed, 4) != 0,
                             .rest = random_trs(&c->seed)};
        node->mesh = node->mesh < 0 ? -1 : node->mesh;
        if (below(&c->seed, 6) == 0) {
            node->has_matrix = true;
            for (int k = 0; k < 16; k++)
                node->matrix[k / 4][k % 4] = k % 4 == 3
                                                 ? (k == 15 ? 1.0f : 0.0f)
                                                 : (float)oracle_between(&c->seed, -1.0, 1.0);
        }
        if (node->mesh == 0 && below(&c->seed, 4) != 0)
            node->skin = 0;
    }
    c->nodes[0].visible = true; // never an empty scene
    c->nodes[0].mesh = 0;
    c->nodes[0].skin = 0;
}

static track constant(oracle_case *c, int instance, uint32_t width, double low, double high)
{
    double *numbers = c->keys[instance];
    for (uint32_t i = 0; i < width; i++)
        numbers[1 + i] = oracle_between(&c->seed, low, high);
    return (track){.key_count = 1, .width = width, .time_s = numbers, .value = numbers + 1};
}

static void fill_layer(oracle_case *c, int instance, uint32_t i)
{
    double *keys = c->weights_at[instance][i];
    keys[0] = oracle_between(&c->seed, 0.0, 3.0);
    keys[1] = keys[0] + oracle_between(&c->seed, 0.1, 3.0);
    keys[2] = oracle_between(&c->seed, 0.0, 1.0);
    keys[3] = (double)below(&c->seed, 2);
    const double speed = oracle_between(&c->seed, 0.5, 2.0);
    scene_layer *layer = &c->layers[instance][i];
    *layer = (scene_layer){
        .clip = below(&c->seed, 4) == 0 ? -1 : 0,
        .loop = (scene_loop)below(&c->seed, 3),
        .speed = below(&c->seed, 3) ? speed : -speed,
        .start_s = oracle_between(&c->seed, 0.0, 2.0),
        .weight = {.key_count = i == 0 ? 0 : 2, .width = 1, .time_s = keys, .value = keys + 2},
        .reference = below(&c->seed, 2) - 1,
        .reference_s = oracle_between(&c->seed, 0.0, 5.0)
    };
    if (i == 0)
        return;
    layer->mode = below(&c->seed, 3) == 0 ? SCENE_ADDITIVE : SCENE_OVERRIDE;
    layer->at_s = oracle_between(&c->seed, 0.0, 3.0);
    layer->has_begin = below(&c->seed, 2) == 0;
    layer->has_end = below(&c->seed, 3) == 0;
    layer->until_s = layer->at_s + oracle_between(&c->seed, 0.0, 6.0);
    layer->fade_s = oracle_between(&c->seed, -1.0, 2.0);
    layer->fade_s = fmax(layer->fade_s, 0.0);
    layer->ease = (scene_ease)below(&c->seed, 3);
    if (below(&c->seed, 2))
        return;
    float *mask = c->masks[instance][i];
    for (int n = 0; n < ORACLE_NODES; n++)
        mask[n] = below(&c->seed, 3) ? (float)below(&c->seed, 2)
                                     : (float)oracle_between(&c->seed, 0.0, 1.0);
    layer->mask = mask;
}

static void fill_layers(oracle_case *c, int instance)
{
    const uint32_t count = 1 + (uint32_t)below(&c->seed, ORACLE_LAYERS);
    for (uint32_t i = 0; i < count; i++)
        fill_layer(c, instance, i);
    c->instances[instance] =
        (scene_instance){.model = &c->model, .layer_count = count, .layers = c->layers[instance]};
}

void oracle_case_init(oracle_case *c, uint64_t seed)
{
    memset(c, 0, sizeof *c);
    c->seed = seed;
    budget_init(&c->budget, 64 << 20, NULL);
    arena_init(&c->scratch, &c->budget);
    c->skin = (model_skin){.joint_count = 1 + (uint32_t)below(&c->seed, ORACLE_NODES),
                           .joint_node = c->joint_node,
                           .joint_from_bind = (const mat4 *)c->joint_from_bind};
    for (uint32_t i = 0; i < c->skin.joint_count; i++) {
        const trs x = random_trs(&c->seed);
        trs_to_mat4(&x, c->joint_from_bind[i]);
        c->joint_node[i] = below(&c->seed, ORACLE_NODES);
    }
    fill_nodes(c);
    fill_meshes(c);
    c->clip = (model_clip){
        .start_s = 0.2f, .end_s = 5.0f, .channel_count = ORACLE_CHANNELS, .channels = c->channels};
    for (int i = 0; i < ORACLE_CHANNELS; i++)
        fill_channel(c, i);
    c->model = (zt_model){.node_count = ORACLE_NODES,
                          .mesh_count = 2,
                          .skin_count = 1,
                          .clip_count = 1,
                          .nodes = c->nodes,
                          .meshes = c->meshes,
                          .skins = &c->skin,
                          .clips = &c->clip};
    for (int i = 0; i < 2; i++)
        fill_layers(c, i);
    c->instances[0].translate = constant(c, 0, 3, -20.0, 20.0);
    c->instances[1].scale = constant(c, 1, 3, 0.5, 2.0);
    arena_init(&c->model.arena, &c->budget);
    cr_assert_eq(model_lay_out_motion(&c->model, &c->scratch, NULL), ZT_OK);
    arena_reset(&c->scratch);
    c->scene =
        (zt_scene){.instance_count = 2, .instances = c->instances, .freeze_time_s = (double)NAN};
}

void oracle_case_finish(oracle_case *c)
{
    arena_finish(&c->model.arena);
    arena_finish(&c->scratch);
}

// ---- The oracle ---------------------------------------------------------------------------------

typedef struct moved {
    double t[3], r[4], s[3];
} moved;

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

/// The angle by atan2 of unit quaternions: acos would turn the last bits of float keys into degrees
/// where they nearly agree.
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
    for (int i = 0; i < 4; i++)
        out[i] = angle < 1e-9
                     ? a[i]
                     : (a[i] * sin((1.0 - s) * angle) + b[i] * sin(s * angle)) / sin(angle);
}

static void channel_at(const model_channel *channel, double t, double *out)
{
    const int width = channel->path == MODEL_ROTATION ? 4 : 3;
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

/// Clip time by unrolling the loops one by one; rounded to float, in which clips are sampled.
static double clip_time(const scene_layer *layer, const model_clip *clip, double time_s)
{
    const double start = (double)clip->start_s, end = (double)clip->end_s, length = end - start;
    double t = layer->start_s + fmax(time_s - layer->at_s, 0.0) * layer->speed;
    if (layer->speed >= 0.0)
        t = fmax(t, start);
    if (layer->loop == SCENE_LOOP_ONCE || !(length > 0.0))
        return (double)(float)fmin(fmax(t, start), end);
    if (layer->loop == SCENE_LOOP_REPEAT) {
        while (t > end)
            t -= length;
        while (t < start)
            t += length;
        return (double)(float)t;
    }
    while (t < start || t > end)
        t = t < start ? 2.0 * start - t : 2.0 * end - t;
    return (double)(float)t;
}

static moved authored(const model_node *node)
{
    moved x;
    for (int i = 0; i < 4; i++) {
        x.r[i] = (double)node->rest.r[i];
        x.t[i % 3] = (double)node->rest.t[i % 3];
        x.s[i % 3] = (double)node->rest.s[i % 3];
    }
    return x;
}

static moved layer_at(const zt_model *model, const scene_layer *layer, int32_t node, double time_s)
{
    moved x = authored(&model->nodes[node]);
    if (layer->clip < 0)
        return x;
    const model_clip *clip = &model->clips[layer->clip];
    const double t = clip_time(layer, clip, time_s);
    for (uint32_t i = 0; i < clip->channel_count; i++) {
        const model_channel *channel = &clip->channels[i];
        if (channel->node == node && channel->path != MODEL_WEIGHTS)
            channel_at(channel, t,
                       channel->path == MODEL_ROTATION      ? x.r
                       : channel->path == MODEL_TRANSLATION ? x.t
                                                            : x.s);
    }
    const double length =
        sqrt(x.r[0] * x.r[0] + x.r[1] * x.r[1] + x.r[2] * x.r[2] + x.r[3] * x.r[3]);
    for (int i = 0; i < 4; i++)
        x.r[i] /= length; // splines leave the sphere
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

static moved reference_of(const zt_model *model, const scene_layer *layer, int32_t node)
{
    const scene_layer still = {
        .clip = layer->reference, .loop = SCENE_LOOP_ONCE, .start_s = layer->reference_s};
    return layer_at(model, &still, node, 0.0);
}

/// a b, of quaternions x y z w.
static void product(const double a[4], const double b[4], double out[4])
{
    for (int i = 0; i < 3; i++)
        out[i] = a[3] * b[i] + b[3] * a[i] + a[(i + 1) % 3] * b[(i + 2) % 3] -
                 a[(i + 2) % 3] * b[(i + 1) % 3];
    out[3] = a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2];
}

/// The difference to - from, in the space of the parent, a part `w` of it on top of `base`.
static moved added(const moved *base, const moved *from, const moved *to, double w)
{
    const double none[4] = {0.0, 0.0, 0.0, 1.0};
    const double back[4] = {-from->r[0], -from->r[1], -from->r[2], from->r[3]};
    double whole[4], part[4];
    moved out;
    for (int k = 0; k < 3; k++) {
        out.t[k] = base->t[k] + w * (to->t[k] - from->t[k]);
        out.s[k] = base->s[k];
        if (fabs(from->s[k]) >= 1e-12) // else there is no ratio
            out.s[k] *= 1.0 + w * (to->s[k] / from->s[k] - 1.0);
    }
    product(to->r, back, whole);
    great_circle(none, whole, w, part);
    product(part, base->r, out.r);
    return out;
}

static moved mixed(const moved *a, const moved *b, double w)
{
    moved out;
    for (int k = 0; k < 3; k++) {
        out.t[k] = (1.0 - w) * a->t[k] + w * b->t[k];
        out.s[k] = (1.0 - w) * a->s[k] + w * b->s[k];
    }
    great_circle(a->r, b->r, w, out.r);
    return out;
}

static moved local_of(const scene_instance *instance, int32_t node, double time_s)
{
    const zt_model *model = instance->model;
    moved x = authored(&model->nodes[node]);
    for (uint32_t i = 0; i < instance->layer_count; i++) {
        const scene_layer *layer = &instance->layers[i];
        const moved over = layer_at(model, layer, node, time_s);
        double w = oracle_weight(layer, time_s);
        if (layer->mask)
            w *= (double)layer->mask[node];
        if (layer->mode == SCENE_ADDITIVE) {
            const moved from = reference_of(model, layer, node);
            x = added(&x, &from, &over, w);
        } else {
            x = mixed(&x, &over, w);
        }
    }
    return x;
}

void oracle_local(const scene_instance *instance, int32_t node, double time_s, double t[3],
                  double r[4], double s[3])
{
    const moved x = local_of(instance, node, time_s);
    memcpy(t, x.t, sizeof x.t);
    memcpy(r, x.r, sizeof x.r);
    memcpy(s, x.s, sizeof x.s);
}

/// q v q*, with the length of q divided out.
static void turn(const double q[4], const double v[3], double out[3])
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
    turn(r, scaled, turned);
    for (int i = 0; i < 3; i++)
        p[i] = turned[i] + t[i];
}

/// From the space of a node to the world.
static void to_world(const scene_instance *instance, int32_t node, double time_s, double p[3])
{
    for (; node >= 0; node = instance->model->nodes[node].parent) {
        const moved x = local_of(instance, node, time_s);
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
