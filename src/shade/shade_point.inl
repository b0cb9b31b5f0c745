// SPDX-License-Identifier: MIT
// Material and texels -> reflectance and normal of points on surfaces (shade_point,
// bsdf_point.inl). Nothing here knows a picture: surfaces and directions to the eye come from
// pixels or from rays.

/// Texels that shade a point, in packed order (see surface_packed); base colour is 0-2.
enum { TEXEL_ROUGHNESS = 3, TEXEL_NORMAL = 4, TEXEL_METALNESS = 7, TEXEL_COUNT = 8 };

/// ZT_W points on surfaces of one material, and what its maps hold there.
typedef struct material_point {
    surface surface;
    const surface_table *axes; ///< axes of its triangles, for normals in object space
    surface_values values;
    packed_address address; ///< address of packed texels, if the material has them
    vf texel[TEXEL_COUNT];
    vf emissive_occlusion[4]; ///< emission r, g, b, occlusion
    shade_point point;
    vf alpha;             ///< alpha of blended materials
    vec3_lanes through;   ///< transmissive materials: glass_parameters.through
    vf scatter_roughness; ///< the same: glass_parameters.roughness
} material_point;

/// Where points are seen from.
typedef struct point_view {
    vec3_lanes to_eye;   ///< unit: against the ray that meets the point
    vec3_lanes position; ///< the point in world space; unset where surface_needs leave it out
} point_view;

/// ZT_W visible samples: what the loops of shade.inl hand to each other.
typedef struct shade_batch {
    material_point at;
    vf px, py;
    vec3_lanes ambient; ///< reflected ambient light
} shade_batch;

/// The coordinates of packed texels.
ZT_LANE_OP uv_gradient material_packed_uv(const material_context *c, const shade_traits *t,
                                          const material_point *at)
{
    const uv_gradient *uv = &at->values.uv[t->needs.extra && c->packed_map.uv_set == 1];
    return t->transformed ? surface_transformed_uv(&c->packed_map, uv) : *uv;
}

/// Fetches packed texels from their addresses.
ZT_LANE_OP void material_fetch(const material_context *c, const shade_traits *t, material_point *at)
{
    packed_fetch(&c->packed, &at->address, at->texel);
    if (t->emissive_occlusion_packed)
        emissive_occlusion_fetch(&c->packed, &at->address, at->emissive_occlusion);
}

/// Fetches packed texels, several taps of each.
ZT_LANE_OP void material_fetch_anisotropic(const material_context *c, const shade_traits *t,
                                           material_point *at)
{
    const uv_gradient map_uv = material_packed_uv(c, t, at);
    const surface_sampling sampling = t->sampling; // as in shade_with_traits
    packed_sample_anisotropic(&c->packed, &sampling, &map_uv, t->needs.anisotropy, at->texel,
                              t->emissive_occlusion_packed ? at->emissive_occlusion : NULL);
}

/// Gathers texels of base colour, metal-rough and normal (absent: 1), and blended alpha.
ZT_LANE_OP void shade_texels(const material_context *c, const shade_traits *t, material_point *at,
                             vf out[TEXEL_COUNT])
{
    const vf one = vf_set1(1.0f);
    const surface_map *map = c->own.map;
    if (t->lobes.toon && c->own.lobes->uv_moves)
        lobe_move_uv(c->own.lobes, &at->values);
    for (int32_t i = 0; i < TEXEL_COUNT; i++)
        out[i] = t->packed ? at->texel[i] : one;
    if (t->two_channel && t->source[SHADE_MAP_NORMAL] == SHADE_PACKED) // z follows from x and y
        for (int32_t i = 0; i < 2; i++)
            out[TEXEL_NORMAL + i] = out[TEXEL_NORMAL + i] * vf_set1(PACKED_UNIT);
    if (t->source[SHADE_MAP_BASE] != SHADE_PACKED)
        out[0] = out[1] = out[2] = one;
    if (t->source[SHADE_MAP_METAL_ROUGH] != SHADE_PACKED)
        out[TEXEL_ROUGHNESS] = out[TEXEL_METALNESS] = one;
    vf texel[4] = {one, one, one, one};
    if (t->source[SHADE_MAP_BASE] == SHADE_SEPARATE) {
        surface_sample(&map[SHADE_MAP_BASE], &at->values, texel);
        for (int32_t i = 0; i < 3; i++)
            out[i] = texel[i];
    }
    if (t->blended)
        at->alpha = material_alpha(&c->own, &at->values, texel[3]);
    if (t->source[SHADE_MAP_METAL_ROUGH] == SHADE_SEPARATE) {
        surface_sample(&map[SHADE_MAP_METAL_ROUGH], &at->values, texel);
        out[TEXEL_ROUGHNESS] = texel[1];
        out[TEXEL_METALNESS] = texel[2];
    }
    if (t->source[SHADE_MAP_NORMAL] == SHADE_SEPARATE) {
        surface_sample(&map[SHADE_MAP_NORMAL], &at->values, texel);
        for (int32_t i = 0; i < 3; i++)
            out[TEXEL_NORMAL + i] = texel[i];
    }
}

/// A vector of a normal map in world space. `n`: the interpolated normal.
ZT_LANE_OP vec3_lanes normal_from_tangent(const surface *s, vec3_lanes n, vec3_lanes map)
{
    const vec3_lanes t = surface_vector(s, ROW_ATTRIBUTES + 3 * VALUE_TANGENT);
    const vec3_lanes b = vec3_cross(n, t);
    map.y = map.y * surface_row(s, ROW_HANDEDNESS);
    return (vec3_lanes){(t.x * map.x + b.x * map.y) + n.x * map.z,
                        (t.y * map.x + b.y * map.y) + n.y * map.z,
                        (t.z * map.x + b.z * map.y) + n.z * map.z};
}

/// Negates the normals of back faces.
ZT_LANE_OP vec3_lanes normal_outwards(const surface *s, bool double_sided, vec3_lanes n)
{
    if (!double_sided)
        return n;
    return (vec3_lanes){vf_sel(s->back, vf_neg(n.x), n.x), vf_sel(s->back, vf_neg(n.y), n.y),
                        vf_sel(s->back, vf_neg(n.z), n.z)};
}

/// Unit shading normal: the normal map in the interpolated tangent frame, negated on the backs of
/// double-sided materials. The frame is interpolated from unit vectors and not normalised again, as
/// bakers do (mikktspace.h; Mikkelsen 2008, "Simulation of Wrinkled Surfaces Revisited").
ZT_LANE_OP vec3_lanes shade_normal(const material_context *c, const shade_traits *traits,
                                   const material_point *at, const vf texel[TEXEL_COUNT])
{
    const surface *s = &at->surface;
    const bool mapped = traits->source[SHADE_MAP_NORMAL] != SHADE_ABSENT;
    vec3_lanes map = {vf_set1(0.0f), vf_set1(0.0f), vf_set1(1.0f)};
    vf slope[2] = {vf_set1(0.0f), vf_set1(0.0f)};
    if (traits->wrinkled)
        wrinkle_slopes(c->own.detail, &at->values, slope);
    vec3_lanes n = surface_vector(s, ROW_ATTRIBUTES + 3 * VALUE_NORMAL);
    if (mapped) {
        map = (vec3_lanes){texel[TEXEL_NORMAL], texel[TEXEL_NORMAL + 1], texel[TEXEL_NORMAL + 2]};
        if (traits->two_channel)
            map.z = normal_z(map.x, map.y);
        if (traits->normal_scaled) {
            map.x = map.x * vf_set1(c->own.normal_scale);
            map.y = map.y * vf_set1(c->own.normal_scale);
        }
    }
    if (traits->object_space) {
        n = normal_from_object(s, at->axes, map);
        if (traits->wrinkled)
            n = wrinkle_world(s, n, slope);
    } else if (mapped || traits->wrinkled) {
        if (traits->wrinkled)
            map = wrinkle_blend(map, slope);
        n = normal_from_tangent(s, n, map);
    }
    return normal_outwards(s, traits->double_sided, vec3_unit(n));
}

/// Base colour from factor, vertex colours and map.
ZT_LANE_OP vec3_lanes shade_base(const shade_material *m, const shade_traits *t,
                                 const surface_values *values, const vf texel[TEXEL_COUNT])
{
    vec3_lanes base = vec3_set1(m->base_color);
    if (t->clay)
        return base;
    if (t->vertex_color)
        base = (vec3_lanes){base.x * values->color[0], base.y * values->color[1],
                            base.z * values->color[2]};
    return (vec3_lanes){base.x * texel[0], base.y * texel[1], base.z * texel[2]};
}

/// True if the dielectric part is the same at all points of the material.
ZT_LANE_OP bool dielectric_is_constant(const shade_traits *t)
{
    return !t->dim_dielectric && t->source[SHADE_MAP_SPECULAR] == SHADE_ABSENT &&
           t->source[SHADE_MAP_SPECULAR_COLOR] == SHADE_ABSENT;
}

/// A point as loops after shade_point_build read it: a material's constants are no memory.
ZT_LANE_OP shade_point shade_point_read(const shade_material *m, const shade_traits *t,
                                        const shade_point *from)
{
    shade_point p = *from;
    p.dielectric_grey = t->dielectric_grey;
    if (t->lobes.toon)
        p.arriving = vf_set1(1.0f);
    if (!t->dim_dielectric)
        p.f90 = p.dielectric_f90 = vf_set1(1.0f);
    if (dielectric_is_constant(t))
        p.dielectric_f0 = vec3_set1(m->f0);
    return p;
}

/// Applies the maps of KHR_materials_specular or KHR_materials_pbrSpecularGlossiness to the
/// dielectric part: f90 = specular, f0 = min(f0 * color, 1) * specular. Glossiness sets roughness.
ZT_LANE_OP void shade_specular_maps(const shade_material *m, const shade_traits *t,
                                    const surface_values *values, vf *roughness, vec3_lanes *f0,
                                    vf *f90)
{
    vf texel[4];
    if (t->source[SHADE_MAP_SPECULAR] != SHADE_ABSENT) {
        surface_sample(&m->map[SHADE_MAP_SPECULAR], values, texel);
        *f90 = *f90 * texel[3];
    }
    if (t->source[SHADE_MAP_SPECULAR_COLOR] != SHADE_ABSENT) {
        const vf one = vf_set1(1.0f);
        surface_sample(&m->map[SHADE_MAP_SPECULAR_COLOR], values, texel);
        *f0 =
            (vec3_lanes){vf_min(f0->x * texel[0], one) * *f90, vf_min(f0->y * texel[1], one) * *f90,
                         vf_min(f0->z * texel[2], one) * *f90};
        if (t->glossy)
            *roughness = one - vf_set1(m->glossiness) * texel[3];
    } else if (t->source[SHADE_MAP_SPECULAR] != SHADE_ABSENT) {
        *f0 = vec3_scale(*f0, texel[3]);
    }
}

/// Albedo, reflectance and roughness from factors, vertex colours and maps. `out_roughness`: of
/// transmissive materials, before it is limited. Leaves out what shade_point_read knows.
ZT_LANE_OP void shade_reflectance(const shade_material *m, const shade_traits *t,
                                  const surface_values *values, const vf texel[TEXEL_COUNT],
                                  shade_point *p, vf *out_roughness)
{
    const vf one = vf_set1(1.0f);
    const vec3_lanes base = shade_base(m, t, values, texel);
    vf roughness = vf_set1(m->roughness) * texel[TEXEL_ROUGHNESS];
    const vf metallic = vf_set1(m->metallic) * texel[TEXEL_METALNESS];
    vec3_lanes dielectric_f0 = vec3_set1(m->f0);
    vf dielectric_f90 = t->dim_dielectric ? vf_set1(m->specular) : one;
    shade_specular_maps(m, t, values, &roughness, &dielectric_f0, &dielectric_f90);
    if (!dielectric_is_constant(t)) {
        p->dielectric_f0 = dielectric_f0;
        p->dielectric_f90 = dielectric_f90;
    }
    const vf floor = vf_set1((float)t->roughness_floor * 0.001f);
    p->roughness = vf_min(vf_max(roughness, floor), one);
    if (t->lobes.glass)
        *out_roughness = vf_min(vf_max(roughness, vf_set1(0.0f)), one);
    const vf alpha = p->roughness * p->roughness, dielectric = one - metallic;
    p->alpha2 = alpha * alpha;
    p->diffuse = vec3_scale(base, dielectric);
    if (!t->lobes.flat)
        p->dielectric = dielectric;
    const vf grey = dielectric_f0.x * dielectric;
    p->f0 = (vec3_lanes){grey, grey, grey};
    if (!t->dielectric_grey) {
        p->f0.y = dielectric_f0.y * dielectric;
        p->f0.z = dielectric_f0.z * dielectric;
    }
    p->f0 = vec3_add(p->f0, vec3_scale(base, metallic));
    if (t->dim_dielectric)
        p->f90 = dielectric_f90 * dielectric + metallic;
}

/// The squared length of the step of the unit normal to the next pixel along an axis (0: x, 1: y).
ZT_LANE_OP vf shade_normal_step2(const surface *s, int32_t axis, const vec3_lanes *n, vf inv_n2)
{
    // With n = N / S the derivative is (N' - n S') / S, all relative to corner 0.
    const vf e1 = surface_row(s, ROW_E1 + axis), e2 = surface_row(s, ROW_E2 + axis);
    const vf sum = surface_row(s, ROW_SUM + axis);
    const vf f1 = (e1 - s->l1 * sum) * s->r, f2 = (e2 - s->l2 * sum) * s->r;
    const int32_t row = ROW_ATTRIBUTES + 3 * VALUE_NORMAL;
    const vec3_lanes d = {f1 * surface_row(s, row + 1) + f2 * surface_row(s, row + 2),
                          f1 * surface_row(s, row + 4) + f2 * surface_row(s, row + 5),
                          f1 * surface_row(s, row + 7) + f2 * surface_row(s, row + 8)};
    const vf along = vec3_dot(d, *n);
    return vf_max(vec3_dot(d, d) - (along * along) * inv_n2, vf_set1(0.0f)) * inv_n2;
}

/// What the normal map adds to alpha^2 in specular antialiasing: a tenth of the variance of the
/// vectors averaged for the pixel, 1 - L^2 for unit vectors whose mean has length L (Toksvig,
/// "Mipmapping Normal Maps", 2005: (1 - L) / L). Beckmann lobes need all of it; GGX has more light
/// far from its peak, and filters mix pixels: a tenth has the smallest error (docs/light.md). Not
/// counted: 1/64, which 8 bits explain, short vectors of the picture, magnified texels.
ZT_LANE_OP vf shade_map_variance(const material_context *c, const shade_traits *t,
                                 const material_point *at, const vf texel[TEXEL_COUNT])
{
    const surface_map *map = &c->own.map[SHADE_MAP_NORMAL];
    const vf *n = texel + TEXEL_NORMAL;
    if (t->source[SHADE_MAP_NORMAL] == SHADE_ABSENT || t->two_channel)
        return vf_set1(0.0f);
    const float unit = t->source[SHADE_MAP_NORMAL] == SHADE_PACKED ? PACKED_UNIT : 1.0f;
    const float scale = t->normal_scaled ? c->own.normal_scale : 1.0f;
    const float longest = 1.0f - (1.0f / 64.0f + 2.0f * map->texture->shortness);
    const vf length2 = (n[0] * n[0] + n[1] * n[1]) + n[2] * n[2];
    const vf variance = vf_max(vf_set1(longest) - length2 * vf_set1(unit * unit), vf_set1(0.0f));
    uv_gradient storage;
    const vf minified = texture_minified(map->texture, surface_map_uv(map, &at->values, &storage));
    return variance * (minified * vf_set1(0.1f * (scale * scale)));
}

/// Specular antialiasing: widens the lobe by the variance of normals in a pixel, against flicker of
/// highlights. alpha^2 grows by 2 sigma^2 times the squared steps of the normal, at most 0.18, with
/// sigma^2 = 1 / (2 pi) square pixels (Tokuyoshi & Kaplanyan, "Stable geometric specular
/// antialiasing with projected-space NDF filtering", 2021), and by `of_map`.
ZT_LANE_OP void shade_widen_lobe(const surface *s, vf of_map, shade_point *p)
{
    const vec3_lanes n = surface_vector(s, ROW_ATTRIBUTES + 3 * VALUE_NORMAL);
    const vf inv_n2 = vf_set1(1.0f) / vf_max(vec3_dot(n, n), vf_set1(1e-30f));
    p->normal_step2 = shade_normal_step2(s, 0, &n, inv_n2) + shade_normal_step2(s, 1, &n, inv_n2);
    // The order of the operands turns NaN (no area) into the limit.
    const vf wider = vf_min(p->normal_step2 * vf_set1(0.318309886f), vf_set1(0.18f));
    p->alpha2 = vf_min(p->alpha2 + (wider + of_map), vf_set1(1.0f));
    p->roughness = vf_sqrt(vf_sqrt(p->alpha2));
}

/// Splits diffuse light into scattered and transmitted; alpha is 1 but for the mode BLEND.
ZT_LANE_OP void material_split_glass(const material_context *c, material_point *at)
{
    const vf one = vf_set1(1.0f);
    const surface_map *map = &c->own.map[SHADE_MAP_TRANSMISSION];
    vf share = vf_set1(c->own.transmission->factor);
    if (map->texture) {
        vf texel[4];
        surface_sample(map, &at->values, texel);
        share = share * texel[0];
    }
    shade_point *p = &at->point;
    at->through = vec3_scale(p->diffuse, share);
    p->diffuse = vec3_scale(p->diffuse, one - share);
    if (!c->own.blended)
        at->alpha = one;
}

/// Reflectance, normal and direction to the eye.
ZT_LANE_OP void material_point_build(const material_context *c, const shade_traits *t,
                                     const vf texel[TEXEL_COUNT], const point_view *from,
                                     material_point *at)
{
    const surface *s = &at->surface;
    shade_point *p = &at->point;
    shade_reflectance(&c->own, t, &at->values, texel, p, &at->scatter_roughness);
    p->normal = shade_normal(c, t, at, texel);
    if (t->geometric)
        p->geometric = t->needs.tangent
                           ? normal_outwards(s, t->double_sided,
                                             surface_vector(s, ROW_ATTRIBUTES + 3 * VALUE_NORMAL))
                           : p->normal; // which no map bends
    if (t->needs.position)
        p->position = from->position;
    p->view = from->to_eye;
    p->n_dot_v = vf_min(vf_max(vec3_dot(p->normal, p->view), vf_set1(1e-4f)), vf_set1(1.0f));
    if (t->specular_antialiasing)
        shade_widen_lobe(s, shade_map_variance(c, t, at, texel), p);
    if (t->lobes.glass)
        material_split_glass(c, at);
}

/// Radiance that the points emit, of materials that emit any.
ZT_LANE_OP vec3_lanes material_emission(const material_context *c, const shade_traits *t,
                                        const material_point *at)
{
    const vec3_lanes factor = vec3_set1(c->own.emissive);
    if (t->source[SHADE_MAP_EMISSIVE] == SHADE_ABSENT)
        return factor;
    vf texel[4] = {at->emissive_occlusion[0], at->emissive_occlusion[1], at->emissive_occlusion[2]};
    if (t->source[SHADE_MAP_EMISSIVE] == SHADE_SEPARATE)
        surface_sample(&c->own.map[SHADE_MAP_EMISSIVE], &at->values, texel);
    return (vec3_lanes){factor.x * texel[0], factor.y * texel[1], factor.z * texel[2]};
}
