// SPDX-License-Identifier: MIT
/// Shadow maps: which there are in a frame, and the views that draw them. The view of a shadow map
/// draws depths only, of the same posed vertices as the picture.
#pragma once

#include "shadow/shadow_fit.h"
#include "shadow/shadow_loops.h"
#include "view/view_pass.h"

/// The shadows of materials that blend or test their alpha: known to whoever shades.
typedef struct shadow_caster {
    raster_alpha_test test;
    void (*alpha)(const caster_alpha_job *job); ///< job->frame is test.user
} shadow_caster;

/// Texels of shadow_map.veil_*; NULL: none.
typedef struct shadow_veil {
    float *near, *far, *share;
} shadow_veil;

typedef struct shadow_pass {
    view_pass view;
    shadow_caster caster; ///< set after the pass is prepared, before its tiles are drawn
    shadow_map *map;      ///< the pass fills its texels
    float *texels;        ///< texel (0, 0) of it
    int32_t *filled;      ///< its `filled`; NULL: all texels are set
    shadow_veil veil;
} shadow_pass;

/// The number of maps of all lights.
int32_t shadow_pass_count(const shadow_light *lights, int32_t count, const shadow_bounds *bounds);

/// The casters of shadows: surface flags for shadow passes, from those of the picture. `veils`:
/// blending surfaces are drawn as such; else they are opaque where alpha is high.
zt_result shadow_surface_flags(const uint8_t *flags, uint32_t count, bool veils, arena *a,
                               const uint8_t **out_flags, zt_error *err);

/// Prepares the maps of all lights and their passes, `passes` [shadow_pass_count], fitted to the
/// bounds over the shot, so that they stay while a clip plays. Their texels are in the arenas of
/// their lights, whose flags are of shadow_surface_flags(`veils`: some surface blends).
/// ZT_ERR_MEMORY, ZT_ERR_LIMIT.
zt_result shadow_passes_init(const shadow_light *lights, int32_t count, const shadow_bounds *bounds,
                             bool veils, int32_t run_count, shadow_pass *passes, zt_error *err);

/// Prepares one map of width x height texels, as a camera sees it, and the pass that draws it.
/// `texels`: the arena of the map.
zt_result shadow_view_init(const view_shared *shared, const view_camera *camera, int32_t width,
                           int32_t height, int32_t run_count, arena *texels, shadow_map *map,
                           shadow_pass *out, zt_error *err);

/// Fills tile `index` of the pass's map with a worker's buffers. False: a->failed says why.
bool shadow_pass_tile(const shadow_pass *pass, int64_t index, const tile_buffers *buffers,
                      arena *a);

/// After all tiles: what follows from their cells.
void shadow_pass_finish(const shadow_pass *pass);

/// Texels or cells that nothing is in.
static inline void shadow_clear(float *to, size_t count)
{
    for (size_t i = 0; i < count; i++)
        to[i] = -1.0f;
}

/// The cell of shadow_map.cover that texel (x, y) is in; NULL: the map has none. Until
/// shadow_pass_finish it has the largest depth of its texels. Cells are const for the loops of
/// shading, which run later; until then each belongs to one tile.
static inline float *shadow_cell(const shadow_map *map, int32_t x, int32_t y)
{
    const int32_t shift = SHADOW_COVER_SHIFT;
    float *cells = (float *)(uintptr_t)map->cover;
    return cells ? &cells[(y >> shift) * map->cover_wide + (x >> shift)] : NULL;
}

/// Memory for the cells of a map (shadow_cover.c): in depth of what blocks, and of cones of light.
zt_result shadow_cover_allocate(shadow_map *map, arena *a, zt_error *err);
/// The largest depth of each cell of a tile.
void shadow_cover_tile(const shadow_map *map, tile_rect rect, const tile_buffers *tile);
/// After all tiles.
void shadow_cover_finish(const shadow_map *map);

/// Memory for surfaces that let light pass (shadow_veil.c).
zt_result shadow_veil_allocate(shadow_map *map, arena *a, shadow_veil *out, zt_error *err);
/// Their texels in the tile at `rect`, whose opaque triangles are drawn. False: no memory.
bool shadow_veil_tile(const shadow_pass *pass, tile_rect rect, const tile_input *input,
                      const tile_buffers *tile, arena *a);
