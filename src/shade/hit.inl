// SPDX-License-Identifier: MIT
// Surfaces and closures where rays meet triangles, through the functions that shade pixels:
// surface.inl, shade_point.inl, lobe_maps.inl and bsdf.inl. A closure is built once and asked as
// often as one likes.
//
// The eye's first hits are the visible samples of raster. Light and all other rays
// meet what surface_meets_light says: no points, lines, outlines nor grounds. There,
//   lit materials have a closure, and emission;
//   unlit ones have no closure: their colour is emission, as a display shows it;
//   masked and blended ones stop the share hit_bsdf.alpha of the rays;
//   glass that does not blend stops all of them, and its closure lets light through.

/// A material, for all hits on its surfaces; threads may share it.
typedef struct hit_material {
    const posed_meshlet *meshlets; ///< all meshlets of the frame
    shade_traits traits;
    material_context context;
} hit_material;

/// ZT_W rays where they meet triangles.
typedef struct hit_rays {
    int32_t id[ZT_W];        ///< primitive_id() of each triangle
    vf l1, l2;               ///< barycentrics of corners 1 and 2
    vec3_lanes to_eye;       ///< unit: against the ray
    vec3_lanes footprint[2]; ///< see bsdf_probe_job; 0: rays have no extent
} hit_rays;

/// Located surfaces. Points to its own tables: not to be copied.
typedef struct hit_place {
    surface_table table, axes;
    point_view from;
    material_point at;
} hit_place;

/// Closures: all that light and paths ask.
typedef struct hit_bsdf {
    bool unlit;
    bsdf_kinds kinds;
    shade_point point;
    bsdf closure;
    vec3_lanes emission; ///< radiance
    vf alpha;            ///< share of rays that the surface stops, by its mask or blending
} hit_bsdf;

ZT_LANE_OP void hit_material_make(const posed_meshlet *meshlets, const shade_material *m,
                                  const shade_traits *traits, hit_material *out)
{
    out->meshlets = meshlets;
    out->traits = *traits;
    material_context_make(m, traits, &out->context);
}

/// Ids, barycentrics and footprints -> located surfaces.
ZT_LANE_OP void hit_surface(const hit_material *m, const hit_rays *rays, hit_place *out)
{
    const surface_needs *needs = &m->traits.needs;
    vec3_lanes corner[3];
    surface_positions(m->meshlets, rays->id, corner);
    const surface_hits hits = {rays->l1, rays->l2, corner[0], vec3_sub(corner[1], corner[0]),
                               vec3_sub(corner[2], corner[0])};
    surface_hit_table_build(m->meshlets, rays->id, &hits, rays->footprint, needs, &out->table);
    if (m->traits.object_space)
        axes_table_build(m->meshlets, rays->id, &out->axes);
    memset(&out->at, 0, sizeof out->at); // absent lobes and maps leave a part unset
    out->at.axes = &out->axes;
    out->from = (point_view){rays->to_eye, surface_hit_position(&hits)};
    surface_hit_locate(&out->table, &hits, rays->to_eye, &out->at.surface);
    surface_interpolate(&out->at.surface, needs, &out->at.values);
}

/// The share of rays that surfaces stop, after material_point_build.
ZT_LANE_OP vf hit_alpha(const hit_material *m, const material_point *at)
{
    const vf one = vf_set1(1.0f), half = vf_set1(0.5f);
    if (m->traits.blended)
        return shade_alpha(at->alpha);
    if (!m->context.own.masked)
        return one;
    return vf_sel(material_covers(&m->context.own, &at->values, half), one, vf_set1(0.0f));
}

/// Located surfaces -> closures. Takes texels.
ZT_LANE_OP void hit_closure(const hit_material *m, hit_place *place, hit_bsdf *out)
{
    const shade_traits *t = &m->traits;
    const material_context *c = &m->context;
    material_point *at = &place->at;
    vf texel[TEXEL_COUNT];
    memset(out, 0, sizeof *out);
    out->unlit = t->unlit;
    out->kinds = t->lobes;
    if (t->packed) {
        const uv_gradient map_uv = material_packed_uv(c, t, at);
        packed_address_build(&c->packed, &t->sampling, &map_uv, &at->address);
        material_fetch(c, t, at);
    }
    shade_texels(c, t, at, texel);
    if (t->emits)
        out->emission = material_emission(c, t, at);
    if (t->unlit) {
        out->emission = vec3_add(shade_base(&c->own, t, &at->values, texel), out->emission);
    } else {
        material_point_build(c, t, texel, &place->from, at);
        material_closure_build(c, t, NULL, at, &out->closure);
    }
    out->point = shade_point_read(&c->own, t, &at->point);
    out->point.position = place->from.position;
    out->alpha = hit_alpha(m, at);
}

/// The closure towards the eye for the unit `to_light`, times the light's cosine. `radiance`: of a
/// light of solid angle 1, over pi.
ZT_LANE_OP vec3_lanes hit_evaluate(const hit_bsdf *b, vec3_lanes to_light, vec3_lanes radiance)
{
    const vf zero = vf_set1(0.0f);
    if (b->unlit)
        return (vec3_lanes){zero, zero, zero};
    return bsdf_evaluate(&b->point, b->kinds, &b->closure, to_light, radiance);
}

/// Radiance towards the eye where light of radiance 1 comes from all around.
ZT_LANE_OP vec3_lanes hit_albedo(const hit_bsdf *b)
{
    const vf zero = vf_set1(0.0f);
    if (b->unlit)
        return (vec3_lanes){zero, zero, zero};
    return bsdf_albedo(b->kinds, &b->closure);
}
