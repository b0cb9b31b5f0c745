// SPDX-License-Identifier: MIT
/// Items of a tile -> colours -> pixels: groups items by material for the shading kernel, then
/// hands the tile to the film kernel.
#ifndef ZT_SHADE_TILE_SHADE_H
#define ZT_SHADE_TILE_SHADE_H

#include "raster/tile.h"
#include "shade/film.h"

/// Colours and order of one tile's items; one per worker.
typedef struct shade_buffers {
    shade_colors color;
    uint32_t *index;          ///< items grouped by material, each group padded to 16
    uint32_t *material_count; ///< items of each material; zeros between tiles
    uint32_t *material_start; ///< of those that the tile shows: where their group goes on
    uint32_t *shown;          ///< the materials that the tile shows
    bool only_one;            ///< the frame has one material
} shade_buffers;

zt_result shade_buffers_init(shade_buffers *s, arena *a, int32_t sample_count,
                             uint32_t material_count, zt_error *err);

/// Shades every item of `t`, the tile at `rect`.
void shade_tile(shade_buffers *s, const tile_buffers *t, const kernel_table *kernels,
                tile_rect rect, const shade_frame *frame);

/// Writes the tile's pixels into the picture.
void film_tile(const shade_buffers *s, const tile_buffers *t, const kernel_table *kernels,
               tile_rect rect, const film_settings *film, const film_srgb *srgb,
               const zt_image *target);

#endif
