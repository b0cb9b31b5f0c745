// SPDX-License-Identifier: MIT
/// Textures and the maps of materials, as loops read them.
#pragma once

#include "geometry/posed_meshlet.h"

#include <stdbool.h>
#include <stdint.h>

enum { SURFACE_WRAP_REPEAT, SURFACE_WRAP_CLAMP, SURFACE_WRAP_MIRROR };

/// The properties of a texture that choose its sampling code. Bytes only: memcmp compares two.
typedef struct surface_sampling {
    uint8_t wrap_u, wrap_v;
    bool powers_of_two, square;                 ///< width and height of level 0
    bool mag_nearest, min_nearest, mip_nearest; ///< without mips level_count is 1
} surface_sampling;

/// One level of a texture; mirrors texture/mipmap.h.
typedef struct surface_level {
    const void *texels;
    int32_t width, height, stride;
} surface_level;

typedef struct surface_texture {
    surface_level level[15];
    int32_t level_count;
    bool wide; ///< 4 x u16 (scale 1/32640) instead of 4 x u8 (1/255)
    surface_sampling sampling;
    bool is_signed;                  ///< a normal map: its texels encode -1..1
    bool two_channel;                ///< a normal map that stores x and y only
    float shortness;                 ///< of a normal map: see mipmap_shortness()
    float mask_cutoff, mask_skipped; ///< mipmap.mask_cutoff; levels before level 0
} surface_texture;

/// Maps of a material with one size, sampler, uv set and transform, interleaved: one fetch reads
/// base colour, metal-rough and normal. A texel is 8 x int16_t in 1/32640: base r, g, b, roughness,
/// normal x, y, z (signed), metalness. A row is SURFACE_PACKED_PADDING texels longer than the
/// level; all levels are in a block below 2^31 bytes, emission and occlusion in a second.
enum { SURFACE_PACKED_PADDING = 20 };
typedef struct surface_packed {
    const int16_t *texels;
    const int16_t
        *emissive_occlusion; ///< NULL, or 4 x int16_t for each texel: emission r, g, b, occlusion
    int32_t first[16];       ///< texels before each level; entries past the last level repeat it
    surface_texture sampler; ///< sizes, wrapping and filters; its texels are not used
} surface_packed;

typedef struct surface_map {
    const surface_texture *texture; ///< NULL: no map
    int32_t uv_set;
    bool transformed;
    float uv_from_uv[6];
} surface_map;

/// The triangles that a view shows.
typedef struct surface_view {
    const posed_meshlet *meshlets;           ///< of the frame
    const homogeneous_vertices *homogeneous; ///< by meshlet, of those that the view shows
} surface_view;
