// SPDX-License-Identifier: MIT
/// Environments made by code: the light of the presets. Their chains are made when the
/// library is built (make_studio.c) and are part of it.
#pragma once

#include "base/arena.h"
#include "environment/environment.h"

#include <string.h>

typedef enum studio_kind {
    STUDIO_SOFT_BOXES, ///< a key light, a fill light and rim lights in a dim room
    STUDIO_NEUTRAL,    ///< a bright room that is lit almost evenly
    STUDIO_PRODUCT,    ///< a room with wide soft lights
    STUDIO_COUNT
} studio_kind;

/// Radiance of the wall behind the model: rims that mirror the dim room are dark lines on pages.
#define STUDIO_WALL 1.0

/// The size of the picture of a studio.
enum { STUDIO_WIDTH = 1024, STUDIO_HEIGHT = 512 };

/// Draws the picture of a studio into rgb[STUDIO_HEIGHT][STUDIO_WIDTH][3].
void studio_draw(studio_kind kind, float *rgb);

/// The environment of a studio, with its texels in `a`. ZT_ERR_MEMORY, ZT_ERR_LIMIT.
zt_result studio_environment(studio_kind kind, arena *a, environment *out, zt_error *err);

/// A grey level of light in 16 bits: 5 of exponent, 11 of mantissa. From 2^-27 to 2^5; less is 0.
typedef uint16_t studio_texel;
enum { STUDIO_TEXEL_BIAS = 99 }; ///< exponent of a float that the smallest value has, less 1

static inline studio_texel studio_texel_from_float(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    bits += 0x800u; // to the nearest
    return (studio_texel)(bits < (STUDIO_TEXEL_BIAS + 1) << 23
                              ? 0
                              : (bits - ((uint32_t)STUDIO_TEXEL_BIAS << 23)) >> 12);
}

static inline float studio_texel_to_float(studio_texel t)
{
    const uint32_t bits = t == 0 ? 0 : ((uint32_t)t << 12) + ((uint32_t)STUDIO_TEXEL_BIAS << 23);
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/// The output that make_studio writes.
typedef struct studio_data {
    int32_t size[ENVIRONMENT_LEVELS];
    const studio_texel *texels; ///< level by level
} studio_data;

extern const studio_data studio_table[STUDIO_COUNT];
