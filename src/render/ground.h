// SPDX-License-Identifier: MIT
/// The ground of a frame: a square below the posed bounds of the shot, which catches shadows, and
/// the contact shadow on it. It is one more draw with a material of its own; it is in no bounds.
#pragma once

#include "raster/tile_cover.h"
#include "render/camera.h"
#include "render/frame_pose.h"
#include "render/still_draws.h"
#include "shadow/contact_shadow.h"
#include "shadow/shadow_pass.h"

typedef struct frame_ground {
    shade_ground shade;
    float reach_m;    ///< horizontally, from the centre
    bool has_contact; ///< there is a contact shadow
    shadow_map map;   ///< the contact shadow: what the ground sees above
    shadow_map tops;  ///< while it is made: what is seen from above
    contact_heights contact;
} frame_ground;

/// Adds the ground to the draws of `pose` and to its materials, which have room for one more, with
/// the number pose->material_count. False in *out_added: the scene has none. ZT_ERR_MEMORY.
zt_result ground_add(const zt_scene *scene, const scene_framing *framing, arena *a,
                     frame_pose *pose, shade_material *materials, frame_ground **out,
                     zt_error *err);

enum { GROUND_PASSES = 2 };

/// Prepares the passes of heights above the ground, for pictures of up to `picture_side` pixels:
/// from below, then from above. `texels`: the arena of the first map.
zt_result ground_contact_init(frame_ground *g, const scene_framing *framing, int32_t picture_side,
                              const view_shared shared[GROUND_PASSES], int32_t run_count,
                              arena *texels, shadow_pass passes[GROUND_PASSES], zt_error *err);

/// Fades the shadows of lights where the left or right border of the picture comes near in any
/// direction of a camera that turns around the models: they would come and go. For cameras of
/// scenes whose shadows fade at the border, and pictures of width x height pixels.
void ground_fade_turning(frame_ground *g, const zt_scene *scene, const scene_framing *framing,
                         const view_camera *camera, int32_t width, int32_t height);

/// Takes the contact shadow of an earlier frame. False: `kept` has none.
bool ground_contact_find(frame_ground *g, const still_draws *kept);

/// True when the contact shadow has no alpha above `alpha` in the tile at `rect`, which is inside
/// the ground. For a ground that has no other shadows.
bool ground_is_clear(const frame_ground *g, const screen_view *view, tile_rect rect, float alpha);

/// Leaves out the blocks of `cover` where that is so.
void ground_cover_limit(const frame_ground *g, const screen_view *view, tile_rect rect, float alpha,
                        tile_cover *cover);
