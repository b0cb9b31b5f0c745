// SPDX-License-Identifier: MIT
/// Visible samples and fragments of a tile -> colours, by material for the loops of shading.
#pragma once

#include "raster/fragments.h"
#include "shade/shade_loops.h"

/// Colours of one tile's visible samples, and memory to group them; one per worker.
typedef struct shade_buffers {
    shade_colors color;       ///< color.unlit is NULL unless the frame has unlit materials
    uint8_t *unlit;           ///< memory for color.unlit
    uint32_t *index;          ///< visible samples grouped by material, each group padded to 16
    uint32_t *material_count; ///< visible samples of each material; zeros between tiles
    uint32_t *material_start; ///< next index of the group of each shown material
    uint32_t *shown;          ///< the materials that the tile shows, by first appearance
    uint32_t material_limit;  ///< materials of the frame
    shade_part part;          ///< the light that `color` holds
    int64_t model_samples;    ///< samples and fragments shaded so far, without those of the ground
} shade_buffers;

/// Buffers for tiles of so many samples and frames of so many materials, in `a`. MEMORY, LIMIT.
zt_result shade_buffers_init(shade_buffers *s, arena *a, int32_t sample_count,
                             uint32_t material_count, zt_error *err);

/// Memory in `a` for the planes of `set` that shading fills, of `count` samples; *out is NULL where
/// there are none. False when it ran out.
bool shade_planes_init(uint32_t set, size_t count, arena *a, const shade_planes **out);

/// Shades every visible sample of `t`, the tile at `rect`, in its memory `a`; false: none left.
bool shade_tile(shade_buffers *s, const tile_buffers *t, const shade_loops *loops, tile_rect rect,
                const shade_frame *frame, arena *a);

/// A batch of shading: the visible samples of a tile, or a run of fragments.
typedef struct shade_input {
    const visible_samples *visible;
    uint32_t count;
    shade_colors color;
    uint32_t *index;        ///< scratch for shade_buffers.index
    float *arriving;        ///< scratch for shade_job.arriving; see shade_arriving_init
    uint32_t only_material; ///< the number + 1 of that of all samples; 0: there may be several
} shade_input;

/// Memory for the shadows of a run of visible samples. False when it ran out.
bool shade_arriving_init(const shade_frame *frame, arena *a, shade_input *out);

/// The numbers of PLANE_INSTANCE and the planes after it, of visible sample `sample` with this id.
/// `planes`: with barycentrics, by which the bone is found; NULL: it is not.
void shade_sample_ids(const shade_frame *frame, const shade_planes *planes, uint32_t sample,
                      uint32_t id, uint32_t out[PICTURE_ID_PLANES]);

/// Fills those planes of Cryptomatte that are wanted, once the samples are shaded.
void shade_fill_crypto(const shade_input *input, const shade_frame *frame);

/// Shades the samples of `input`, grouped by material.
void shade_samples(shade_buffers *s, const shade_input *input, const shade_loops *loops,
                   tile_rect rect, const shade_frame *frame);
