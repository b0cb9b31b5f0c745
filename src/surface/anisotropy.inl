// SPDX-License-Identifier: MIT
// Anisotropic texture filtering: several taps along the longer axis of a pixel's footprint, so that
// a surface seen at a small angle stays sharp across.
//
// A pixel's footprint in a texture is the ellipse with the Jacobian J = (a b) of texture
// coordinates, in texels. Its half axes are the singular values of J: major^2 is the larger root of
// the characteristic polynomial of J J^T, major * minor = |det J| (Heckbert, "Fundamentals of
// texture mapping and image warping", 1989, 3.5). N = ceil(major / max(minor, 1)) taps, at most the
// limit, stand amid N equal parts of the major axis, each at the level of detail of max(major / N,
// minor). Small N are usual: lanes that are done take further taps with weight 0.

typedef struct texture_footprint {
    vf count, share;   ///< of the taps; share: 1 / count
    vf axis_u, axis_v; ///< the whole major axis, in texture coordinates
    uv_gradient tap;   ///< gradients of each tap; its u and v are those of the first
} texture_footprint;

ZT_LANE_OP void texture_footprint_of(const surface_texture *t, const uv_gradient *g, int32_t limit,
                                     texture_footprint *out)
{
    const vf one = vf_set1(1.0f), zero = vf_set1(0.0f), half = vf_set1(0.5f);
    const float width = (float)t->level[0].width, height = (float)t->level[0].height;
    const vf x = g->factor * vf_set1(width), y = g->factor * vf_set1(height);
    const vf ax = g->ux * x, ay = g->vx * y, bx = g->uy * x, by = g->vy * y;
    const vf uu = ax * ax + bx * bx, uv = ax * ay + bx * by, vv = ay * ay + by * by;
    const vf difference = (uu - vv) * half, root = vf_sqrt(difference * difference + uv * uv);
    // NaN and infinity (a degenerate triangle) become bounds.
    const vf bound = vf_set1(1e9f);
    const vf major = vf_min(vf_max(vf_sqrt((uu + vv) * half + root), vf_set1(1e-9f)), bound);
    const vf minor = vf_min(vf_max(vf_abs(ax * by - ay * bx) / major, zero), bound);
    const vf ratio = vf_min(vf_max(major / vf_max(minor, one), one), vf_set1((float)limit));
    // A ratio that only rounding lifts above a whole number takes no further tap.
    out->count = vf_floor(ratio + vf_set1(63.0f / 64.0f));
    out->share = one / out->count;
    const vm wide = vf_ge(difference, zero);
    const vf along = root + vf_abs(difference);
    const vf eu = vf_sel(wide, along, uv), ev = vf_sel(wide, uv, along);
    const vf scale = major / vf_sqrt(vf_max(eu * eu + ev * ev, vf_set1(1e-30f)));
    // Where the footprint is round there is one tap, in the middle.
    const vm several = vf_gt(out->count, one);
    out->axis_u = vf_sel(several, (eu * scale) * vf_set1(1.0f / width), zero);
    out->axis_v = vf_sel(several, (ev * scale) * vf_set1(1.0f / height), zero);
    const vf first = (out->share - one) * half;
    const vf length = vf_max(major * out->share, minor);
    out->tap = (uv_gradient){.u = g->u + out->axis_u * first,
                             .v = g->v + out->axis_v * first,
                             .ux = length * vf_set1(1.0f / width),
                             .vx = zero,
                             .uy = zero,
                             .vy = zero,
                             .factor = one};
}

/// Coordinates and weight of tap `i`.
ZT_LANE_OP uv_gradient texture_tap(const texture_footprint *f, int32_t i, vf *out_weight)
{
    const vf at = vf_set1((float)i) * f->share;
    uv_gradient tap = f->tap;
    tap.u = tap.u + f->axis_u * at;
    tap.v = tap.v + f->axis_v * at;
    *out_weight = vf_sel(vf_gt(f->count, vf_set1((float)i)), f->share, vf_set1(0.0f));
    return tap;
}

/// texture_sample with up to `limit` taps.
static __attribute__((noinline)) void
texture_sample_anisotropic(const surface_texture *t, const uv_gradient *g, int32_t limit, vf out[4])
{
    texture_footprint f;
    texture_footprint_of(t, g, limit, &f);
    for (int32_t c = 0; c < 4; c++)
        out[c] = vf_set1(0.0f);
    for (int32_t i = 0; vm_any(vf_gt(f.count, vf_set1((float)i))); i++) {
        vf weight, texel[4];
        const uv_gradient tap = texture_tap(&f, i, &weight);
        texture_sample(t, &tap, texel);
        for (int32_t c = 0; c < 4; c++)
            out[c] = out[c] + texel[c] * weight;
    }
}

/// packed_fetch and, unless it is NULL, emissive_occlusion_fetch with up to `limit` taps.
static __attribute__((noinline)) void packed_sample_anisotropic(const surface_packed *packed,
                                                                const surface_sampling *how,
                                                                const uv_gradient *g, int32_t limit,
                                                                vf out[8], vf emissive_occlusion[4])
{
    texture_footprint f;
    texture_footprint_of(&packed->sampler, g, limit, &f);
    for (int32_t c = 0; c < 8; c++)
        out[c] = vf_set1(0.0f);
    for (int32_t c = 0; c < 4 && emissive_occlusion; c++)
        emissive_occlusion[c] = vf_set1(0.0f);
    for (int32_t i = 0; vm_any(vf_gt(f.count, vf_set1((float)i))); i++) {
        vf weight, texel[8];
        packed_address address;
        const uv_gradient tap = texture_tap(&f, i, &weight);
        packed_address_build(packed, how, &tap, &address);
        packed_prefetch(packed, &address, emissive_occlusion != NULL, false);
        packed_fetch(packed, &address, texel);
        for (int32_t c = 0; c < 8; c++)
            out[c] = out[c] + texel[c] * weight;
        if (!emissive_occlusion)
            continue;
        emissive_occlusion_fetch(packed, &address, texel);
        for (int32_t c = 0; c < 4; c++)
            emissive_occlusion[c] = emissive_occlusion[c] + texel[c] * weight;
    }
}
