// SPDX-License-Identifier: MIT
// Sheen: light that stands on end fibres of cloth scatter at grazing angles (KHR_materials_sheen).
//
// Distribution and masking: Estevez & Kulla 2017, "Production Friendly Microfacet Sheen BRDF",
// alpha = roughness^2 as in the extension. What lies below keeps 1 - E of the largest channel. At
// small roughnesses, near the horizon, the lobe is divided by its albedo, which exceeds 1.

typedef struct bsdf_sheen {
    vec3_lanes color; ///< with what limits the albedo to 1
    vec3_lanes albedo;
    vf transmittance; ///< share of light that reaches what is below
    vf alpha, inverse_alpha;
    vf masking_v; ///< lambda of the eye
    vf bend;      ///< bend of the mean direction, see sheen_mean_direction
} bsdf_sheen;

/// L(x) of the paper's section 4, as its logarithm to the base 2. `smooth`: (1 - alpha)^2.
ZT_LANE_OP vf sheen_masking_curve(vf x, vf smooth)
{
    const vf a = vf_set1(21.5473f) + vf_set1(25.3245f - 21.5473f) * smooth;
    const vf b = vf_set1(3.82987f) + vf_set1(3.32435f - 3.82987f) * smooth;
    const vf c = vf_set1(0.19823f) + vf_set1(0.16801f - 0.19823f) * smooth;
    const vf d = vf_set1(-1.97760f) + vf_set1(1.97760f - 1.27393f) * smooth;
    const vf e = vf_set1(-4.32054f) + vf_set1(4.32054f - 4.85967f) * smooth;
    const vf power = vf_exp2(c * vf_log2(vf_max(x, vf_set1(1e-6f))));
    return (a / (vf_set1(1.0f) + b * power) + d * x + e) * vf_set1(1.44269504f);
}

/// lambda of a direction; above the cosine 1/2 the curve is mirrored.
ZT_LANE_OP vf sheen_masking(vf cosine, vf alpha)
{
    const vf one = vf_set1(1.0f), half = vf_set1(0.5f), rest = one - alpha, smooth = rest * rest;
    const vm low = vf_lt(cosine, half);
    const vf curve = sheen_masking_curve(vf_sel(low, cosine, one - cosine), smooth);
    const vf middle = sheen_masking_curve(half, smooth);
    return vf_exp2(vf_sel(low, curve, vf_set1(2.0f) * middle - curve));
}

ZT_LANE_OP void sheen_build(vec3_lanes color, vf roughness, vf n_dot_v, bsdf_sheen *out)
{
    const vf one = vf_set1(1.0f), r = vf_clamp(roughness, vf_set1(SHEEN_SMOOTHEST), one);
    const vf x = vf_sqrt(n_dot_v) * vf_set1((float)(SHEEN_ALBEDO_COLUMNS - 1));
    const vf y = (r - vf_set1(SHEEN_SMOOTHEST)) *
                 vf_set1((float)(SHEEN_ALBEDO_ROWS - 1) / (1.0f - SHEEN_SMOOTHEST));
    albedo_place at;
    albedo_place_build(SHEEN_ALBEDO_COLUMNS, SHEEN_ALBEDO_ROWS, x, y, &at);
    const ggx_albedo e = albedo_lookup(sheen_albedo_table, SHEEN_ALBEDO_COLUMNS, &at);
    const vf albedo = e.a * vf_set1(SHEEN_ALBEDO_SCALE), limit = vf_max(albedo, one);
    out->alpha = r * r;
    out->inverse_alpha = one / out->alpha;
    out->masking_v = sheen_masking(n_dot_v, out->alpha);
    out->bend = e.b;
    out->color = vec3_scale(color, one / limit);
    out->albedo = vec3_scale(out->color, albedo);
    out->transmittance = one - largest_channel(out->albedo.x, out->albedo.y, out->albedo.z);
}

/// pi D V, times the cosine of the light.
ZT_LANE_OP vec3_lanes sheen_evaluate(const bsdf_sheen *s, vf n_dot_v, vf n_dot_l,
                                     const ggx_half *half)
{
    const vf one = vf_set1(1.0f), half_ = vf_set1(0.5f), sum = n_dot_l + n_dot_v;
    const vf sine2 = vf_max(one - (sum * sum) / half->length2, vf_set1(1e-12f));
    const vf d = (one + half_ * s->inverse_alpha) *
                 vf_exp2((half_ * s->inverse_alpha) * vf_log2(sine2)); // 2 pi D / 2
    const vf masking = one + s->masking_v + sheen_masking(n_dot_l, s->alpha);
    // V n.l = 1 / (4 n.v masking)
    const vf lobe = vf_sel(vf_gt(n_dot_l, vf_set1(0.0f)), d / ((vf_set1(4.0f) * n_dot_v) * masking),
                           vf_set1(0.0f));
    return vec3_scale(s->color, lobe);
}

/// The mean direction of light that sheen returns: bent from the normal towards the surface.
ZT_LANE_OP vec3_lanes sheen_mean_direction(const bsdf_sheen *s, vec3_lanes normal, vec3_lanes view,
                                           vf n_dot_v)
{
    const vf one = vf_set1(1.0f);
    const vf side = vf_sqrt(vf_max(one - n_dot_v * n_dot_v, vf_set1(1e-8f)));
    const vf along = s->bend / side;
    return vec3_unit(
        vec3_sub(vec3_scale(normal, (one - s->bend) + n_dot_v * along), vec3_scale(view, along)));
}
