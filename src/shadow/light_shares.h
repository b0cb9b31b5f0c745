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
    uint32_t ground;  ///< the number of its draw
    float *depth;     ///< as in occlusion_planes; 0: nothing is there
    uint32_t *id;     ///< ids of the triangles; once rays are traced, numbers of their draws
    uint32_t *normal; ///< 128 + 127 times its coordinates, a byte each
    float **found;    ///< [kinds] what rays found
    float **share;    ///< [kinds] filtered; the same plane as `found` where edges are sharp
} light_shares;

/// Planes in `a`. ZT_ERR_MEMORY, ZT_ERR_LIMIT.
zt_result light_shares_init(light_shares *out, const occlusion_view *view, int32_t kinds,
                            int32_t samples, arena *a, zt_error *err);

/// Takes depths and ids of tile `t` at `rect`, rastered with one sample a pixel.
void light_shares_add_tile(const light_shares *shares, const tile_buffers *t, tile_rect rect);

/// Rows [first, end) of texels: `found` -> `share`; widened: `share` of the sky -> its `found`.
typedef struct light_shares_job {
    const light_shares *shares;
    int32_t first, end;
    float to_noise[2]; ///< 1 / the noise of what rays found; [1]: of the sky on the ground
} light_shares_job;
