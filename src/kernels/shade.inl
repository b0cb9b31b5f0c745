// SPDX-License-Identifier: MIT
// Visible samples of one material -> linear radiance.
//
// Runs of items go through three loops: where their points lie and which texels they need; the
// texels; the light. Each loop's turns depend on nothing of each other, so that a processor works
// on several at a time; in one loop a turn would be a chain too long to see the next one from.

/// From the eye towards what is seen at (px, py), per unit of w; not for orthographic views.
static inline vec3_lanes shade_ray(const shade_frame *f, vf px, vf py)
{
    const vec3_lanes ray = vec3_set1(f->ray), ray_x = vec3_set1(f->ray_x),
                     ray_y = vec3_set1(f->ray_y);
    return (vec3_lanes){(ray.x + ray_x.x * px) + ray_y.x * py,
                        (ray.y + ray_x.y * px) + ray_y.y * py,
                        (ray.z + ray_x.z * px) + ray_y.z * py};
}

/// World position, from the ray and the interpolated w or depth.
static inline vec3_lanes shade_position(const shade_frame *f, const surface *s, vec3_lanes ray)
{
    const vec3_lanes origin = vec3_set1(f->origin);
    if (!f->view.orthographic)
        return vec3_add(origin, vec3_scale(ray, surface_value(s, ROW_W)));
    const vf along = (vf_set1(1.0f) - surface_value(s, ROW_DEPTH)) * vf_set1(f->depth_range);
    return vec3_add(vec3_add(origin, ray), vec3_scale(vec3_set1(f->forward), along));
}

/// Points of ZT_W items on the way from one loop to the next.
typedef struct shade_batch {
    surface surface;
    surface_values values;
    vf px, py;
    fused_place place; ///< of fused texels, where a material has them
    of texel[ZT_W];
} shade_batch;

/// Samples a map that is not among the fused ones.
static inline bool shade_texel(const shade_material *m, int32_t slot, const surface_values *values,
                               vf out[4])
{
    if (!m->map[slot].texture || (m->fused_maps >> slot & 1u))
        return false;
    surface_sample(&m->map[slot], values, out);
    return true;
}

/// Texels of the maps that shade a point, in the order of fused texels (see shade_fused). Factors
/// of 1 where a material has no map.
enum { TEXEL_ROUGHNESS = 3, TEXEL_NORMAL = 4, TEXEL_METALNESS = 7, TEXEL_COUNT = 8 };

static inline void shade_texels(const shade_material *m, const shade_batch *batch,
                                vf out[TEXEL_COUNT])
{
    const uint32_t base = 1u << SHADE_MAP_BASE, rough = 1u << SHADE_MAP_METAL_ROUGH;
    const vf one = vf_set1(1.0f);
    if (m->fused) {
        fused_texels(batch->texel, out);
    } else {
        for (int32_t i = 0; i < TEXEL_COUNT; i++)
            out[i] = one;
    }
    vf texel[4];
    if (!(m->fused_maps & base)) {
        const bool has = shade_texel(m, SHADE_MAP_BASE, &batch->values, texel);
        for (int32_t i = 0; i < 3; i++)
            out[i] = has ? texel[i] : one;
    }
    if (!(m->fused_maps & rough)) {
        const bool has = shade_texel(m, SHADE_MAP_METAL_ROUGH, &batch->values, texel);
        out[TEXEL_ROUGHNESS] = has ? texel[1] : one;
        out[TEXEL_METALNESS] = has ? texel[2] : one;
    }
    if (shade_texel(m, SHADE_MAP_NORMAL, &batch->values, texel))
        for (int32_t i = 0; i < 3; i++)
            out[TEXEL_NORMAL + i] = texel[i];
}

/// Unit shading normal: normal map in the interpolated tangent frame, turned to the viewer's side
/// on the backs of double-sided materials. The frame is interpolated from unit vectors and not made
/// unit again, as bakers have it (mikktspace.h; Mikkelsen 2008, "Simulation of Wrinkled Surfaces
/// Revisited").
static inline vec3_lanes shade_normal(const shade_material *m, const surface *s,
                                      const vf texel[TEXEL_COUNT])
{
    vec3_lanes n = surface_vector(s, ROW_ATTRIBUTES + 3 * VALUE_NORMAL);
    const shade_map *map = &m->map[SHADE_MAP_NORMAL];
    if (map->texture) {
        vf x = texel[TEXEL_NORMAL], y = texel[TEXEL_NORMAL + 1], z = texel[TEXEL_NORMAL + 2];
        if (map->texture->two_channel)
            z = vf_sqrt(vf_max((vf_set1(1.0f) - x * x) - y * y, vf_set1(0.0f)));
        const vec3_lanes t = surface_vector(s, ROW_ATTRIBUTES + 3 * VALUE_TANGENT);
        const vec3_lanes b = vec3_cross(n, t);
        x = x * vf_set1(m->normal_scale);
        y = y * (vf_set1(m->normal_scale) * surface_row(s, ROW_HANDEDNESS));
        n = (vec3_lanes){(t.x * x + b.x * y) + n.x * z, (t.y * x + b.y * y) + n.y * z,
                         (t.z * x + b.z * y) + n.z * z};
    }
    n = vec3_unit(n);
    if (!m->double_sided)
        return n;
    return (vec3_lanes){vf_sel(s->back, vf_neg(n.x), n.x), vf_sel(s->back, vf_neg(n.y), n.y),
                        vf_sel(s->back, vf_neg(n.z), n.z)};
}

/// Albedo, reflectance and roughness from factors, vertex colours and maps.
static inline void shade_reflectance(const shade_material *m, const surface_values *values,
                                     const vf texel[TEXEL_COUNT], shade_point *p)
{
    const vf one = vf_set1(1.0f);
    vec3_lanes base = vec3_set1(m->base_color);
    if (m->vertex_color)
        base = (vec3_lanes){base.x * values->color[0], base.y * values->color[1],
                            base.z * values->color[2]};
    base = (vec3_lanes){base.x * texel[0], base.y * texel[1], base.z * texel[2]};
    const vf roughness = vf_set1(m->roughness) * texel[TEXEL_ROUGHNESS];
    const vf metallic = vf_set1(m->metallic) * texel[TEXEL_METALNESS];
    // Below 0.05 a punctual light's highlight is smaller than a pixel and its peak loses all
    // precision in 32-bit floats.
    p->roughness = vf_min(vf_max(roughness, vf_set1(0.05f)), one);
    const vf alpha = p->roughness * p->roughness, dielectric = one - metallic;
    p->alpha2 = alpha * alpha;
    p->diffuse = vec3_scale(base, dielectric);
    p->coat_f0 = vec3_set1(m->f0);
    p->coat_grey = m->f0[0] == m->f0[1] && m->f0[1] == m->f0[2];
    const vf coat = p->coat_f0.x * dielectric;
    p->f0 = (vec3_lanes){coat, coat, coat};
    if (!p->coat_grey) {
        p->f0.y = p->coat_f0.y * dielectric;
        p->f0.z = p->coat_f0.z * dielectric;
    }
    p->f0 = vec3_add(p->f0, vec3_scale(base, metallic));
}

/// The first loop's turn: points, coordinates, addresses of texels.
static inline void shade_place(const shade_material *m, const surface_needs *needs,
                               const surface_table *table, vi slot, shade_batch *batch)
{
    surface_locate(table, slot, batch->px, batch->py, &batch->surface);
    surface_interpolate(&batch->surface, needs, &batch->values);
    if (m->fused) {
        uv_gradient room;
        const shade_map *any = &m->map[__builtin_ctz(m->fused_maps)];
        fused_find(m->fused, surface_map_uv(any, &batch->values, &room), &batch->place);
    }
}

/// The last loop's turn.
static inline vec3_lanes shade_lit(const shade_frame *frame, const shade_material *m,
                                   const surface_needs *needs, const shade_batch *batch)
{
    const surface *s = &batch->surface;
    shade_point p;
    vf texel[TEXEL_COUNT], other[4];
    shade_texels(m, batch, texel);
    shade_reflectance(m, &batch->values, texel, &p);
    p.normal = shade_normal(m, s, texel);
    const vec3_lanes ray = shade_ray(frame, batch->px, batch->py);
    p.position = needs->position ? shade_position(frame, s, ray) : ray;
    p.view = frame->view.orthographic
                 ? vec3_scale(vec3_set1(frame->forward), vf_set1(-1.0f))
                 : vec3_scale(ray, vf_set1(-1.0f) / vf_sqrt(vec3_dot(ray, ray)));
    p.n_dot_v = vf_min(vf_max(vec3_dot(p.normal, p.view), vf_set1(1e-4f)), vf_set1(1.0f));

    vf occlusion = vf_set1(1.0f);
    if (shade_texel(m, SHADE_MAP_OCCLUSION, &batch->values, other)) {
        const vf strength = vf_set1(m->occlusion_strength);
        occlusion = vf_set1(1.0f) + strength * (other[0] - vf_set1(1.0f));
    }
    vec3_lanes sum = shade_ambient(frame, &p, occlusion);
    for (int32_t i = 0; i < frame->light_count; i++)
        sum = shade_light_at(&frame->lights[i], &p, sum);

    vec3_lanes emissive = vec3_set1(m->emissive);
    if (shade_texel(m, SHADE_MAP_EMISSIVE, &batch->values, other))
        emissive =
            (vec3_lanes){emissive.x * other[0], emissive.y * other[1], emissive.z * other[2]};
    return vec3_add(sum, emissive);
}

enum { SHADE_WINDOW = 256, SHADE_RUN = 64 };

/// A run of items on at most ZT_W different triangles.
typedef struct shade_window {
    int32_t id[ZT_W];           ///< the triangles; unused lanes repeat the first
    int32_t slot[SHADE_WINDOW]; ///< of each item: its triangle among them
    uint32_t count;             ///< items, a multiple of ZT_W
} shade_window;

/// ZT_W entries of an array of items, from the i-th of the job on.
static inline vi shade_items_load(const shade_job *job, const uint32_t *from, uint32_t i)
{
    if (!job->index)
        return vi_load((const int32_t *)(from + i));
    return vi_gather((const int32_t *)from, vi_load((const int32_t *)(job->index + i)));
}

/// Takes items from the `first` of the job on until the triangles do not fit any more.
static inline void shade_collect(const shade_job *job, uint32_t first, shade_window *w)
{
    const uint32_t left = job->count - first;
    const uint32_t most = left < SHADE_WINDOW ? left : SHADE_WINDOW;
    // Lanes from `distinct` on hold copies of triangles that are there anyway.
    vi known = shade_items_load(job, job->items->id, first);
    int32_t distinct = 0;
    w->count = 0;
    for (; w->count < most; w->count += ZT_W) {
        const vi ids = shade_items_load(job, job->items->id, first + w->count);
        int32_t id[ZT_W];
        vi_store(id, ids);
        vi slots = vi_set1(0), next = known;
        int32_t fresh = distinct;
        unsigned todo = (1u << ZT_W) - 1u;
        while (todo) {
            const vi one = vi_set1(id[__builtin_ctz(todo)]);
            const unsigned valid = (1u << fresh) - 1u;
            unsigned hit = vm_bits(vi_eq(next, one)) & valid;
            if (!hit) {
                if (fresh == ZT_W)
                    break;
                hit = 1u << fresh++;
                next = vi_sel(vm_from_bits(hit), one, next);
            }
            const vm same = vi_eq(ids, one);
            slots = vi_sel(same, vi_set1(__builtin_ctz(hit)), slots);
            todo &= ~vm_bits(same);
        }
        if (todo)
            break; // the next window's
        known = next;
        distinct = fresh;
        vi_store(w->slot + w->count, slots);
    }
    vi_store(w->id, known);
}

static inline void shade_write(const shade_job *job, uint32_t first, vec3_lanes c)
{
    if (!job->index) {
        vf_store(job->color.r + first, c.x);
        vf_store(job->color.g + first, c.y);
        vf_store(job->color.b + first, c.z);
        return;
    }
    float r[ZT_W], g[ZT_W], b[ZT_W];
    vf_store(r, c.x);
    vf_store(g, c.y);
    vf_store(b, c.z);
    for (uint32_t lane = 0; lane < ZT_W; lane++) {
        const uint32_t item = job->index[first + lane];
        job->color.r[item] = r[lane];
        job->color.g[item] = g[lane];
        job->color.b[item] = b[lane];
    }
}

/// Items [first, first + count) of the job, at most SHADE_RUN, on triangles of `table`.
static inline void shade_run(const shade_job *job, const surface_needs *needs,
                             const surface_table *table, const int32_t *slot, uint32_t first,
                             uint32_t count)
{
    const shade_material *m = job->material;
    const vf to_px = vf_set1(1.0f / 256.0f);
    const vf tile_x = vf_set1((float)job->tile_x), tile_y = vf_set1((float)job->tile_y);
    shade_batch batch[SHADE_RUN / ZT_W];
    const uint32_t batches = count / ZT_W;
    for (uint32_t i = 0; i < batches; i++) {
        const vi place = shade_items_load(job, job->items->place, first + i * ZT_W);
        batch[i].px = tile_x + vf_from_vi(vi_and(place, vi_set1(0xffff))) * to_px;
        batch[i].py = tile_y + vf_from_vi(vi_shru(place, 16)) * to_px;
        shade_place(m, needs, table, vi_load(slot + i * ZT_W), &batch[i]);
    }
    for (uint32_t i = 0; i < batches && m->fused; i++)
        fused_fetch(m->fused, &batch[i].place, batch[i].texel);
    for (uint32_t i = 0; i < batches; i++)
        shade_write(job, first + i * ZT_W, shade_lit(job->frame, m, needs, &batch[i]));
}

/// True when nothing lights the frame: what is seen is what shines.
static bool shade_is_dark(const shade_frame *frame)
{
    float ambient = 0.0f;
    for (int32_t i = 0; i < 3; i++)
        ambient = ambient + (frame->sky[i] + frame->ground[i]);
    return frame->light_count == 0 && ambient == 0.0f;
}

/// Every item of a material without an emissive map in a dark frame: one colour.
static void shade_shining(const shade_job *job)
{
    const vec3_lanes emissive = vec3_set1(job->material->emissive);
    for (uint32_t i = 0; i < job->count; i += ZT_W)
        shade_write(job, i, emissive);
}

static void shade(const shade_job *job)
{
    if (shade_is_dark(job->frame) && !job->material->map[SHADE_MAP_EMISSIVE].texture) {
        shade_shining(job);
        return;
    }
    surface_needs needs = surface_needs_of(job->material);
    for (int32_t i = 0; i < job->frame->light_count; i++)
        needs.position = needs.position || job->frame->lights[i].kind != SHADE_LIGHT_DIRECTIONAL;
    const vf tile_x = vf_set1((float)job->tile_x), tile_y = vf_set1((float)job->tile_y);
    shade_window window;
    surface_table table;
    for (uint32_t first = 0; first < job->count; first += window.count) {
        shade_collect(job, first, &window);
        surface_table_build(job->frame, window.id, tile_x, tile_y, &needs, &table);
        for (uint32_t i = 0; i < window.count; i += SHADE_RUN) {
            const uint32_t left = window.count - i;
            shade_run(job, &needs, &table, window.slot + i, first + i,
                      left < SHADE_RUN ? left : SHADE_RUN);
        }
    }
}
