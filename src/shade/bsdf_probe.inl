// SPDX-License-Identifier: MIT
// Closures at hits of rays, through the functions that shade pixels: surface.inl, shade_point.inl,
// lobe_maps.inl and bsdf.inl. See bsdf_probe.h.

ZT_LANE_OP vec3_lanes probe_load(const float *const from[3], uint32_t i)
{
    return (vec3_lanes){vf_load(from[0] + i), vf_load(from[1] + i), vf_load(from[2] + i)};
}

ZT_LANE_OP void probe_store(float *const to[3], uint32_t i, vec3_lanes v)
{
    vf_store(to[0] + i, v.x);
    vf_store(to[1] + i, v.y);
    vf_store(to[2] + i, v.z);
}

/// ZT_W hits of the job, from `i` on, and the table of their triangles.
ZT_LANE_OP void probe_hits(const bsdf_probe_job *job, const surface_needs *needs, uint32_t i,
                           surface_hits *out, surface_table *table)
{
    const vf zero = vf_set1(0.0f);
    const int32_t *id = (const int32_t *)job->id + i;
    vec3_lanes footprint[2] = {{zero, zero, zero}, {zero, zero, zero}};
    vec3_lanes corner[3];
    surface_positions(job->meshlets, id, corner);
    out->corner = corner[0];
    out->edge1 = vec3_sub(corner[1], corner[0]);
    out->edge2 = vec3_sub(corner[2], corner[0]);
    out->l1 = vf_load(job->barycentric[0] + i);
    out->l2 = vf_load(job->barycentric[1] + i);
    for (int32_t axis = 0; axis < 2 && job->footprint[0][0]; axis++)
        footprint[axis] = probe_load(job->footprint[axis], i);
    surface_hit_table_build(job->meshlets, id, out, footprint, needs, table);
}

/// Texels of the point, and reflectance, normal and closure from them.
ZT_LANE_OP void probe_closure(const material_context *c, const shade_traits *t,
                              const point_view *from, material_point *at, bsdf *out)
{
    vf texel[TEXEL_COUNT];
    surface_interpolate(&at->surface, &t->needs, &at->values);
    if (t->packed) {
        const uv_gradient map_uv = material_packed_uv(c, t, at);
        packed_address_build(&c->packed, &t->sampling, &map_uv, &at->address);
        material_fetch(c, t, at);
    }
    shade_texels(c, t, at, texel);
    material_point_build(c, t, texel, from, at);
    material_closure_build(c, t, NULL, at, out);
}

static void bsdf_probe(const bsdf_probe_job *job)
{
    const vf inv_pi = vf_set1(0.318309886f);
    shade_traits t = material_traits_of(job->material);
    material_context c;
    surface_table table, axes;
    t.lobes.flat = job->flat;
    material_context_make(job->material, &t, &c);
    c.axes = &axes;
    for (uint32_t i = 0; i < job->count; i += ZT_W) {
        surface_hits hits;
        material_point at;
        bsdf closure;
        memset(&at, 0, sizeof at); // what absent lobes and maps leave unset is not read
        memset(&closure, 0, sizeof closure);
        probe_hits(job, &t.needs, i, &hits, &table);
        if (t.object_space)
            axes_table_build(job->meshlets, (const int32_t *)job->id + i, &axes);
        const point_view from = {probe_load(job->to_eye, i), surface_hit_position(&hits)};
        surface_hit_locate(&table, &hits, from.to_eye, &at.surface);
        probe_closure(&c, &t, &from, &at, &closure);
        const shade_point p = shade_point_read(&c.own, &t, &at.point);
        probe_store(job->out_value, i,
                    bsdf_evaluate(&p, t.lobes, &closure, probe_load(job->to_light, i),
                                  (vec3_lanes){inv_pi, inv_pi, inv_pi}));
        probe_store(job->out_albedo, i, bsdf_albedo(t.lobes, &closure));
        probe_store(job->out_position, i, from.position);
    }
}
