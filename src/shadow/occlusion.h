// SPDX-License-Identifier: MIT
/// Ambient occlusion of a view: its planes, and the jobs that fill them, in this order:
/// occlusion_add_tile for every tile, then for every band occlusion_search_band,
/// occlusion_smooth_band, occlusion_join_band. Jobs of one kind run in any order, at the same time.
#pragma once

#include "base/arena.h"
#include "geometry/screen_view.h"
#include "raster/tile.h"
#include "shadow/shadow_loops.h"

/// The request of a scene.
typedef struct occlusion_settings {
    double radius;    ///< metres, > 0
    double intensity; ///< factor of the light that is blocked
} occlusion_settings;

/// Pixels along a side of a texel in pictures of this size.
int32_t occlusion_step(int32_t width, int32_t height);
/// The texels of a view, without a radius.
occlusion_view occlusion_view_of(const screen_view *v, int32_t width, int32_t height, int32_t step);

/// Planes for the view `v` of a picture of this size, in `a`. ZT_ERR_MEMORY, ZT_ERR_LIMIT.
zt_result occlusion_init(occlusion_planes *out, const screen_view *v, int32_t width, int32_t height,
                         occlusion_settings settings, arena *a, zt_error *err);

/// The depth of tile `t` at `rect`, rastered with one sample a pixel.
void occlusion_add_tile(const occlusion_planes *planes, const shadow_loops *loops,
                        const tile_buffers *t, tile_rect rect);

static inline int64_t occlusion_band_count(const occlusion_planes *planes)
{
    return (planes->view.height + OCCLUSION_BAND - 1) / OCCLUSION_BAND;
}
void occlusion_search_band(const occlusion_planes *planes, const shadow_loops *loops,
                           int64_t index);
void occlusion_smooth_band(const occlusion_planes *planes, const shadow_loops *loops,
                           int64_t index);
void occlusion_join_band(const occlusion_planes *planes, const shadow_loops *loops, int64_t index);
