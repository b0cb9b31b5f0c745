// SPDX-License-Identifier: MIT
/// Closures at hits of rays (bsdf_probe): light from one direction against formulas in double
/// (bsdf_oracle.h), white furnaces whose sums over all directions are the albedos that light from
/// all around takes, and the same points as pixels shade them.
#include "bsdf_oracle.h"
#include "shade_stage.h"
#include "testing.h"

enum { RINGS = 160, SPOKES = 96, DIRECTIONS = RINGS * SPOKES };

/// 16 hits on the first triangle of a stage, whose camera plays no part, and directions of light.
typedef struct probe_hits {
    uint32_t id[STAGE_SAMPLES], question_count;
    float barycentric[2][STAGE_SAMPLES], to_eye[3][STAGE_SAMPLES], to_light[3][DIRECTIONS];
    float footprint[2][3][STAGE_SAMPLES];
    bool has_footprint, flat;
    uint8_t roughness_floor;
    const shade_light *lamp;
} probe_hits;

typedef struct probe_results {
    float value[3][DIRECTIONS], albedo[3][STAGE_SAMPLES], position[3][STAGE_SAMPLES];
    float emission[3][STAGE_SAMPLES], geometric[3][STAGE_SAMPLES], alpha[STAGE_SAMPLES];
    float lamp[2][STAGE_SAMPLES];
} probe_results;

static void probe_with(const kernel_table *k, const shade_stage *s, const probe_hits *h,
                       probe_results *out)
{
    bsdf_probe_job job = {.meshlets = &s->meshlet,
                          .material = &s->material,
                          .flat = h->flat,
                          .roughness_floor = h->roughness_floor,
                          .count = STAGE_SAMPLES,
                          .question_count = h->question_count,
                          .lamp = h->lamp,
                          .out_alpha = out->alpha,
                          .out_lamp = {out->lamp[0], out->lamp[1]},
                          .id = h->id,
                          .barycentric = {h->barycentric[0], h->barycentric[1]}};
    for (int c = 0; c < 3; c++) {
        job.to_eye[c] = h->to_eye[c];
        job.to_light[c] = h->to_light[c];
        for (int axis = 0; axis < 2 && h->has_footprint; axis++)
            job.footprint[axis][c] = h->footprint[axis][c];
        job.out_value[c] = out->value[c];
        job.out_albedo[c] = out->albedo[c];
        job.out_position[c] = out->position[c];
        job.out_emission[c] = out->emission[c];
        job.out_geometric[c] = out->geometric[c];
    }
    k->shade->bsdf_probe(&job);
}

/// Asks every instruction set; all must agree, bit for bit.
static void probe(const shade_stage *s, const probe_hits *h, probe_results *out)
{
    static probe_results other;
    const kernel_table *scalar = kernels_for(ZT_ISA_SCALAR);
    memset(out, 0, sizeof *out);
    probe_with(scalar, s, h, out);
    EACH_KERNEL_TABLE (isa, k) {
        memset(&other, 0, sizeof other);
        probe_with(k, s, h, &other);
        cr_assert(memcmp(&other, out, sizeof other) == 0, "%s differs", k->name);
    }
}

/// Those of the widest vectors: sums over many directions take them alone.
static const kernel_table *widest_kernels(void)
{
    const kernel_table *widest = kernels_for(ZT_ISA_SCALAR);
    EACH_KERNEL_TABLE (isa, k)
        widest = k;
    return widest;
}

/// A white dielectric, and the direction of an eye `angle_deg` away from its normal.
static void lobe_stage(shade_stage *s, shade_lobes *lobes, uint64_t seed, double angle_deg,
                       double eye[3])
{
    random_state r = {seed};
    double n[3], t[3], side[3];
    stage_build(s, &r, true);
    stage_normal(s, n);
    stage_direction_near(&r, n, -0.5, side);
    cross3(n, side, t);
    unit3(t);
    stage_attributes(s, n, t);
    stage_normal(s, n);
    cross3(t, n, side);
    unit3(side);
    for (int k = 0; k < 3; k++)
        eye[k] = n[k] * cos(angle_deg * PI / 180.0) + side[k] * sin(angle_deg * PI / 180.0);
    *lobes = (shade_lobes){.values = material_extensions_none()};
    s->material.lobes = lobes;
    s->material.metallic = 0.0f;
}

static void put_hit(probe_hits *h, uint32_t i, const double eye[3])
{
    h->id[i] = primitive_id(0, 0);
    h->barycentric[0][i] = 0.25f;
    h->barycentric[1][i] = 0.5f;
    for (int k = 0; k < 3; k++)
        h->to_eye[k][i] = (float)eye[k];
}

static void put_light(probe_hits *h, uint32_t i, const double light[3])
{
    for (int k = 0; k < 3; k++)
        h->to_light[k][i] = (float)light[k];
}

/// Hits at one point, each asked for light of one direction.
static void one_direction(probe_hits *h, const double eye[3], const double light[3])
{
    *h = (probe_hits){.question_count = 1};
    for (uint32_t i = 0; i < STAGE_SAMPLES; i++) {
        put_hit(h, i, eye);
        put_light(h, i, light);
    }
}

/// Light from every direction: rings about the mirror direction; `solid`: their solid angles.
static void every_direction(const shade_stage *s, const double eye[3], probe_hits *h,
                            double solid[RINGS])
{
    double n[3], mirror[3], x[3], y[3], light[3];
    stage_normal(s, n);
    for (int k = 0; k < 3; k++)
        mirror[k] = 2.0 * dot3(eye, n) * n[k] - eye[k];
    cross3(mirror, fabs(mirror[0]) < 0.5 ? (double[]){1, 0, 0} : (double[]){0, 1, 0}, x);
    unit3(x);
    cross3(mirror, x, y);
    *h = (probe_hits){.question_count = DIRECTIONS / STAGE_SAMPLES};
    for (uint32_t i = 0; i < STAGE_SAMPLES; i++)
        put_hit(h, i, eye);
    for (int ring = 0; ring < RINGS; ring++) {
        const double u = (ring + 0.5) / RINGS, polar = PI * u * u * u;
        solid[ring] = sin(polar) * 3.0 * PI * u * u / RINGS * 2.0 * PI / SPOKES;
        for (int spoke = 0; spoke < SPOKES; spoke++) {
            const double turn = 2.0 * PI * (spoke + 0.5) / SPOKES;
            for (int k = 0; k < 3; k++)
                light[k] =
                    mirror[k] * cos(polar) + (x[k] * cos(turn) + y[k] * sin(turn)) * sin(polar);
            put_light(h, (uint32_t)(ring * SPOKES + spoke), light);
        }
    }
}

/// The albedo is 1, and the sum over all directions within `slack` of it.
static void check_furnace(const shade_stage *s, const double eye[3], double slack, const char *what)
{
    static probe_hits hits;
    static probe_results results;
    double solid[RINGS], sum = 0.0;
    every_direction(s, eye, &hits, solid);
    probe_with(widest_kernels(), s, &hits, &results);
    for (int i = 0; i < DIRECTIONS; i++)
        sum += (double)results.value[1][i] * solid[i / SPOKES];
    const double albedo = (double)results.albedo[1][0];
    NEAR(albedo, sum, slack, "%s: albedo", what);
    cr_expect(fabs(albedo - 1.0) <= 0.01, "%s: albedo %g, want 1", what, albedo);
}

static const double angles_deg[] = {2.0, 35.0, 60.0, 80.0};
static const float roughnesses[] = {0.1f, 0.3f, 0.6f, 1.0f};

/// A line in the roughness of a case: at 0, and its slope.
typedef struct furnace_line {
    float at_0, slope;
} furnace_line;

static float line_at(furnace_line line, float x) { return line.at_0 + line.slope * x; }

/// Lobes over a white base.
typedef struct furnace_row {
    const char *name;
    double slack; ///< of the sum over all directions
    furnace_line roughness;
    float coat, sheen, anisotropy, cos, sin, transmitted; ///< 0: the lobe is absent
    furnace_line coat_roughness, sheen_roughness;
    bool glass;
} furnace_row;

static const furnace_row furnace_rows[] = {
    {.name = "base", .slack = 0.01, .roughness = {0.0f, 1.0f}},
    {.name = "smooth coat",
     .slack = 0.01,
     .roughness = {0.0f, 1.0f},
     .coat = 1.0f,
     .coat_roughness = {0.1f, 0.0f}},
    {.name = "rough coat",
     .slack = 0.01,
     .roughness = {1.1f, -1.0f},
     .coat = 0.7f,
     .coat_roughness = {0.0f, 1.0f}},
    {.name = "sheen",
     .slack = 0.01,
     .roughness = {0.5f, 0.0f},
     .sheen = 0.8f,
     .sheen_roughness = {0.3f, 0.7f}},
    // The albedo of an anisotropic lobe is approximate: the sum over lamps is, too. Round lobes are
    // furthest from one as strong as can be, seen across its direction.
    {.name = "anisotropic",
     .slack = 0.03,
     .roughness = {0.3f, 0.5f},
     .anisotropy = 0.4f,
     .cos = 0.8f,
     .sin = 0.6f},
    {.name = "stretched",
     .slack = 0.08,
     .roughness = {0.2f, 0.6f},
     .anisotropy = 1.0f,
     .cos = 1.0f},
    {.name = "diffuse transmission", .slack = 0.01, .roughness = {0.0f, 1.0f}, .transmitted = 0.6f},
    // Glass lets through all that it does not reflect; metal has none. That lobe lacks later
    // bounces.
    {.name = "glass", .slack = 0.12, .roughness = {0.2f, 0.2f}, .glass = true},
};

static void set_lobes(const furnace_row *row, float roughness, shade_stage *s, shade_lobes *lobes)
{
    static const shade_transmission rough = {.factor = 1.0f, .mirror_roughness = 1.0f};
    material_extensions *v = &lobes->values;
    s->material.roughness = line_at(row->roughness, roughness);
    s->material.transmission = row->glass ? &rough : NULL;
    lobes->has.coat = row->coat > 0.0f;
    lobes->has.sheen = row->sheen > 0.0f;
    lobes->has.anisotropic = lobes->tangents = row->anisotropy > 0.0f;
    lobes->has.diffuse_transmission = row->transmitted > 0.0f;
    v->clearcoat = row->coat;
    v->clearcoat_roughness = line_at(row->coat_roughness, roughness);
    v->sheen_roughness = line_at(row->sheen_roughness, roughness);
    v->anisotropy = row->anisotropy;
    lobes->anisotropy_cos = row->cos;
    lobes->anisotropy_sin = row->sin;
    v->diffuse_transmission = row->transmitted;
    for (int k = 0; k < 3; k++)
        v->sheen_color[k] = row->sheen;
}

/// Each kind of lobe, as metal and not, from several angles, with several roughnesses.
Test(bsdf, furnaces)
{
    static shade_stage s;
    shade_lobes lobes;
    double eye[3];
    enum {
        METAL_STEP = ZT_RANDOM_SHARE > 4 ? 2 : 1,
        ANGLE_STEP = ZT_RANDOM_SHARE > 1 ? 4 : 1,
        ROUGHNESS_STEP = ZT_RANDOM_SHARE > 1 ? 4 : 1,
        ROWS = sizeof furnace_rows / sizeof *furnace_rows
    };
    for (const furnace_row *row = furnace_rows; row < furnace_rows + ROWS; row++)
        for (int metal = 0; metal < 2; metal += METAL_STEP)
            for (int a = ANGLE_STEP > 1 ? metal : 0; a < 4; a += ANGLE_STEP)
                for (int r = (a + metal) % ROUGHNESS_STEP; r < 4; r += ROUGHNESS_STEP) {
                    lobe_stage(&s, &lobes, (uint64_t)(1 + a * 4 + r), angles_deg[a], eye);
                    s.material.metallic = (float)metal;
                    set_lobes(row, roughnesses[r], &s, &lobes);
                    PRINTED(what, 96, "%s, metal %d, roughness %g, %g degrees", row->name, metal,
                            (double)roughnesses[r], angles_deg[a]);
                    check_furnace(&s, eye, row->slack, what);
                }
}

static void random_lobes(random_state *r, shade_lobes *lobes)
{
    material_extensions *v = &lobes->values;
    lobes->has.coat = random_u32(r) % 2 == 0;
    lobes->has.sheen = random_u32(r) % 3 == 0;
    lobes->has.anisotropic = lobes->tangents = random_u32(r) % 3 == 0;
    lobes->has.iridescent = random_u32(r) % 3 == 0;
    lobes->has.diffuse_transmission = random_u32(r) % 3 == 0;
    v->clearcoat = lobes->has.coat ? random_float(r, 0.1f, 1.0f) : 0.0f;
    v->clearcoat_roughness = random_float(r, 0.1f, 1.0f);
    v->sheen_roughness = random_float(r, 0.3f, 1.0f);
    v->anisotropy = lobes->has.anisotropic ? random_float(r, 0.1f, 0.9f) : 0.0f;
    const float angle = random_float(r, -3.0f, 3.0f);
    lobes->anisotropy_cos = (float)cos((double)angle);
    lobes->anisotropy_sin = (float)sin((double)angle);
    v->iridescence = lobes->has.iridescent ? random_float(r, 0.1f, 1.0f) : 0.0f;
    v->iridescence_ior = random_float(r, 1.1f, 2.0f);
    v->iridescence_max_nm = random_float(r, 50.0f, 1000.0f);
    v->diffuse_transmission = lobes->has.diffuse_transmission ? random_float(r, 0.1f, 1.0f) : 0.0f;
    for (int k = 0; k < 3; k++) {
        v->sheen_color[k] = lobes->has.sheen ? random_float(r, 0.1f, 1.0f) : 0.0f;
        v->diffuse_transmission_color[k] = random_float(r, 0.0f, 1.0f);
    }
}

/// The same closure in double. Angles of anisotropy count from the tangent to the bitangent.
static void oracle_of(const shade_stage *s, const shade_lobes *lobes, const double eye[3],
                      oracle_closure *out)
{
    const material_extensions *v = &lobes->values;
    double b[3];
    *out = (oracle_closure){.metallic = (double)s->material.metallic,
                            .roughness = (double)s->material.roughness,
                            .coat = (double)v->clearcoat,
                            .coat_roughness = (double)v->clearcoat_roughness,
                            .sheen_roughness = (double)v->sheen_roughness,
                            .anisotropy = (double)v->anisotropy,
                            .film = (double)v->iridescence,
                            .film_index = (double)v->iridescence_ior,
                            .film_nm = (double)v->iridescence_max_nm,
                            .transmitted = (double)v->diffuse_transmission};
    stage_normal(s, out->normal);
    stage_normal(s, out->coat_normal);
    memcpy(out->view, eye, sizeof out->view);
    const double t[3] = {(double)s->attributes[0].tx, (double)s->attributes[0].ty,
                         (double)s->attributes[0].tz};
    cross3(out->normal, t, b);
    for (int k = 0; k < 3; k++) {
        out->base[k] = (double)s->material.base_color[k];
        out->f0[k] = (double)s->material.f0[k];
        out->sheen[k] = (double)v->sheen_color[k];
        out->transmitted_color[k] = (double)v->diffuse_transmission_color[k];
        out->tangent[k] = t[k] * (double)lobes->anisotropy_cos +
                          b[k] * (double)(lobes->anisotropy_sin * s->meshlet.handedness);
    }
}

/// Lobes of random strength.
static void random_closure(random_state *r, shade_stage *s, shade_lobes *lobes, double eye[3],
                           oracle_closure *out)
{
    const float angle = random_float(r, 2.0f, 75.0f);
    lobe_stage(s, lobes, random_u32(r), (double)angle, eye);
    random_lobes(r, lobes);
    s->meshlet.handedness = random_u32(r) % 2 ? 1.0f : -1.0f;
    s->material.roughness = random_float(r, 0.15f, 1.0f);
    s->material.metallic = lobes->has.iridescent && lobes->has.diffuse_transmission
                               ? 0.0f
                               : random_float(r, 0.0f, 1.0f);
    for (int k = 0; k < 3; k++) {
        s->material.base_color[k] = random_float(r, 0.0f, 1.0f);
        s->material.f0[k] = random_float(r, 0.0f, 0.3f);
    }
    oracle_of(s, lobes, eye, out);
}

/// The kernel's albedos from tables are within 0.006 of the integrals.
Test(bsdf, one_light)
{
    static shade_stage s;
    static probe_hits hits;
    static probe_results got;
    shade_lobes lobes;
    random_state r = {5};
    int lit = 0;
    for (int i = 0; i < 400 / ZT_RANDOM_SHARE; i++) {
        oracle_closure c;
        double eye[3], to_light[3], want[3];
        random_closure(&r, &s, &lobes, eye, &c);
        random_unit3(&r, to_light);
        one_direction(&hits, eye, to_light);
        probe(&s, &hits, &got);
        oracle_evaluate(&c, to_light, want);
        for (int k = 0; k < 3; k++) {
            const double value = (double)got.value[k][i % 16] * PI;
            NEAR(value, want[k], 0.012 * want[k] + 1e-4, "%d", i);
            lit += want[k] > 0.0;
        }
    }
    cr_assert_gt(lit, 400 / ZT_RANDOM_SHARE);
}

enum { LEVELS = 4, LEVEL_SIDE = 64 };

/// A texture whose levels are flat, each brighter than the one before: its colour tells the level.
static void level_texture(surface_texture *t)
{
    static uint8_t texels[LEVELS][LEVEL_SIDE + 1][LEVEL_SIDE + 1][4];
    *t = (surface_texture){.level_count = LEVELS};
    for (int l = 0; l < LEVELS; l++) {
        memset(texels[l], 60 + 60 * l, sizeof texels[l]);
        t->level[l] = (surface_level){texels[l], LEVEL_SIDE >> l, LEVEL_SIDE >> l, LEVEL_SIDE + 1};
    }
}

/// Barycentrics of corners 1 and 2 at a point of the stage's triangle.
static void solve_barycentrics(const shade_stage *s, const double at[3], float out[2])
{
    double e[2][3], d[3];
    const float *corner[3] = {&s->position[0].x, &s->position[1].x, &s->position[2].x};
    for (int k = 0; k < 3; k++) {
        d[k] = at[k] - (double)corner[0][k];
        for (int i = 0; i < 2; i++)
            e[i][k] = (double)corner[i + 1][k] - (double)corner[0][k];
    }
    const double g11 = dot3(e[0], e[0]), g12 = dot3(e[0], e[1]);
    const double g22 = dot3(e[1], e[1]), det = g11 * g22 - g12 * g12;
    const double a = dot3(d, e[0]), b = dot3(d, e[1]);
    out[0] = (float)((a * g22 - b * g12) / det);
    out[1] = (float)((b * g11 - a * g12) / det);
}

/// The hits of the rays through the stage's visible samples.
static void hits_of_samples(shade_stage *s, probe_hits *h)
{
    *h = (probe_hits){.question_count = 1, .has_footprint = true};
    for (int i = 0; i < STAGE_SAMPLES; i++) {
        const stage_sample here = s->sample[i];
        double at[3], eye[3], next[3], light[3];
        float l[2];
        stage_position(s, i, at);
        stage_view(s, at, eye);
        for (int k = 0; k < 3; k++)
            light[k] = (double)s->light.to_light[k];
        put_hit(h, (uint32_t)i, eye);
        put_light(h, (uint32_t)i, light);
        solve_barycentrics(s, at, l);
        h->barycentric[0][i] = l[0];
        h->barycentric[1][i] = l[1];
        for (int axis = 0; axis < 2; axis++) { // the step of 1/8 pixel, to either side
            double before[3];
            s->sample[i] = (stage_sample){here.id, here.x + (axis ? 0 : 32), here.y + 32 * axis};
            stage_position(s, i, next);
            s->sample[i] = (stage_sample){here.id, here.x - (axis ? 0 : 32), here.y - 32 * axis};
            stage_position(s, i, before);
            for (int k = 0; k < 3; k++)
                h->footprint[axis][k][i] = (float)((next[k] - before[k]) * 4.0);
        }
        s->sample[i] = here;
    }
}

/// A lamp of any kind, in front of the triangle.
static void any_lamp(random_state *r, int kind, const double to_light[3], shade_stage *s)
{
    s->light = (shade_light){.kind = kind,
                             .radiance = {1.0f, 1.5f, 2.0f},
                             .radius = 0.125f,
                             .inv_range2 = 0.01f,
                             .spot_scale = 2.0f,
                             .spot_offset = -0.5f};
    for (int k = 0; k < 3; k++) {
        s->light.to_light[k] = (float)to_light[k];
        s->light.position[k] = (float)(s->centre[k] + 2.0 * to_light[k]);
        s->light.axis[k] = (float)-to_light[k];
        s->material.emissive[k] = random_float(r, 0.0f, 1.0f);
    }
    s->frame.light_count = 1;
}

/// Checks position, normal without maps, and the lamp's distance and angle.
static void check_places(const shade_stage *s, const probe_hits *h, const probe_results *got,
                         const double n[3], int k)
{
    double at[3], to_lamp[3], eye[3], geometric[3];
    stage_position(s, k, at);
    stage_view(s, at, eye);
    for (int c = 0; c < 3; c++) {
        to_lamp[c] = (double)s->light.position[c] - at[c];
        geometric[c] = (double)got->geometric[c][k];
        cr_expect(fabs((double)got->position[c][k] - at[c]) < 1e-5, "%d: position", k);
    }
    const double side = s->meshlet.front < 0.0f ? 1.0 : -1.0;
    cr_expect(fabs(dot3(geometric, n) * side - 1.0) < 1e-5, "%d: geometric normal", k);
    if (!h->lamp)
        return;
    const bool near = s->light.kind != SHADE_LIGHT_DIRECTIONAL;
    const double distance = near ? sqrt(dot3(to_lamp, to_lamp)) : (double)INFINITY;
    const double radius = near ? 0.125 / distance : 0.125;
    cr_expect(near ? fabs((double)got->lamp[0][k] - distance) < 1e-5
                   : isinf((double)got->lamp[0][k]));
    cr_expect(fabs((double)got->lamp[1][k] - radius) < 1e-6, "%d: radius of the lamp", k);
}

/// Rays through pixels hit what pixels show: positions, texels, normals, closures, both sides,
/// light of all kinds of lamps, emission.
Test(bsdf, hits_are_as_pixels)
{
    static shade_stage s;
    static probe_hits hits;
    static probe_results got;
    static surface_texture texture;
    random_state r = {11};
    int lit = 0;
    level_texture(&texture);
    for (int i = 0; i < 120 / ZT_RANDOM_SHARE; i++) {
        shade_lobes lobes = {.values = material_extensions_none()};
        double to_light[3], n[3];
        stage_build(&s, &r, i % 3 == 0);
        stage_frame(&s, &r, 0.2, n);
        for (int k = 0; k < 3; k++) {
            s.attributes[k].u = random_float(&r, -4.0f, 4.0f);
            s.attributes[k].v = random_float(&r, -4.0f, 4.0f);
        }
        s.material.metallic = random_float(&r, 0.0f, 1.0f);
        s.material.roughness = random_float(&r, 0.2f, 1.0f);
        s.material.double_sided = true;
        s.material.map[SHADE_MAP_BASE].texture = &texture;
        if (i % 4 == 1) { // seen from behind
            s.meshlet.front = 1.0f;
            s.meshlet.handedness = -1.0f;
        }
        const bool flat = i % 2 == 0;
        if (!flat) {
            random_lobes(&r, &lobes);
            s.material.lobes = &lobes;
        }
        stage_direction_near(&r, n, -0.5, to_light);
        any_lamp(&r, i % 5 % 3, to_light, &s);
        stage_shade(&s);
        hits_of_samples(&s, &hits);
        hits.flat = flat;
        hits.lamp = &s.light;
        probe(&s, &hits, &got);
        for (int k = 0; k < STAGE_SAMPLES; k++) {
            check_places(&s, &hits, &got, n, k);
            for (int c = 0; c < 3; c++) {
                const double pixel = (double)s.color[k][c];
                const double value = (double)(got.value[c][k] + got.emission[c][k]);
                NEAR(pixel, value, 2e-3 * pixel + 1e-5, "%d, %d: pixel", i, k);
                lit += pixel > 1e-3;
            }
        }
    }
    cr_assert_gt(lit, 2000 / ZT_RANDOM_SHARE);
}

/// Rays meet masks, blending and unlit colours, which are no closures.
Test(bsdf, alpha_and_colours_at_hits)
{
    static shade_stage s;
    static probe_hits hits;
    static probe_results got;
    static const uint8_t texel[4] = {255, 51, 0, 102};
    random_state r = {3};
    double eye[3], n[3];
    stage_build(&s, &r, false);
    stage_normal(&s, n);
    stage_view(&s, s.centre, eye);
    one_direction(&hits, eye, n);
    stage_map(&s, SHADE_MAP_BASE, texel, true);
    s.material.vertex_color = true;
    for (int k = 0; k < 3; k++) {
        s.extra[k].a = 0.5f;
        s.material.emissive[k] = 0.25f;
    }
    s.material.base_color[3] = 0.75f;
    static const struct {
        bool blended, even, masked;
        float cutoff, alpha;
    } rows[] = {{false, false, false, 0.1f, 1.0f},
                {true, false, false, 0.9f, 0.75f * 0.5f * 0.4f},
                {true, true, false, 0.9f, 0.75f},
                {false, false, true, 0.14f, 1.0f},
                {false, false, true, 0.16f, 0.0f}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        s.material.blended = rows[i].blended;
        s.material.even = rows[i].even;
        s.material.masked = rows[i].masked;
        s.material.alpha_cutoff = rows[i].cutoff;
        probe(&s, &hits, &got);
        cr_expect(fabsf(got.alpha[5] - rows[i].alpha) < 1e-6f, "row %zu: %g", i,
                  (double)got.alpha[5]);
        cr_expect(got.value[0][5] > 0.0f && got.emission[1][5] == 0.25f);
    }
    s.material.unlit = true;
    probe(&s, &hits, &got);
    for (int c = 0; c < 3; c++) {
        const float want = (float)texel[c] / 255.0f + 0.25f;
        cr_expect(fabsf(got.emission[c][5] - want) < 1e-6f, "%g", (double)got.emission[c][5]);
        cr_expect(got.value[c][5] == 0.0f && got.albedo[c][5] == 0.0f);
    }
}

/// The smoothest surface of pixels is not that of paths.
Test(bsdf, roughness_has_the_floor_that_is_asked_for)
{
    static shade_stage s;
    static probe_hits hits;
    static probe_results rough, got;
    shade_lobes lobes;
    oracle_closure c;
    double eye[3], light[3], n[3], want[3];
    lobe_stage(&s, &lobes, 7, 35.0, eye);
    lobes.anisotropy_cos = 1.0f; // the formulas have a tangent
    stage_normal(&s, n);
    for (int k = 0; k < 3; k++)
        light[k] = 2.0 * dot3(eye, n) * n[k] - eye[k] + 0.04 * (double)s.camera.up[k];
    unit3(light);
    one_direction(&hits, eye, light);
    s.material.metallic = 1.0f;
    s.material.roughness = 0.05f;
    probe(&s, &hits, &rough);
    s.material.roughness = 0.03f;
    probe(&s, &hits, &got);
    cr_expect(memcmp(&got, &rough, sizeof got) == 0, "pixels stop at 0.05");
    hits.roughness_floor = 20;
    probe(&s, &hits, &got);
    oracle_of(&s, &lobes, eye, &c);
    oracle_evaluate(&c, light, want);
    cr_expect(want[1] < 0.5 * PI * (double)rough.value[1][0], "next to the peak");
    NEAR((double)got.value[1][0] * PI, want[1], 0.02 * want[1], "value");
}

// ---- Toon shading -------------------------------------------------------------------------------

static double clamp01(double x) { return x > 0.0 ? (x < 1.0 ? x : 1.0) : 0.0; }

/// The light of one direction by the formulas of VRMC_materials_mtoon 1.0, over pi.
static double toon_value(const material_toon *t, double base, int channel, double n_dot_l,
                         double n_dot_v)
{
    const double from = -1.0 + (double)t->shading_toony, to = 1.0 - (double)t->shading_toony;
    const double step = clamp01((n_dot_l + (double)t->shading_shift - from) / (to - from));
    const double shade = (double)t->shade_color[channel];
    const double edge = clamp01(1.0 - n_dot_v + (double)t->rim_lift);
    const double rim = (double)t->rim_color[channel] * pow(edge, (double)t->rim_power);
    return (shade + (base - shade) * step + rim * (double)t->rim_lighting_mix) / PI;
}

/// From every direction, on all instruction sets.
Test(bsdf, toon_has_a_step_a_shade_and_a_rim)
{
    static shade_stage s;
    static probe_hits hits;
    static probe_results results;
    shade_lobes lobes;
    double eye[3], n[3], solid[RINGS];
    for (int a = 0; a < 4; a++) {
        lobe_stage(&s, &lobes, (uint64_t)(a + 1), angles_deg[a], eye);
        const float base[3] = {0.8f, 0.5f, 0.2f};
        memcpy(s.material.base_color, base, sizeof base);
        material_toon *t = &lobes.values.toon;
        lobes.has.toon = true;
        *t = (material_toon){.shade_color = {0.3f, 0.1f, 0.4f},
                             .shading_shift = 0.2f * (float)a - 0.3f,
                             .shading_toony = 0.3f * (float)a,
                             .rim_color = {0.2f, 0.3f, 0.4f},
                             .rim_power = 1.0f + (float)a,
                             .rim_lift = 0.1f,
                             .rim_lighting_mix = 0.75f};
        stage_normal(&s, n);
        every_direction(&s, eye, &hits, solid);
        probe(&s, &hits, &results);
        for (int i = 0; i < DIRECTIONS; i++) {
            const double light[3] = {(double)hits.to_light[0][i], (double)hits.to_light[1][i],
                                     (double)hits.to_light[2][i]};
            for (int k = 0; k < 3; k++) {
                const double want = toon_value(t, (double)base[k], k, dot3(light, n), dot3(eye, n));
                const double off = fabs((double)results.value[k][i] - want);
                // The steepest step is ten times as steep as a cosine.
                cr_assert(off < 3e-4, "%d, %d: %g, want %g", a, i, (double)results.value[k][i],
                          want);
            }
        }
    }
}
