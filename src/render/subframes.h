// SPDX-License-Identifier: MIT
/// Sub-frames: the pictures whose mean is a frame with an open shutter or an open lens.
#pragma once

#include "render/camera.h"

/// One of them. The same number has the same place in every frame.
typedef struct subframe {
    int32_t index, count;
    double time_s;   ///< shot time
    double lens[2];  ///< in the opening, in its radii: right, up
    double pixel[2]; ///< from the middle of the pixel, in pixels: right, down
    double focus_m;  ///< of SCENE_FOCUS_AUTO
    int32_t samples; ///< of coverage, a pixel
} subframe;

/// A frame's open time, and how many sub-frames it takes.
typedef struct subframe_plan {
    double from_s, to_s; ///< shot times; equal: the shutter is closed
    bool open;           ///< the lens is
    int32_t count;       ///< SCENE_SUBFRAMES_AUTO: frame_blur.c measures what moves
    double focus_m;
} subframe_plan;

/// The plan of a frame, without steps in its open time. `a`: scratch.
zt_result subframe_plan_make(const zt_scene *scene, frame_time time, arena *a, subframe_plan *out,
                             zt_error *err);
/// True when sub-frames differ; with neither they still do in their places in the pixel.
static inline bool subframe_plan_blurs(const subframe_plan *p)
{
    return p->open || p->to_s > p->from_s || p->count > 1;
}
/// The count for a largest motion and a largest circle of confusion, in pixels.
int32_t subframe_count_for(const zt_scene *scene, double motion, double circle);

/// The light samples of a sub-frame: its part of the scene's, 16 at least.
int32_t subframe_light_samples(const subframe *s, const zt_scene *scene);

subframe subframe_at(const zt_scene *scene, const subframe_plan *plan, int32_t index);
/// The time of a frame, moved to a shot time near it.
frame_time subframe_time(const zt_scene *scene, frame_time frame, double shot_s);

/// The radius of the lens, metres; 0: a pinhole.
double lens_radius(const zt_scene *scene, frame_time time, const view_camera *camera);
/// The distance along the view that is sharp. `auto_m`: of SCENE_FOCUS_AUTO. ZT_ERR_ARGUMENT: it is
/// behind the eye.
zt_result lens_focus(const zt_scene *scene, const pose_loops *loops, frame_time time,
                     const view_camera *camera, double auto_m, budget *memory, double *out,
                     zt_error *err);
/// Moves a camera of a picture so many pixels high to the place of a sub-frame.
zt_result subframe_aim(const subframe *s, const zt_scene *scene, const pose_loops *loops,
                       frame_time time, int32_t height, budget *memory, view_camera *camera,
                       zt_error *err);
