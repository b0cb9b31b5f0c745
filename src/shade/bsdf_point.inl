// SPDX-License-Identifier: MIT
// A shaded point, as all closures and lights see it.

/// A shaded point as the lights see it.
typedef struct shade_point {
    vec3_lanes position, normal, view; ///< view: unit, towards the eye
    vec3_lanes diffuse, f0;            ///< diffuse albedo, reflectance at normal incidence
    vec3_lanes dielectric_f0; ///< f0 of the dielectric part, whose diffuse light it reduces
    bool dielectric_grey;     ///< the channels of dielectric_f0 are equal: one is computed
    vf f90, dielectric_f90;   ///< reflectances at grazing angles, the same in all channels
    vf alpha2, roughness, n_dot_v;
    vf normal_step2; ///< squared steps of the normal to the next pixels, with antialiasing of gloss
    vf dielectric;   ///< 1 - metalness; only for closures
    vf arriving;     ///< share of the light at hand that no shadow takes; only for toons
    vec3_lanes geometric; ///< about unit: the normal without maps; by shade_traits.geometric
} shade_point;

/// Schlick's Fresnel: f0 + (f90 - f0) m5, m5 = (1 - c)^5.
ZT_LANE_OP vf fresnel_schlick(vf f0, vf f90, vf m5) { return f0 + (f90 - f0) * m5; }

/// Largest reflectance of the three channels of the dielectric part. The rest is diffused, so
/// diffuse light keeps its colour (KHR_materials_specular, "Implementation").
ZT_LANE_OP vf largest_channel(vf x, vf y, vf z) { return vf_max(vf_max(x, y), z); }
