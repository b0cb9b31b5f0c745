// SPDX-License-Identifier: MIT
/// The film writes the planes of a picture, tile by tile: linear radiance -> 8-bit pixels, and the
/// depth of samples.
#ifndef ZT_SHADE_FILM_H
#define ZT_SHADE_FILM_H

#include "image/picture_planes.h"
#include "shade/tile_shade.h"

/// Fills the sRGB encoding table: codes are the encoded values, rounded to the nearest exactly.
void film_srgb_init(film_srgb *table);

typedef struct film_settings {
    float exposure;   ///< factor
    int32_t tone_map; ///< zt_tone_map
    bool transparent;
    float background[3];           ///< linear
    const film_backdrop *backdrop; ///< replaces `background`; or NULL
} film_settings;

/// Resolves the shaded tile `t` at `rect` into 8-bit pixels of `target`. Allocates in `a`, the
/// memory of the tile; false when it ran out.
bool film_tile(const shade_buffers *s, const tile_buffers *t, const tile_blend *blend,
               const shade_loops *loops, tile_rect rect, const film_settings *film,
               const shade_frame *frame, const film_srgb *srgb, arena *a, const zt_image *target);

/// Writes the nearest depth of each pixel of the tile `t` at `rect` into target->depth.
void film_depth(const tile_buffers *t, tile_rect rect, const picture_planes *target);

#endif
