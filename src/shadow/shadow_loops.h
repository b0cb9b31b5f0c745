// SPDX-License-Identifier: MIT
/// Shadow maps as shading looks them up, and the hot loops of shadows.
#pragma once

#include "geometry/screen_view.h"
#include "raster/raster_loops.h"
#include "shadow/light_shares.h"
#include "shadow/occlusion_loops.h"

typedef struct shadow_map shadow_map;

/// Texels around a shadow map that may be read; they show no caster.
enum { SHADOW_BORDER = 4 };

/// Texels a side of the cells of shadow_map.cover: 1 << SHADOW_COVER_SHIFT.
enum { SHADOW_COVER_SHIFT = 3, SHADOW_COVER_CELL = 1 << SHADOW_COVER_SHIFT };

/// Part of the width of a point's cone of light that counts: what is next to it does not block.
#define SHADOW_CONE 0.5f

/// The nearest surfaces that a light sees. Depths are those of screen_vertices: nearer to the light
/// is larger, and -1 where there is nothing. A texel has the depth at its centre.
///
/// A plane with the normal n through P has in the map the depth d(P) + (n . plane_x x + n . plane_y
/// y) / h at x, y texels from P, with h = n . (P - eye) in perspective and n . forward otherwise.
struct shadow_map {
    const float *depth; ///< of texel (0, 0)
    int32_t width, height, stride;
    /// 0 for tiles of TILE_SIZE texels a side if nothing is in them, to the right of them and
    /// below: their texels need not be set. Row by row, with one tile around the map. NULL: all are
    /// set.
    const int32_t *filled;
    int32_t filled_wide; ///< tiles in a row of `filled`
    view_transform view; ///< texels from world space
    float eye[3], forward[3];
    float plane_x[3], plane_y[3];
    float inside;  ///< texels from its middle, along x and y, that it is looked up within
    float texel_m; ///< metres of a texel; in perspective at distance 1
    /// An extended light, else 0: texels of penumbra per depth of 1, at most `search`.
    float spread, search;
    int32_t cells_wide, cells_high, cell_shift; ///< cells of 1 << cell_shift texels a side
    const float *cells;                         ///< the largest depth in each
    /// Blockers of a light with an extent, in cells of SHADOW_COVER_CELL texels a side: nothing
    /// that the map shows reaches into the cone of light of a point of the cell at this depth or
    /// nearer. `cover_wide` cells make a row.
    const float *cover;
    int32_t cover_wide;
    float steps; ///< depth that a texel's length makes; in perspective times the depth
    /// Blending surfaces: the depths of the nearest and the farthest such surface of a texel, and
    /// the share of the light that all of them block. NULL: none; near is -1 where there is none.
    const float *veil_near, *veil_far, *veil_share;
};

/// A map that keeps the light of one source from surfaces.
typedef struct shadow_maps {
    const shadow_map *maps;
    int32_t map_count;
    int32_t number; ///< of its row in shade_job.arriving
} shadow_maps;

/// Visible samples of casters, whatever their materials.
typedef struct caster_alpha_job {
    const void *frame; ///< raster_alpha_test.user
    const visible_samples *visible;
    uint32_t count;
    int32_t tile_x, tile_y;
    float *alpha; ///< padded to 16: the share of the light that each blocks
} caster_alpha_job;

/// The loops of one instruction set (kernels/kernels.h fills them).
typedef struct shadow_loops {
    /// Ambient occlusion, see occlusion_loops.h.
    void (*occlusion_distance)(const occlusion_distance_job *job);
    void (*occlusion_search)(const occlusion_rows_job *job);
    void (*occlusion_smooth)(const occlusion_rows_job *job);
    void (*occlusion_join)(const occlusion_rows_job *job);
    void (*light_shares_filter)(const light_shares_job *job);
    void (*light_shares_widen)(const light_shares_job *job);
} shadow_loops;
