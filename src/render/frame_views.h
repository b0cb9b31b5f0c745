// SPDX-License-Identifier: MIT
/// The state of one frame, and its views: shadow maps, the contact shadow, the picture behind glass
/// and the picture, in the order in which they are drawn.
#pragma once

#include "render/frame_occlusion.h"
#include "render/frame_pose.h"
#include "render/frame_rays.h"
#include "render/ground.h"
#include "render/renderer.h"
#include "render/subframes.h"

/// A picture to draw: a frame, or one of the sub-frames of it.
typedef struct frame_part {
    zt_renderer *renderer;
    const frame_workers *workers;
    const zt_scene *scene;
    frame_time time;
    const subframe *sub; ///< NULL: the frame
    const subframe_plan
        *open; ///< planes of motion are over its open time; NULL: to the frames after and before
    const picture_planes *target;
    frame_stats *stats;      ///< is added to
    view_camera *out_camera; ///< or NULL
} frame_part;

/// Draws it, in the state of floats that results are defined in.
zt_result frame_part_draw(const frame_part *part, zt_error *err);

/// State of all jobs of one frame.
struct frame {
    zt_renderer *renderer;
    frame_workers workers;
    arena *arena;
    const zt_scene *scene;
    frame_time time;
    const subframe *sub;          ///< NULL: none
    const subframe_plan *open;    ///< as in frame_part
    int32_t samples;              ///< of coverage, a pixel
    int32_t light_samples;        ///< as in the scene, or the sub-frame's part of them
    const picture_planes *target; ///< that is drawn: `out`, or `fine`
    const picture_planes *out;    ///< that is asked for
    picture_planes fine;          ///< larger by the factor scene.supersample
    frame_pose pose;
    shade_frame shade; ///< materials and lights
    frame_light_set lights;
    uint32_t material_count;
    geometry_frame geometry;      ///< posed vertices
    const uint8_t *surface_flags; ///< [material_count], bits of surface_flag
    camera_shared camera_shared;
    view_shared view_shared;                   ///< shared by the passes of the picture
    view_shared shadow_shared;                 ///< shared by shadow maps of lamps
    view_shared contact_shared[GROUND_PASSES]; ///< used by the contact shadow
    bool shadow_veils;                         ///< some surface lets a part of the light pass
    frame_ground *ground;                      ///< NULL: none
    camera_points camera_points;
    view_camera camera;
    struct emitter *emitters; ///< [pose.draw_count]; NULL: none
    shadow_pass *maps;        ///< shadow maps, then the contact shadow
    shade_frame *casters;     ///< [map_count]: materials, seen by each map
    int32_t map_count;
    shadow_pass *contact_pass; ///< that of the contact shadow; NULL: none
    still_draws *kept;         ///< results of earlier frames
    still_state still;
    bool keeps_shadows;     ///< for the frames that follow
    camera_pass cameras[2]; ///< in the order in which they are drawn; the last is the picture
    int32_t camera_count;
    behind_picture behind;       ///< filled by a pass of its own where materials need it
    occlusion_planes *occlusion; ///< planes that the passes of the camera read; NULL: none
    frame_rays *rays;            ///< quality: final; NULL: none
    frame_motion motion[2];      ///< the frames after and before, where a plane asks for motion
    frame_stats *stats;
};

/// Poses the frames after and before in f->motion, if they are, and sets f->shade.motion.
zt_result frame_motion_prepare(frame *f, zt_error *err);

/// Allocates f->emitters, where surfaces of the scene may light others.
zt_result frame_emitters_begin(frame *f, zt_error *err);
/// The light of a draw, whose vertices are posed, in f->emitters.
void frame_emitter_measure(const frame *f, int64_t draw);
/// Adds the strongest of f->emitters to the lights.
void frame_emitters_add(frame *f);

/// Makes the views, from posed geometry, materials and lights; nothing is drawn yet.
zt_result frame_views_prepare(frame *f, zt_error *err);
/// `worker` has traced `more` bands of rays; 0: the last one is traced.
void frame_progress_rays(const frame *f, const render_worker *worker, int64_t more);

/// The views in the order in which they are drawn.
static inline view_pass *frame_view_at(frame *f, int32_t index)
{
    return index < f->map_count ? &f->maps[index].view : &f->cameras[index - f->map_count].view;
}

/// Makes the data of lookups of one map, besides its texels, once they are drawn.
void frame_map_finish(const frame *f, int64_t index, render_worker *worker);
