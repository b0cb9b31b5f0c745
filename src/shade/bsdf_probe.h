// SPDX-License-Identifier: MIT
/// Light that a material scatters at hits of rays: the door to closures for whatever is no
/// picture.
#pragma once

#include "geometry/posed_meshlet.h"

typedef struct shade_material shade_material;

/// Hits on triangles of one material, each with a direction that light comes from. Arrays are
/// padded to a multiple of 16; directions and positions are in world space; hits are independent.
typedef struct bsdf_probe_job {
    const posed_meshlet *meshlets;  ///< of the frame
    const shade_material *material; ///< not unlit
    bool flat; ///< the law of frames without an environment; materials with lobes have none
    uint32_t count;
    const uint32_t *id;           ///< primitive_id() of each triangle
    const float *barycentric[2];  ///< of corners 1 and 2
    const float *to_eye[3];       ///< unit: against the ray
    const float *footprint[2][3]; ///< ray differentials: metres on the triangle's plane from the
                                  ///< hit to those of two neighbouring rays (Igehy, "Tracing Ray
                                  ///< Differentials", 1999). [0][0] NULL: rays have no extent
    const float *to_light[3];     ///< unit
    float *out_value[3];          ///< BSDF times the cosine of the light, 1 / sr
    float *out_albedo[3];         ///< radiance towards the eye under radiance 1 from all around
    float *out_position[3];       ///< of the hit, metres
} bsdf_probe_job;
