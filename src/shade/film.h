// SPDX-License-Identifier: MIT
/// The film writes the planes of a picture, tile by tile: linear radiance -> 8-bit pixels, and what
/// else is asked for.
#ifndef ZT_SHADE_FILM_H
#define ZT_SHADE_FILM_H

#include "image/picture_planes.h"
#include "shade/tile_shade.h"

/// Fills the sRGB encoding table: a value gets the code whose decoded value is nearest in the
/// encoded domain, exactly.
void film_srgb_init(film_srgb *table);

typedef struct film_settings {
    float exposure; ///< factor
    int32_t tone_map;
    bool transparent;
    float background[3]; ///< linear
} film_settings;

/// Writes the tile's pixels into the picture.
void film_tile(const shade_buffers *s, const tile_buffers *t, const tile_blend *blend,
               const shade_loops *loops, tile_rect rect, const film_settings *film,
               const film_srgb *srgb, const zt_image *target);

/// Writes target->depth of the tile's pixels.
void film_depth(const tile_buffers *t, tile_rect rect, const picture_planes *target);

#endif
