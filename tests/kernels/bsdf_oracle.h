// SPDX-License-Identifier: MIT
/// Closures in double by glTF 2.0 appendix B, KHR_materials extensions, and bsdf.inl's layers.
#pragma once

#include <stdbool.h>

typedef struct oracle_closure {
    double normal[3], view[3]; ///< unit
    double base[3], f0[3];     ///< f0: of the dielectric part
    double metallic, roughness;
    double coat, coat_roughness, coat_normal[3];
    double sheen[3], sheen_roughness;
    double tangent[3], anisotropy; ///< tangent: unit, orthogonal to the normal
    double film, film_index, film_nm;
    double transmitted, transmitted_color[3];
} oracle_closure;

/// Radiance towards the viewer for radiance 1 from `to_light`, times pi and the light's cosine.
void oracle_evaluate(const oracle_closure *c, const double to_light[3], double out[3]);

/// Reflectance of a film of `nm` on a base f0 (KHR_materials_iridescence), in complex numbers.
void oracle_film(double index, double nm, const double f0[3], double cosine, double out[3]);
