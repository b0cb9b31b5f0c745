// SPDX-License-Identifier: MIT
// Anisotropic GGX: highlights that are stretched along one direction of the surface
// (KHR_materials_anisotropy). The lobe replaces the round one of the base.
//
// D: Burley 2012, "Physically-Based Shading at Disney"; V: Heitz 2014, height-correlated. Roughness
// across the direction is the material's; along it alpha is mixed with 1 by strength squared.
//
// Light from all around is the mean of ELLIPSE_SAMPLES round lobes with normals spread as slopes of
// microfacets along the direction; one lookup in a bent direction cannot cover a stretched lobe.
//
// The albedo E follows from a round lobe's. What masking takes is 1 / E - 1, the mean of Smith's
// lambda of light over 1 + lambda of the eye: the first is the round lobe's, the second is known,
// so 1 / E - 1 of the round lobe is multiplied by its 1 + lambda and divided by the own. The square
// of the round alpha is the mean square of both alphas, or that towards the eye where alpha along
// the direction is small, as light then leaves in the plane of the eye. The part with Fresnel's (1
// - v.h)^5 is a round lobe's with the alpha towards the eye: half vectors lie in that plane. E is
// within 0.055 of the integral, 0.017 in the root of the mean square.

// A round lobe is an ellipse too once it is mirrored: half vectors that lean across the plane of
// the eye turn the light by n.v of what those turn it that lean in the plane, and those in the
// plane reflect more, by Fresnel, the flatter they meet the eye. So under flat angles a coat's lobe
// is the mean of ROUND_SAMPLES lobes narrower by n.v, spread in the plane. Of what a window's
// reflection reaches the root of the mean squared error is 0.05 to 0.19 at roughness 0.3 to 0.6,
// 0.21 to 0.39 with one lookup in a mean direction (tests/unit/unit_grazing.c).

enum { ELLIPSE_SAMPLES = 16, ROUND_SAMPLES = 6 };

/// Slopes amid equal shares of a half of the distribution: x / sqrt(1 - x^2), x = 1/16, 3/16 ...
static const float ellipse_slope[ELLIPSE_SAMPLES / 2] = {0.062622429f, 0.19088543f, 0.32897585f,
                                                         0.48653363f,  0.68033605f, 0.94672926f,
                                                         1.3937463f,   2.6940795f};

/// As ellipse_slope: x = 1/4, 3/4.
static const float round_slope[ROUND_SAMPLES / 2] = {0.16903085f, 0.57735027f, 1.50755672f};

typedef struct bsdf_ellipse {
    vec3_lanes tangent, bitangent; ///< unit, orthogonal to the normal
    vf alpha_t, alpha_b;
    vf t_dot_v, b_dot_v;
    vf smith_v;           ///< length of (alpha_t t.v, alpha_b b.v, n.v)
    vf round_roughness;   ///< roughness of the round lobes
    vf spread;            ///< alpha of their normals, along the tangent
    vf f0;                ///< parameter of Schlick's Fresnel term, which weights the round lobes
    const float *slope;   ///< their slopes per spread, each of both signs
    int32_t samples;      ///< how many there are
    vf albedo_roughness;  ///< roughness of the round lobe of the albedo
    vf lost;              ///< factor of its 1 / E - 1
    vf grazing_roughness; ///< roughness of the round lobe whose Fresnel term it has
} bsdf_ellipse;

ZT_LANE_OP vf vector_length(vf x, vf y, vf z) { return vf_sqrt((x * x + y * y) + z * z); }

/// Fills what bsdf_build needs for the albedo.
ZT_LANE_OP void ellipse_albedo(vf n_dot_v, bsdf_ellipse *e)
{
    const vf one = vf_set1(1.0f), zero = vf_set1(0.0f), few = vf_set1(0.03f);
    const vf alpha_t2 = e->alpha_t * e->alpha_t, alpha_b2 = e->alpha_b * e->alpha_b;
    const vf mean2 = vf_set1(0.5f) * (alpha_t2 + alpha_b2);
    // Towards the eye; along the normal, where that is no direction, the mean.
    const vf side2 = e->t_dot_v * e->t_dot_v + e->b_dot_v * e->b_dot_v;
    const vf seen2 = alpha_t2 * (e->t_dot_v * e->t_dot_v) + alpha_b2 * (e->b_dot_v * e->b_dot_v);
    const vf towards2 = (seen2 + few * mean2) / (side2 + few);
    const vf wide = vf_clamp(vf_set1(4.5f) * e->alpha_t - vf_set1(1.2f), zero, one);
    const vf round2 = towards2 + (mean2 - towards2) * wide;
    const vf smith_round = vf_sqrt(round2 * side2 + n_dot_v * n_dot_v);
    e->albedo_roughness = vf_sqrt(vf_sqrt(round2));
    e->grazing_roughness = vf_sqrt(vf_sqrt(towards2));
    e->lost = (n_dot_v + smith_round) / (n_dot_v + e->smith_v);
}

/// `tangent`: the direction, at any angle with the normal. `strength`: 0 to 1.
ZT_LANE_OP void ellipse_build(vec3_lanes tangent, vf strength, vec3_lanes normal, vec3_lanes view,
                              vf n_dot_v, vf roughness, bsdf_ellipse *e)
{
    const vf one = vf_set1(1.0f), zero = vf_set1(0.0f), tiny = vf_set1(1e-12f);
    // Without a tangent, or one along the normal, any other direction.
    vec3_lanes t = vec3_sub(tangent, vec3_scale(normal, vec3_dot(normal, tangent)));
    const vm none = vf_lt(vec3_dot(t, t), tiny), steep = vf_gt(vf_abs(normal.x), vf_set1(0.5f));
    const vec3_lanes other = {vf_sel(steep, zero, one), vf_sel(steep, one, zero), zero};
    const vec3_lanes side = vec3_cross(normal, other);
    t = vec3_unit((vec3_lanes){vf_sel(none, side.x, t.x), vf_sel(none, side.y, t.y),
                               vf_sel(none, side.z, t.z)});
    e->tangent = t;
    e->bitangent = vec3_cross(normal, t);
    e->alpha_b = roughness * roughness;
    e->alpha_t = e->alpha_b + (one - e->alpha_b) * (strength * strength);
    e->t_dot_v = vec3_dot(e->tangent, view);
    e->b_dot_v = vec3_dot(e->bitangent, view);
    e->smith_v = vector_length(e->alpha_t * e->t_dot_v, e->alpha_b * e->b_dot_v, n_dot_v);
    // Round lobes wide enough to touch; with the spread of their normals they make alpha_t.
    const vf alpha_t2 = e->alpha_t * e->alpha_t;
    const vf round = vf_max(e->alpha_b, vf_set1(2.2f / (float)ELLIPSE_SAMPLES) * e->alpha_t);
    e->round_roughness = vf_sqrt(round);
    e->spread = vf_sqrt(vf_max(alpha_t2 - round * round, zero));
    e->slope = ellipse_slope;
    e->samples = ELLIPSE_SAMPLES;
    e->f0 = vf_set1(1.0f);
    ellipse_albedo(n_dot_v, e);
}

/// For ellipse_dv alone.
ZT_LANE_OP void ellipse_widen(vf more, vf n_dot_v, bsdf_ellipse *e)
{
    const vf one = vf_set1(1.0f);
    e->alpha_t = vf_min(e->alpha_t + more, one);
    e->alpha_b = vf_min(e->alpha_b + more, one);
    e->smith_v = vector_length(e->alpha_t * e->t_dot_v, e->alpha_b * e->b_dot_v, n_dot_v);
}

/// The ellipse of a round lobe. Fills what ellipse_lobe needs.
ZT_LANE_OP void ellipse_round(vec3_lanes normal, vec3_lanes view, vf n_dot_v, vf roughness, vf f0,
                              bsdf_ellipse *e)
{
    const vf zero = vf_set1(0.0f), one = vf_set1(1.0f), alpha = roughness * roughness;
    // Along the normal there is no plane, nor a spread: any tangent does.
    const vf some = vf_set1(1e-4f);
    const vf across = alpha * vf_max(n_dot_v, vf_set1(2.0f / (float)ROUND_SAMPLES));
    e->tangent = vec3_unit(vec3_sub(view, vec3_scale(normal, n_dot_v - some)));
    e->alpha_t = e->alpha_b = alpha;
    e->t_dot_v = vf_sqrt(vf_max(one - n_dot_v * n_dot_v, zero));
    e->b_dot_v = zero;
    e->smith_v = vector_length(alpha * e->t_dot_v, zero, n_dot_v);
    e->round_roughness = vf_sqrt(across);
    e->spread = vf_sqrt(vf_max(alpha * alpha - across * across, zero));
    e->slope = round_slope;
    e->samples = ROUND_SAMPLES;
    e->f0 = f0;
}

/// A round lobe of the mean: the direction of its light, of any length, and its weight.
ZT_LANE_OP vec3_lanes ellipse_lobe(const bsdf_ellipse *e, vec3_lanes normal, vec3_lanes view,
                                   vf n_dot_v, int32_t i, vf *out_weight)
{
    const float slope = e->slope[i / 2];
    const vf along = e->spread * vf_set1(i % 2 ? slope : -slope);
    const vf shrink = vf_set1(1.0f) / vf_sqrt(vf_set1(1.0f) + along * along);
    const vec3_lanes h = vec3_scale(vec3_add(normal, vec3_scale(e->tangent, along)), shrink);
    const vf v_dot_h =
        vf_clamp((n_dot_v + along * e->t_dot_v) * shrink, vf_set1(0.0f), vf_set1(1.0f));
    const vec3_lanes light = ggx_mean_direction(h, view, v_dot_h, e->round_roughness);
    // D is in the density of the slopes: what is left is G v.h / (n.v n.h).
    const vf n_dot_l = vf_max(vf_set1(2.0f) * v_dot_h * shrink - n_dot_v, vf_set1(0.0f));
    const vf t_dot_l = vf_set1(2.0f) * v_dot_h * (along * shrink) - e->t_dot_v;
    const vf smith_l = vector_length(e->alpha_t * t_dot_l, e->alpha_b * e->b_dot_v, n_dot_l);
    const vf g = n_dot_v * smith_l + n_dot_l * e->smith_v;
    const vf f = fresnel_schlick(e->f0, vf_set1(1.0f), schlick_m5(v_dot_h));
    *out_weight = (f * v_dot_h * n_dot_l) / (vf_max(g, vf_set1(1e-12f)) * shrink);
    return light;
}

/// pi D V.
ZT_LANE_OP vf ellipse_dv(const bsdf_ellipse *e, vf n_dot_v, vf n_dot_l, vec3_lanes to_light,
                         const ggx_half *half)
{
    const vf t_dot_l = vec3_dot(e->tangent, to_light), b_dot_l = vec3_dot(e->bitangent, to_light);
    const vf t = (t_dot_l + e->t_dot_v) / e->alpha_t, b = (b_dot_l + e->b_dot_v) / e->alpha_b;
    const vf n = n_dot_l + n_dot_v, q = (t * t + b * b) + n * n;
    const vf smith_l = vector_length(e->alpha_t * t_dot_l, e->alpha_b * b_dot_l, n_dot_l);
    const vf g = (n_dot_l * e->smith_v + n_dot_v * smith_l) * (e->alpha_t * e->alpha_b);
    const vf d = half->length2 / q; // D = d^2 / (pi alpha_t alpha_b)
    return (vf_set1(0.5f) * (d * d)) / vf_max(g, vf_set1(1e-12f));
}
