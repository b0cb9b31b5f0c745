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
/// `veils`: surfaces that blend are drawn as such; otherwise they are opaque where their alpha is
/// high.
zt_result shadow_surface_flags(const uint8_t *flags, uint32_t count, bool veils, arena *a,
                               const uint8_t **out_flags, zt_error *err);

/// Prepares the maps and their passes, `passes` [shadow_pass_count]: they are fitted to `framing`,
/// the bounds over the shot, so that they stay as they are while a clip plays. Allocates in the
/// arena of `shared`, whose surface flags are those of shadow_surface_flags with `veils`, which
/// says that some surface blends. ZT_ERR_MEMORY, ZT_ERR_LIMIT.
zt_result shadow_passes_init(const view_shared *shared, const shade_frame *shade,
                             const frame_light_set *lights, const scene_framing *framing,
                             bool veils, int32_t run_count, view_pass *passes, zt_error *err);

/// Prepares one map of width x height texels, as a camera sees it, and the pass that draws it.
zt_result shadow_view_init(const view_shared *shared, const shade_frame *shade,
                           const view_camera *camera, int32_t width, int32_t height,
                           int32_t run_count, shade_shadow_map *map, view_pass *out, zt_error *err);

/// An orthographic camera along `direction` that sees the bounds of the shot at whole texels, at
/// most `size` a side.
/// `blur`: the radius of penumbras in metres for each metre of depth; there is room for them.
void shadow_fit_box(const scene_framing *f, const double direction[3], double blur, int32_t size,
                    view_camera *out, int32_t *out_width, int32_t *out_height);

/// Fills the texels of tile `index` of the pass's map. False when memory ran out;
/// worker->tile_arena.failed says why.
bool shadow_pass_tile(const view_pass *pass, int64_t index, render_worker *worker);

/// After all tiles: what follows from their cells.
void shadow_pass_finish(const view_pass *pass);

/// The cell of shade_shadow_map.cover that texel (x, y) is in; NULL: the map has none. Until
/// shadow_pass_finish it has the largest depth of its texels. Cells are const for the loops of
/// shading, which run later; until then each belongs to one tile.
static inline float *shadow_cell(const shade_shadow_map *map, int32_t x, int32_t y)
{
    const int32_t shift = SHADOW_COVER_SHIFT;
    float *cells = (float *)(uintptr_t)map->cover;
    return cells ? &cells[(y >> shift) * map->cover_wide + (x >> shift)] : NULL;
}

/// Memory for surfaces that let light pass (shadow_veil.c).
zt_result shadow_veil_allocate(shade_shadow_map *map, arena *a, shadow_veil *out, zt_error *err);
/// Their texels in the tile at `rect`, whose opaque triangles have been drawn. False when memory
/// ran out.
bool shadow_veil_tile(const view_pass *pass, tile_rect rect, const tile_input *input,
                      const tile_buffers *tile, render_worker *worker);

#endif
