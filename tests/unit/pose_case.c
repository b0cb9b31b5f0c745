// SPDX-License-Identifier: MIT
#include "pose_case.h"

#include "testing.h"

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
    for (uint32_t i = 0; i < ORACLE_NODES; i++) {
        c->nodes[i].in_scene = c->nodes[i].visible;
        c->nodes[i].shown = 1.0f;
    }
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
        .reference_s = oracle_between(&c->seed, 0.0, 5.0)};
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
