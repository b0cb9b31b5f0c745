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
ZT_LANE_OP vec3_lanes lobe_coat_normal(const material_context *c, const shade_traits *traits,
                                       const material_point *at)
{
    const shade_lobes *lobes = c->own.lobes;
    const surface *s = &at->surface;
    const surface_map *map = &lobes->map[MODEL_CLEARCOAT_NORMAL_MAP];
    vec3_lanes n = surface_vector(s, ROW_ATTRIBUTES + 3 * VALUE_NORMAL);
    if (map->texture) {
        vf x[4];
        surface_sample(map, &at->values, x);
        if (map->texture->two_channel)
            x[2] = normal_z(x[0], x[1]);
        const vf scale = vf_set1(lobes->values.clearcoat_normal_scale);
        n = normal_from_tangent(s, n, (vec3_lanes){x[0] * scale, x[1] * scale, x[2]});
    }
    return normal_outwards(s, traits->double_sided, vec3_unit(n));
}

/// The direction of stretched highlights, and their strength: the map turns the tangent and scales
/// the strength, and the factor's rotation turns it further, from the tangent to the bitangent.
ZT_LANE_OP void lobe_anisotropy(const material_context *c, const material_point *at,
                                bsdf_parameters *out)
{
    const shade_lobes *lobes = c->own.lobes;
    const surface_map *map = &lobes->map[MODEL_ANISOTROPY_MAP];
    const surface *s = &at->surface;
    const vf cosine = vf_set1(lobes->anisotropy_cos), sine = vf_set1(lobes->anisotropy_sin);
    const vec3_lanes n = surface_vector(s, ROW_ATTRIBUTES + 3 * VALUE_NORMAL);
    vf x = cosine, y = sine;
    out->anisotropy = vf_set1(lobes->values.anisotropy);
    if (map->texture) {
        vf texel[4];
        const vf one = vf_set1(1.0f), two = vf_set1(2.0f);
        surface_sample(map, &at->values, texel);
        const vf map_x = two * texel[0] - one, map_y = two * texel[1] - one;
        out->anisotropy = out->anisotropy * texel[2];
        x = cosine * map_x - sine * map_y;
        y = sine * map_x + cosine * map_y;
    }
    out->tangent = normal_from_tangent(s, n, (vec3_lanes){x, y, vf_set1(0.0f)});
}

/// The thickness lies between its two bounds as the map says; without a map it is the maximum.
ZT_LANE_OP void lobe_thin_film(const shade_lobes *lobes, const surface_values *values,
                               bsdf_parameters *out)
{
    const material_extensions *e = &lobes->values;
    const vf share = lobe_texel(lobes, MODEL_IRIDESCENCE_THICKNESS_MAP, 1, values);
    const vf thinnest = vf_set1(e->iridescence_min_nm);
    out->thin_film = vf_set1(e->iridescence) * lobe_texel(lobes, MODEL_IRIDESCENCE_MAP, 0, values);
    out->thin_film_index = vf_set1(e->iridescence_ior);
    out->thin_film_nm = thinnest + (vf_set1(e->iridescence_max_nm) - thinnest) * share;
}

/// The picture of a sphere that a material shows by its normals; black without one.
ZT_LANE_OP vec3_lanes lobe_matcap(const shade_lobes *lobes, const material_point *at)
{
    const surface_map *map = &lobes->map[MODEL_MATCAP_MAP];
    const float black[3] = {0.0f, 0.0f, 0.0f};
    if (!map->texture)
        return vec3_set1(black);
    surface_values sphere;
    sphere.uv[0] = sphere.uv[1] = toon_matcap_uv(at->point.normal, at->point.view);
    sphere.anisotropy = 1;
    return lobe_color(lobes, lobes->values.toon.matcap, MODEL_MATCAP_MAP, &sphere);
}

ZT_LANE_OP void lobe_toon(const shade_lobes *lobes, const material_point *at, toon_parameters *out)
{
    const material_toon *toon = &lobes->values.toon;
    const surface_values *values = &at->values;
    const float white[3] = {1.0f, 1.0f, 1.0f};
    out->factors = toon;
    out->shade = lobe_color(lobes, toon->shade_color, MODEL_SHADE_MULTIPLY_MAP, values);
    out->shift = vf_set1(toon->shading_shift);
    if (lobes->map[MODEL_SHADING_SHIFT_MAP].texture)
        out->shift = out->shift + vf_set1(toon->shading_shift_scale) *
                                      lobe_texel(lobes, MODEL_SHADING_SHIFT_MAP, 0, values);
    out->rim = vec3_times(vec3_add(lobe_matcap(lobes, at), toon_rim(toon, at->point.n_dot_v)),
                          lobe_color(lobes, white, MODEL_RIM_MULTIPLY_MAP, values));
}

/// An outline's colour. `lit`: what the surface below it shows.
ZT_LANE_OP vec3_lanes lobe_outline(const shade_lobes *lobes, vec3_lanes lit)
{
    const vf mix = vf_set1(lobes->values.toon.outline_lighting_mix), one = vf_set1(1.0f);
    const vec3_lanes color = vec3_set1(lobes->values.toon.outline_color);
    return (vec3_lanes){color.x * (one + (lit.x - one) * mix),
                        color.y * (one + (lit.y - one) * mix),
                        color.z * (one + (lit.z - one) * mix)};
}

ZT_LANE_OP void lobe_parameters(const material_context *c, const shade_traits *t,
                                const material_point *at, bsdf_parameters *out)
{
    const shade_lobes *lobes = c->own.lobes;
    const surface_values *values = &at->values;
    if (t->lobes.coat) {
        out->coat =
            vf_set1(lobes->values.clearcoat) * lobe_texel(lobes, MODEL_CLEARCOAT_MAP, 0, values);
        out->coat_roughness = vf_set1(lobes->values.clearcoat_roughness) *
                              lobe_texel(lobes, MODEL_CLEARCOAT_ROUGHNESS_MAP, 1, values);
        out->coat_normal = lobe_coat_normal(c, t, at);
    }
    if (t->lobes.sheen) {
        out->sheen = lobe_color(lobes, lobes->values.sheen_color, MODEL_SHEEN_COLOR_MAP, values);
        out->sheen_roughness = vf_set1(lobes->values.sheen_roughness) *
                               lobe_texel(lobes, MODEL_SHEEN_ROUGHNESS_MAP, 3, values);
    }
    if (t->lobes.anisotropic)
        lobe_anisotropy(c, at, out);
    if (t->lobes.iridescent)
        lobe_thin_film(lobes, values, out);
    if (t->lobes.diffuse_transmission) {
        out->transmitted = vf_set1(lobes->values.diffuse_transmission) *
                           lobe_texel(lobes, MODEL_DIFFUSE_TRANSMISSION_MAP, 3, values);
        out->transmitted_color = lobe_color(lobes, lobes->values.diffuse_transmission_color,
                                            MODEL_DIFFUSE_TRANSMISSION_COLOR_MAP, values);
    }
    if (t->lobes.toon)
        lobe_toon(lobes, at, &out->toon);
    if (t->lobes.glass)
        out->glass = (glass_parameters){at->through, at->scatter_roughness,
                                        c->own.transmission->mirror_roughness};
}

/// The closure of a point. `known`: as bsdf_build has it.
ZT_LANE_OP void material_closure_build(const material_context *c, const shade_traits *t,
                                       const ggx_albedo *known, const material_point *at, bsdf *out)
{
    const shade_point p = shade_point_read(&c->own, t, &at->point);
    bsdf_parameters parameters;
    memset(&parameters, 0, sizeof parameters); // those of absent lobes are not read
    lobe_parameters(c, t, at, &parameters);
    bsdf_build(&p, t->lobes, &parameters, known, out);
}
