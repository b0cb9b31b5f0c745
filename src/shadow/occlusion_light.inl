// SPDX-License-Identifier: MIT
// Ambient light under occlusion: the visibility of a shaded point from the planes of
// occlusion_loops.h, and what it leaves of diffuse and specular light. Punctual lights have
// shadows; occlusion does not change them.

/// Factors of ambient light at a point: `all`, or with `split` of diffuse and specular.
typedef struct ambient_visibility {
    bool split;
    vf all;
    vec3_lanes albedo; ///< of the occluders
    vec3_lanes diffuse, specular;
} ambient_visibility;

/// A point's depth, as occlusion_planes has it, and its steps per texel on its triangle.
ZT_LANE_OP vf occlusion_surface_depth(const occlusion_view *v, const surface *s, vf step[2])
{
    vf depth;
    if (v->orthographic) {
        depth = vf_set1(1.0f) + surface_value(s, ROW_DEPTH);
        for (int32_t axis = 0; axis < 2; axis++)
            step[axis] = (surface_row(s, ROW_DEPTH + 1) * surface_row(s, ROW_E1 + axis) +
                          surface_row(s, ROW_DEPTH + 2) * surface_row(s, ROW_E2 + axis)) *
                         s->r;
    } else { // e0 + e1 + e2 is 1 / w times a constant of the triangle
        depth = vf_set1(1.0f) / surface_value(s, ROW_W);
        for (int32_t axis = 0; axis < 2; axis++)
            step[axis] = depth * (surface_row(s, ROW_SUM + axis) * s->r);
    }
    for (int32_t axis = 0; axis < 2; axis++) // NaN (no area) becomes -depth
        step[axis] = vf_max(vf_min(step[axis] * vf_set1((float)v->step), depth), vf_neg(depth));
    return depth;
}

/// A position between four texels.
typedef struct occlusion_place {
    vi first;  ///< the texel on its left and above
    vf fx, fy; ///< from there, 0..1
} occlusion_place;

ZT_LANE_OP occlusion_place occlusion_place_of(const occlusion_view *v, vf px, vf py)
{
    const vf inv_step = vf_set1(v->step == 2 ? 0.5f : 1.0f), half = vf_set1(0.5f);
    const vf x = (px - half) * inv_step, x0 = vf_floor(x);
    const vf y = (py - half) * inv_step, y0 = vf_floor(y);
    return (occlusion_place){
        .first = vi_madd16(vi_from_vf(y0), vi_set1(v->stride)) + vi_from_vf(x0),
        .fx = x - x0,
        .fy = y - y0,
    };
}

/// Where a place is among texels of one surface, 255 times the bilinear visibility.
ZT_LANE_OP vf occlusion_in_quad(vi quad, const occlusion_place *at)
{
    const vi low = vi_set1(255);
    const vf a = vf_from_vi(vi_and(quad, low)), b = vf_from_vi(vi_and(vi_shru(quad, 8), low));
    const vf c = vf_from_vi(vi_and(vi_shru(quad, 16), low)), d = vf_from_vi(vi_shru(quad, 24));
    const vf above = a + (b - a) * at->fx, below = c + (d - c) * at->fx;
    return above + (below - above) * at->fy;
}

/// Planes of texels: words, or `depths` and `shares`.
typedef struct occlusion_texels {
    const int32_t *words;
    const float *depths, *shares;
} occlusion_texels;

/// The share, or 255 times the visibility, of points on the surfaces `s`: bilinear among the four
/// texels around them, those first that continue the point's triangle. At silhouettes and in pixels
/// of several surfaces each point takes that of the texels nearest in depth. In `out_off`: how far
/// these are off, in tolerances.
ZT_LANE_OP vf occlusion_by_depth(const occlusion_view *v, occlusion_texels texels, const surface *s,
                                 const occlusion_place *at, vf *out_off)
{
    const vf one = vf_set1(1.0f), zero = vf_set1(0.0f);
    vf step[2];
    const vf depth = occlusion_surface_depth(v, s, step);
    const vf inv_tolerance =
        texels.words ? occlusion_inv_tolerance(v, depth) : light_shares_inv_tolerance(v, depth);
    vf sum = zero, weight_sum = zero, nearest = vf_set1(texels.words ? 255.0f : 1.0f);
    vf least = vf_set1(1e30f);
    for (int32_t k = 0; k < 4; k++) {
        const int32_t i = k & 1, j = k >> 1;
        const vi place = at->first + vi_set1(j * v->stride + i);
        const vi word = texels.words ? vi_gather(texels.words, place) : place;
        const vf found =
            texels.words ? occlusion_word_depth(word) : vf_gather(texels.depths, place);
        const vf code =
            texels.words ? vf_from_vi(vi_and(word, vi_set1(255))) : vf_gather(texels.shares, place);
        const vf at_x = i ? one - at->fx : vf_neg(at->fx), at_y = j ? one - at->fy : vf_neg(at->fy);
        const vf expected = (depth + step[0] * at_x) + step[1] * at_y;
        vf off = vf_abs(found - expected) * inv_tolerance;
        off = vf_sel(vf_gt(found, zero), off, vf_set1(1e30f)); // nothing is there
        const vf near =
            (i ? at->fx : one - at->fx) * (j ? at->fy : one - at->fy) + vf_set1(1.0f / 256.0f);
        const vf weight = near * vf_max(one - off, zero);
        sum = sum + code * weight;
        weight_sum = weight_sum + weight;
        nearest = vf_sel(vf_lt(off, least), code, nearest);
        least = vf_min(off, least);
    }
    *out_off = least;
    return vf_sel(vf_gt(weight_sum, vf_set1(1e-4f)), sum / weight_sum, nearest);
}

/// Visibility of points at (px, py) on the surfaces `s`, 0..1. `blended`: the planes have opaque
/// surfaces only, so a blended one that lies far from them is not occluded.
ZT_LANE_OP vf occlusion_at(const occlusion_planes *planes, bool blended, const surface *s, vf px,
                           vf py)
{
    const vf one = vf_set1(1.0f), zero = vf_set1(0.0f), to_open = vf_set1(1.0f / 255.0f);
    const occlusion_texels texels = {(const int32_t *)planes->smoothed, NULL, NULL};
    const occlusion_place at = occlusion_place_of(&planes->view, px, py);
    vf off;
    if (blended) {
        const vf open = occlusion_by_depth(&planes->view, texels, s, &at, &off) * to_open;
        return one - vf_max(one - off, zero) * (one - open);
    }
    const vi quad = vi_gather((const int32_t *)planes->quads, at.first);
    const vm apart = vi_eq(quad, vi_set1(0));
    vf open = occlusion_in_quad(quad, &at);
    if (vm_any(apart))
        open = vf_sel(apart, occlusion_by_depth(&planes->view, texels, s, &at, &off), open);
    return open * to_open;
}

/// The share of light of a kind that arrives at points (px, py) of the surfaces `s`.
ZT_LANE_OP vf light_share_at(const light_shares *shares, int32_t kind, const surface *s, vf px,
                             vf py)
{
    const occlusion_texels texels = {NULL, shares->depth, shares->share[kind]};
    const occlusion_place at = occlusion_place_of(&shares->view, px, py);
    vf off;
    return occlusion_by_depth(&shares->view, texels, s, &at, &off);
}

/// Light of a visibility `open`, with that reflected by the occluders: a fit for scanned scenes
/// (Jimenez et al. 2016, section 5).
ZT_LANE_OP vf occlusion_bounces(vf open, vf albedo)
{
    const vf a = vf_set1(2.0404f) * albedo - vf_set1(0.3324f);
    const vf b = vf_set1(0.6417f) - vf_set1(4.7951f) * albedo;
    const vf c = vf_set1(2.7552f) * albedo + vf_set1(0.6903f);
    return vf_max(((open * a + b) * open + c) * open, open);
}

/// 2^x for -16 <= x <= 1 within 4e-6, exact for whole x: a least-squares polynomial.
ZT_LANE_OP vf occlusion_exp2(vf x)
{
    const vf one = vf_set1(1.0f), whole = vf_floor(x), f = x - whole;
    const vf q = (vf_set1(-0.0135478766f) * f - vf_set1(0.0655727808f)) * f - vf_set1(0.306976852f);
    const vf fraction = (one + f) + (f * (one - f)) * q;
    return fraction * vf_bits(vi_shl(vi_from_vf(whole + vf_set1(127.0f)), 23));
}

/// log2 x for normal x > 0 within 2e-5, exact for powers of two; fitted likewise.
ZT_LANE_OP vf occlusion_log2(vf x)
{
    const vf one = vf_set1(1.0f);
    const vi bits = vi_bits(x);
    const vf whole = vf_from_vi(vi_shr(bits, 23) - vi_set1(127));
    const vf f = vf_bits(vi_or(vi_and(bits, vi_set1(0x007fffff)), vi_set1(0x3f800000))) - one;
    vf q = vf_set1(-0.0440046898f);
    q = q * f + vf_set1(0.146314339f);
    q = q * f - vf_set1(0.266029877f);
    q = q * f + vf_set1(0.441740303f);
    return whole + (f + (f * (one - f)) * q);
}

/// The share of a mirror image that a visibility leaves: (n.v + open)^k - 1 + open with
/// k = 2^(-16 roughness - 1), limited to open..1 (Lagarde & de Rousiers, "Moving Frostbite
/// to physically based rendering", 2014, listing 26, which at grazing angles ends at 0: a floor of
/// black gloss is torn before a wall, which it mirrors). Rough surfaces lose light as diffuse ones
/// do, smooth ones at most as much. From a roughness of 1/2 on the power is 1 but for some
/// thousandths.
ZT_LANE_OP vf occlusion_specular(vf open, vf n_dot_v, vf roughness)
{
    const vf one = vf_set1(1.0f), zero = vf_set1(0.0f);
    const vm smooth = vf_lt(roughness, vf_set1(0.5f));
    if (!vm_any(smooth))
        return open;
    const vf power = occlusion_exp2(vf_max(vf_set1(-16.0f) * roughness - one, vf_set1(-16.0f)));
    const vf x = power * occlusion_log2(vf_max(n_dot_v + open, vf_set1(1e-4f)));
    const vf more = occlusion_exp2(vf_clamp(x, vf_set1(-16.0f), one)) - one;
    return vf_sel(smooth, vf_min(open + vf_max(more, zero), one), open);
}

ZT_LANE_OP vec3_lanes occlusion_all_bounces(vf open, vec3_lanes albedo)
{
    return (vec3_lanes){occlusion_bounces(open, albedo.x), occlusion_bounces(open, albedo.y),
                        occlusion_bounces(open, albedo.z)};
}

/// Occluders with the matter of the point reflect so much of light from all around.
ZT_LANE_OP vec3_lanes occlusion_albedo(vec3_lanes diffuse, vec3_lanes f0)
{
    const vf one = vf_set1(1.0f);
    return (vec3_lanes){vf_min(diffuse.x + f0.x, one), vf_min(diffuse.y + f0.y, one),
                        vf_min(diffuse.z + f0.z, one)};
}

/// `map`: from the material's occlusion map. It and the planes both know the folds of the model, so
/// their product would count those twice: the darker one counts. A map that `repeats` is the relief
/// of a weave or a wall, and knows none.
ZT_LANE_OP ambient_visibility occlusion_visibility(vf open, vf map, bool repeats, vec3_lanes albedo,
                                                   vf n_dot_v, vf roughness)
{
    const vf least = repeats ? open * map : vf_min(open, map);
    const vf mirrored = occlusion_specular(least, n_dot_v, roughness);
    return (ambient_visibility){.split = true,
                                .all = least,
                                .albedo = albedo,
                                .diffuse = occlusion_all_bounces(least, albedo),
                                .specular = occlusion_all_bounces(mirrored, albedo)};
}
