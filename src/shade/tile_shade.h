// SPDX-License-Identifier: MIT
/// Visible samples of a tile -> colours -> pixels: groups visible samples by material for the
/// shading kernel, blends fragments over them.
#ifndef ZT_SHADE_TILE_SHADE_H
#define ZT_SHADE_TILE_SHADE_H

#include "raster/fragments.h"
#include "shade/shade_loops.h"

/// Colours and order of one tile's visible samples; one per worker.
typedef struct shade_buffers {
    shade_colors color;
    uint32_t *index;          ///< visible samples grouped by material, each group padded to 16
    uint32_t *material_count; ///< visible samples of each material; zeros between tiles
    uint32_t *material_start; ///< of those that the tile shows: where their group goes on
    uint32_t *shown;          ///< the materials that the tile shows
    uint32_t material_limit;  ///< materials of the frame
} shade_buffers;

zt_result shade_buffers_init(shade_buffers *s, arena *a, int32_t sample_count,
                             uint32_t material_count, zt_error *err);

/// Shades every visible sample of `t`, the tile at `rect`.
void shade_tile(shade_buffers *s, const tile_buffers *t, const shade_loops *loops, tile_rect rect,
                const shade_frame *frame);

/// Pixels of a tile whose fragments have been blended over what is opaque; see blend_job.
typedef struct tile_blend {
    float (*color)[4]; ///< NULL: nothing blends in the tile
    uint16_t *pixels;
} tile_blend;

/// Shades the fragments `f` of the tile `t`, whose visible samples have been shaded, and blends
/// them; in `a`, the memory of the tile. False when it ran out.
bool shade_fragments(shade_buffers *s, const tile_buffers *t, const tile_fragments *f,
                     const shade_loops *loops, tile_rect rect, const shade_frame *frame, arena *a,
                     tile_blend *out);

#endif
