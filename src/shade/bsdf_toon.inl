// SPDX-License-Identifier: MIT
// Toon shading (VRMC_materials_mtoon 1.0, "Lighting" and "Rim lighting"): the light of a lamp in
// two colours with a step between them, ambient light that is nearly the same from all sides, and a
// rim.
// https://github.com/vrm-c/vrm-specification/tree/master/specification/VRMC_materials_mtoon-1.0 It
// is a law of drawings: it replaces the other lobes, and keeps no balance of energy.

/// The parameters of toon shading: factors times maps.
typedef struct toon_parameters {
    vec3_lanes shade; ///< colour where no light arrives
    vf shift;         ///< added to the cosine of the light
    vec3_lanes rim;
    const material_toon *factors;
} toon_parameters;

typedef struct bsdf_toon {
    vec3_lanes shade, gained; ///< colour in the shade, and what light adds to it
    vec3_lanes rim;
    vf shift, slope; ///< shift and slope of the step, whose middle is at 0
    vf rim_mix;      ///< share of the rim that light scales
    vf equalization; ///< share of ambient light that is the same from all sides
} bsdf_toon;

ZT_LANE_OP void toon_build(const shade_point *p, const toon_parameters *from, bsdf_toon *out)
{
    const float width = 2.0f - 2.0f * from->factors->shading_toony;
    out->shade = from->shade;
    out->gained = vec3_sub(p->diffuse, from->shade);
    out->rim = from->rim;
    out->shift = from->shift;
    out->slope = vf_set1(1.0f / (width > 1e-4f ? width : 1e-4f));
    out->rim_mix = vf_set1(from->factors->rim_lighting_mix);
    out->equalization = vf_set1(from->factors->gi_equalization);
}

/// The rim of silhouettes, before its map. `n_dot_v`: cosine of the normal towards the eye.
ZT_LANE_OP vec3_lanes toon_rim(const material_toon *toon, vf n_dot_v)
{
    const vf one = vf_set1(1.0f);
    const vf edge = vf_clamp((one - n_dot_v) + vf_set1(toon->rim_lift), vf_set1(0.0f), one);
    const vf strength = vf_exp2(vf_set1(toon->rim_power) * vf_log2(vf_max(edge, vf_set1(1e-6f))));
    return vec3_scale(vec3_set1(toon->rim_color), strength);
}

/// Where a picture of a sphere shows a normal, in texture coordinates: as the eye sees it, whose
/// upright is that of the world. `to_eye`: unit.
ZT_LANE_OP uv_gradient toon_matcap_uv(vec3_lanes normal, vec3_lanes to_eye)
{
    const vf zero = vf_set1(0.0f), half = vf_set1(0.5f), radius = vf_set1(0.495f);
    const vec3_lanes right = vec3_unit((vec3_lanes){to_eye.z, zero, vf_neg(to_eye.x)});
    const vec3_lanes up = vec3_cross(to_eye, right);
    return (uv_gradient){.u = half + radius * vec3_dot(right, normal),
                         .v = half - radius * vec3_dot(up, normal),
                         .ux = zero,
                         .vx = zero,
                         .uy = zero,
                         .vy = zero,
                         .factor = vf_set1(1.0f)};
}

/// Radiance towards the eye for `to_light`. `radiance`: of a light of solid angle 1, over pi. Its
/// shadow takes from the step alone: what it hides has the colour of the shade.
ZT_LANE_OP vec3_lanes toon_evaluate(const shade_point *p, const bsdf_toon *b, vec3_lanes to_light,
                                    vec3_lanes radiance)
{
    const vf half = vf_set1(0.5f);
    const vf cosine = vec3_dot(p->normal, to_light) + b->shift;
    const vf step = vf_clamp(cosine * b->slope + half, vf_set1(0.0f), vf_set1(1.0f));
    const vec3_lanes lit = vec3_add(b->shade, vec3_scale(b->gained, step * p->arriving));
    return vec3_times(vec3_add(lit, vec3_scale(b->rim, b->rim_mix)), radiance);
}

/// Radiance in ambient light: irradiance over pi on the surface, and the mean of above and below.
ZT_LANE_OP vec3_lanes toon_ambient(const bsdf_toon *b, const shade_point *p, vec3_lanes irradiance,
                                   vec3_lanes mean)
{
    const vf own = vf_set1(1.0f) - b->equalization;
    const vec3_lanes light =
        vec3_add(vec3_scale(irradiance, own), vec3_scale(mean, b->equalization));
    const vec3_lanes lit = vec3_times(vec3_add(p->diffuse, vec3_scale(b->rim, b->rim_mix)), light);
    return vec3_add(lit, vec3_scale(b->rim, vf_set1(1.0f) - b->rim_mix));
}
