// SPDX-License-Identifier: MIT
// Factors and maps of a material's lobes -> the parameters of its closure (bsdf.inl).

/// One channel of a map, 1 without a map.
ZT_LANE_OP vf lobe_texel(const shade_lobes *lobes, int32_t map, int32_t channel,
                         const surface_values *values)
{
    vf texel[4];
    if (!lobes->map[map].texture)
        return vf_set1(1.0f);
    surface_sample(&lobes->map[map], values, texel);
    return texel[channel];
}

/// A colour from a factor and a map.
ZT_LANE_OP vec3_lanes lobe_color(const shade_lobes *lobes, const float factor[3], int32_t map,
                                 const surface_values *values)
{
    vf texel[4];
    const vec3_lanes color = vec3_set1(factor);
    if (!lobes->map[map].texture)
        return color;
    surface_sample(&lobes->map[map], values, texel);
    return (vec3_lanes){color.x * texel[0], color.y * texel[1], color.z * texel[2]};
}

/// The unit normal of the coat: that of the surface, without the material's normal map, and with
/// the coat's own. Negated on the backs of double-sided materials.
ZT_LANE_OP vec3_lanes lobe_coat_normal(const shade_context *c, const shade_traits *traits,
                                       const shade_batch *batch)
{
    const shade_lobes *lobes = c->material.lobes;
    const surface *s = &batch->surface;
    const shade_map *map = &lobes->map[MODEL_CLEARCOAT_NORMAL_MAP];
    vec3_lanes n = surface_vector(s, ROW_ATTRIBUTES + 3 * VALUE_NORMAL);
    if (map->texture) {
        vf x[4];
        surface_sample(map, &batch->values, x);
        if (map->texture->two_channel)
            x[2] = normal_z(x[0], x[1]);
        const vf scale = vf_set1(lobes->values.clearcoat_normal_scale);
        n = normal_from_tangent(s, n, (vec3_lanes){x[0] * scale, x[1] * scale, x[2]});
    }
    return normal_outwards(s, traits->double_sided, vec3_unit(n));
}

ZT_LANE_OP void lobe_parameters(const shade_context *c, const shade_traits *t,
                                const shade_batch *batch, bsdf_parameters *out)
{
    const shade_lobes *lobes = c->material.lobes;
    const surface_values *values = &batch->values;
    if (t->lobes.coat) {
        out->coat =
            vf_set1(lobes->values.clearcoat) * lobe_texel(lobes, MODEL_CLEARCOAT_MAP, 0, values);
        out->coat_roughness = vf_set1(lobes->values.clearcoat_roughness) *
                              lobe_texel(lobes, MODEL_CLEARCOAT_ROUGHNESS_MAP, 1, values);
        out->coat_normal = lobe_coat_normal(c, t, batch);
    }
    if (t->lobes.diffuse_transmission) {
        out->transmitted = vf_set1(lobes->values.diffuse_transmission) *
                           lobe_texel(lobes, MODEL_DIFFUSE_TRANSMISSION_MAP, 3, values);
        out->transmitted_color = lobe_color(lobes, lobes->values.diffuse_transmission_color,
                                            MODEL_DIFFUSE_TRANSMISSION_COLOR_MAP, values);
    }
}
