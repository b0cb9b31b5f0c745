// SPDX-License-Identifier: MIT
// Points -> the share of a light that arrives.

/// Points that are looked up in the map.
ZT_LANE_OP vm shadow_sees(const shadow_map *m, const shadow_texel *at)
{
    const vf x = vf_abs(at->x - vf_set1(0.5f * (float)m->width));
    const vf y = vf_abs(at->y - vf_set1(0.5f * (float)m->height));
    return vm_and(vf_le(x, vf_set1(m->inside)), vf_le(y, vf_set1(m->inside)));
}

/// The share of the light that arrives at the lanes of `wanted`; the others get any share from 0
/// to 1. The sides of a cube overlap, and a point near an edge has the darker of two equal values.
ZT_LANE_OP vf shadow_arriving(const shadow_maps *shadow, const shadow_point *p, vi turn, vm wanted)
{
    vf arriving = vf_set1(1.0f);
    for (int32_t i = 0; i < shadow->map_count; i++) {
        const shadow_map *m = &shadow->maps[i];
        const shadow_texel at = shadow_project(m, p);
        const vm seen = vm_and(shadow_sees(m, &at), wanted);
        if (!vm_any(seen))
            continue;
        vf own = shadow_filter_3x3(m, &at);
        if (m->spread > 0.0f)
            own = shadow_filter_soft(m, &at, turn, seen, own);
        arriving = vf_sel(seen, vf_min(arriving, own), arriving);
    }
    return arriving;
}
