// SPDX-License-Identifier: MIT
/// Closures: light from one direction against formulas in double (bsdf_oracle.h), white furnaces,
/// and sums over all directions against the albedos that light from all around takes.
#include "albedo_oracle.h"
#include "bsdf_oracle.h"
#include "shade_stage.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>

enum { RINGS = 160, SPOKES = 96, LIGHTS = RINGS * SPOKES };
#define PI 3.14159265358979323846

/// The stage, with its eye in a direction `angle_deg` away from the normal.
static void lobe_stage(shade_stage *s, shade_lobes *lobes, uint64_t seed, double angle_deg)
{
    random_state r = {seed};
    double eye[3], side[3], n[3], t[3];
    stage_build(s, &r, true);
    stage_view(s, s->centre, eye);
    do {
        stage_direction(&r, t);
        stage_cross(eye, t, side);
    } while (stage_dot(side, side) < 0.1);
    stage_unit(side);
    for (int k = 0; k < 3; k++)
        n[k] = eye[k] * cos(angle_deg * PI / 180.0) + side[k] * sin(angle_deg * PI / 180.0);
    stage_cross(n, side, t);
    stage_unit(t);
    stage_attributes(s, n, t);
    for (int i = 0; i < STAGE_SAMPLES; i++)
        s->sample[i] = s->sample[0];
    *lobes = (shade_lobes){.values = material_extensions_none()};
    s->material.lobes = lobes;
    s->material.metallic = 0.0f;
}

static void surround(shade_stage *s, float radiance)
{
    for (int c = 0; c < 3; c++)
        s->frame.sky[c] = s->frame.ground[c] = radiance;
}

/// The light of every direction: rings around the mirror direction, dense at their middle.
/// The result is the sum over all lights, instead of constant light from all around.
static void shade_all_directions(shade_stage *s)
{
    static shade_light light[LIGHTS];
    double eye[3], n[3], mirror[3], x[3], y[3];
    stage_view(s, s->centre, eye);
    stage_normal(s, n);
    for (int k = 0; k < 3; k++)
        mirror[k] = 2.0 * stage_dot(eye, n) * n[k] - eye[k];
    stage_cross(mirror, fabs(mirror[0]) < 0.5 ? (double[]){1, 0, 0} : (double[]){0, 1, 0}, x);
    stage_unit(x);
    stage_cross(mirror, x, y);
    for (int ring = 0; ring < RINGS; ring++)
        for (int spoke = 0; spoke < SPOKES; spoke++) {
            const double u = (ring + 0.5) / RINGS, polar = PI * u * u * u;
            const double solid = sin(polar) * 3.0 * PI * u * u / RINGS * 2.0 * PI / SPOKES;
            const double turn = 2.0 * PI * (spoke + 0.5) / SPOKES;
            shade_light *l = &light[ring * SPOKES + spoke];
            *l = (shade_light){.kind = SHADE_LIGHT_DIRECTIONAL};
            for (int k = 0; k < 3; k++) {
                l->to_light[k] = (float)(mirror[k] * cos(polar) +
                                         (x[k] * cos(turn) + y[k] * sin(turn)) * sin(polar));
                l->radiance[k] = (float)solid;
            }
        }
    s->frame.lights = light;
    s->frame.light_count = LIGHTS;
    stage_shade(s);
    s->frame.lights = &s->light;
    s->frame.light_count = 0;
}

/// Constant light from all around, as lookups and as the sum over lights. The first is 1, and
/// they agree within `slack`.
static void check_furnace(shade_stage *s, double slack, const char *what)
{
    surround(s, 1.0f);
    stage_shade(s);
    const double around = (double)s->color[0][1];
    surround(s, 0.0f);
    shade_all_directions(s);
    const double sum = (double)s->color[0][1];
    cr_expect(fabs(around - sum) <= slack, "%s: %g from all around, %g from all lights", what,
              around, sum);
    cr_expect(fabs(around - 1.0) <= 0.01, "%s: %g from all around, want 1", what, around);
}

static const double angles_deg[] = {2.0, 35.0, 60.0, 80.0};
static const float roughnesses[] = {0.1f, 0.3f, 0.6f, 1.0f};

/// A callback that sets lobes; the base is white.
typedef void (*lobe_choice)(shade_stage *s, shade_lobes *lobes, float roughness);

static void furnace(lobe_choice choose, double slack, const char *name)
{
    static shade_stage s;
    shade_lobes lobes;
    char what[96];
    enum {
        METAL_STEP = ZT_RANDOM_SHARE > 4 ? 2 : 1,
        ANGLE_STEP = ZT_RANDOM_SHARE > 1 ? 4 : 1,
        ROUGHNESS_STEP = ZT_RANDOM_SHARE > 1 ? 4 : 1
    };
    for (int metal = 0; metal < 2; metal += METAL_STEP)
        for (int a = ANGLE_STEP > 1 ? metal : 0; a < 4; a += ANGLE_STEP)
            for (int r = (a + metal) % ROUGHNESS_STEP; r < 4; r += ROUGHNESS_STEP) {
                lobe_stage(&s, &lobes, (uint64_t)(1 + a * 4 + r), angles_deg[a]);
                s.material.metallic = (float)metal;
                s.material.roughness = roughnesses[r];
                choose(&s, &lobes, roughnesses[r]);
                snprintf(what, sizeof what, "%s, metal %d, roughness %g, %g degrees", name, metal,
                         (double)roughnesses[r], angles_deg[a]);
                check_furnace(&s, slack, what);
            }
}

/// The base alone: rough white dielectrics lose the most.
static void base_alone(shade_stage *s, shade_lobes *lobes, float roughness)
{
    (void)s;
    (void)lobes;
    (void)roughness;
}

static void coat_smooth(shade_stage *s, shade_lobes *lobes, float roughness)
{
    (void)s;
    (void)roughness;
    lobes->has.coat = true;
    lobes->values.clearcoat = 1.0f;
    lobes->values.clearcoat_roughness = 0.1f;
}

static void coat_rough(shade_stage *s, shade_lobes *lobes, float roughness)
{
    s->material.roughness = 1.1f - roughness;
    lobes->has.coat = true;
    lobes->values.clearcoat = 0.7f;
    lobes->values.clearcoat_roughness = roughness;
}

static void sheen_white(shade_stage *s, shade_lobes *lobes, float roughness)
{
    s->material.roughness = 0.5f;
    lobes->has.sheen = true;
    lobes->values.sheen_roughness = 0.3f + 0.7f * roughness;
    for (int k = 0; k < 3; k++)
        lobes->values.sheen_color[k] = 0.8f;
}

static void anisotropic(shade_stage *s, shade_lobes *lobes, float roughness)
{
    s->material.roughness = 0.3f + 0.5f * roughness;
    lobes->has.anisotropic = true;
    lobes->values.anisotropy = 0.4f;
    lobes->anisotropy_cos = 0.8f;
    lobes->anisotropy_sin = 0.6f;
}

/// Where round lobes are furthest from it: as strong as can be, seen across its direction.
static void stretched(shade_stage *s, shade_lobes *lobes, float roughness)
{
    s->material.roughness = 0.2f + 0.6f * roughness;
    lobes->has.anisotropic = true;
    lobes->values.anisotropy = 1.0f;
    lobes->anisotropy_cos = 1.0f;
    lobes->anisotropy_sin = 0.0f;
}

static void transmitting(shade_stage *s, shade_lobes *lobes, float roughness)
{
    (void)s;
    (void)roughness;
    lobes->has.diffuse_transmission = true;
    lobes->values.diffuse_transmission = 0.6f;
}

Test(bsdf, furnace_of_the_base)
{
    furnace(base_alone, 0.01, "base");
}

Test(bsdf, furnace_of_coats)
{
    furnace(coat_smooth, 0.01, "smooth coat");
    furnace(coat_rough, 0.01, "rough coat");
}

Test(bsdf, furnace_of_sheen)
{
    furnace(sheen_white, 0.01, "sheen");
}

/// The albedo of an anisotropic lobe is approximate: the sum over lamps is, too.
Test(bsdf, furnace_of_anisotropy)
{
    furnace(anisotropic, 0.03, "anisotropic");
    furnace(stretched, 0.08, "stretched");
}

Test(bsdf, furnace_of_diffuse_transmission)
{
    furnace(transmitting, 0.01, "diffuse transmission");
}

static void random_lobes(random_state *r, shade_lobes *lobes)
{
    material_extensions *v = &lobes->values;
    lobes->has.coat = random_u32(r) % 2 == 0;
    lobes->has.sheen = random_u32(r) % 3 == 0;
    lobes->has.anisotropic = random_u32(r) % 3 == 0;
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
static void oracle_of(const shade_stage *s, const shade_lobes *lobes, oracle_closure *out)
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
    stage_view(s, s->centre, out->view);
    const double t[3] = {(double)s->attributes[0].tx, (double)s->attributes[0].ty,
                         (double)s->attributes[0].tz};
    stage_cross(out->normal, t, b);
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
static void random_closure(random_state *r, shade_stage *s, shade_lobes *lobes, oracle_closure *out)
{
    const float angle = random_float(r, 2.0f, 75.0f);
    lobe_stage(s, lobes, random_u32(r), (double)angle);
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
    oracle_of(s, lobes, out);
}

/// What the kernel has from tables is within 0.006 of the integrals.
Test(bsdf, one_light)
{
    static shade_stage s;
    shade_lobes lobes;
    random_state r = {5};
    int lit = 0;
    for (int i = 0; i < 400 / ZT_RANDOM_SHARE; i++) {
        oracle_closure c;
        double to_light[3], want[3];
        random_closure(&r, &s, &lobes, &c);
        stage_direction(&r, to_light);
        s.light = (shade_light){.kind = SHADE_LIGHT_DIRECTIONAL};
        for (int k = 0; k < 3; k++) {
            s.light.to_light[k] = (float)to_light[k];
            s.light.radiance[k] = (float)PI;
        }
        s.frame.light_count = 1;
        stage_shade(&s);
        oracle_evaluate(&c, to_light, want);
        for (int k = 0; k < 3; k++) {
            const double got = (double)s.color[0][k];
            cr_expect(fabs(got - want[k]) <= 0.012 * want[k] + 1e-4, "%d: %g, want %g", i, got,
                      want[k]);
            lit += want[k] > 0.0;
        }
    }
    cr_assert_gt(lit, 400 / ZT_RANDOM_SHARE);
}
