// SPDX-License-Identifier: MIT
/// Directional albedos in double, by integrals over half vectors: what src/shade/albedo_table.h
/// has, and what the closures are compared with.
#ifndef ZT_TESTS_ALBEDO_ORACLE_H
#define ZT_TESTS_ALBEDO_ORACLE_H

/// GGX with height-correlated Smith, one bounce, no Fresnel (a + b) and Schlick's: f0 a + f90 b.
/// `steps`^2 half vectors are spread over those that the eye sees.
void oracle_ggx_albedo(double n_dot_v, double roughness, int steps, double *out_a, double *out_b);

#endif
