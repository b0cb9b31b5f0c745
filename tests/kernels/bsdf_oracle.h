// SPDX-License-Identifier: MIT
/// Closures in double, written from the formulas: glTF 2.0 appendix B, the KHR_materials
/// extensions, and the layering that src/shade/bsdf.inl describes.
#ifndef ZT_TESTS_BSDF_ORACLE_H
#define ZT_TESTS_BSDF_ORACLE_H

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

/// Radiance towards the viewer for light of radiance 1 from `to_light`, times pi and the cosine of
/// the light.
void oracle_evaluate(const oracle_closure *c, const double to_light[3], double out[3]);

/// Reflectance of a film of thickness `nm` on a base of reflectance f0, as
/// KHR_materials_iridescence gives it, in complex arithmetic.
void oracle_film(double index, double nm, const double f0[3], double cosine, double out[3]);

#endif
