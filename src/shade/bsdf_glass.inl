// SPDX-License-Identifier: MIT
// Glass: light that passes through a surface, as a part of its closure. What is behind, and how it
// is found there, is not known here: lens.inl looks it up in the picture.
//
// The transmitted share of diffuse light goes through, tinted by the base colour
// (KHR_materials_transmission); reflected light does not. A volume also absorbs along the refracted
// ray (Beer-Lambert, KHR_materials_volume). Metal transmits nothing.

/// The parameters of glass.
typedef struct glass_parameters {
    vec3_lanes through;     ///< share of the diffuse part, tinted, before the surface reflects
    vf roughness;           ///< without the limit of reflections
    float mirror_roughness; ///< shade_transmission.mirror_roughness
} glass_parameters;

typedef struct bsdf_glass {
    vec3_lanes through;   ///< share of the light behind that passes, by channel
    vec3_lanes scattered; ///< the same where the surface is rough, else 0
    vf alpha2;            ///< width of the lobe of scattered light
} bsdf_glass;

/// `passed`: share of the light that all layers of the surface let through.
ZT_LANE_OP void glass_build(const glass_parameters *from, vf passed, bsdf_glass *out)
{
    const vf zero = vf_set1(0.0f);
    const vf lobe = (from->roughness * from->roughness) *
                    vf_set1(from->mirror_roughness * from->mirror_roughness);
    const vm rough = vf_gt(lobe, zero);
    out->through = vec3_scale(from->through, passed);
    out->scattered =
        (vec3_lanes){vf_sel(rough, out->through.x, zero), vf_sel(rough, out->through.y, zero),
                     vf_sel(rough, out->through.z, zero)};
    out->alpha2 = vf_max(lobe * lobe, vf_set1(6.25e-6f)); // as of roughness 0.05
}

/// exp(x) for x <= 0, within 3e-7 of the result down to x = -87, where it is about 1e-38; exact at
/// 0.
ZT_LANE_OP vf glass_exp(vf x) { return vf_exp2(x * vf_set1(1.44269504f)); }

/// Absorbs along `length` metres inside.
ZT_LANE_OP void glass_absorb(const float absorption[3], vf length, bsdf_glass *g)
{
    vf *through[3] = {&g->through.x, &g->through.y, &g->through.z};
    vf *scattered[3] = {&g->scattered.x, &g->scattered.y, &g->scattered.z};
    for (int32_t i = 0; i < 3; i++) {
        if (!(absorption[i] > 0.0f))
            continue;
        const vf transmittance = glass_exp(vf_set1(-absorption[i]) * length);
        *through[i] = *through[i] * transmittance;
        *scattered[i] = *scattered[i] * transmittance;
    }
}

/// Unit direction of the refracted view ray, by Snell's law; `eta` = 1 / ior <= 1.
ZT_LANE_OP vec3_lanes glass_refract(const shade_point *p, float eta)
{
    const vf one = vf_set1(1.0f), e = vf_set1(eta), cosine = p->n_dot_v;
    const vf inside = vf_sqrt(one - (e * e) * (one - cosine * cosine));
    return vec3_unit(vec3_sub(vec3_scale(p->normal, e * cosine - inside), vec3_scale(p->view, e)));
}

/// bsdf_evaluate for light from behind: a rough surface scatters it like a mirror whose image of
/// the light is there (KHR_materials_transmission, "Microfacet BTDF"). Smooth ones show no lamps.
ZT_LANE_OP vec3_lanes glass_evaluate(const shade_point *p, const bsdf_glass *g, vec3_lanes to_light,
                                     vec3_lanes radiance, vec3_lanes sum)
{
    const vf cosine = vec3_dot(p->normal, to_light);
    const vf n_dot_l = vf_max(vf_neg(cosine), vf_set1(0.0f));
    const vec3_lanes image = vec3_sub(to_light, vec3_scale(p->normal, vf_set1(2.0f) * cosine));
    const vf length2 = ggx_half_at(p->view, image).length2;
    const vf lobe = ggx_dv(p->n_dot_v, n_dot_l, g->alpha2, length2) * n_dot_l;
    return vec3_add(sum, vec3_scale(vec3_times(g->scattered, radiance), lobe));
}
