// SPDX-License-Identifier: MIT
// Octahedral maps in lanes: directions to places, places to directions, and lookups.

/// 1.5 log2(s) for s in [1, sqrt 3] within 4e-4, by least squares.
ZT_LANE_OP vf octahedral_log2_area(vf s)
{
    vf p = vf_set1(0.302481432f) * s - vf_set1(1.84124775f);
    p = p * s + vf_set1(4.92036774f);
    return p * s - vf_set1(3.38122158f);
}

/// x with the sign of s.
ZT_LANE_OP vf octahedral_sign(vf x, vf s)
{
    return vf_bits(vi_xor(vi_bits(x), vi_and(vi_bits(s), vi_set1(INT32_MIN))));
}

/// Direction (x, y, z) -> its place, -1 to 1 on both axes. Returns the sum of its absolutes.
ZT_LANE_OP vf octahedral_place(vf x, vf y, vf z, vf *out_u, vf *out_v)
{
    const vf one = vf_set1(1.0f);
    const vf sum = (vf_abs(x) + vf_abs(y)) + vf_abs(z);
    const vf scale = one / vf_max(sum, vf_set1(1e-30f));
    const vf u = x * scale, v = z * scale;
    const vm below = vf_lt(y, vf_set1(0.0f));
    *out_u = vf_sel(below, octahedral_sign(one - vf_abs(v), u), u);
    *out_v = vf_sel(below, octahedral_sign(one - vf_abs(u), v), v);
    return sum;
}

/// A place up to 1 beyond the square -> its direction, with |x| + |y| + |z| = 1.
ZT_LANE_OP void octahedral_direction(vf u, vf v, vf *out_x, vf *out_y, vf *out_z)
{
    const vf one = vf_set1(1.0f), two = vf_set1(2.0f);
    const vm beyond_u = vf_gt(vf_abs(u), one);
    u = vf_sel(beyond_u, octahedral_sign(two, u) - u, u);
    v = vf_sel(beyond_u, vf_neg(v), v);
    const vm beyond_v = vf_gt(vf_abs(v), one);
    v = vf_sel(beyond_v, octahedral_sign(two, v) - v, v);
    u = vf_sel(beyond_v, vf_neg(u), u);
    const vf y = one - (vf_abs(u) + vf_abs(v));
    const vm below = vf_lt(y, vf_set1(0.0f));
    *out_x = vf_sel(below, octahedral_sign(one - vf_abs(v), u), u);
    *out_y = y;
    *out_z = vf_sel(below, octahedral_sign(one - vf_abs(u), v), v);
}

/// The four texels around the places of the lanes in one level, and the position between them.
typedef struct octahedral_address {
    uint32_t top[ZT_W], bottom[ZT_W]; ///< the left texels, in bytes from the first of all
    vf x, y;                          ///< 0 to 1 between them
} octahedral_address;

ZT_LANE_OP void octahedral_address_build(const octahedral_levels *levels, vf u, vf v, vi level,
                                         octahedral_address *out)
{
    const vf zero = vf_set1(0.0f), half = vf_set1(0.5f);
    const vi size = vi_lookup16(levels->size, level), last = size - vi_set1(1);
    const vf scale = vf_from_vi(size) * half;
    const vf px = vf_clamp(u * scale + scale, zero, scale + scale); // NaN becomes 0
    const vf py = vf_clamp(v * scale + scale, zero, scale + scale);
    const vi ix = vi_min(vi_from_vf(px), last), iy = vi_min(vi_from_vf(py), last);
    const vi pitch = size + vi_set1(1); // at most 2049
    const vi top = (vi_lookup16(levels->first, level) + vi_madd16(iy, pitch)) + ix;
    const int texel_log2 = 4; // 16 bytes
    const vi offset = vi_shl(top, texel_log2);
    vi_store((int32_t *)out->top, offset);
    vi_store((int32_t *)out->bottom, offset + vi_shl(pitch, texel_log2));
    out->x = px - vf_from_vi(ix);
    out->y = py - vf_from_vi(iy);
    lanes_to_memory(out);
}

/// The level after `level`, or the last one.
ZT_LANE_OP vi octahedral_next(const octahedral_levels *levels, vi level)
{
    return vi_min(level + vi_set1(1), vi_set1(levels->level_count - 1));
}

/// a + (b - a) t: exact where a = b.
ZT_LANE_OP vf octahedral_mix(vf a, vf b, vf t) { return a + (b - a) * t; }

/// r, g, b between four texels.
ZT_LANE_OP void octahedral_texel(const float (*texels)[4], const octahedral_address *at, vf out[3])
{
    vf left[4], right[4];
    vf_mix_pairs(texels, at->top, at->bottom, at->y, left, right);
    for (int c = 0; c < 3; c++)
        out[c] = octahedral_mix(left[c], right[c], at->x);
}

/// Light r, g, b at the places (u, v) in `level`, and with the weight `blend` in the one after it.
ZT_LANE_OP void octahedral_lookup(const octahedral_levels *levels, vf u, vf v, vi level, vf blend,
                                  vf out[3])
{
    octahedral_address near, far;
    octahedral_address_build(levels, u, v, level, &near);
    octahedral_texel(levels->texels, &near, out);
    if (!vm_any(vf_gt(blend, vf_set1(0.0f))))
        return;
    vf wider[3];
    octahedral_address_build(levels, u, v, octahedral_next(levels, level), &far);
    octahedral_texel(levels->texels, &far, wider);
    for (int c = 0; c < 3; c++)
        out[c] = octahedral_mix(out[c], wider[c], blend);
}

/// A lookup in two parts, for loops that find all addresses first.
typedef struct octahedral_places {
    octahedral_address near, far;
    vf blend;
} octahedral_places;

ZT_LANE_OP void octahedral_places_build(const octahedral_levels *levels, vf u, vf v, vi level,
                                        vf blend, octahedral_places *out)
{
    octahedral_address_build(levels, u, v, level, &out->near);
    octahedral_address_build(levels, u, v, octahedral_next(levels, level), &out->far);
    out->blend = blend;
}

/// The second part of octahedral_lookup.
ZT_LANE_OP void octahedral_fetch(const octahedral_levels *levels, const octahedral_places *at,
                                 vf out[3])
{
    octahedral_texel(levels->texels, &at->near, out);
    if (!vm_any(vf_gt(at->blend, vf_set1(0.0f))))
        return;
    vf wider[3];
    octahedral_texel(levels->texels, &at->far, wider);
    for (int c = 0; c < 3; c++)
        out[c] = octahedral_mix(out[c], wider[c], at->blend);
}
