// SPDX-License-Identifier: MIT
/// The scene's camera at a time, and automatic framing.
#ifndef ZT_RENDER_CAMERA_H
#define ZT_RENDER_CAMERA_H

#include "base/jobs.h"
#include "geometry/view.h"
#include "kernels/kernels.h"
#include "scene/scene.h"

/// What `auto` in a camera stands for: decided once over the whole shot, so that a frame by itself
/// and the same frame of a sequence look the same.
typedef struct scene_framing {
    float min[3], max[3]; ///< posed bounds over the shot (at most 256 evenly spaced frames)
    double target[3];     ///< centre of the bounds
    double distance;      ///< from the target, so that the bounds fit with a margin of 5 %
    double half_height;   ///< the same for orthographic cameras
} scene_framing;

/// Axes and focal length of the scene's orbit camera at a time (focal 1 in orthographic views);
/// eye and near plane are not set.
void scene_orbit_at(const zt_scene *scene, frame_time time, view_camera *out);

/// False when the camera says all itself: nothing of a scene_framing will be looked at.
bool scene_camera_needs_framing(const zt_scene *scene);

/// With at most `workers` of the pool's.
zt_result scene_framing_find(const kernel_table *kernels, const zt_scene *scene, job_pool *pool,
                             int32_t workers, budget *memory, scene_framing *out, zt_error *err);

/// The camera at a time. `world_from_node[instance]` are the posed nodes, `properties[instance]`
/// the values of its model's properties, NULL where none moves.
void scene_camera_at(const zt_scene *scene, const scene_framing *framing, frame_time time,
                     const mat4 *const *world_from_node,
                     const model_property_value *const *properties, view_camera *out);

#endif
