// SPDX-License-Identifier: MIT
// Visible samples of one material -> linear radiance.
//
// Runs of visible samples go through five loops: where their points lie; which texels they need;
// the texels; normals and reflectances; the light of the sky; that of lamps. Each loop's turns
// depend on nothing of each other, so that a processor works on several at a time; in one loop a
// turn would be a chain too long to see the next one from.

/// From the eye towards what is seen at (px, py), per unit of w; not for orthographic views.
ZT_LANE_OP vec3_lanes shade_ray(const shade_frame *f, vf px, vf py)
{
    const vec3_lanes ray = vec3_set1(f->ray), ray_x = vec3_set1(f->ray_x),
                     ray_y = vec3_set1(f->ray_y);
    return (vec3_lanes){(ray.x + ray_x.x * px) + ray_y.x * py,
                        (ray.y + ray_x.y * px) + ray_y.y * py,
                        (ray.z + ray_x.z * px) + ray_y.z * py};
}

/// World position, from the ray and the interpolated w or depth.
ZT_LANE_OP vec3_lanes shade_position(const shade_frame *f, bool orthographic, const surface *s,
                                     vec3_lanes ray)
{
    const vec3_lanes origin = vec3_set1(f->origin);
    if (!orthographic)
        return vec3_add(origin, vec3_scale(ray, surface_value(s, ROW_W)));
    const vf along = (vf_set1(1.0f) - surface_value(s, ROW_DEPTH)) * vf_set1(f->depth_range);
    return vec3_add(vec3_add(origin, ray), vec3_scale(vec3_set1(f->forward), along));
}

/// Where a map's texels come from.
enum { SHADE_ABSENT, SHADE_FUSED, SHADE_APART };

/// What decides which code a job runs. Bytes only, so that two of them can be compared as such.
typedef struct shade_traits {
    surface_needs needs;
    uint8_t source[SHADE_MAP_COUNT];
    shade_sampling sampling; ///< of fused maps
    bool fused, transformed; ///< some maps are fused; their coordinates have a transform
    bool two_channel, vertex_color, double_sided, grey_dielectric, orthographic;
    bool normal_scaled, emits; ///< a factor on normal maps; emission, with or without a map
    bool dim_dielectric;       ///< the dielectric part reflects less than all at grazing angles
    bool glossy, unlit, blended;
    bool emissive_occlusion_packed; ///< emission or occlusion has fused texels
    bool object_space, wrinkled;    ///< normals.inl
} shade_traits;

/// Any of the fused maps: they have the same coordinates.
static const shade_map *shade_fused_map(const shade_material *m)
{
    return &m->map[__builtin_ctz(m->fused_maps)];
}

static shade_traits shade_traits_of(const shade_frame *frame, const shade_material *m)
{
    shade_traits t = {
        .needs = surface_needs_of(m),
        .fused = m->fused != NULL,
        .two_channel =
            m->map[SHADE_MAP_NORMAL].texture && m->map[SHADE_MAP_NORMAL].texture->two_channel,
        .vertex_color = m->vertex_color,
        .double_sided = m->double_sided,
        .grey_dielectric = m->f0[0] == m->f0[1] && m->f0[1] == m->f0[2] &&
                           !m->map[SHADE_MAP_SPECULAR_COLOR].texture,
        .orthographic = frame->view.orthographic,
        .normal_scaled = m->normal_scale != 1.0f,
        .emits = m->emissive[0] + m->emissive[1] + m->emissive[2] != 0.0f,
        .dim_dielectric = m->specular != 1.0f || m->map[SHADE_MAP_SPECULAR].texture,
        .glossy = m->glossy && m->map[SHADE_MAP_SPECULAR_COLOR].texture,
        .unlit = m->unlit,
        .blended = m->blended,
    };
    if (m->detail) {
        t.object_space = m->detail->object_space;
        t.wrinkled = m->detail->wrinkle_count > 0;
    }
    if (m->fused) {
        t.emissive_occlusion_packed = m->fused->emissive_occlusion != NULL;
        t.sampling = m->fused->sampler.sampling;
        t.transformed = shade_fused_map(m)->transformed;
    }
    for (int32_t i = 0; i < SHADE_MAP_COUNT; i++)
        if (m->map[i].texture)
            t.source[i] = m->fused_maps >> i & 1u ? SHADE_FUSED : SHADE_APART;
    if (m->blended && m->map[SHADE_MAP_BASE].texture)
        t.source[SHADE_MAP_BASE] = SHADE_APART; // fused texels have no alpha
    for (int32_t i = 0; i < frame->light_count; i++)
        t.needs.position = t.needs.position || frame->lights[i].kind != SHADE_LIGHT_DIRECTIONAL;
    return t;
}

/// A job and what it points to, as copies of its own: compilers need not fear that a store of a
/// colour changes them.
typedef struct shade_context {
    shade_job job;
    shade_frame frame;
    shade_material material;
    shade_map fused_map; ///< one of the fused maps, for their coordinates
    shade_fused fused;
    ambient_light ambient;
    const surface_table *axes; ///< of the window, for normals in object space
} shade_context;

ZT_LANE_OP void shade_context_make(const shade_job *job, const shade_traits *t, shade_context *out)
{
    shade_material *m = &out->material;
    out->job = *job;
    out->frame = *job->frame;
    *m = *job->material;
    out->fused_map = t->fused ? *shade_fused_map(job->material) : (shade_map){0};
    out->fused = t->fused ? *job->material->fused : (shade_fused){0};
    out->ambient = ambient_light_of(job->frame);
    // Fused texels are numbers of their unit: factors take it in, normals need none.
    const float base = t->source[SHADE_MAP_BASE] == SHADE_FUSED ? FUSED_UNIT : 1.0f;
    const float rough = t->source[SHADE_MAP_METAL_ROUGH] == SHADE_FUSED ? FUSED_UNIT : 1.0f;
    for (int32_t i = 0; i < 3; i++)
        m->base_color[i] = m->base_color[i] * base;
    m->roughness = m->roughness * rough;
    m->metallic = m->metallic * rough;
}

/// Texels of the maps that shade a point, in the order of fused texels (see shade_fused).
enum { TEXEL_ROUGHNESS = 3, TEXEL_NORMAL = 4, TEXEL_METALNESS = 7, TEXEL_COUNT = 8 };

/// Points of ZT_W visible samples on the way from one loop to the next.
typedef struct shade_batch {
    surface surface;
    surface_values values;
    vf px, py;
    packed_address address; ///< of fused texels, where a material has them
    vf texel[TEXEL_COUNT];
    vf emissive_occlusion[4]; ///< emission, occlusion
    shade_point point;
    vec3_lanes ambient; ///< what the sky adds
    vf alpha;           ///< of blended materials
} shade_batch;

/// Factors of 1 where a material has no map. Also finds the alpha where it blends.
ZT_LANE_OP void shade_texels(const shade_context *c, const shade_traits *t, shade_batch *batch,
                             vf out[TEXEL_COUNT])
{
    const vf one = vf_set1(1.0f);
    const shade_map *map = c->material.map;
    for (int32_t i = 0; i < TEXEL_COUNT; i++)
        out[i] = t->fused ? batch->texel[i] : one;
    if (t->two_channel && t->source[SHADE_MAP_NORMAL] == SHADE_FUSED) // z needs the unit
        for (int32_t i = 0; i < 2; i++)
            out[TEXEL_NORMAL + i] = out[TEXEL_NORMAL + i] * vf_set1(FUSED_UNIT);
    if (t->source[SHADE_MAP_BASE] != SHADE_FUSED)
        out[0] = out[1] = out[2] = one;
    if (t->source[SHADE_MAP_METAL_ROUGH] != SHADE_FUSED)
        out[TEXEL_ROUGHNESS] = out[TEXEL_METALNESS] = one;
    vf texel[4];
    if (t->blended) {
        batch->alpha = vf_set1(c->material.base_color[3]);
        if (t->vertex_color)
            batch->alpha = batch->alpha * batch->values.color[3];
    }
    if (t->source[SHADE_MAP_BASE] == SHADE_APART) {
        surface_sample(&map[SHADE_MAP_BASE], &batch->values, texel);
        for (int32_t i = 0; i < 3; i++)
            out[i] = texel[i];
        if (t->blended)
            batch->alpha = batch->alpha * texel[3];
    }
    if (t->source[SHADE_MAP_METAL_ROUGH] == SHADE_APART) {
        surface_sample(&map[SHADE_MAP_METAL_ROUGH], &batch->values, texel);
        out[TEXEL_ROUGHNESS] = texel[1];
        out[TEXEL_METALNESS] = texel[2];
    }
    if (t->source[SHADE_MAP_NORMAL] == SHADE_APART) {
        surface_sample(&map[SHADE_MAP_NORMAL], &batch->values, texel);
        for (int32_t i = 0; i < 3; i++)
            out[TEXEL_NORMAL + i] = texel[i];
    }
}

/// Unit shading normal: normal map in the interpolated tangent frame, turned to the viewer's side
/// on the backs of double-sided materials. The frame is interpolated from unit vectors and not made
/// unit again, as bakers have it (mikktspace.h; Mikkelsen 2008, "Simulation of Wrinkled Surfaces
/// Revisited").
ZT_LANE_OP vec3_lanes shade_normal(const shade_context *c, const shade_traits *traits,
                                   const shade_batch *batch, const vf texel[TEXEL_COUNT])
{
    const surface *s = &batch->surface;
    const bool mapped = traits->source[SHADE_MAP_NORMAL] != SHADE_ABSENT;
    vec3_lanes map = {vf_set1(0.0f), vf_set1(0.0f), vf_set1(1.0f)};
    vf slope[2] = {vf_set1(0.0f), vf_set1(0.0f)};
    if (traits->wrinkled)
        wrinkle_slopes(c->material.detail, &batch->values, slope);
    vec3_lanes n = surface_vector(s, ROW_ATTRIBUTES + 3 * VALUE_NORMAL);
    if (mapped) {
        map = (vec3_lanes){texel[TEXEL_NORMAL], texel[TEXEL_NORMAL + 1], texel[TEXEL_NORMAL + 2]};
        if (traits->two_channel)
            map.z = normal_z(map.x, map.y);
        if (traits->normal_scaled) {
            map.x = map.x * vf_set1(c->material.normal_scale);
            map.y = map.y * vf_set1(c->material.normal_scale);
        }
    }
    if (traits->object_space) {
        n = normal_from_object(s, c->axes, map);
        if (traits->wrinkled)
            n = wrinkle_world(s, n, slope);
    } else if (mapped || traits->wrinkled) {
        const vec3_lanes t = surface_vector(s, ROW_ATTRIBUTES + 3 * VALUE_TANGENT);
        const vec3_lanes b = vec3_cross(n, t);
        if (traits->wrinkled)
            map = wrinkle_blend(map, slope);
        map.y = map.y * surface_row(s, ROW_HANDEDNESS);
        n = (vec3_lanes){(t.x * map.x + b.x * map.y) + n.x * map.z,
                         (t.y * map.x + b.y * map.y) + n.y * map.z,
                         (t.z * map.x + b.z * map.y) + n.z * map.z};
    }
    n = vec3_unit(n);
    if (!traits->double_sided)
        return n;
    return (vec3_lanes){vf_sel(s->back, vf_neg(n.x), n.x), vf_sel(s->back, vf_neg(n.y), n.y),
                        vf_sel(s->back, vf_neg(n.z), n.z)};
}

/// Base colour from factor, vertex colours and map.
ZT_LANE_OP vec3_lanes shade_base(const shade_material *m, const shade_traits *t,
                                 const surface_values *values, const vf texel[TEXEL_COUNT])
{
    vec3_lanes base = vec3_set1(m->base_color);
    if (t->vertex_color)
        base = (vec3_lanes){base.x * values->color[0], base.y * values->color[1],
                            base.z * values->color[2]};
    return (vec3_lanes){base.x * texel[0], base.y * texel[1], base.z * texel[2]};
}

/// Reflectances of the dielectric part, and roughness, from maps of KHR_materials_specular or
/// KHR_materials_pbrSpecularGlossiness: min(f0 color, 1) specular and specular.
ZT_LANE_OP void shade_specular_maps(const shade_material *m, const shade_traits *t,
                                    const surface_values *values, vf *roughness, shade_point *p)
{
    vf texel[4];
    if (t->source[SHADE_MAP_SPECULAR] != SHADE_ABSENT) {
        surface_sample(&m->map[SHADE_MAP_SPECULAR], values, texel);
        p->dielectric_f90 = p->dielectric_f90 * texel[3];
    }
    if (t->source[SHADE_MAP_SPECULAR_COLOR] != SHADE_ABSENT) {
        const vf one = vf_set1(1.0f);
        surface_sample(&m->map[SHADE_MAP_SPECULAR_COLOR], values, texel);
        p->dielectric_f0 =
            (vec3_lanes){vf_min(p->dielectric_f0.x * texel[0], one) * p->dielectric_f90,
                         vf_min(p->dielectric_f0.y * texel[1], one) * p->dielectric_f90,
                         vf_min(p->dielectric_f0.z * texel[2], one) * p->dielectric_f90};
        if (t->glossy)
            *roughness = one - vf_set1(m->glossiness) * texel[3];
    } else if (t->source[SHADE_MAP_SPECULAR] != SHADE_ABSENT) {
        p->dielectric_f0 = vec3_scale(p->dielectric_f0, texel[3]);
    }
}

/// Albedo, reflectance and roughness from factors, vertex colours and maps.
ZT_LANE_OP void shade_reflectance(const shade_material *m, const shade_traits *t,
                                  const surface_values *values, const vf texel[TEXEL_COUNT],
                                  shade_point *p)
{
    const vf one = vf_set1(1.0f);
    const vec3_lanes base = shade_base(m, t, values, texel);
    vf roughness = vf_set1(m->roughness) * texel[TEXEL_ROUGHNESS];
    const vf metallic = vf_set1(m->metallic) * texel[TEXEL_METALNESS];
    p->dielectric_f0 = vec3_set1(m->f0);
    p->dielectric_f90 = t->dim_dielectric ? vf_set1(m->specular) : one;
    shade_specular_maps(m, t, values, &roughness, p);
    // Below 0.05 a punctual light's highlight is smaller than a pixel and its peak loses all
    // precision in 32-bit floats.
    p->roughness = vf_min(vf_max(roughness, vf_set1(0.05f)), one);
    const vf alpha = p->roughness * p->roughness, dielectric = one - metallic;
    p->alpha2 = alpha * alpha;
    p->diffuse = vec3_scale(base, dielectric);
    p->dielectric_grey = t->grey_dielectric;
    const vf grey = p->dielectric_f0.x * dielectric;
    p->f0 = (vec3_lanes){grey, grey, grey};
    if (!p->dielectric_grey) {
        p->f0.y = p->dielectric_f0.y * dielectric;
        p->f0.z = p->dielectric_f0.z * dielectric;
    }
    p->f0 = vec3_add(p->f0, vec3_scale(base, metallic));
    p->f90 = t->dim_dielectric ? p->dielectric_f90 * dielectric + metallic : one;
}

/// ZT_W entries of an array of visible samples, from the i-th of the job on.
static inline vi visible_load(const shade_job *job, const uint32_t *from, uint32_t i)
{
    if (!job->index)
        return vi_load((const int32_t *)(from + i));
    return vi_gather((const int32_t *)from, vi_load((const int32_t *)(job->index + i)));
}

/// The first loop's turn: points and coordinates.
ZT_LANE_OP void shade_locate(const shade_context *c, const shade_traits *t,
                             const surface_table *table, const int32_t *slot, uint32_t sample,
                             shade_batch *batch)
{
    const vf to_px = vf_set1(1.0f / 256.0f);
    const vf tile_x = vf_set1((float)c->job.tile_x), tile_y = vf_set1((float)c->job.tile_y);
    const vi place = visible_load(&c->job, c->job.visible->position, sample);
    batch->px = tile_x + vf_from_vi(vi_and(place, vi_set1(0xffff))) * to_px;
    batch->py = tile_y + vf_from_vi(vi_shru(place, 16)) * to_px;
    surface_locate(table, vi_load(slot), batch->px, batch->py, &batch->surface);
    surface_interpolate(&batch->surface, &t->needs, &batch->values);
}

/// The second loop's turn: addresses of fused texels.
ZT_LANE_OP void shade_find(const shade_context *c, const shade_traits *t, shade_batch *batch)
{
    const uv_gradient *uv = &batch->values.uv[t->needs.extra && c->fused_map.uv_set == 1];
    const uv_gradient there = t->transformed ? surface_transformed_uv(&c->fused_map, uv) : *uv;
    fused_find(&c->fused, &t->sampling, &there, t->emissive_occlusion_packed, &batch->address);
}

/// The fifth loop's turn: what reaches a point from the sky and goes on to the eye.
ZT_LANE_OP void shade_ambient_terms(const shade_context *c, const shade_traits *t,
                                    shade_batch *batch)
{
    vf occlusion = vf_set1(1.0f);
    if (t->source[SHADE_MAP_OCCLUSION] != SHADE_ABSENT) {
        vf texel[4] = {batch->emissive_occlusion[3]};
        if (t->source[SHADE_MAP_OCCLUSION] == SHADE_APART)
            surface_sample(&c->material.map[SHADE_MAP_OCCLUSION], &batch->values, texel);
        const vf strength = vf_set1(c->material.occlusion_strength);
        occlusion = vf_set1(1.0f) + strength * (texel[0] - vf_set1(1.0f));
    }
    batch->ambient = shade_ambient(&c->ambient, &batch->point, occlusion);
}

/// The fourth loop's turn: what the light needs to know of the points.
ZT_LANE_OP void shade_point_of(const shade_context *c, const shade_traits *t, shade_batch *batch)
{
    const surface *s = &batch->surface;
    shade_point *p = &batch->point;
    vf texel[TEXEL_COUNT];
    shade_texels(c, t, batch, texel);
    if (t->unlit) {
        p->diffuse = shade_base(&c->material, t, &batch->values, texel);
        return;
    }
    shade_reflectance(&c->material, t, &batch->values, texel, p);
    p->normal = shade_normal(c, t, batch, texel);
    const vec3_lanes ray = shade_ray(&c->frame, batch->px, batch->py);
    p->position = t->needs.position ? shade_position(&c->frame, t->orthographic, s, ray) : ray;
    p->view = t->orthographic ? vec3_scale(vec3_set1(c->frame.forward), vf_set1(-1.0f))
                              : vec3_scale(ray, vf_set1(-1.0f) / vf_sqrt(vec3_dot(ray, ray)));
    p->n_dot_v = vf_min(vf_max(vec3_dot(p->normal, p->view), vf_set1(1e-4f)), vf_set1(1.0f));
}

/// The last loop's turn.
ZT_LANE_OP vec3_lanes shade_lit(const shade_context *c, const shade_traits *t,
                                const shade_batch *batch)
{
    const shade_material *m = &c->material;
    if (t->unlit)
        return batch->point.diffuse;
    vec3_lanes reflected = batch->ambient;
    for (int32_t i = 0; i < c->frame.light_count; i++)
        reflected =
            shade_light_at(&c->frame.lights[i], t->needs.position, &batch->point, reflected);
    if (!t->emits)
        return reflected;
    vec3_lanes emissive = vec3_set1(m->emissive);
    if (t->source[SHADE_MAP_EMISSIVE] != SHADE_ABSENT) {
        vf light[4] = {batch->emissive_occlusion[0], batch->emissive_occlusion[1],
                       batch->emissive_occlusion[2]};
        if (t->source[SHADE_MAP_EMISSIVE] == SHADE_APART)
            surface_sample(&m->map[SHADE_MAP_EMISSIVE], &batch->values, light);
        emissive =
            (vec3_lanes){emissive.x * light[0], emissive.y * light[1], emissive.z * light[2]};
    }
    return vec3_add(reflected, emissive);
}

enum { SHADE_WINDOW = 1024, SHADE_RUN = 64 };

/// A run of visible samples on at most ZT_W different triangles.
typedef struct shade_window {
    int32_t id[ZT_W];           ///< the triangles; unused lanes repeat the first
    int32_t slot[SHADE_WINDOW]; ///< of each visible sample: its triangle among them
    uint32_t count;             ///< visible samples, a multiple of ZT_W
} shade_window;

/// Takes visible samples from the `first` of the job on until the triangles do not fit any more.
/// All lanes are held against all triangles: how many there are in a batch is nothing that a
/// processor could foresee.
static inline void shade_collect(const shade_job *job, uint32_t first, shade_window *w)
{
    const uint32_t left = job->count - first;
    const uint32_t max = left < SHADE_WINDOW ? left : SHADE_WINDOW;
    vi known[ZT_W]; // each in all lanes; 0: none
    int32_t distinct = 0;
    for (int32_t i = 0; i < ZT_W; i++)
        known[i] = vi_set1(0);
    for (w->count = 0; w->count < max; w->count += ZT_W) {
        const vi ids = visible_load(job, job->visible->id, first + w->count);
        vi slots = vi_set1(-1);
        for (int32_t i = 0; i < ZT_W; i++)
            slots = vi_sel(vi_eq(ids, known[i]), vi_set1(i), slots);
        unsigned todo = vm_bits(vi_eq(slots, vi_set1(-1)));
        if (todo) {
            int32_t id[ZT_W];
            vi_store(id, ids);
            for (; todo && distinct < ZT_W; distinct++) {
                known[distinct] = vi_set1(id[__builtin_ctz(todo)]);
                w->id[distinct] = id[__builtin_ctz(todo)];
                const vm same = vi_eq(ids, known[distinct]);
                slots = vi_sel(same, vi_set1(distinct), slots);
                todo &= ~vm_bits(same);
            }
            if (todo)
                break; // the next window's
        }
        vi_store(w->slot + w->count, slots);
    }
    for (; distinct < ZT_W; distinct++)
        w->id[distinct] = w->id[0];
}

/// Stores numbers of the job's visible samples from the `first` on.
static inline void shade_store(const shade_job *job, uint32_t first, vf x, float *out)
{
    if (!job->index) {
        vf_store(out + first, x);
        return;
    }
    float lanes[ZT_W];
    vf_store(lanes, x);
    for (uint32_t lane = 0; lane < ZT_W; lane++)
        out[job->index[first + lane]] = lanes[lane];
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
        const uint32_t sample = job->index[first + lane];
        job->color.r[sample] = r[lane];
        job->color.g[sample] = g[lane];
        job->color.b[sample] = b[lane];
    }
}

/// Vertex colours may lie outside of 0..1, and NaN is nothing.
ZT_LANE_OP vf shade_alpha(vf alpha)
{
    return vf_min(vf_max(alpha, vf_set1(0.0f)), vf_set1(1.0f));
}

/// Visible samples [first, first + count) of the job, at most SHADE_RUN, on triangles of `table`.
ZT_LANE_OP void shade_run(const shade_context *c, const shade_traits *t, const surface_table *table,
                          const int32_t *slot, uint32_t first, uint32_t count)
{
    shade_batch batch[SHADE_RUN / ZT_W];
    const uint32_t batches = count / ZT_W;
    for (uint32_t i = 0; i < batches; i++)
        shade_locate(c, t, table, slot + i * ZT_W, first + i * ZT_W, &batch[i]);
    for (uint32_t i = 0; i < batches && t->fused; i++)
        shade_find(c, t, &batch[i]);
    for (uint32_t i = 0; i < batches && t->fused; i++) {
        fused_fetch(&c->fused, &batch[i].address, batch[i].texel);
        if (t->emissive_occlusion_packed)
            emissive_occlusion_fetch(&c->fused, &batch[i].address, batch[i].emissive_occlusion);
    }
    for (uint32_t i = 0; i < batches; i++)
        shade_point_of(c, t, &batch[i]);
    for (uint32_t i = 0; i < batches && !t->unlit; i++)
        shade_ambient_terms(c, t, &batch[i]);
    for (uint32_t i = 0; i < batches; i++)
        shade_write(&c->job, first + i * ZT_W, shade_lit(c, t, &batch[i]));
    for (uint32_t i = 0; i < batches && t->blended; i++)
        shade_store(&c->job, first + i * ZT_W, shade_alpha(batch[i].alpha), c->job.color.a);
}

/// `t` as a constant makes this a function for such jobs alone.
ZT_LANE_OP void shade_job_of(const shade_job *job, const shade_traits *t)
{
    const vf tile_x = vf_set1((float)job->tile_x), tile_y = vf_set1((float)job->tile_y);
    shade_context context;
    shade_window window;
    surface_table table, axes;
    shade_context_make(job, t, &context);
    context.axes = &axes;
    for (uint32_t first = 0; first < job->count; first += window.count) {
        shade_collect(job, first, &window);
        surface_table_build(job->frame, window.id, tile_x, tile_y, &t->needs, &table);
        if (t->object_space)
            axes_table_build(job->frame, window.id, &axes);
        for (uint32_t i = 0; i < window.count; i += SHADE_RUN) {
            const uint32_t left = window.count - i;
            shade_run(&context, t, &table, window.slot + i, first + i,
                      left < SHADE_RUN ? left : SHADE_RUN);
        }
    }
}

#ifndef ZT_SHADE_ANY_ONLY
// The commonest cases. As constants they leave compilers no branches in the loops.
static const shade_traits shade_plain = {.grey_dielectric = true}; ///< no maps
static const shade_traits shade_usual = {
    .needs = {.uv = true,                       .tangent = true},
    .source = {            [SHADE_MAP_BASE] = SHADE_FUSED,
              [SHADE_MAP_METAL_ROUGH] = SHADE_FUSED,
              [SHADE_MAP_NORMAL] = SHADE_FUSED},
    .sampling = { .wrap_u = SHADE_WRAP_REPEAT,
              .wrap_v = SHADE_WRAP_REPEAT,
              .powers_of_two = true,
              .square = true},
    .fused = true,
    .grey_dielectric = true,
};
static const shade_traits shade_five_maps = {
    .needs = {.uv = true,                       .tangent = true},
    .source = { [SHADE_MAP_BASE] = SHADE_FUSED,
              [SHADE_MAP_METAL_ROUGH] = SHADE_FUSED,
              [SHADE_MAP_NORMAL] = SHADE_FUSED,
              [SHADE_MAP_OCCLUSION] = SHADE_FUSED,
              [SHADE_MAP_EMISSIVE] = SHADE_FUSED},
    .sampling = {                  .wrap_u = SHADE_WRAP_REPEAT,
              .wrap_v = SHADE_WRAP_REPEAT,
              .powers_of_two = true,
              .square = true},
    .fused = true,
    .grey_dielectric = true,
    .emits = true,
    .emissive_occlusion_packed = true,
};

static void shade_plain_job(const shade_job *job)
{
    shade_job_of(job, &shade_plain);
}

static void shade_usual_job(const shade_job *job)
{
    shade_job_of(job, &shade_usual);
}

static void shade_five_maps_job(const shade_job *job)
{
    shade_job_of(job, &shade_five_maps);
}

/// Runs the job if its case has loops of its own.
static bool shade_case_job(const shade_job *job, const shade_traits *t)
{
    if (memcmp(t, &shade_usual, sizeof *t) == 0)
        shade_usual_job(job);
    else if (memcmp(t, &shade_five_maps, sizeof *t) == 0)
        shade_five_maps_job(job);
    else if (memcmp(t, &shade_plain, sizeof *t) == 0)
        shade_plain_job(job);
    else
        return false;
    return true;
}
#else
static bool shade_case_job(const shade_job *job, const shade_traits *t)
{
    (void)job;
    (void)t;
    return false;
}
#endif

static void shade_any_job(const shade_job *job, const shade_traits *t)
{
    shade_job_of(job, t);
}

/// True when nothing lights the frame: what is seen is what shines.
static bool shade_is_dark(const shade_frame *frame)
{
    float ambient = 0.0f;
    for (int32_t i = 0; i < 3; i++)
        ambient = ambient + (frame->sky[i] + frame->ground[i]);
    return frame->light_count == 0 && ambient == 0.0f;
}

/// Every visible sample in one colour.
static void shade_flat(const shade_job *job, const float color[3])
{
    const vec3_lanes lanes = vec3_set1(color);
    for (uint32_t i = 0; i < job->count; i += ZT_W)
        shade_write(job, i, lanes);
}

static void shade(const shade_job *job)
{
    const shade_material *m = job->material;
    const bool flat = !m->blended;
    if (flat && m->unlit && !m->map[SHADE_MAP_BASE].texture && !m->vertex_color) {
        shade_flat(job, m->base_color);
        return;
    }
    if (flat && !m->unlit && shade_is_dark(job->frame) && !m->map[SHADE_MAP_EMISSIVE].texture) {
        shade_flat(job, m->emissive);
        return;
    }
    const shade_traits traits = shade_traits_of(job->frame, m);
    if (!shade_case_job(job, &traits))
        shade_any_job(job, &traits);
}
