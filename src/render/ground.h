// SPDX-License-Identifier: MIT
/// The ground of a frame: a square below the posed bounds of the shot, which catches shadows, and
/// the contact shadow on it. It is one more draw with a material of its own; it is in no bounds.
#ifndef ZT_RENDER_GROUND_H
#define ZT_RENDER_GROUND_H

#include "render/camera.h"
#include "render/frame_pose.h"
#include "render/view_pass.h"

typedef struct frame_ground {
    shade_ground shade;
    float reach_m;        ///< horizontally, from the centre
    bool has_contact;     ///< there is a contact shadow
    shade_shadow_map map; ///< of the contact shadow: what the ground sees above
    float map_height_m;   ///< height above the ground of the depth 0 of that map; at depth 1 it is
    float map_base_m;     ///< this
    float contact_reach_m;
} frame_ground;

/// Adds the ground to the draws of `pose` and to its materials, which have room for one more, with
/// the number pose->material_count. False in *out_added: the scene has none. ZT_ERR_MEMORY.
zt_result ground_add(const zt_scene *scene, const scene_framing *framing, arena *a,
                     frame_pose *pose, shade_material *materials, frame_ground **out,
                     zt_error *err);

/// Prepares the pass that draws the heights of what is above the ground, for pictures of at most
/// `picture_side` pixels.
zt_result ground_contact_init(frame_ground *g, const scene_framing *framing, int32_t picture_side,
                              const view_shared *shared, const shade_frame *shade,
                              int32_t run_count, view_pass *pass, zt_error *err);

/// Turns the drawn heights into the darkness of the contact shadow. Allocates in `a`.
zt_result ground_contact_filter(frame_ground *g, float *texels, arena *a, zt_error *err);

#endif
