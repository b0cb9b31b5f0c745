// SPDX-License-Identifier: MIT
// Equirectangular pictures in lanes: u = 0.5 + atan2(z, x) / 2 pi, v from the top = acos(y) / pi.

/// atan2(y, x) in turns, -0.5 to 0.5, within 1.2e-7. The polynomial is atan(t) / 2 pi for t in
/// [0, 1], the odd minimax one of degree 15 (error 6e-9); the rest is the rounding of floats.
ZT_LANE_OP vf turns_atan2(vf y, vf x)
{
    const vf ax = vf_abs(x), ay = vf_abs(y);
    const vf t = vf_min(ax, ay) / vf_max(vf_max(ax, ay), vf_set1(1e-30f)), q = t * t;
    vf p = vf_set1(-0.000645304390f) * q + vf_set1(0.00347959786f);
    p = p * q - vf_set1(0.00889872294f);
    p = p * q + vf_set1(0.0153460335f);
    p = p * q - vf_set1(0.0221362710f);
    p = p * q + vf_set1(0.0317459442f);
    p = p * q - vf_set1(0.0530461222f);
    p = (p * q + vf_set1(0.159154832f)) * t;
    p = vf_sel(vf_gt(ay, ax), vf_set1(0.25f) - p, p);
    p = vf_sel(vf_lt(x, vf_set1(0.0f)), vf_set1(0.5f) - p, p);
    return vf_sel(vf_lt(y, vf_set1(0.0f)), vf_neg(p), p);
}

/// The picture in direction (x, y, z), not 0: bilinear, without a seam at the vertical axis.
ZT_LANE_OP void equirectangular_lookup(const float *rgb, int32_t width, int32_t height, vf x, vf y,
                                       vf z, vf out[3])
{
    const vf zero = vf_set1(0.0f), half = vf_set1(0.5f);
    const vf u = half + turns_atan2(z, x);
    const vf v = vf_set1(2.0f) * turns_atan2(vf_sqrt(x * x + z * z), y);
    const vf across = vf_set1((float)width), down = vf_set1((float)height);
    const vf px = vf_clamp(u * across, zero, across) - half; // -0.5 to width - 0.5
    const vf py = vf_clamp(v * down - half, zero, down - vf_set1(1.0f));
    const vi last_x = vi_set1(width - 1), last_y = vi_set1(height - 1);
    const vf left_edge = vf_floor(px);
    const vi x0 = vi_from_vf(left_edge), y0 = vi_min(vi_from_vf(py), last_y);
    const vf fx = px - left_edge, fy = py - vf_from_vi(y0);
    const vi left = vi_sel(vi_lt(x0, vi_set1(0)), last_x, x0);
    const vi right = vi_sel(vi_eq(left, last_x), vi_set1(0), left + vi_set1(1));
    const vi top = vi_mul(y0, vi_set1(width));
    const vi bottom = vi_mul(vi_min(y0 + vi_set1(1), last_y), vi_set1(width));
    const vi three = vi_set1(3);
    const vi at[4] = {vi_mul(top + left, three), vi_mul(top + right, three),
                      vi_mul(bottom + left, three), vi_mul(bottom + right, three)};
    for (int32_t c = 0; c < 3; c++) {
        const vf a = vf_gather(rgb + c, at[0]), b = vf_gather(rgb + c, at[1]);
        const vf d = vf_gather(rgb + c, at[2]), e = vf_gather(rgb + c, at[3]);
        const vf over = a + (b - a) * fx, under = d + (e - d) * fx;
        out[c] = over + (under - over) * fy;
    }
}
