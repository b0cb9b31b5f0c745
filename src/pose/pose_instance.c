// SPDX-License-Identifier: MIT
/// Poses an instance: its layers, its place in the world, its solvers, nodes that follow others.
#include "pose/ik_solver.h"

#include <string.h>

void pose_world_from_local(const pose_loops *loops, const zt_scene *scene,
                           const scene_instance *instance, frame_time time,
                           const pose_scratch *scratch, const mat4 *const *posed,
                           mat4 world_from_model, pose_block *local, mat4 *world_from_node)
{
    pose_blocks_to_world(loops, instance->model, world_from_model, local, world_from_node);
    pose_solvers(loops, scene, instance, time, scratch, posed, world_from_model, local,
                 world_from_node, 0, instance->ik_count);
}

void pose_solvers(const pose_loops *loops, const zt_scene *scene, const scene_instance *instance,
                  frame_time time, const pose_scratch *scratch, const mat4 *const *posed,
                  mat4 world_from_model, pose_block *local, mat4 *world_from_node, uint32_t first,
                  uint32_t count)
{
    const bool last = first + count == instance->ik_count;
    if (count == 0 && !(last && instance->model->constraint_count > 0))
        return;
    const ik_clips other = {loops, scene, instance, scratch};
    const ik_context context = {.model = instance->model,
                                .instance = (uint32_t)(instance - scene->instances),
                                .time_s = time.shot_s,
                                .world_from_model = (const vec4 *)world_from_model,
                                .posed = posed,
                                .clips = posed + scene->instance_count,
                                .local = local,
                                .world = world_from_node,
                                .changed = scratch->changed,
                                .other = &other};
    if (count > 0) // without any, there is no array
        pose_ik(&context, instance->ik + first, count);
    if (last)
        ik_constraints_apply(&context);
}

void pose_instance(const pose_loops *loops, const zt_scene *scene, const scene_instance *instance,
                   frame_time time, const pose_scratch *scratch, const mat4 *const *posed,
                   const mat4 *world_from_model, mat4 *world_from_node)
{
    mat4 place;
    if (world_from_model)
        memcpy(place, *world_from_model, sizeof place);
    else
        pose_instance_transform(scene, instance, time, place);
    pose_layers(loops, instance, time, scratch, scratch->local);
    pose_world_from_local(loops, scene, instance, time, scratch, posed, place, scratch->local,
                          world_from_node);
}
