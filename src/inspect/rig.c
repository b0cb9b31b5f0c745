// SPDX-License-Identifier: MIT
/// zt_scene_describe_rig: the bones of a scene's models, for people who write scenes.
#include "base/text_stream.h"
#include "base/utf8.h"
#include "json/json_write.h"
#include "kernels/kernels.h"
#include "model/model_node.h"
#include "pose/pose.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// world_from_node of every instance at a frame, or at rest in the space of each model.
static zt_result pose_rig(const zt_scene *scene, const int64_t *frame, arena *a,
                          const mat4 *const **out, zt_error *err)
{
    if (frame) {
        const frame_time time = scene_frame_time(scene, *frame);
        pose_sharing sharing;
        ZT_TRY(pose_sharing_build(scene, time, a, &sharing, err));
        return pose_scene(kernels_for(ZT_ISA_SCALAR)->pose, scene, time, a, &sharing, out, err);
    }
    const mat4 **worlds;
    ZT_TRY(ARENA_TAKE(a, &worlds, scene->instance_count, "pose", err));
    for (uint32_t i = 0; i < scene->instance_count; i++) {
        const zt_model *model = scene->instances[i].model;
        mat4 *world = ARENA_ARRAY_RAW(a, mat4, model->node_count);
        trs *local = ARENA_ARRAY_RAW(a, trs, model->node_count);
        mat4 identity = GLM_MAT4_IDENTITY_INIT;
        if (!world || !local)
            return arena_fail(a, err, "pose");
        model_sample_clip(model, NULL, 0.0f, local);
        pose_to_world(model, identity, local, world);
        worlds[i] = (const mat4 *)world;
    }
    *out = worlds;
    return ZT_OK;
}

/// The direction of an axis of a node; zeros where it is scaled to nothing.
static void axis_of(const mat4 world_from_node, int axis, double out[3])
{
    const float *v = world_from_node[axis];
    const double x = (double)v[0], y = (double)v[1], z = (double)v[2];
    const double length = sqrt(x * x + y * y + z * z);
    for (int k = 0; k < 3; k++)
        out[k] = length > 0.0 ? (double)v[k] / length : 0.0;
}

/// The names from the root to a node, with slashes between; NULL for no memory.
static const char *path_of(arena *a, const zt_model *model, uint32_t node)
{
    size_t length = 0;
    for (int32_t i = (int32_t)node; i >= 0; i = model->nodes[i].parent)
        length += strlen(model->nodes[i].name) + 1;
    char *text = ARENA_ARRAY_RAW(a, char, length);
    if (!text)
        return NULL;
    char *at = text + length;
    for (int32_t i = (int32_t)node; i >= 0; i = model->nodes[i].parent) {
        const size_t size = strlen(model->nodes[i].name);
        *--at = i == (int32_t)node ? '\0' : '/';
        at -= size;
        memcpy(at, model->nodes[i].name, size);
    }
    return text;
}

static json_value *reals(json_builder *b, const double *value, int count)
{
    json_value *list = json_new(b, JSON_KIND_ARRAY);
    for (int k = 0; k < count; k++)
        json_append(b, list, json_new_real(b, value[k]));
    return list;
}

static json_value *describe_bone(json_builder *b, const zt_model *model, uint32_t i,
                                 const mat4 world_from_node)
{
    const char *path = path_of(b->a, model, i);
    json_value *o = json_new(b, JSON_KIND_OBJECT), *axes = json_new(b, JSON_KIND_ARRAY);
    double v[3];
    json_put_int(b, o, "index", i);
    if (model->nodes[i].file_node > 0)
        json_put_int(b, o, "node", model->nodes[i].file_node - 1);
    json_put_text(b, o, "name", model->nodes[i].name);
    json_put_text(b, o, "path", path ? path : "");
    json_put_int(b, o, "parent", model->nodes[i].parent);
    for (int k = 0; k < 3; k++)
        v[k] = (double)world_from_node[3][k];
    json_put(b, o, "position", reals(b, v, 3));
    for (int axis = 0; axis < 3; axis++) {
        axis_of(world_from_node, axis, v);
        json_append(b, axes, reals(b, v, 3));
    }
    json_put(b, o, "axes", axes);
    return o;
}

static json_value *rig_tree(json_builder *b, const zt_scene *scene, const int64_t *frame,
                            const mat4 *const *worlds)
{
    json_value *tree = json_new(b, JSON_KIND_OBJECT), *list = json_new(b, JSON_KIND_ARRAY);
    json_put_text(b, tree, "zoetrope", zt_version());
    json_put(b, tree, "frame", frame ? json_new_int(b, *frame) : json_new(b, JSON_KIND_NULL));
    for (uint32_t i = 0; i < scene->instance_count; i++) {
        const scene_instance *instance = &scene->instances[i];
        json_value *o = json_new(b, JSON_KIND_OBJECT), *bones = json_new(b, JSON_KIND_ARRAY);
        json_put_text(b, o, "name", instance->name ? instance->name : "");
        json_put_text(b, o, "file", instance->model->path);
        for (uint32_t n = 0; n < instance->model->node_count; n++)
            json_append(b, bones, describe_bone(b, instance->model, n, worlds[i][n]));
        json_put(b, o, "bones", bones);
        json_append(b, list, o);
    }
    json_put(b, tree, "instances", list);
    return tree;
}

enum { NAME_COLUMNS = 36 };

static void write_bone(FILE *out, const zt_model *model, uint32_t i, int32_t depth,
                       const mat4 world_from_node)
{
    const int indent = depth < 10 ? 2 * depth : 20;
    const int width = NAME_COLUMNS - indent - (int)strlen(model->nodes[i].name);
    fprintf(out, "%5u %*s", i, indent, "");
    utf8_write_harmless(out, model->nodes[i].name);
    fprintf(out, "%*s", width > 1 ? width : 1, "");
    for (int k = 0; k < 3; k++)
        fprintf(out, " %9.4f", (double)world_from_node[3][k]);
    for (int axis = 0; axis < 3; axis++) {
        double v[3];
        axis_of(world_from_node, axis, v);
        fprintf(out, "  %6.3f %6.3f %6.3f", v[0], v[1], v[2]);
    }
    if (model->nodes[i].file_node > 0)
        fprintf(out, "  %5u", model->nodes[i].file_node - 1);
    fputc('\n', out);
}

/// A model's nodes but helpers as a tree is read.
typedef struct tree_order {
    uint32_t count, *node;
    int32_t *depth; ///< of node[i]
} tree_order;

/// Each node before its children, siblings in the order of the file. False: no memory.
static bool tree_order_build(arena *a, const zt_model *model, tree_order *out)
{
    const uint32_t count = model->node_count;
    int32_t *child = ARENA_ARRAY_RAW(a, int32_t, (size_t)count + 1); // [0]: of the scene
    int32_t *sibling = ARENA_ARRAY_RAW(a, int32_t, count);
    int32_t *above = ARENA_ARRAY_RAW(a, int32_t, count);
    *out = (tree_order){0, ARENA_ARRAY_RAW(a, uint32_t, count), ARENA_ARRAY_RAW(a, int32_t, count)};
    if (!child || !sibling || !above || !out->node || !out->depth)
        return false;
    model_find_bones_above(model->nodes, count, above);
    memset(child, 0xff, ((size_t)count + 1) * sizeof *child);
    for (uint32_t i = count; i-- > 0;) {
        int32_t *first = &child[above[i] + 1];
        if (model->nodes[i].helper)
            continue;
        sibling[i] = *first;
        *first = (int32_t)i;
    }
    int32_t at = child[0], depth = 0;
    while (out->count < count && at >= 0) {
        out->node[out->count] = (uint32_t)at;
        out->depth[out->count++] = depth;
        if (child[at + 1] >= 0) {
            at = child[at + 1];
            depth++;
            continue;
        }
        while (at >= 0 && sibling[at] < 0) {
            at = above[at];
            depth--;
        }
        at = at >= 0 ? sibling[at] : -1;
    }
    return true;
}

static bool write_instance(FILE *out, arena *a, const scene_instance *instance,
                           const int64_t *frame, const mat4 *world)
{
    const zt_model *model = instance->model;
    tree_order order;
    if (!tree_order_build(a, model, &order))
        return false;
    utf8_write_harmless(out, instance->name ? instance->name : model->path);
    fprintf(out, ": %u bones, ", order.count);
    if (frame)
        fprintf(out, "frame %lld, in the world, in metres\n", (long long)*frame);
    else
        fprintf(out, "at rest, in the space of the model, in metres\n");
    fprintf(out, "index %-*s %-29s  %-20s  %-20s  %-20s%s\n", NAME_COLUMNS, "bone", "  position",
            "x axis", "y axis", "z axis",
            model->node_count > 0 && model->nodes[0].file_node > 0 ? "   node" : "");
    for (uint32_t k = 0; k < order.count; k++)
        write_bone(out, model, order.node[k], order.depth[k], world[order.node[k]]);
    return true;
}

/// The most that the lines take, in a stream that grows by doubling.
static uint64_t text_bytes(const zt_scene *scene)
{
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < scene->instance_count; i++)
        for (uint32_t n = 0; n < scene->instances[i].model->node_count; n++)
            bytes += 2 * (512 + 8 * strlen(scene->instances[i].model->nodes[n].name));
    return bytes;
}

static char *rig_text(const zt_scene *scene, const int64_t *frame, const mat4 *const *worlds,
                      arena *a)
{
    char *text = NULL;
    size_t size = 0;
    bool written = arena_charge(a, text_bytes(scene));
    FILE *out = written ? text_stream_open(&text, &size) : NULL;
    if (!out)
        return NULL;
    for (uint32_t i = 0; written && i < scene->instance_count; i++)
        written = write_instance(out, a, &scene->instances[i], frame, worlds[i]);
    if (text_stream_close(out, &text) && written)
        return text;
    free(text);
    return NULL;
}

zt_result zt_scene_describe_rig(const zt_scene *scene, const int64_t *frame, bool json,
                                char **out_text, zt_error *err)
{
    if (!scene || !out_text)
        return zt_fail(err, ZT_ERR_ARGUMENT, "zt_scene_describe_rig: scene or out_text is NULL");
    arena a;
    const mat4 *const *worlds = NULL;
    *out_text = NULL;
    arena_init(&a, scene->arena.budget);
    zt_result result = pose_rig(scene, frame, &a, &worlds, err);
    if (result == ZT_OK && json) {
        json_builder b = {.a = &a};
        const json_value *tree = rig_tree(&b, scene, frame, worlds);
        if (!b.failed)
            *out_text = json_write(&a, tree, (json_style){.indent = 2, .digits = 9});
    } else if (result == ZT_OK) {
        *out_text = rig_text(scene, frame, worlds, &a);
    }
    if (result == ZT_OK && !*out_text)
        result = a.failed != ZT_OK ? arena_fail(&a, err, "the rig")
                                   : zt_fail(err, ZT_ERR_MEMORY, "no memory for the rig");
    arena_finish(&a);
    return result;
}
