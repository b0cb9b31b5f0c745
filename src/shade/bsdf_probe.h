// SPDX-License-Identifier: MIT
/// Materials at hits of rays: the door to closures for whatever is no picture (hit.inl).
#pragma once

#include "geometry/posed_meshlet.h"

typedef struct shade_material shade_material;
typedef struct shade_light shade_light;

/// Hits on triangles of one material. Arrays are padded to a multiple of 16; directions and
/// positions are in world space; hits are independent. Results that are NULL are not wanted.
typedef struct bsdf_probe_job {
    const posed_meshlet *meshlets; ///< all meshlets of the frame
    const shade_material *material;
    bool flat; ///< the law of frames without an environment; materials with lobes have none
    uint8_t roughness_floor; ///< in thousandths; 0: that of pixels
    uint32_t count;
    const uint32_t *id;           ///< primitive_id() of each triangle
    const float *barycentric[2];  ///< weights of corners 1 and 2
    const float *to_eye[3];       ///< unit: against the ray
    const float *footprint[2][3]; ///< ray differentials: metres on the triangle's plane from the
                                  ///< hit to those of two neighbouring rays (Igehy, "Tracing Ray
                                  ///< Differentials", 1999). [0][0] NULL: rays have no extent
    /// Each closure is asked for `question_count` directions, [question * padded count +
    /// hit], or a lamp that lights all hits: question_count is 1.
    uint32_t question_count;
    const float *to_light[3]; ///< unit
    const shade_light *lamp;  ///< or NULL
    float *out_value[3];      ///< [question * padded count + hit] BSDF times the light's cosine,
                              ///< 1 / sr; of a lamp the radiance that it adds, without shadows
    float *out_albedo[3];     ///< radiance towards the eye under radiance 1 from all around
    float *out_emission[3];   ///< radiance; of unlit materials their colour
    float *out_alpha;         ///< share of rays that the surface stops, by its mask or blending
    float *out_position[3];   ///< position of the hit, metres
    float *out_geometric[3];  ///< the normal without maps, of any length; 0 where unlit
    float *out_lamp[2];       ///< distance of the lamp in metres, and its radius over that
} bsdf_probe_job;
