// SPDX-License-Identifier: MIT
// Shares of light of shaded points, from the planes of light_shares.h.

/// The share of light of a kind at points (px, py) of the surfaces `s`: bilinear among the four
/// texels around them that continue the point's triangle, else that of the nearest in depth.
ZT_LANE_OP vf light_share_at(const light_shares *shares, int32_t kind, const surface *s, vf px,
                             vf py)
{
    const occlusion_view *v = &shares->view;
    const vf one = vf_set1(1.0f), zero = vf_set1(0.0f);
    const occlusion_place at = occlusion_place_of(v, px, py);
    vf step[2];
    const vf depth = occlusion_surface_depth(v, s, step);
    const vf wide = vf_set1(2.0f * v->dx);
    const vf to_off = one / (v->orthographic ? wide * vf_set1(1.0f / v->depth_range)
                                             : wide * vf_max(depth, vf_set1(1e-20f)));
    vf sum = zero, weight_sum = zero, nearest = one, least = vf_set1(1e30f);
    for (int32_t k = 0; k < 4; k++) {
        const int32_t i = k & 1, j = k >> 1;
        const vi place = at.first + vi_set1(j * v->stride + i);
        const vf found = vf_gather(shares->depth, place);
        const vf share = vf_gather(shares->share[kind], place);
        const vf at_x = i ? one - at.fx : vf_neg(at.fx), at_y = j ? one - at.fy : vf_neg(at.fy);
        const vf expected = (depth + step[0] * at_x) + step[1] * at_y;
        vf off = vf_abs(found - expected) * to_off;
        off = vf_sel(vf_gt(found, zero), off, vf_set1(1e30f)); // nothing is there
        const vf near =
            (i ? at.fx : one - at.fx) * (j ? at.fy : one - at.fy) + vf_set1(1.0f / 256.0f);
        const vf weight = near * vf_max(one - off, zero);
        sum = sum + share * weight;
        weight_sum = weight_sum + weight;
        nearest = vf_sel(vf_lt(off, least), share, nearest);
        least = vf_min(off, least);
    }
    return vf_sel(vf_gt(weight_sum, vf_set1(1e-4f)), sum / weight_sum, nearest);
}
