// SPDX-License-Identifier: MIT
// The words of occlusion_planes.

ZT_LANE_OP vf occlusion_word_depth(vi word) { return vf_bits(vi_andnot(word, vi_set1(255))); }

/// 1 / the difference of depths at which surfaces do not share their visibility.
ZT_LANE_OP vf occlusion_inv_tolerance(const occlusion_view *v, vf depth)
{
    const vf same = v->orthographic ? vf_set1(v->tolerance / v->depth_range)
                                    : (vf_set1(v->tolerance) * depth) * depth;
    return vf_set1(1.0f) /
           vf_max(vf_min(same, vf_set1(0.25f) * depth), vf_set1(1.0f / 4096.0f) * depth);
}

/// That of planes of light_shares.h: for two texels along the line of sight.
ZT_LANE_OP vf light_shares_inv_tolerance(const occlusion_view *v, vf depth)
{
    const vf wide = v->orthographic ? vf_set1(1.0f / v->depth_range) : depth;
    return vf_set1(1.0f) / (vf_set1(2.0f * v->dx) * vf_max(wide, vf_set1(1e-20f)));
}
