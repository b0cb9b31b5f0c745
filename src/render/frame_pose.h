// SPDX-License-Identifier: MIT
/// The scene at one time, as the stages below render/ want it: draws with matrices, materials,
/// lights, film settings.
#ifndef ZT_RENDER_FRAME_POSE_H
#define ZT_RENDER_FRAME_POSE_H

#include "geometry/geometry.h"
#include "pose/pose.h"
#include "scene/scene.h"
#include "shade/film.h"

typedef struct frame_pose {
    const mat4 *const *world_from_node; ///< [instance][node]
    geometry_draw *draws;               ///< one per visible node with a mesh, in scene order
    uint32_t draw_count;
    geometry_draw
        *posed_meshes; ///< skinned meshes that several draws show, in the space of their model
    uint32_t posed_mesh_count;
    const uint32_t *first_material; ///< of each instance, in the frame's table
    uint32_t material_count;
    /// [instance] of its model's properties, NULL where none moves
    const model_property_value **properties;
} frame_pose;

zt_result frame_pose_build(const pose_loops *loops, const zt_scene *scene, frame_time time,
                           arena *a, frame_pose *out, zt_error *err);

/// The materials of every model as clips and the scene change them at a time, one table: instances
/// that show the same ones share their part of it.
zt_result frame_materials(const zt_scene *scene, const frame_pose *pose, frame_time time, arena *a,
                          const shade_material **out_materials, uint32_t *out_count, zt_error *err);
/// Finds pose->first_material and material_count by what each instance shows, numbered by first
/// appearance; properties are found before. False: no memory.
bool frame_number_materials(const zt_scene *scene, const pose_sharing *sharing, arena *a,
                            frame_pose *pose);
/// Whether some wrinkles follow the pose of the instance: no other one shows its materials.
bool frame_materials_follow_pose(const scene_instance *instance);
/// True when a material of the mesh has normals in object space.
bool frame_needs_axes(const scene_instance *instance, const model_mesh *mesh);

/// Lights and ambient into `out`.
zt_result frame_lights(const zt_scene *scene, const frame_pose *pose, frame_time time, arena *a,
                       shade_frame *out, zt_error *err);

void frame_film(const zt_scene *scene, film_settings *out);

#endif
