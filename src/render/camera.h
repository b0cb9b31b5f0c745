// SPDX-License-Identifier: MIT
/// The scene's camera at a time, and automatic framing.
#pragma once

#include "base/jobs.h"
#include "kernels/kernels.h"
#include "scene/scene.h"
#include "shadow/shadow_fit.h"
#include "view/view_camera.h"

/// The `auto` values of a camera, found once a shot: frames look the same alone and in sequence.
typedef struct scene_framing {
    float min[3], max[3]; ///< posed bounds over the shot (at most 256 evenly spaced frames)
    double target[3];     ///< centre of the bounds
    double distance;      ///< from the target, so that the bounds fit with the camera's margin
    double half_height;   ///< the same for orthographic cameras
    double ground_m;      ///< height of the ground, in the world
} scene_framing;

static inline shadow_bounds scene_framing_bounds(const scene_framing *f)
{
    return (shadow_bounds){{f->min[0], f->min[1], f->min[2]}, {f->max[0], f->max[1], f->max[2]}};
}

/// Azimuth and elevation of the scene's orbit camera at a time, in degrees.
void scene_orbit_angles(const zt_scene *scene, frame_time time, double *out_azimuth_deg,
                        double *out_elevation_deg);

/// Axes and focal length of the scene's orbit camera at a time (focal 1 in orthographic views),
/// with `turn_deg` added to its azimuth. The eye and the clip planes are not set.
void scene_orbit_at(const zt_scene *scene, frame_time time, double turn_deg, view_camera *out);

/// False when the camera has no automatic values: scene_camera_at then ignores the framing.
bool scene_camera_needs_framing(const zt_scene *scene);

/// The points of a camera at a time, in the world.
typedef struct camera_points {
    double target[3];   ///< point that an orbit or look-at camera looks at, unless it is automatic
    double position[3]; ///< eye of a look-at camera
} camera_points;

/// Poses the models that the camera follows. ZT_ERR_MEMORY, ZT_ERR_LIMIT.
zt_result scene_camera_points(const pose_loops *loops, const zt_scene *scene, frame_time time,
                              budget *memory, camera_points *out, zt_error *err);

/// Finds the framing by `workers` workers. `trail`: NULL, or known spring states. MEMORY, LIMIT.
zt_result scene_framing_find(const kernel_table *kernels, const zt_scene *scene,
                             const spring_trail *trail, job_pool *pool, int32_t workers,
                             budget *memory, scene_framing *out, zt_error *err);

/// The camera at a time, with its points. `world_from_node[instance]`: the posed nodes.
/// `properties[instance]`: values of its model's properties, NULL when no clip moves them.
void scene_camera_at(const zt_scene *scene, const scene_framing *framing, frame_time time,
                     const camera_points *points, const mat4 *const *world_from_node,
                     const model_property_value *const *properties, view_camera *out);
