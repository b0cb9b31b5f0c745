// SPDX-License-Identifier: MIT
/// Directional albedos in double over half vectors, for src/shade/albedo_table.h and closures.
#pragma once

/// GGX with height-correlated Smith, one bounce, no Fresnel (a + b) and Schlick's: f0 a + f90 b.
/// `steps`^2 half vectors are spread over those that the eye sees.
void oracle_ggx_albedo(double n_dot_v, double roughness, int steps, double *out_a, double *out_b);

/// Sheen (KHR_materials_sheen) without its colour: albedo, and the mean direction of light as its
/// components along the surface, away from the eye, and along the normal.
void oracle_sheen_albedo(double n_dot_v, double roughness, int steps, double *out_albedo,
                         double *out_along, double *out_up);

/// D V of sheen; cosines of the eye, the light and the half vector with the normal.
double oracle_sheen(double n_dot_v, double n_dot_l, double n_dot_h, double roughness);
