// SPDX-License-Identifier: MIT
// Clear coat: a GGX lobe of a dielectric of index 1.5 over everything else, with roughness and
// normals of its own (KHR_materials_clearcoat).
//
// Light passes the coat twice. Of the light that comes back from below, the coat returns a share k,
// of which the layers below reflect rho again, and so on; the sum of this series is the factor
// (1 - k) / (1 - k rho) in addition to 1 - E on the way out (Saunderson 1942, "Calculation of the
// color of pigmented plastics"). Over white the series brings everything back: 1 - E. Over black it
// leaves both passes. Mirrored light passes the coat at the angle of the eye, k = E. Diffused light
// comes from everywhere: on the way in it keeps 1 - F of its own angle, and k is the mean of F.

typedef struct bsdf_coat {
    vec3_lanes normal;
    vf factor, alpha2, roughness, n_dot_v;
    vf mirror;                ///< factor of what it mirrors
    vf albedo;                ///< E, with the factor
    vf passed;                ///< 1 - E
    vec3_lanes transmittance; ///< share of mirrored light from below that passes
    vec3_lanes kept_diffuse;  ///< share of diffuse light that passes, without its way in
} bsdf_coat;

#define COAT_F0     0.04f
#define COAT_MEAN_F (0.04f + 0.96f / 21.0f) // twice the integral of Schlick's F(c) c over 0 to 1

/// `below`: albedo of what the coat covers.
ZT_LANE_OP void coat_build(vf factor, vf roughness, vec3_lanes normal, vec3_lanes view,
                           vec3_lanes below, bsdf_coat *out)
{
    const vf one = vf_set1(1.0f);
    out->normal = normal;
    out->factor = out->mirror = factor;
    out->roughness = vf_clamp(roughness, vf_set1(0.05f), one);
    const vf alpha = out->roughness * out->roughness;
    out->alpha2 = alpha * alpha;
    out->n_dot_v = vf_clamp(vec3_dot(normal, view), vf_set1(1e-4f), one);
    const ggx_albedo e = ggx_albedo_at(out->n_dot_v, out->roughness);
    out->albedo = factor * ggx_reflected(vf_set1(COAT_F0), one, e);
    out->passed = one - out->albedo;
    const vf k = out->albedo, mean = factor * vf_set1(COAT_MEAN_F);
    const vf twice = out->passed * (one - k);
    out->transmittance = (vec3_lanes){twice / (one - k * below.x), twice / (one - k * below.y),
                                      twice / (one - k * below.z)};
    out->kept_diffuse =
        (vec3_lanes){out->passed / (one - mean * below.x), out->passed / (one - mean * below.y),
                     out->passed / (one - mean * below.z)};
}

/// The coat's reflection over the light that comes from below.
ZT_LANE_OP vec3_lanes coat_evaluate(const bsdf_coat *c, const ggx_half *half, vec3_lanes to_light,
                                    vec3_lanes specular, vec3_lanes diffuse)
{
    const vf one = vf_set1(1.0f), f0 = vf_set1(COAT_F0);
    const vf n_dot_l = vf_clamp(vec3_dot(c->normal, to_light), vf_set1(0.0f), one);
    const vf lobe = ggx_dv(c->n_dot_v, n_dot_l, c->alpha2, half->length2) * n_dot_l;
    const vf mirrored = (c->mirror * fresnel_schlick(f0, one, half->m5)) * lobe;
    const vf in = one - c->factor * fresnel_schlick(f0, one, schlick_m5(n_dot_l));
    const vec3_lanes below = vec3_add(vec3_times(specular, c->transmittance),
                                      vec3_scale(vec3_times(diffuse, c->kept_diffuse), in));
    return (vec3_lanes){mirrored + below.x, mirrored + below.y, mirrored + below.z};
}
