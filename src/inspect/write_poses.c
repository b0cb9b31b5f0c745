// SPDX-License-Identifier: MIT
/// zt_scene_write_poses: the matrices of all nodes over a shot, as JSON for other programs.
#include "json/json_write.h"
#include "kernels/kernels.h"
#include "pose/pose_springs.h"
#include "scene/scene_origin.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const json_style style = {.indent = 0, .digits = 9};

/// Where zt_scene_write_poses writes.
typedef struct pose_output {
    zt_write_fn write;
    void *user;
    arena a; ///< of the part that is written
    arena trail_arena;
    spring_trail trail;
} pose_output;

/// Writes a part of the document as one line.
static zt_result write_part(pose_output *out, const char *before, json_builder *b,
                            const json_value *value, const char *after, zt_error *err)
{
    char *text = b->failed ? NULL : json_write(&out->a, value, style);
    if (!text)
        return out->a.failed != ZT_OK ? arena_fail(&out->a, err, "poses")
                                      : zt_fail(err, ZT_ERR_MEMORY, "no memory for poses");
    const bool written = out->write(out->user, before, strlen(before)) &&
                         out->write(out->user, text, strlen(text)) &&
                         out->write(out->user, after, strlen(after));
    free(text);
    return written ? ZT_OK : zt_fail(err, ZT_ERR_OUTPUT, "the poses cannot be written");
}

/// The names and parents of the nodes of every instance.
static json_value *describe_instances(json_builder *b, const zt_scene *scene)
{
    json_value *list = json_new(b, JSON_KIND_ARRAY);
    for (uint32_t i = 0; i < scene->instance_count; i++) {
        const scene_instance *instance = &scene->instances[i];
        json_value *o = json_new(b, JSON_KIND_OBJECT), *nodes = json_new(b, JSON_KIND_ARRAY);
        json_put_text(b, o, "name", instance->name ? instance->name : "");
        json_put_text(b, o, "file", instance->model->path);
        for (uint32_t n = 0; n < instance->model->node_count; n++) {
            json_value *node = json_new(b, JSON_KIND_OBJECT);
            json_put_text(b, node, "name", instance->model->nodes[n].name);
            json_put_int(b, node, "parent", instance->model->nodes[n].parent);
            json_append(b, nodes, node);
        }
        json_put(b, o, "nodes", nodes);
        json_append(b, list, o);
    }
    return list;
}

/// A matrix whose place is `by` farther, which floats may not know.
static json_value *describe_matrix(json_builder *b, const float *world, dvec3 by)
{
    json_value *list = json_new(b, JSON_KIND_ARRAY);
    const double add[16] = {[12] = by.x, [13] = by.y, [14] = by.z};
    for (int k = 0; k < 16; k++)
        json_append(b, list, json_new_real(b, (double)world[k] + add[k]));
    return list;
}

/// In the coordinates that the user writes: the scene and models have moved to their origins, but
/// not nodes above the first that is far.
static json_value *describe_matrices(json_builder *b, const zt_scene *scene,
                                     const mat4 *const *worlds)
{
    json_value *list = json_new(b, JSON_KIND_ARRAY);
    for (uint32_t i = 0; i < scene->instance_count; i++) {
        json_value *nodes = json_new(b, JSON_KIND_ARRAY);
        const zt_model *model = scene->instances[i].model;
        const dvec3 origin = dvec3_load(scene->origin), *shift = model->origin_shift;
        const dvec3 lost = scene_lost_by_model(&scene->instances[i]);
        bool *moved = ARENA_ARRAY(b->a, bool, model->node_count);
        for (uint32_t n = 0; moved && n < model->node_count; n++) {
            const int32_t parent = model->nodes[n].parent;
            moved[n] = !shift || dvec3_length(shift[n]) > 0.0 || (parent >= 0 && moved[parent]);
            const dvec3 by = moved[n] ? origin : dvec3_sub(origin, lost);
            json_append(b, nodes, describe_matrix(b, worlds[i][n][0], by));
        }
        json_append(b, list, nodes);
    }
    return list;
}

static zt_result write_frame(pose_output *out, const zt_scene *scene, int64_t index, zt_error *err)
{
    const int64_t frame = zt_scene_frame(scene, index);
    const mat4 *const *worlds = NULL;
    frame_time time = scene_frame_time(scene, frame);
    time.trail = &out->trail;
    json_builder b = {.a = &out->a};
    pose_sharing sharing;
    ZT_TRY(pose_sharing_build(scene, time, &out->a, &sharing, err));
    ZT_TRY(
        pose_scene(kernels_for(ZT_ISA_SCALAR)->pose, scene, time, &out->a, &sharing, &worlds, err));
    json_value *o = json_new(&b, JSON_KIND_OBJECT);
    json_put_int(&b, o, "frame", frame);
    json_put_real(&b, o, "time", time.shot_s);
    json_put(&b, o, "world_from_node", describe_matrices(&b, scene, worlds));
    return write_part(out, index ? ",\n" : "", &b, o, "", err);
}

static zt_result write_poses(pose_output *out, const zt_scene *scene, zt_error *err)
{
    json_builder b = {.a = &out->a};
    const double fps = (double)scene->fps_numerator / (double)scene->fps_denominator;
    const int64_t count = zt_scene_frame_count(scene);
    char before[200];
    if (count > 0)
        ZT_TRY(spring_trail_build(kernels_for(ZT_ISA_SCALAR)->pose, scene,
                                  scene_frame_time(scene, zt_scene_frame(scene, count - 1)).shot_s,
                                  &out->trail_arena, &out->trail, err));
    snprintf(before, sizeof before,
             "{\"zoetrope\":\"%s\",\"fps\":%.9g,\"instances\":", zt_version(), fps);
    ZT_TRY(write_part(out, before, &b, describe_instances(&b, scene), ",\"frames\":[\n", err));
    for (int64_t i = 0; i < count; i++) {
        arena_reset(&out->a);
        if (budget_cancelled(out->a.budget))
            return cancel_fail(err);
        ZT_TRY(write_frame(out, scene, i, err));
    }
    return out->write(out->user, "]}\n", 3)
               ? ZT_OK
               : zt_fail(err, ZT_ERR_OUTPUT, "the poses cannot be written");
}

zt_result zt_scene_write_poses(const zt_scene *scene, zt_write_fn write, void *user, zt_error *err)
{
    if (!scene || !write)
        return zt_fail(err, ZT_ERR_ARGUMENT, "zt_scene_write_poses: scene or write is NULL");
    pose_output out = {.write = write, .user = user};
    arena_init(&out.a, scene->arena.budget);
    arena_init(&out.trail_arena, scene->arena.budget);
    const zt_result result = write_poses(&out, scene, err);
    arena_finish(&out.trail_arena);
    arena_finish(&out.a);
    return result;
}
