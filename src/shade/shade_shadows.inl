// SPDX-License-Identifier: MIT
// Visible samples -> the share of each light that arrives; and the share that casters block.

/// The share of light that glass transmits: all but the reflections of two surfaces, 2 * 0.04.
#define SHADOW_GLASS 0.92f

/// Points that the light reaches from the front.
ZT_LANE_OP vm shadow_faces(const shade_light *light, const shade_point *p)
{
    const vec3_lanes to_light = light_arrive(light, false, p->position).to_light;
    return vf_gt(vec3_dot(p->normal, to_light), vf_set1(0.0f));
}

/// The share of each light that arrives at `count` vectors of points on triangles of `table`:
/// out[number * SHADE_RUN + point] for the shadow `number` of the frame. `front_only`: a light
/// adds nothing to points that face away from it, so these get any share from 0 to 1.
/// `by_rays`: shares are looked up, not maps.
static __attribute__((noinline)) void shadow_run(const shade_frame *frame,
                                                 const shadow_table *table, const shade_batch *from,
                                                 uint32_t count, bool front_only, bool by_rays,
                                                 float *out)
{
    const vm all = vm_not(vm_from_bits(0));
    for (uint32_t i = 0; i < count; i++) {
        const shade_batch *r = &from[i];
        const vi column = vi_and(vi_from_vf(r->px), vi_set1(3));
        const vi row = vi_and(vi_from_vf(r->py), vi_set1(3));
        const vi turn = vi_or(vi_shl(row, 2), column);
        shadow_point p;
        bool located = false;
        for (int32_t k = 0; k < frame->light_count; k++) {
            const shade_light *light = &frame->lights[k];
            if (!light->shadow)
                continue;
            const vm wanted = vm_andnot(front_only ? shadow_faces(light, &r->at.point) : all,
                                        shadow_lit(light->shadow, table, r->at.surface.slot));
            vf arriving = vf_set1(1.0f);
            if (by_rays) {
                arriving = light_share_at(frame->shares, 1 + light->shadow->number, &r->at.surface,
                                          r->px, r->py);
            } else if (vm_any(wanted)) {
                if (!located)
                    p = shadow_point_at(table, &r->at.surface);
                located = true;
                arriving = shadow_arriving(light->shadow, &p, turn, wanted);
            }
            vf_store(out + (size_t)light->shadow->number * SHADE_RUN + i * ZT_W, arriving);
        }
    }
}

/// Alpha of ZT_W points on surfaces, as blended, times what stays of light that passes. `masked`:
/// points may be where the mask is not.
ZT_LANE_OP vf caster_alpha_at(const shade_material *m, const surface_needs *needs, const surface *s,
                              bool masked)
{
    const vf one = vf_set1(1.0f);
    surface_values values;
    vf texel[4] = {one, one, one, one};
    surface_interpolate(s, needs, &values);
    if (m->map[SHADE_MAP_BASE].texture)
        surface_sample(&m->map[SHADE_MAP_BASE], &values, texel);
    vf alpha = m->blended ? material_alpha(m, &values, texel[3]) : one;
    if (masked)
        alpha = vf_sel(material_covers(m, &values, vf_set1(0.5f)), one, vf_set1(0.0f));
    if (m->transmission) { // light through glass has the colour of the base
        const float weights[3] = {0.2126f, 0.7152f, 0.0722f};
        const vec3_lanes base = {vf_set1(m->base_color[0]) * texel[0],
                                 vf_set1(m->base_color[1]) * texel[1],
                                 vf_set1(m->base_color[2]) * texel[2]};
        const vf through =
            vec3_dot(base, vec3_set1(weights)) * vf_set1(m->transmission->factor * SHADOW_GLASS);
        alpha = alpha * (one - vf_min(through, one));
    }
    return shade_alpha(alpha);
}

static void caster_alpha(const caster_alpha_job *job)
{
    const shade_frame *frame = job->frame;
    const vf tile_x = vf_set1((float)job->tile_x), tile_y = vf_set1((float)job->tile_y);
    const vf to_px = vf_set1(1.0f / 256.0f);
    const uint32_t *id = job->visible->id;
    for (uint32_t first = 0, end; first < job->count; first = end) {
        const uint32_t number = primitive_meshlet(id[first]);
        const shade_material *m = &frame->materials[frame->surfaces.meshlets[number].material];
        const surface_needs needs = surface_needs_of(m);
        int32_t ids[ZT_W];
        surface_table table;
        vi_store(ids, vi_set1((int32_t)id[first]));
        surface_table_build(&frame->surfaces, ids, tile_x, tile_y, &needs, &table);
        for (end = first + 1; end < job->count && id[end] == id[first];)
            end++;
        for (uint32_t i = first; i < end; i += ZT_W) { // later triangles overwrite what is too much
            const vi position = vi_load((const int32_t *)job->visible->position + i);
            const vf px = tile_x + vf_from_vi(vi_and(position, vi_set1(0xffff))) * to_px;
            const vf py = tile_y + vf_from_vi(vi_shru(position, 16)) * to_px;
            surface s;
            surface_locate(&table, vi_set1(0), px, py, &s);
            vf_store(job->alpha + i, caster_alpha_at(m, &needs, &s, false));
        }
    }
}

/// Hits are taken together while they are of one material.
static void caster_hits(caster_hits_job *job)
{
    for (int32_t first = 0, end; first < job->count; first = end) {
        const uint32_t number = job->meshlets[primitive_meshlet(job->id[first])].material;
        const shade_material *m = &job->frame->materials[number];
        const surface_needs needs = surface_needs_of(m);
        const vf zero = vf_set1(0.0f);
        const vec3_lanes none[2] = {{zero, zero, zero}, {zero, zero, zero}};
        vec3_lanes corner[3];
        surface_table table = {0}; // rows that no map needs stay unset
        surface s;
        int32_t ids[ZT_W];
        float l[2][ZT_W], alpha[ZT_W];
        for (end = first + 1; end < job->count && end < first + ZT_W; end++)
            if (job->meshlets[primitive_meshlet(job->id[end])].material != number)
                break;
        for (int32_t lane = 0; lane < ZT_W; lane++) {
            const int32_t from = first + lane < end ? first + lane : first;
            ids[lane] = (int32_t)job->id[from];
            l[0][lane] = job->barycentric[0][from];
            l[1][lane] = job->barycentric[1][from];
        }
        surface_positions(job->meshlets, ids, corner);
        const surface_hits hits = {vf_load(l[0]), vf_load(l[1]), corner[0],
                                   vec3_sub(corner[1], corner[0]), vec3_sub(corner[2], corner[0])};
        surface_hit_table_build(job->meshlets, ids, &hits, none, &needs, &table);
        surface_hit_locate(&table, &hits, corner[0], &s);
        vf_store(alpha, caster_alpha_at(m, &needs, &s, m->masked));
        memcpy(job->alpha + first, alpha, sizeof *alpha * (size_t)(end - first));
    }
}
