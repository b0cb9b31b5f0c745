// SPDX-License-Identifier: MIT
/// Random scenes of animation layers, with every combination of their keys, against the oracle in
/// double: local transforms, root motion, weights of morph targets, matrices in the world. A model
/// and its clips are random too and written as a file; what a scene says is written twice, as the
/// keys of a scene file and as the layers that the oracle gets.
#include "../kernels/random_inputs.h"
#include "drawing.h"
#include "kernels/kernels.h"
#include "open_scene.h"
#include "pose_case.h"
#include "test_folder.h"
#include "test_memory.h"

enum { NODES = 8, CLIPS = 4, TARGETS = 3, KEYS = 4, FLOATS = 1 << 14, TEXT = 1 << 17 };
enum { SCENES = 24 / ZT_RANDOM_SHARE, INSTANCES = 12, LAYERS = 4, MORPHED_NODE = 3 };

#define PI 3.14159265358979323846

static const char *const target_names[TARGETS] = {"smile", "frown", "blink"};
/// n1 carries the root motion of most clips; n3 has a mesh of three morph targets.
static const int parents[NODES] = {-1, 0, 1, 2, 1, 4, 0, -1};

typedef struct text {
    size_t length;
    char characters[TEXT];
} text;

__attribute__((format(printf, 2, 3))) static void put(text *t, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    const int length =
        vsnprintf(t->characters + t->length, sizeof t->characters - t->length, format, list);
    va_end(list);
    cr_assert(length >= 0 && t->length + (size_t)length < sizeof t->characters);
    t->length += (size_t)length;
}

typedef struct generator {
    uint64_t seed;
    float rest_r[NODES][4]; ///< of the model's file
    bool mirrored;          ///< n0
    uint32_t float_count, accessor_count;
    float floats[FLOATS];
    text accessors, views, scene;
} generator;

static double between(generator *g, double low, double high)
{
    return oracle_between(&g->seed, low, high);
}

static int below(generator *g, int count) { return (int)between(g, 0.0, (double)count); }

static bool chance(generator *g, double share) { return between(g, 0.0, 1.0) < share; }

// ---- The model's file ---------------------------------------------------------------------------

static uint32_t put_accessor(generator *g, const float *values, uint32_t count, uint32_t width)
{
    static const char *const types[] = {"", "SCALAR", "", "VEC3", "VEC4"};
    float min = values[0], max = values[0];
    cr_assert(g->float_count + count * width <= FLOATS);
    for (uint32_t i = 0; i < count; i++) {
        min = values[i] < min ? values[i] : min;
        max = values[i] > max ? values[i] : max;
    }
    put(&g->views, "%s{\"buffer\":0,\"byteOffset\":%u,\"byteLength\":%u}",
        g->accessor_count ? "," : "", g->float_count * 4, count * width * 4);
    put(&g->accessors, "%s{\"bufferView\":%u,\"componentType\":5126,\"type\":\"%s\",\"count\":%u",
        g->accessor_count ? "," : "", g->accessor_count, types[width], count);
    if (width == 1)
        put(&g->accessors, ",\"min\":[%.9g],\"max\":[%.9g]", (double)min, (double)max);
    put(&g->accessors, "}");
    memcpy(g->floats + g->float_count, values, (size_t)count * width * sizeof *values);
    g->float_count += count * width;
    return g->accessor_count++;
}

/// The model's +y in the space of a node's parent, whose bones are as authored.
static void up_of(const generator *g, int node, double out[3])
{
    int chain[NODES], count = 0;
    double y[4] = {0.0, 1.0, 0.0, 0.0};
    for (int i = parents[node]; i >= 0; i = parents[i])
        chain[count++] = i;
    while (count-- > 0) {
        const float *r = g->rest_r[chain[count]];
        const double q[4] = {(double)r[0], (double)r[1], (double)r[2], (double)r[3]};
        const double back[4] = {-q[0], -q[1], -q[2], q[3]};
        double half[4];
        oracle_product(back, y, half);
        oracle_product(half, q, y);
        if (chain[count] == 0 && g->mirrored)
            y[0] = -y[0];
    }
    memcpy(out, y, 3 * sizeof *out);
}

/// Rotations of what may be a root: a turn of at most 120 degrees in a clip, and a small tilt.
static void root_rotation(generator *g, const double up[3], double base, float out[4])
{
    const double half = 0.5 * (base + between(g, 0.0, 120.0)) * PI / 180.0;
    const double turn[4] = {up[0] * sin(half), up[1] * sin(half), up[2] * sin(half), cos(half)};
    double tilt[4] = {between(g, -0.1, 0.1), between(g, -0.1, 0.1), between(g, -0.1, 0.1), 0.0};
    double r[4];
    tilt[3] = sqrt(1.0 - tilt[0] * tilt[0] - tilt[1] * tilt[1] - tilt[2] * tilt[2]);
    oracle_product(turn, tilt, r);
    for (int k = 0; k < 4; k++)
        out[k] = (float)r[k];
}

/// The keys of one channel; returns the accessor of its values.
static uint32_t put_values(generator *g, int node, int path, bool spline, uint32_t key_count)
{
    const uint32_t widths[] = {3, 4, 3, 1}, width = widths[path];
    const uint32_t values_per_key = path == 3 ? TARGETS : 1, parts = spline ? 3 : 1;
    float values[KEYS * 3 * 4];
    double up[3], base = between(g, -180.0, 180.0);
    uint32_t count = 0;
    up_of(g, node, up);
    for (uint32_t key = 0; key < key_count; key++)
        for (uint32_t part = 0; part < parts; part++)
            for (uint32_t i = 0; i < values_per_key; i++, count++) {
                float *v = values + (size_t)count * width;
                const bool tangent = spline && part != 1;
                for (uint32_t k = 0; k < width; k++)
                    v[k] = (float)(tangent     ? between(g, -0.2, 0.2)
                                   : path == 2 ? between(g, 0.6, 1.5)
                                               : between(g, -1.0, 1.0));
                if (path == 1 && !tangent && (node == 1 || node == 2 || node == 4))
                    root_rotation(g, up, base, v);
                else if (path == 1 && !tangent)
                    oracle_random_rotation(&g->seed, v);
            }
    return put_accessor(g, values, count, width);
}

static void put_clip(generator *g, int clip, text *json)
{
    static const char *const paths[] = {"translation", "rotation", "scale", "weights"};
    static const char *const kinds[] = {"LINEAR", "LINEAR", "STEP", "CUBICSPLINE"};
    const float start = chance(g, 0.5) ? 0.0f : 0.25f, length = (float)between(g, 0.5, 1.6);
    text samplers = {0}, channels = {0};
    bool root_has[4] = {false, false, true, true};
    int count = 0;
    for (int node = 0; node < NODES; node++)
        for (int path = 0; path < 4; path++) {
            const bool root = node == 1 && path < 2;
            if ((path == 3 && node != MORPHED_NODE) || (node == 0 && path < 2) ||
                (node > 1 && !root_has[path]) || !chance(g, root ? 0.85 : 0.4))
                continue;
            root_has[path] = true; // any other node's turns are too wild for a root
            const uint32_t key_count = 2 + (uint32_t)below(g, KEYS - 1);
            const int kind = root ? (chance(g, 0.3) ? 3 : 0) : below(g, 4);
            float times[KEYS];
            const float late = chance(g, 0.3) ? 0.125f : 0.0f; // a channel may start after others
            for (uint32_t k = 0; k < key_count; k++)
                times[k] = start + late + length * (float)k / (float)(key_count - 1);
            const uint32_t input = put_accessor(g, times, key_count, 1);
            const uint32_t output = put_values(g, node, path, kind == 3, key_count);
            put(&samplers, "%s{\"input\":%u,\"output\":%u,\"interpolation\":\"%s\"}",
                count ? "," : "", input, output, kinds[kind]);
            put(&channels, "%s{\"sampler\":%d,\"target\":{\"node\":%d,\"path\":\"%s\"}}",
                count ? "," : "", count, node, paths[path]);
            count++;
        }
    cr_assert(count > 0);
    put(json, "%s{\"name\":\"c%d\",\"samplers\":[%s],\"channels\":[%s]}", clip ? "," : "", clip,
        samplers.characters, channels.characters);
}

static void put_node(generator *g, int node, text *json)
{
    static const float identity[4] = {0.0f, 0.0f, 0.0f, 1.0f};
    float *r = g->rest_r[node];
    // The root's parent stands straight or leans, is of another size, and is mirrored at times.
    oracle_random_rotation(&g->seed, r);
    if (node == 0 && chance(g, 0.3))
        memcpy(r, identity, sizeof identity);
    const double size = between(g, 0.6, 1.4);
    put(json, "%s{\"name\":\"n%d\",\"rotation\":[%.9g,%.9g,%.9g,%.9g]", node ? "," : "", node,
        (double)r[0], (double)r[1], (double)r[2], (double)r[3]);
    put(json, ",\"translation\":[%.9g,%.9g,%.9g],\"scale\":[%.9g,%.9g,%.9g]", between(g, -1.0, 1.0),
        between(g, -1.0, 1.0), between(g, -1.0, 1.0), node == 0 && g->mirrored ? -size : size, size,
        size);
    if (node == MORPHED_NODE)
        put(json, ",\"mesh\":0%s", chance(g, 0.5) ? ",\"weights\":[0.25,-0.5,0.125]" : "");
    const char *comma = ",\"children\":[";
    for (int i = 0; i < NODES; i++)
        if (parents[i] == node) {
            put(json, "%s%d", comma, i);
            comma = ",";
        }
    put(json, "%s}", comma[1] ? "" : "]");
}

static const char *write_model(generator *g)
{
    static const float corners[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    static text json, clips, nodes;
    json.length = clips.length = nodes.length = 0;
    g->mirrored = chance(g, 0.3);
    const uint32_t position = put_accessor(g, corners, 3, 3);
    for (int i = 0; i < NODES; i++)
        put_node(g, i, &nodes);
    for (int i = 0; i < CLIPS; i++)
        put_clip(g, i, &clips);
    put(&json,
        "{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"scenes\":[{\"nodes\":[0,7]}],"
        "\"nodes\":[%s],\"animations\":[%s],\"meshes\":[{\"primitives\":[{\"attributes\":"
        "{\"POSITION\":%u},\"targets\":[{\"POSITION\":%u},{\"POSITION\":%u},"
        "{\"POSITION\":%u}]}],\"weights\":[0.5,0,-0.25],\"extras\":{\"targetNames\":["
        "\"smile\",\"frown\",\"blink\"]}}],\"accessors\":[%s],\"bufferViews\":[%s],"
        "\"buffers\":[{\"byteLength\":%u}]}",
        nodes.characters, clips.characters, position, position, position, position,
        g->accessors.characters, g->views.characters, g->float_count * 4);
    return test_folder_glb("random.glb", json.characters, g->floats, g->float_count * 4);
}

// ---- Scenes -------------------------------------------------------------------------------------

/// One instance as the text describes it, for the oracle.
typedef struct spec {
    uint32_t layer_count;
    scene_layer layers[LAYERS];
    char clip[LAYERS], reference[LAYERS]; ///< numbers of clips, -1: none
    bool turns[LAYERS], start_at_end[LAYERS], reference_at_start[LAYERS];
    int root[LAYERS]; ///< named bone, or -1
    float mask[LAYERS][NODES];
    double weights[LAYERS][6];
    scene_root roots[LAYERS];
    double translate[2][3]; ///< at 0 and 2 s
    bool has_morph[TARGETS];
    double morph[TARGETS][2]; ///< at 0 and 2 s
} spec;

static bool is_below(int node, int bone)
{
    while (node >= 0 && node != bone)
        node = parents[node];
    return node == bone;
}

static void put_bones(generator *g, float mask[NODES])
{
    const int count = 1 + below(g, 3);
    memset(mask, 0, NODES * sizeof *mask);
    put(&g->scene, ", bones: [");
    for (int i = 0; i < count; i++) {
        const int bone = below(g, NODES);
        const bool plain = chance(g, 0.4), subtree = plain || chance(g, 0.5);
        const double weight = plain || chance(g, 0.3) ? 1.0 : between(g, 0.0, 1.0);
        if (plain)
            put(&g->scene, "%sn%d", i ? ", " : "", bone);
        else
            put(&g->scene, "%s{ bone: n%d, weight: %.17g, subtree: %s }", i ? ", " : "", bone,
                weight, subtree ? "true" : "false");
        for (int node = 0; node < NODES; node++)
            if (node == bone || (subtree && is_below(node, bone)))
                mask[node] = (float)weight;
    }
    put(&g->scene, "]");
}

static void put_weight(generator *g, double *numbers, scene_layer *layer)
{
    const uint32_t count = chance(g, 0.5) ? 1 : 3;
    for (uint32_t k = 0; k < count; k++) {
        numbers[k] = (k ? numbers[k - 1] : 0.0) + between(g, 0.1, 1.0);
        numbers[3 + k] = chance(g, 0.3) ? (double)below(g, 2) : between(g, 0.0, 1.0);
    }
    if (count == 1)
        put(&g->scene, ", weight: %.17g", numbers[3]);
    else
        put(&g->scene, ", weight: [[%.17g, %.17g], [%.17g, %.17g], [%.17g, %.17g]]", numbers[0],
            numbers[3], numbers[1], numbers[4], numbers[2], numbers[5]);
    layer->weight =
        (track){.key_count = count, .width = 1, .time_s = numbers, .value = numbers + 3};
}

static void put_times(generator *g, uint32_t index, scene_layer *layer)
{
    static const char *const eases[] = {"smooth", "smoother", "linear"};
    if (chance(g, 0.4)) {
        layer->at_s = between(g, -0.5, 1.5);
        layer->has_begin = index > 0;
        put(&g->scene, ", at: %.17g", layer->at_s);
    }
    if (chance(g, 0.3)) {
        layer->has_end = true;
        layer->until_s = layer->at_s + between(g, 0.3, 3.0);
        put(&g->scene, ", until: %.17g", layer->until_s);
    }
    if (chance(g, 0.4)) {
        layer->has_begin = true;
        layer->fade_s = between(g, 0.05, 1.2);
        layer->ease = (scene_ease)below(g, 3);
        put(&g->scene, ", fade: %.17g, ease: %s", layer->fade_s, eases[layer->ease]);
    }
}

static void put_root(generator *g, spec *s, uint32_t i)
{
    static const char *const motions[] = {"keep", "strip", "extract"};
    static const int bones[] = {1, 2, 4};
    const int motion = chance(g, 0.3) ? 0 : 1 + below(g, 2);
    s->root[i] = -1;
    s->layers[i].root_motion = (scene_root_motion)motion;
    put(&g->scene, ", root_motion: %s", motions[motion]);
    if (chance(g, 0.2)) {
        s->root[i] = bones[below(g, 3)];
        put(&g->scene, ", root: n%d", s->root[i]);
    }
    s->turns[i] = motion > 0 && chance(g, 0.6);
    if (s->turns[i] || chance(g, 0.2))
        put(&g->scene, ", root_turn: %s", s->turns[i] ? "true" : "false");
}

static void put_mode(generator *g, spec *s, uint32_t i)
{
    scene_layer *layer = &s->layers[i];
    s->reference[i] = s->clip[i];
    s->reference_at_start[i] = true;
    if (chance(g, i ? 0.4 : 0.1)) {
        layer->mode = SCENE_ADDITIVE;
        put(&g->scene, ", mode: additive");
    }
    switch (below(g, 4)) {
    case 0: put(&g->scene, ", reference: start"); break;
    case 1:
        put(&g->scene, ", reference: rest");
        s->reference[i] = -1;
        s->reference_at_start[i] = false;
        break;
    case 2:
        s->reference[i] = (char)below(g, CLIPS);
        s->reference_at_start[i] = false;
        if (chance(g, 0.3)) { // at 0
            put(&g->scene, ", reference: { clip: c%d }", s->reference[i]);
            break;
        }
        layer->reference_s = between(g, -0.2, 2.0);
        put(&g->scene, ", reference: { clip: c%d, time: %.17g }", s->reference[i],
            layer->reference_s);
        break;
    default: break;
    }
}

static void put_layer(generator *g, spec *s, uint32_t i)
{
    static const char *const loops[] = {"repeat", "once", "ping_pong"};
    scene_layer *layer = &s->layers[i];
    const scene_layer *bottom = &s->layers[0];
    *layer = (scene_layer){.speed = 1.0};
    s->clip[i] = (char)(chance(g, 0.1) ? -1 : below(g, CLIPS));
    put(&g->scene, s->clip[i] < 0 ? "\n      - { clip: none" : "\n      - { clip: c%d", s->clip[i]);
    layer->loop = (scene_loop)(chance(g, 0.65) ? 0 : 1 + below(g, 2));
    put(&g->scene, ", loop: %s", loops[layer->loop]);
    if (i > 0 && s->clip[i] >= 0 && s->clip[0] >= 0 && layer->loop == SCENE_LOOP_REPEAT &&
        bottom->loop == SCENE_LOOP_REPEAT && bottom->speed > 0.0 && chance(g, 0.5)) {
        layer->sync = true;
        put(&g->scene, ", sync: phase");
    }
    if (chance(g, 0.7)) {
        layer->speed = between(g, 0.5, 2.0) * (!layer->sync && chance(g, 0.3) ? -1.0 : 1.0);
        put(&g->scene, ", speed: %.17g", layer->speed);
    }
    s->start_at_end[i] = false;
    if (chance(g, 0.5)) {
        layer->start_s = between(g, -0.5, 1.5);
        put(&g->scene, ", start: %.17g", layer->start_s);
    } else {
        s->start_at_end[i] = layer->loop == SCENE_LOOP_ONCE && layer->speed < 0.0;
    }
    put_times(g, i, layer);
    if (chance(g, i ? 0.7 : 0.25))
        put_weight(g, s->weights[i], layer);
    if (chance(g, i ? 0.5 : 0.2)) {
        put_bones(g, s->mask[i]);
        layer->mask = s->mask[i];
    }
    put_mode(g, s, i);
    put_root(g, s, i);
    put(&g->scene, " }");
}

static void put_instance(generator *g, const char *path, spec *s)
{
    put(&g->scene, "  - file: %s\n    transform: { translate: [[0, [", path);
    for (int n = 0; n < 2; n++)
        for (int k = 0; k < 3; k++) {
            s->translate[n][k] = between(g, -2.0, 2.0);
            put(&g->scene, "%.17g%s", s->translate[n][k],
                k < 2    ? ", "
                : n == 0 ? "]], [2, ["
                         : "]]] }\n");
        }
    put(&g->scene, "    morphs: {");
    const char *comma = " ";
    for (int k = 0; k < TARGETS; k++) {
        s->has_morph[k] = chance(g, 0.2);
        s->morph[k][0] = between(g, -1.0, 1.0);
        s->morph[k][1] = between(g, -1.0, 1.0);
        if (!s->has_morph[k])
            continue;
        put(&g->scene, "%s%s: [[0, %.17g], [2, %.17g]]", comma, target_names[k], s->morph[k][0],
            s->morph[k][1]);
        comma = ", ";
    }
    put(&g->scene, " }\n    animation:");
    s->layer_count = 1 + (uint32_t)below(g, LAYERS);
    for (uint32_t i = 0; i < s->layer_count; i++)
        put_layer(g, s, i);
    put(&g->scene, "\n");
}

// ---- What the keys mean -------------------------------------------------------------------------

/// The first node of a clip in the hierarchy with a channel of one kind, or `node` itself.
static const model_channel *find_channel(const model_clip *clip, model_path path, int32_t node)
{
    const model_channel *found = NULL;
    for (uint32_t i = 0; i < clip->channel_count; i++) {
        const model_channel *channel = &clip->channels[i];
        if (channel->path == path && (node < 0 || channel->node == node) &&
            (!found || channel->node < found->node))
            found = channel;
    }
    return found;
}

static void resolve_root(const zt_model *model, spec *s, uint32_t i)
{
    scene_layer *layer = &s->layers[i];
    scene_root *root = &s->roots[i];
    layer->root = NULL;
    if (layer->root_motion == SCENE_ROOT_KEEP || layer->clip < 0)
        return;
    const model_clip *clip = &model->clips[layer->clip];
    *root = (scene_root){.node = s->root[i]};
    root->channel = find_channel(clip, MODEL_TRANSLATION, s->root[i]);
    if (root->channel)
        root->node = root->channel->node;
    if (s->turns[i])
        root->rotation = find_channel(clip, MODEL_ROTATION, root->node);
    if (!root->channel && root->rotation)
        root->node = root->rotation->node;
    if (root->channel || root->rotation)
        layer->root = root;
}

static scene_instance resolve(const zt_model *model, spec *s)
{
    for (uint32_t i = 0; i < s->layer_count; i++) {
        scene_layer *layer = &s->layers[i];
        layer->clip = s->clip[i];
        layer->reference = s->reference[i];
        const model_clip *clip = layer->clip < 0 ? NULL : &model->clips[layer->clip];
        if (clip && s->start_at_end[i])
            layer->start_s = (double)clip->end_s;
        if (s->reference_at_start[i])
            layer->reference_s = clip ? (double)clip->start_s : 0.0;
        resolve_root(model, s, i);
    }
    return (scene_instance){.model = model, .layer_count = s->layer_count, .layers = s->layers};
}

/// The file's nodes must be the model's, and clips in order.
static void check_model(const zt_model *model)
{
    cr_assert_eq(model->node_count, (uint32_t)NODES);
    cr_assert_eq(model->clip_count, (uint32_t)CLIPS);
    for (int i = 0; i < NODES; i++) {
        PRINTED(name, 8, "n%d", i);
        cr_assert_str_eq(model->nodes[i].name, name);
        cr_assert_eq(model->nodes[i].parent, parents[i]);
    }
    for (uint32_t n = 0; n < model->clip_count; n++) { // from the first key of all to the last
        const model_clip *clip = &model->clips[n];
        float start_s = INFINITY, end_s = -INFINITY;
        for (uint32_t i = 0; i < clip->channel_count; i++) {
            const model_channel *c = &clip->channels[i];
            start_s = fminf(start_s, c->time_s[0]);
            end_s = fmaxf(end_s, c->time_s[c->key_count - 1]);
        }
        cr_assert(clip->start_s == start_s && clip->end_s == end_s, "%s", clip->name);
    }
}

// ---- Comparison ---------------------------------------------------------------------------------

typedef struct tally {
    int instances, moving, skipped;
    double local, heading, displacement, morph, world; ///< largest differences
    double bound;
} tally;

typedef struct moment {
    const zt_scene *scene;
    const scene_instance *got;
    const spec *spec;
    const oracle_motion *motion;
    double shot_s, time_s; ///< animation time is another one when frozen
    const char *name;
} moment;

static double off(const double *want, const double *got, int count)
{
    double largest = 0.0;
    for (int k = 0; k < count; k++)
        largest = fmax(largest, fabs(want[k] - got[k]) / fmax(1.0, fabs(want[k])));
    return largest;
}

typedef struct local {
    double t[3], r[4], s[3];
} local;

static double check_locals(const moment *m, const pose_scratch *scratch, local *want)
{
    double largest = 0.0;
    const frame_time time = {.shot_s = m->time_s, .animation_s = m->time_s};
    pose_layers(kernels_best(ZT_ISA_BEST)->pose, m->got, time, scratch, scratch->local);
    for (int i = 0; i < NODES; i++) {
        const trs lane = oracle_lane(scratch->local, i);
        local x, *w = &want[i];
        double dot = 0.0;
        oracle_local(m->motion->instance, i, m->time_s, m->motion->cycles, w->t, w->r, w->s);
        for (int k = 0; k < 4; k++)
            dot += w->r[k] * (double)lane.r[k];
        for (int k = 0; k < 4; k++) {
            x.r[k] = (double)lane.r[k] * (dot < 0.0 ? -1.0 : 1.0);
            x.t[k % 3] = (double)lane.t[k % 3];
            x.s[k % 3] = (double)lane.s[k % 3];
        }
        const double here = fmax(off(w->t, x.t, 3), fmax(off(w->r, x.r, 4), off(w->s, x.s, 3)));
        cr_expect(here < 1e-5 || oracle_smallest_cosine < 1e-3, "%s node %d at %g s: %g off",
                  m->name, i, m->time_s, here);
        largest = fmax(largest, here);
    }
    return largest;
}

static double check_morphs(const moment *m, const pose_morphs *morphs)
{
    double want[TARGETS], got[TARGETS] = {0.0};
    oracle_morph_weights(m->motion->instance, MORPHED_NODE, m->time_s, m->motion->cycles, want);
    const double part = fmin(fmax(m->shot_s / 2.0, 0.0), 1.0);
    for (int k = 0; k < TARGETS; k++)
        if (m->spec->has_morph[k])
            want[k] = m->spec->morph[k][0] + part * (m->spec->morph[k][1] - m->spec->morph[k][0]);
    const uint32_t count = pose_morphs_evaluate(m->got, MORPHED_NODE,
                                                scene_shot_time(m->scene, m->shot_s), NULL, morphs);
    const model_mesh *mesh = &m->got->model->meshes[0];
    for (uint32_t i = 0; i < count; i++)
        for (int k = 0; k < TARGETS; k++)
            if (morphs->uses[i].target == &mesh->morphs[k].target)
                got[k] = (double)morphs->uses[i].weight;
    const double largest = off(want, got, TARGETS);
    cr_expect(largest < 1e-5, "%s morph targets at %g s: %g off", m->name, m->shot_s, largest);
    return largest;
}

/// Root motion is a sum of steps: while weights mix, cells of 1/128 s, in each of which a layer
/// that turns leads astray by up to half of its turn.
static double displacement_bound(const moment *m) { return 1e-3 + 0.5 * m->motion->bend_m / 128.0; }

static void check_motion(const moment *m, tally *t)
{
    double heading_deg, displacement[3];
    evaluate_motion(m->got, m->time_s, &heading_deg, displacement);
    const double heading = fabs(heading_deg - m->motion->heading_deg);
    const double moved = off(m->motion->displacement, displacement, 3);
    cr_expect(heading < 0.1, "%s heading at %g s: %g degrees, not %g", m->name, m->time_s,
              heading_deg, m->motion->heading_deg);
    cr_expect(moved < displacement_bound(m), "%s at %g s: displacement %g %g, not %g %g", m->name,
              m->time_s, displacement[0], displacement[2], m->motion->displacement[0],
              m->motion->displacement[2]);
    t->heading = fmax(t->heading, heading);
    t->displacement = fmax(t->displacement, moved);
    t->bound += displacement_bound(m);
    t->moving += displacement[0] != 0.0;
}

static double check_world(const moment *m, const pose_scratch *scratch, const local *locals)
{
    mat4 world[POSE_LANES];
    double largest = 0.0;
    const double part = fmin(fmax(m->shot_s / 2.0, 0.0), 1.0);
    const double angle = m->motion->heading_deg * PI / 180.0;
    pose_instance(kernels_best(ZT_ISA_BEST)->pose, m->scene, m->got,
                  scene_shot_time(m->scene, m->shot_s), scratch, NULL, NULL, world);
    for (int i = 0; i < NODES; i++) {
        const double point[3] = {0.5, -0.25, 1.0};
        double want[3], got[3], p[3];
        memcpy(p, point, sizeof p);
        for (int n = i; n >= 0; n = parents[n])
            oracle_to_parent(&m->got->model->nodes[n], locals[n].t, locals[n].r, locals[n].s, p);
        want[0] = cos(angle) * p[0] + sin(angle) * p[2];
        want[1] = p[1];
        want[2] = cos(angle) * p[2] - sin(angle) * p[0];
        for (int k = 0; k < 3; k++) {
            want[k] += m->motion->displacement[k] + m->spec->translate[0][k] +
                       part * (m->spec->translate[1][k] - m->spec->translate[0][k]);
            got[k] = (double)world[i][3][k];
            for (int j = 0; j < 3; j++)
                got[k] += (double)world[i][j][k] * point[j];
        }
        largest = fmax(largest, off(want, got, 3));
    }
    cr_expect(largest < 4e-3 + 2.0 * displacement_bound(m), "%s in the world at %g s: %g off",
              m->name, m->shot_s, largest);
    return largest;
}

static void check_instance(const zt_scene *scene, uint32_t index, spec *s, const char *name,
                           arena *a, tally *t)
{
    static const double shot_times[] = {-0.3, 0.4, 1.1, 2.3, 4.7};
    pose_scratch scratch;
    pose_morphs morphs;
    const scene_instance *got = &scene->instances[index];
    const scene_instance want = resolve(got->model, s);
    oracle_motion motion = {.instance = &want};
    const double frozen_s = scene->freeze_time_s;
    cr_assert(pose_scratch_init(scene, a, &scratch) && pose_morphs_init(TARGETS, a, &morphs));
    for (size_t i = 0; i < sizeof shot_times / sizeof *shot_times; i++) {
        local locals[NODES];
        const double time_s = isnan(frozen_s) ? shot_times[i] : frozen_s;
        const moment m = {scene, got, s, &motion, shot_times[i], time_s, name};
        oracle_smallest_cosine = 1.0;
        oracle_follow(&motion, time_s);
        check_motion(&m, t);
        t->morph = fmax(t->morph, check_morphs(&m, &morphs));
        oracle_smallest_cosine = 1.0;
        const double here = check_locals(&m, &scratch, locals);
        if (oracle_smallest_cosine < 1e-3) {
            t->skipped++; // some bone may go either way round
            continue;
        }
        t->local = fmax(t->local, here);
        t->world = fmax(t->world, check_world(&m, &scratch, locals));
    }
    t->instances++;
    arena_reset(a);
}

TestSuite(pose_random, .init = test_folder_make, .fini = test_folder_remove);

/// Clips lent to another model of the same bones have all their keys and tangents.
Test(pose_random, borrowed_clips_are_whole)
{
    static generator g;
    uint32_t splines = 0;
    g.seed = 3;
    const char *path = write_model(&g);
    OWN_SCENE *scene = load_scene_text("models: [ { file: %s, clips_from: %s } ]\n", path, path);
    const zt_model *model = scene->instances[0].model;
    cr_assert_eq(model->clip_count, 2u * CLIPS);
    for (int n = 0; n < CLIPS; n++) {
        const model_clip *own = &model->clips[n], *borrowed = &model->clips[n + CLIPS];
        cr_assert_eq(own->channel_count, borrowed->channel_count);
        for (uint32_t i = 0; i < own->channel_count; i++) {
            const model_channel *a = &own->channels[i], *b = &borrowed->channels[i];
            const size_t width = a->path == MODEL_ROTATION ? 4 : 3; // TARGETS too
            const size_t parts = a->interpolation == MODEL_CUBIC ? 3 : 1;
            cr_assert(a->node == b->node && a->path == b->path && a->key_count == b->key_count &&
                      a->interpolation == b->interpolation);
            cr_assert(memcmp(a->time_s, b->time_s, a->key_count * sizeof(float)) == 0);
            cr_assert(memcmp(a->value, b->value, a->key_count * parts * width * sizeof(float)) == 0,
                      "clip %d channel %u", n, i);
            splines += parts == 3;
        }
    }
    cr_assert_gt(splines, 3u);
}

Test(pose_random, combined_layer_keys_match_the_oracle)
{
    static generator g;
    static spec all[INSTANCES];
    tally t = {0};
    for (int n = 0; n < SCENES; n++) {
        memset(&g, 0, sizeof g);
        g.seed = (uint64_t)(n + 1) * 0x9E3779B97F4A7C15u;
        const char *path = write_model(&g);
        put(&g.scene, "output: { size: [16, 16] }\nmodels:\n");
        for (int i = 0; i < INSTANCES; i++)
            put_instance(&g, path, &all[i]);
        OWN_SCENE *scene = load_scene_text("%s", g.scene.characters);
        check_model(scene->instances[0].model);
        if (n % 3 == 2)
            scene->freeze_time_s = between(&g, 0.2, 2.5);
        OWN_MEMORY(a, 0);
        for (uint32_t i = 0; i < INSTANCES; i++) {
            PRINTED(name, 64, "scene %d model %u:", n, i);
            check_instance(scene, i, &all[i], name, &a, &t);
        }
    }
    fprintf(stderr,
            "%d instances, %d times of root motion, %d with half a turn between two poses; off by "
            "at most: local %.2g, morphs %.2g, heading %.2g degrees, displacement %.2g m, world "
            "%.2g; mean bound %.2g\n",
            t.instances, t.moving, t.skipped, t.local, t.morph, t.heading, t.displacement, t.world,
            t.bound / (5 * t.instances));
    cr_assert(t.moving > t.instances && t.skipped < t.instances);
}
