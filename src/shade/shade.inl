// SPDX-License-Identifier: MIT
// Visible samples of one material -> linear radiance.
//
// A run of visible samples goes through seven loops: 1 points and coordinates, 2 addresses of
// packed texels (shade_run_begin), 3 the texels, 4 reflectance and normals, 5 ambient light (after
// loops that find what occlusion leaves of it, and addresses in an environment), 6 lights and
// emission, 7 alpha (shade_run_finish). The iterations of a loop are independent, so that a
// processor overlaps several; in a single loop each iteration would be one long chain of dependent
// operations.

/// Loop 1: points on their triangles, and texture coordinates.
ZT_LANE_OP void shade_locate(const shade_context *c, const shade_traits *t,
                             const surface_table *table, const int32_t *slot, uint32_t sample,
                             shade_batch *batch)
{
    const vf to_px = vf_set1(1.0f / 256.0f);
    const vf tile_x = vf_set1((float)c->job.tile_x), tile_y = vf_set1((float)c->job.tile_y);
    const vi position = visible_load(&c->job, c->job.visible->position, sample);
    batch->px = tile_x + vf_from_vi(vi_and(position, vi_set1(0xffff))) * to_px;
    batch->py = tile_y + vf_from_vi(vi_shru(position, 16)) * to_px;
    surface_locate(table, vi_load(slot), batch->px, batch->py, &batch->at.surface);
    surface_interpolate(&batch->at.surface, &t->needs, &batch->at.values);
}

/// Loop 2: addresses of packed texels. (Loop 3 fetches them.)
ZT_LANE_OP void shade_address(const shade_context *c, const shade_traits *t, shade_batch *batch)
{
    const surface_packed *packed = &c->material.packed;
    const uv_gradient map_uv = material_packed_uv(&c->material, t, &batch->at);
    packed_address_build(packed, &t->sampling, &map_uv, &batch->at.address);
    // Two calls: what is constant needs no branch for each line.
    if (c->frame.prefetch_near)
        packed_prefetch(packed, &batch->at.address, t->emissive_occlusion_packed, true);
    else
        packed_prefetch(packed, &batch->at.address, t->emissive_occlusion_packed, false);
}

/// Where visible samples are seen from.
ZT_LANE_OP void shade_eye(const shade_frame *f, const shade_traits *t, const shade_batch *batch,
                          point_view *out)
{
    const vec3_lanes ray = shade_ray(f, batch->px, batch->py);
    if (t->needs.position)
        out->position = shade_position(f, t->orthographic, &batch->at.surface, ray);
    out->to_eye = t->orthographic ? vec3_scale(vec3_set1(f->view.forward), vf_set1(-1.0f))
                                  : vec3_scale(ray, vf_set1(-1.0f) / vf_sqrt(vec3_dot(ray, ray)));
}

/// Loop 4: reflectance, normal and direction to the eye of the samples from `first` on.
ZT_LANE_OP void shade_point_build(const shade_context *c, const shade_traits *t, uint32_t first,
                                  shade_batch *batch)
{
    vf texel[TEXEL_COUNT];
    point_view from;
    shade_texels(&c->material, t, &batch->at, texel);
    if (t->unlit) {
        batch->at.point.diffuse = shade_base(&c->material.own, t, &batch->at.values, texel);
        if (t->planes)
            batch->at.point.normal = shade_normal(&c->material, t, &batch->at, texel);
    } else {
        shade_eye(&c->frame, t, batch, &from);
        material_point_build(&c->material, t, texel, &from, &batch->at);
    }
    if (t->planes)
        planes_of_point(c, t, texel, first, batch);
}

/// The part of ambient light at the points. `visible`: occlusion_at, in frames with it.
ZT_LANE_OP ambient_visibility shade_visibility(const shade_context *c, const shade_traits *t,
                                               const shade_batch *batch, vf visible)
{
    vf occlusion = vf_set1(1.0f);
    if (t->source[SHADE_MAP_OCCLUSION] != SHADE_ABSENT) {
        vf texel[4] = {batch->at.emissive_occlusion[3]};
        if (t->source[SHADE_MAP_OCCLUSION] == SHADE_SEPARATE)
            surface_sample(&c->material.own.map[SHADE_MAP_OCCLUSION], &batch->at.values, texel);
        const vf strength = vf_set1(c->material.own.occlusion_strength);
        occlusion = vf_set1(1.0f) + strength * (texel[0] - vf_set1(1.0f));
    }
    if (!t->occluded)
        return (ambient_visibility){.all = occlusion};
    const shade_point *p = &batch->at.point;
    return occlusion_visibility(visible, occlusion, c->material.own.occlusion_repeats,
                                occlusion_albedo(p->diffuse, p->f0), p->n_dot_v, p->roughness);
}

/// Loop 5: reflected ambient light. `b`: the closure; of the flat one, built here, only the glass
/// is kept. `lookup`: by shade_traits. `occluded`: in frames with occlusion, shade_visibility.
ZT_LANE_OP void shade_ambient_terms(const shade_context *c, const shade_traits *t, bsdf *b,
                                    const environment_lookup *lookup,
                                    const ambient_visibility *occluded, shade_batch *batch)
{
    const shade_point p = shade_point_read(&c->material.own, t, &batch->at.point);
    ambient_visibility visibility =
        t->occluded ? *occluded : shade_visibility(c, t, batch, vf_set1(1.0f));
    visibility.split = t->occluded;
    if (t->lobes.flat) {
        bsdf flat;
        material_closure_build(&c->material, t, NULL, &batch->at, &flat);
        if (t->lobes.part)
            bsdf_take(t->lobes, &flat);
        batch->ambient = shade_gradient(&c->ambient, &p, &flat, &visibility);
        if (t->lobes.glass)
            b->glass = flat.glass;
        return;
    }
    batch->ambient = t->lookup ? shade_environment_base(c, t, &p, b, lookup, &visibility)
                               : shade_environment(c, t, &p, b, &visibility);
}

/// Before loop 6: the share of each light that arrives; loops 1 to 4 found its inputs.
ZT_LANE_OP void shade_shadows(const shade_context *c, const shade_traits *t,
                              const shadow_table *table, const shade_batch *batch, uint32_t count)
{
    const bool front_only = !bsdf_kinds_any(t->lobes); // lobes may have normals of their own
    shadow_run(c->job.frame, table, batch, count, front_only, c->frame.shares && !t->blended,
               c->job.arriving);
}

/// The share of a light with a shadow that arrives at vector `i` of the run.
ZT_LANE_OP vf shade_arriving(const shade_job *job, const shadow_maps *shadow, uint32_t i)
{
    return vf_load(job->arriving + (size_t)shadow->number * SHADE_RUN + i * ZT_W);
}

/// Loop 6: radiance of vector `i` of the run: ambient, lights, emission.
ZT_LANE_OP vec3_lanes shade_lit(const shade_context *c, const shade_traits *t, uint32_t i,
                                const bsdf *b, const shade_batch *batch)
{
    shade_point p = shade_point_read(&c->material.own, t, &batch->at.point);
    if (t->lobes.part)
        bsdf_take_point(t->lobes.part, &p);
    vec3_lanes reflected = t->unlit ? p.diffuse : batch->ambient;
    for (int32_t k = 0; k < c->frame.light_count && !t->unlit; k++) {
        const shade_light *light = &c->frame.lights[k];
        if (t->lobes.toon)
            p.arriving = light->shadow ? shade_arriving(&c->job, light->shadow, i) : vf_set1(1.0f);
        vec3_lanes own = shade_light_at(light, t, &p, b);
        if (light->shadow && !t->lobes.toon)
            own = vec3_scale(own, shade_arriving(&c->job, light->shadow, i));
        reflected = vec3_add(reflected, own);
    }
    const bool emits = t->emits && (!t->lobes.part || t->lobes.part == SHADE_EMISSION);
    return emits ? vec3_add(reflected, material_emission(&c->material, t, &batch->at)) : reflected;
}

enum {
    SHADE_WINDOW = 1024, ///< maximum of visible samples that share one table of triangles
};

/// Visible samples on at most ZT_W different triangles.
typedef struct shade_window {
    int32_t id[ZT_W];           ///< the triangles; unused lanes repeat the first
    int32_t slot[SHADE_WINDOW]; ///< [visible sample]: index of its triangle in `id`
    uint32_t count;             ///< visible samples, a multiple of ZT_W
} shade_window;

/// Takes visible samples from `first` on until the window is full or has too many triangles, whose
/// vertices begin to load. Compares every lane with every triangle, or with the first half while
/// there are no more: a closer look at `distinct` would be mispredicted.
static inline void shade_collect(const shade_job *job, uint32_t first, shade_window *w)
{
    const uint32_t left = job->count - first;
    const uint32_t max = left < SHADE_WINDOW ? left : SHADE_WINDOW;
    vi known[ZT_W]; // [i]: the id of triangle i in every lane, 0 if free
    int32_t distinct = 0;
    for (int32_t i = 0; i < ZT_W; i++)
        known[i] = vi_set1(0);
    for (w->count = 0; w->count < max; w->count += ZT_W) {
        const vi ids = visible_load(job, job->visible->id, first + w->count);
        vi slots = vi_set1(-1);
        for (int32_t i = 0; i < ZT_W / 2; i++)
            slots = vi_sel(vi_eq(ids, known[i]), vi_set1(i), slots);
        for (int32_t i = ZT_W / 2; i < ZT_W && distinct > ZT_W / 2; i++)
            slots = vi_sel(vi_eq(ids, known[i]), vi_set1(i), slots);
        unsigned todo = vm_bits(vi_eq(slots, vi_set1(-1)));
        if (todo) {
            int32_t id[ZT_W];
            vi_store(id, ids);
            for (; todo && distinct < ZT_W; distinct++) {
                known[distinct] = vi_set1(id[__builtin_ctz(todo)]);
                w->id[distinct] = id[__builtin_ctz(todo)];
                surface_prefetch(&job->frame->surfaces, (uint32_t)w->id[distinct]);
                const vm same = vi_eq(ids, known[distinct]);
                slots = vi_sel(same, vi_set1(distinct), slots);
                todo &= ~vm_bits(same);
            }
            if (todo)
                break; // these lanes begin the next window
        }
        vi_store(w->slot + w->count, slots);
    }
    for (; distinct < ZT_W; distinct++)
        w->id[distinct] = w->id[0];
}

/// Visible samples [first, first + count), <= SHADE_RUN, on one window's triangles.
typedef struct shade_run {
    uint32_t first, count;
    const surface_table *axes;   ///< axes of the window's triangles, for normals in object space
    const shadow_table *shadows; ///< shadows on the window's triangles, if the frame has any
    shade_batch *batch;          ///< [SHADE_RUN / ZT_W]
} shade_run;

/// Loops 1 and 2. Texels are on their way when shade_run_finish needs them.
ZT_LANE_OP void shade_run_begin(const shade_context *c, const shade_traits *t,
                                const surface_table *table, const int32_t *slot,
                                const shade_run *run)
{
    shade_batch *batch = run->batch;
    const uint32_t batches = run->count / ZT_W;
    for (uint32_t i = 0; i < batches; i++)
        shade_locate(c, t, table, slot + i * ZT_W, run->first + i * ZT_W, &batch[i]);
    for (uint32_t i = 0; i < batches && t->object_space; i++)
        batch[i].at.axes = run->axes;
    for (uint32_t i = 0; i < batches && t->packed && t->needs.anisotropy <= 1; i++)
        shade_address(c, t, &batch[i]);
}

/// The other loops.
ZT_LANE_OP void shade_run_finish(const shade_context *c, const shade_traits *t,
                                 const shade_run *run)
{
    bsdf closure[SHADE_RUN / ZT_W];
    environment_lookup lookup[SHADE_RUN / ZT_W];
    ambient_visibility occluded[SHADE_RUN / ZT_W];
    shade_batch *batch = run->batch;
    const uint32_t first = run->first, batches = run->count / ZT_W;
    const bool anisotropic = t->needs.anisotropy > 1;
    for (uint32_t i = 0; i < batches && t->packed && anisotropic; i++)
        material_fetch_anisotropic(&c->material, t, &batch[i].at);
    for (uint32_t i = 0; i < batches && t->packed && !anisotropic; i++)
        material_fetch(&c->material, t, &batch[i].at);
    for (uint32_t i = 0; i < batches; i++)
        shade_point_build(c, t, first + i * ZT_W, &batch[i]);
    for (uint32_t i = 0; i < batches && t->lookup; i++)
        environment_lookup_build(c, t, &batch[i].at.point, &lookup[i]);
    for (uint32_t i = 0; i < batches && t->lookup; i++)
        environment_lookup_addresses(c, batch[i].at.point.roughness, &lookup[i]);
    for (uint32_t i = 0; i < batches && t->lookup; i++)
        lookup[i].albedo = albedo_lookup(ggx_albedo_table, GGX_ALBEDO_COLUMNS, &lookup[i].cell);
    for (uint32_t i = 0; i < batches && !t->unlit && !t->lobes.flat; i++)
        material_closure_build(&c->material, t, t->lookup ? &lookup[i].albedo : NULL, &batch[i].at,
                               &closure[i]);
    for (uint32_t i = 0; i < batches && t->lobes.part && !t->lobes.flat; i++)
        bsdf_take(t->lobes, &closure[i]);
    const bool by_rays = c->frame.shares && !t->blended;
    for (uint32_t i = 0; i < batches && t->occluded; i++)
        occluded[i].all = by_rays ? light_share_at(c->frame.shares, LIGHT_SHARE_SKY,
                                                   &batch[i].at.surface, batch[i].px, batch[i].py)
                                  : occlusion_at(c->frame.occlusion, t->blended,
                                                 &batch[i].at.surface, batch[i].px, batch[i].py);
    for (uint32_t i = 0; i < batches && t->occluded; i++)
        occluded[i] = shade_visibility(c, t, &batch[i], occluded[i].all);
    for (uint32_t i = 0; i < batches && !t->unlit; i++)
        shade_ambient_terms(c, t, &closure[i], &lookup[i], &occluded[i], &batch[i]);
    for (uint32_t i = 0; i < batches && t->lobes.glass; i++)
        lens_build(c, first + i * ZT_W, &closure[i].glass, &batch[i]);
    if (c->frame.shadow_count > 0 && !t->unlit)
        shade_shadows(c, t, run->shadows, batch, batches);
    for (uint32_t i = 0; i < batches; i++) {
        vec3_lanes color = shade_lit(c, t, i, &closure[i], &batch[i]);
        if (t->lobes.toon && c->material.own.lobes->outline)
            color = lobe_outline(c->material.own.lobes, color);
        if (t->wireframe)
            color = look_wireframe(&batch[i], t->lobes.part, color);
        shade_store_color(&c->job, first + i * ZT_W, color);
    }
    for (uint32_t i = 0; i < batches && t->blended; i++) // loop 7
        shade_store(&c->job, first + i * ZT_W, shade_alpha(batch[i].at.alpha), c->job.color.a);
}

/// Shades a job with traits `t`. Called with a constant, it compiles to loops for that case alone.
/// Each run begins before the one ahead of it is finished, which is enough time for its texels to
/// come from memory. The run ahead may be of another window: there are two of what a run refers to.
ZT_LANE_OP void shade_with_traits(const shade_job *job, const shade_traits *t)
{
    const vf tile_x = vf_set1((float)job->tile_x), tile_y = vf_set1((float)job->tile_y);
    const surface_needs needs = t->needs; // functions see copies: compilers then know that *t stays
    shade_context context;
    shade_window window[2]; // the current one, and the next: its vertices arrive in the meantime
    surface_table table[2], axes[2];
    shadow_table shadows[2];
    shade_batch batch[2][SHADE_RUN / ZT_W];
    shade_run ahead = {.count = 0};
    uint32_t first = 0, at = 0; // of the window, and of the next run in it
    unsigned windows = 0, runs = 0;
    shade_context_make(job, t, &context);
    window[0].count = 0;
    if (job->count > 0)
        shade_collect(job, 0, &window[1]);
    for (;;) {
        if (at == window[windows % 2].count && first + at < job->count) {
            first += at;
            at = 0;
            windows++;
            shade_window *w = &window[windows % 2];
            surface_table_build(&job->frame->surfaces, w->id, tile_x, tile_y, &needs,
                                &table[windows % 2]);
            if (first + w->count < job->count)
                shade_collect(job, first + w->count, &window[(windows + 1) % 2]);
            if (t->object_space)
                axes_table_build(job->frame->surfaces.meshlets, w->id, &axes[windows % 2]);
            if (context.frame.shadow_count > 0 && !t->unlit)
                shadow_table_build(&job->frame->surfaces, &job->frame->view, job->frame->shadows,
                                   job->frame->shadow_count, w->id, tile_x, tile_y,
                                   &shadows[windows % 2]);
        }
        const uint32_t left = window[windows % 2].count - at;
        const shade_run run = {first + at, left < SHADE_RUN ? left : SHADE_RUN, &axes[windows % 2],
                               &shadows[windows % 2], batch[runs++ % 2]};
        if (left > 0)
            shade_run_begin(&context, t, &table[windows % 2], window[windows % 2].slot + at, &run);
        if (ahead.count > 0)
            shade_run_finish(&context, t, &ahead);
        if (left == 0)
            return;
        at += run.count;
        ahead = run;
    }
}

#ifndef ZT_SHADE_ANY_ONLY
// Traits of the most common jobs, in today's order of members, under lamps and the gradient or
// under an environment. As constants they leave no branches in the loops.
// clang-format off
#define SHADE_PLAIN .dielectric_grey = true /* no maps */
#define SHADE_USUAL                                                                                \
    .needs = {.uv = true, .tangent = true},                                                        \
    .source = {[SHADE_MAP_BASE] = SHADE_PACKED,                                                    \
               [SHADE_MAP_METAL_ROUGH] = SHADE_PACKED,                                             \
               [SHADE_MAP_NORMAL] = SHADE_PACKED},                                                 \
    .sampling = {.wrap_u = SURFACE_WRAP_REPEAT,                                                      \
                 .wrap_v = SURFACE_WRAP_REPEAT,                                                      \
                 .powers_of_two = true,                                                            \
                 .square = true},                                                                  \
    .packed = true,                                                                                \
    .dielectric_grey = true
#define SHADE_FIVE_MAPS                                                                            \
    .needs = {.uv = true, .tangent = true},                                                        \
    .source = {[SHADE_MAP_BASE] = SHADE_PACKED,                                                    \
               [SHADE_MAP_METAL_ROUGH] = SHADE_PACKED,                                             \
               [SHADE_MAP_NORMAL] = SHADE_PACKED,                                                  \
               [SHADE_MAP_OCCLUSION] = SHADE_PACKED,                                               \
               [SHADE_MAP_EMISSIVE] = SHADE_PACKED},                                               \
    .sampling = {.wrap_u = SURFACE_WRAP_REPEAT,                                                      \
                 .wrap_v = SURFACE_WRAP_REPEAT,                                                      \
                 .powers_of_two = true,                                                            \
                 .square = true},                                                                  \
    .packed = true,                                                                                \
    .dielectric_grey = true,                                                                       \
    .emits = true,                                                                                 \
    .emissive_occlusion_packed = true
#define SHADE_GRADIENT    .lobes.flat = true
#define SHADE_ENVIRONMENT(mapped) .environment = true, .lookup = true, .geometric = mapped
#define SHADE_OCCLUDED(mapped)                                                                     \
    SHADE_ENVIRONMENT(mapped), .occluded = true, .needs.position = true
#define SHADE_ANTIALIASED(mapped) SHADE_OCCLUDED(mapped), .specular_antialiasing = true
// clang-format on

/// The common cases of one kind of material: each a name, and its traits. `mapped`: it has normals
/// from a map.
#define SHADE_LIGHTS(CASE, name, MATERIAL, mapped)                                                 \
    CASE(name, MATERIAL, SHADE_GRADIENT)                                                           \
    CASE(name##_around, MATERIAL, SHADE_ENVIRONMENT(mapped))                                       \
    CASE(name##_occluded, MATERIAL, SHADE_OCCLUDED(mapped))                                        \
    CASE(name##_antialiased, MATERIAL, SHADE_ANTIALIASED(mapped))
#define SHADE_CASES(CASE)                                                                          \
    SHADE_LIGHTS(CASE, shade_usual, SHADE_USUAL, true)                                             \
    SHADE_LIGHTS(CASE, shade_five_maps, SHADE_FIVE_MAPS, true)                                     \
    SHADE_LIGHTS(CASE, shade_plain, SHADE_PLAIN, false)

/// Defines a case: its traits, and a function that shades the jobs that have them.
#define SHADE_CASE(name, ...)                                                                      \
    static const shade_traits name = {.roughness_floor = SHADE_ROUGHNESS_FLOOR, __VA_ARGS__};      \
    static void name##_job(const shade_job *job) { shade_with_traits(job, &name); }
#define SHADE_CASE_ROW(name, ...) {&name, name##_job},
SHADE_CASES(SHADE_CASE)

/// The code of jobs with one of the common sets of traits; NULL: they have none of their own.
static void (*shade_common_case(const shade_traits *t))(const shade_job *job)
{
    static const struct {
        const shade_traits *traits;
        void (*shade)(const shade_job *job);
    } cases[] = {SHADE_CASES(SHADE_CASE_ROW)};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (memcmp(t, cases[i].traits, sizeof *t) == 0)
            return cases[i].shade;
    return NULL;
}
#else
static void (*shade_common_case(const shade_traits *t))(const shade_job *job)
{
    (void)t;
    return NULL;
}
#endif

/// Traits that take the slow case: without them the loops are half as long.
static bool shade_is_rare(const shade_traits *t)
{
    return bsdf_kinds_any(t->lobes) || t->object_space || t->wrinkled || t->clay || t->wireframe ||
           (!t->lobes.flat && !t->environment);
}

/// Jobs that are not rare, with the flat closure or under an environment.
ZT_LANE_OP void shade_ordinary_case(const shade_job *job, const shade_traits *t, bool flat)
{
    shade_traits own = *t;
    own.environment = own.lookup = !flat;
    own.unlit = own.unlit && flat;
    own.lobes = (bsdf_kinds){.flat = flat};
    own.object_space = own.wrinkled = own.clay = own.wireframe = false;
    shade_with_traits(job, &own);
}

static __attribute__((noinline)) void shade_general_case(const shade_job *job,
                                                         const shade_traits *t)
{
    shade_ordinary_case(job, t, true);
}

/// Like shade_general_case, under an environment.
static __attribute__((noinline)) void shade_environment_case(const shade_job *job,
                                                             const shade_traits *t)
{
    shade_ordinary_case(job, t, false);
}

static __attribute__((noinline)) void shade_rare_case(const shade_job *job, const shade_traits *t)
{
    shade_traits own = *t;
    own.lookup = false; // less code, in the longest of the loops
    shade_with_traits(job, &own);
}

/// True when the frame has neither lights nor ambient light: only emission shows.
static bool shade_is_dark(const shade_frame *frame)
{
    float ambient = 0.0f;
    for (int32_t i = 0; i < 3; i++)
        ambient = ambient + (frame->sky[i] + frame->ambient_below[i]);
    return frame->light_count == 0 && ambient == 0.0f && !frame->environment;
}

/// Gives every visible sample the same colour.
static void shade_constant(const shade_job *job, const float color[3])
{
    const vec3_lanes lanes = vec3_set1(color);
    for (uint32_t i = 0; i < job->count; i += ZT_W)
        shade_store_color(job, i, lanes);
}

/// Notes for the film whether the colours of the job are display colours.
static void shade_mark_unlit(const shade_job *job)
{
    const uint8_t mark = job->material->unlit;
    if (!job->index)
        memset(job->color.unlit, mark, job->count);
    for (uint32_t i = 0; i < job->count && job->index; i++)
        job->color.unlit[job->index[i]] = mark;
}

/// True if all points of the material show the same colour, which *out_color then holds.
static bool shade_is_constant(const shade_frame *frame, const shade_material *m, float out_color[3])
{
    const bool toon = m->lobes && m->lobes->has.toon; // rims and outlines may shine by themselves
    if (m->blended || m->transmission || m->wireframe || m->map[SHADE_MAP_EMISSIVE].texture)
        return false;
    if (m->unlit ? m->map[SHADE_MAP_BASE].texture || m->vertex_color
                 : toon || !shade_is_dark(frame))
        return false;
    for (int32_t i = 0; i < 3; i++)
        out_color[i] = m->unlit ? m->base_color[i] + m->emissive[i] : m->emissive[i];
    return true;
}

static bool shade_is_common(const shade_frame *frame, const shade_material *material)
{
    float color[3];
    const shade_traits traits = shade_traits_of(frame, material);
    return shade_is_constant(frame, material, color) || shade_common_case(&traits) != NULL;
}

/// Shades all light.
static void shade_whole(const shade_job *job)
{
    float color[3];
    if (!job->color.planes && shade_is_constant(job->frame, job->material, color)) {
        shade_constant(job, color);
        return;
    }
    shade_traits traits = shade_traits_of(job->frame, job->material);
    if (job->color.planes)
        shade_traits_add(&traits, job->color.planes);
    void (*const common)(const shade_job *) = shade_common_case(&traits);
    if (common)
        common(job);
    else if (shade_is_rare(&traits))
        shade_rare_case(job, &traits);
    else if (!traits.lobes.flat)
        shade_environment_case(job, &traits);
    else
        shade_general_case(job, &traits);
}

/// The base colour; glass is as opaque as its alpha says.
static void shade_albedo(const shade_job *job)
{
    shade_job own = *job;
    shade_material plain = *job->material;
    if (plain.transmission && !plain.blended) {
        plain.blended = plain.even = true;
        plain.base_color[3] = 1.0f;
    }
    plain.unlit = true;
    plain.transmission = NULL;
    memset(plain.emissive, 0, sizeof plain.emissive);
    own.material = &plain;
    shade_whole(&own);
}

/// Shades one part of the light.
static void shade_one_part(const shade_job *job)
{
    const shade_material *m = job->material;
    float color[3] = {0.0f, 0.0f, 0.0f};
    if (job->part == SHADE_ALBEDO) {
        shade_albedo(job);
    } else if (m->unlit || (m->lobes && m->lobes->has.toon)) {
        shade_whole(job); // alphas, too
        if (job->part != SHADE_EMISSION)
            shade_constant(job, color);
    } else {
        shade_traits traits = shade_traits_of(job->frame, m);
        traits.lobes.part = (uint8_t)job->part;
        shade_rare_case(job, &traits);
    }
}

static void shade(const shade_job *job)
{
    if (job->color.unlit)
        shade_mark_unlit(job);
    if (job->part == SHADE_WHOLE)
        shade_whole(job);
    else
        shade_one_part(job);
}
