// SPDX-License-Identifier: MIT
// The GGX lobe of the closures in bsdf.inl: distribution, masking and directional albedo.
//
// glTF 2.0 appendix B.3 (GGX, height-correlated Smith: Heitz 2014, "... Masking-Shadowing ...").

/// Values that all lobes need of the half vector of the eye and a light.
typedef struct ggx_half {
    vf length2;     ///< |L + V|^2 = 2 + 2 V.L
    vf v_dot_h, m5; ///< m5: (1 - v_dot_h)^5, of Schlick's Fresnel
} ggx_half;

/// (1 - c)^5.
ZT_LANE_OP vf schlick_m5(vf c)
{
    const vf m = vf_set1(1.0f) - c, m2 = m * m;
    return (m2 * m2) * m;
}

ZT_LANE_OP ggx_half ggx_half_at(vec3_lanes view, vec3_lanes to_light)
{
    const vf two = vf_set1(2.0f);
    const vf length2 = vf_max(two + two * vec3_dot(view, to_light), vf_set1(1e-8f));
    const vf v_dot_h = vf_min(vf_set1(0.5f) * vf_sqrt(length2), vf_set1(1.0f));
    return (ggx_half){length2, v_dot_h, schlick_m5(v_dot_h)};
}

/// pi D V of a round lobe, as in bsdf_flat.inl: (N.H)^2 = (N.L + N.V)^2 / |L + V|^2.
ZT_LANE_OP vf ggx_dv(vf n_dot_v, vf n_dot_l, vf alpha2, vf length2)
{
    const vf rest = vf_set1(1.0f) - alpha2, sum = n_dot_l + n_dot_v;
    const vf d = length2 - vf_min(sum * sum, length2) * rest;
    const vf smith_v = n_dot_l * vf_sqrt(n_dot_v * n_dot_v * rest + alpha2);
    const vf smith_l = n_dot_v * vf_sqrt(n_dot_l * n_dot_l * rest + alpha2);
    const vf denominator = (d * d) * (smith_v + smith_l), length4 = length2 * length2;
    return ((vf_set1(0.5f) * alpha2) * length4) / vf_max(denominator, vf_set1(1e-12f) * length4);
}

/// Directional albedo after one bounce as f0 a + f90 b, for Schlick's Fresnel.
typedef struct ggx_albedo {
    vf a, b;
} ggx_albedo;

ZT_LANE_OP vf ggx_reflected(vf f0, vf f90, ggx_albedo e) { return f0 * e.a + f90 * e.b; }

/// Where albedo_table.h is looked up: a cell of four corners, and the position in it, 0 to 1.
typedef struct albedo_place {
    uint32_t cell[ZT_W]; ///< its corner of the lowest column and row, in bytes
    vf x, y;
} albedo_place;

/// Column x, 0 to columns - 1, and row y, 0 to rows - 1.
ZT_LANE_OP void albedo_place_build(int32_t columns, int32_t rows, vf x, vf y, albedo_place *out)
{
    const vi column = vi_min(vi_from_vf(x), vi_set1(columns - 2));
    const vi row = vi_min(vi_from_vf(y), vi_set1(rows - 2));
    vi_store((int32_t *)out->cell, vi_shl(vi_madd16(row, vi_set1(columns)) + column, 2));
    out->x = x - vf_from_vi(column);
    out->y = y - vf_from_vi(row);
}

/// Two numbers from a table with that many columns, bilinear.
ZT_LANE_OP ggx_albedo albedo_lookup(const float *table, int32_t columns, const albedo_place *at)
{
    const float *from[ZT_W];
    vf corner[4], a[4], b[4];
    for (int32_t lane = 0; lane < ZT_W; lane++)
        from[lane] = floats_at(table, at->cell[lane]);
    vf_load2x2(from, columns, corner);
    for (int32_t i = 0; i < 4; i++) {
        const vi both = vi_from_vf(corner[i]);
        a[i] = vf_from_vi(vi_shru(both, ALBEDO_BITS));
        b[i] = vf_from_vi(vi_and(both, vi_set1(ALBEDO_ONE)));
    }
    const vf unit = vf_set1(1.0f / (float)ALBEDO_ONE);
    const vf a0 = a[0] + (a[1] - a[0]) * at->x, a1 = a[2] + (a[3] - a[2]) * at->x;
    const vf b0 = b[0] + (b[1] - b[0]) * at->x, b1 = b[2] + (b[3] - b[2]) * at->x;
    return (ggx_albedo){(a0 + (a1 - a0) * at->y) * unit, (b0 + (b1 - b0) * at->y) * unit};
}

/// Columns are dense at grazing angles, rows at small roughnesses, >= 0.05: albedos change fast.
ZT_LANE_OP void ggx_albedo_place(vf n_dot_v, vf roughness, albedo_place *out)
{
    const vf x = vf_sqrt(vf_sqrt(n_dot_v)) * vf_set1((float)(GGX_ALBEDO_COLUMNS - 1));
    const vf above =
        (roughness - vf_set1(GGX_ALBEDO_SMOOTHEST)) * vf_set1(1.0f / (1.0f - GGX_ALBEDO_SMOOTHEST));
    const vf y = vf_sqrt(vf_max(above, vf_set1(0.0f))) * vf_set1((float)(GGX_ALBEDO_ROWS - 1));
    albedo_place_build(GGX_ALBEDO_COLUMNS, GGX_ALBEDO_ROWS, x, y, out);
}

/// The albedo of a round lobe, within 0.006 of the integral.
ZT_LANE_OP ggx_albedo ggx_albedo_at(vf n_dot_v, vf roughness)
{
    albedo_place at;
    ggx_albedo_place(n_dot_v, roughness, &at);
    return albedo_lookup(ggx_albedo_table, GGX_ALBEDO_COLUMNS, &at);
}

/// The mean direction, of any length, of light that a round lobe reflects to the eye: between the
/// normal and the mirror direction, nearer to it for smooth surfaces. Its share is fitted to the
/// mean of the integral, weighted by what is reflected (root mean square error 0.023). It goes to 1
/// as the lobe narrows: images in smooth surfaces stay.
ZT_LANE_OP vec3_lanes ggx_mean_direction(vec3_lanes normal, vec3_lanes view, vf n_dot_v,
                                         vf roughness)
{
    const vf r = roughness;
    const vf bend = (n_dot_v * vf_set1(4.927f) - vf_set1(2.064f)) +
                    r * (vf_set1(1.155f) - n_dot_v * vf_set1(4.282f));
    const vf rr = r * r, one = vf_set1(1.0f);
    const vf share = vf_min((one - rr) + (rr * (one - r)) * bend, one);
    // normal + share (mirror - normal), mirror = 2 (N.V) N - V
    const vf along = (vf_set1(1.0f) - share) + (vf_set1(2.0f) * n_dot_v) * share;
    return vec3_sub(vec3_scale(normal, along), vec3_scale(view, share));
}
