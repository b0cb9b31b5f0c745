// SPDX-License-Identifier: MIT
/// Shares of light that reach what a view sees, found by rays: planes of texels as those of
/// occlusion (occlusion_loops.h), but for opaque surfaces and the ground. A texel's share is found
/// with a sixteenth of the directions; the filter takes it and its neighbours, which have the
/// others.
#pragma once

#include "base/arena.h"
#include "geometry/screen_view.h"
#include "raster/tile.h"
#include "shadow/occlusion_loops.h"

enum { LIGHT_SHARE_SKY }; ///< kinds: light from all around, then shadows by 1 + their number

typedef struct light_shares {
    occlusion_view view; ///< its radius and tolerance are unused
    int32_t kinds, samples;
    float *depth;     ///< as in occlusion_planes; 0: nothing is there
    uint32_t *id;     ///< ids of the triangles; once rays are traced, numbers of their draws
    uint32_t *normal; ///< 128 + 127 times its coordinates, a byte each
    float **found;    ///< [kinds] what rays found
    float **share;    ///< [kinds] filtered; the same plane as `found` where edges are sharp
} light_shares;

/// 1 / the difference of depths at which surfaces share no light: two texels along the line of
/// sight.
static inline float light_share_inv_tolerance(const occlusion_view *v, float depth)
{
    return 1.0f / (v->orthographic ? 2.0f * v->dx / v->depth_range : 2.0f * v->dx * depth);
}

/// Planes in `a`; `sharp` [kinds]. ZT_ERR_MEMORY, ZT_ERR_LIMIT.
zt_result light_shares_init(light_shares *out, const occlusion_view *view, int32_t kinds,
                            const bool *sharp, int32_t samples, arena *a, zt_error *err);

/// Takes depths and ids of tile `t` at `rect`, rastered with one sample a pixel.
void light_shares_add_tile(const light_shares *shares, const tile_buffers *t, tile_rect rect);

/// Rows of texels of job `index`: `found` -> `share`.
void light_shares_filter(const light_shares *shares, int64_t index);
