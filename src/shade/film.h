// SPDX-License-Identifier: MIT
/// Tables and settings of the film: what turns linear radiance into 8-bit pixels.
#ifndef ZT_SHADE_FILM_H
#define ZT_SHADE_FILM_H

#include "shade/shade_loops.h"

/// Fills the sRGB encoding table: a value gets the code whose decoded value is nearest in the
/// encoded domain, exactly.
void film_srgb_init(film_srgb *table);

typedef struct film_settings {
    float exposure; ///< factor
    int32_t tone_map;
    bool transparent;
    float background[3]; ///< linear
} film_settings;

#endif
