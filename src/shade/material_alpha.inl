// SPDX-License-Identifier: MIT
// Vertices and texels -> alpha of points on surfaces, as blended, and where masked ones are there.

/// Limits alpha to [0, 1] and turns NaN into 0: vertex colours may be outside.
ZT_LANE_OP vf shade_alpha(vf alpha) { return vf_min(vf_max(alpha, vf_set1(0.0f)), vf_set1(1.0f)); }

/// Alpha before shade_alpha. `texel`: that of the base colour's map, 1 without a map.
ZT_LANE_OP vf material_alpha(const shade_material *m, const surface_values *values, vf texel)
{
    vf alpha = vf_set1(m->base_color[3]);
    if (m->even)
        return alpha;
    if (m->vertex_color)
        alpha = alpha * values->color[3];
    return alpha * texel;
}

/// See mipmap_mask_spread. 0 where the levels were made for another cutoff, or for none.
ZT_LANE_OP vf material_spread(const shade_material *m, const surface_texture *t,
                              const uv_gradient *g)
{
    const float off = m->alpha_cutoff - t->mask_cutoff * m->base_color[3];
    if (!(t->mask_cutoff > 0.0f && off < 1e-4f && off > -1e-4f))
        return vf_set1(0.0f);
    const vf lod = vf_from_vi(texture_lod(t, &t->sampling, g)) * vf_set1(1.0f / 256.0f);
    return vf_min((lod + vf_set1(t->mask_skipped)) * vf_set1(1.0f / 1.75f), vf_set1(1.0f));
}

/// True where a point of a masked material is there: by one cutoff in a magnified texture, by the
/// share of points with a lower `threshold` in others.
ZT_LANE_OP vm material_covers(const shade_material *m, const surface_values *values, vf threshold)
{
    const surface_map *base = &m->map[SHADE_MAP_BASE];
    const vf cutoff = vf_set1(m->alpha_cutoff);
    const vf factor = material_alpha(m, values, vf_set1(1.0f));
    if (!base->texture)
        return vf_ge(factor, cutoff);
    uv_gradient storage;
    vf texel[4];
    const vf spread = material_spread(m, base->texture, surface_map_uv(base, values, &storage));
    surface_sample(base, values, texel);
    const vf limit = cutoff + (threshold * factor - cutoff) * spread;
    return vm_and(vf_ge(texel[3] * factor, limit), vf_ge(factor, cutoff));
}
