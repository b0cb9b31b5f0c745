// SPDX-License-Identifier: MIT
/// Shadow maps: which there are in a frame, where they look, and the view passes that draw them. A
/// pass of a shadow map draws depths only, of the same posed vertices as the picture.
#ifndef ZT_RENDER_SHADOW_PASS_H
#define ZT_RENDER_SHADOW_PASS_H

#include "render/camera.h"
#include "render/frame_pose.h"
#include "render/view_pass.h"

/// The number of maps of all shadows of the frame.
int32_t shadow_pass_count(const frame_light_set *lights, const scene_framing *framing);

/// What casts shadows: surface flags for the passes of shadow maps, from those of the picture.
zt_result shadow_surface_flags(const uint8_t *flags, uint32_t count, arena *a,
                               const uint8_t **out_flags, zt_error *err);

/// Prepares the maps and their passes, `passes` [shadow_pass_count]: they are fitted to `framing`,
/// the bounds over the shot, so that they stay as they are while a clip plays. Allocates in the
/// arena of `shared`, whose surface flags are those of shadow_surface_flags. ZT_ERR_MEMORY,
/// ZT_ERR_LIMIT.
zt_result shadow_passes_init(const view_shared *shared, const shade_frame *shade,
                             const frame_light_set *lights, const scene_framing *framing,
                             int32_t run_count, view_pass *passes, zt_error *err);

/// Prepares one map of width x height texels, as a camera sees it, and the pass that draws it.
zt_result shadow_view_init(const view_shared *shared, const shade_frame *shade,
                           const view_camera *camera, int32_t width, int32_t height,
                           int32_t run_count, shade_shadow_map *map, view_pass *out, zt_error *err);

/// An orthographic camera along `direction` that sees the bounds of the shot at whole texels, at
/// most `size` a side.
void shadow_fit_box(const scene_framing *f, const double direction[3], int32_t size,
                    view_camera *out, int32_t *out_width, int32_t *out_height);

/// Fills the texels of tile `index` of the pass's map. False when memory ran out;
/// worker->tile_arena.failed says why.
bool shadow_pass_tile(const view_pass *pass, int64_t index, render_worker *worker);

#endif
