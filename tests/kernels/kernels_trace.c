// SPDX-License-Identifier: MIT
/// Rays through trees against a search of all triangles, bit by bit, in every instruction set, with
/// trees of several builders; and rays at the edges and corners of meshes, none of which may pass
/// through.
#include "base/maths.h"
#include "kernels/kernels.h"
#include "random_inputs.h"
#include "testing.h"
#include "trace/trace_tree.h"

#include <math.h>
#include <stdlib.h>

enum { TRIANGLES = 2000, RAYS = 20000 / ZT_RANDOM_SHARE, LEAK_RAYS = 40000 / ZT_RANDOM_SHARE };

static const trace_build_def builders[] = {
    {0}, {.leaf_size = 4}, {.leaf_size = 1}, {.middle = true}};

// ---- A search of all triangles ------------------------------------------------------------------

static float sign_of_difference(float a, float b, float c, float d)
{
    const float edge = a * b - c * d;
    const double one = (double)a * (double)b, other = (double)c * (double)d;
    if (edge != 0.0f || one == other)
        return edge;
    return one > other ? 0x1p-149f : -0x1p-149f;
}

/// The hit of one triangle by the definition in trace_loops.h, in plain C. `d` is the direction as
/// that has it.
static bool meet(const trace_triangle *t, const float o[3], const float d[3], float pad,
                 float out[3])
{
    int z = fabsf(d[1]) > fabsf(d[0]) ? 1 : 0;
    z = fabsf(d[2]) > fabsf(d[z]) ? 2 : z;
    const int x = (z + (d[z] < 0.0f ? 2 : 1)) % 3, y = (z + (d[z] < 0.0f ? 1 : 2)) % 3;
    const float sx = d[x] / d[z], sy = d[y] / d[z], sz = 1.0f / d[z];
    float px[3], py[3], pz[3], enter = -INFINITY, leave = INFINITY;
    for (int i = 0; i < 3; i++) {
        const float along = t->corner[i][z] - o[z];
        px[i] = (t->corner[i][x] - o[x]) - sx * along;
        py[i] = (t->corner[i][y] - o[y]) - sy * along;
        pz[i] = sz * along;
    }
    const float u = sign_of_difference(px[2], py[1], py[2], px[1]);
    const float v = sign_of_difference(px[0], py[2], py[0], px[2]);
    const float w = sign_of_difference(px[1], py[0], py[1], px[0]);
    const float sum = (u + v) + w;
    if (((u < 0.0f || v < 0.0f || w < 0.0f) && (u > 0.0f || v > 0.0f || w > 0.0f)) || sum == 0.0f)
        return false;
    for (int k = 0; k < 3; k++) {
        const float low = fminf(fminf(t->corner[0][k], t->corner[1][k]), t->corner[2][k]);
        const float high = fmaxf(fmaxf(t->corner[0][k], t->corner[1][k]), t->corner[2][k]);
        const float inverse = 1.0f / d[k];
        const float a = (low - (o[k] + pad)) * inverse, b = (high - (o[k] - pad)) * inverse;
        enter = fmaxf(enter, d[k] < 0.0f ? b : a);
        leave = fminf(leave, d[k] < 0.0f ? a : b);
    }
    out[0] = fminf(fmaxf((u * pz[0] + v * pz[1] + w * pz[2]) / sum, enter), leave);
    out[1] = v / sum;
    out[2] = w / sum;
    return enter <= leave;
}

static trace_hit nearest_of_all(const trace_scene *scene, const trace_triangle *triangles,
                                uint32_t count, const trace_ray *ray)
{
    trace_hit best = {TRACE_NONE, ray->far, 0.0f, 0.0f};
    float largest = 0.0f, extent = scene->extent, d[3];
    int exponent = 0;
    for (int k = 0; k < 3; k++) {
        largest = fmaxf(largest, fabsf(ray->direction[k]));
        extent = fmaxf(extent, fabsf(ray->origin[k]));
    }
    (void)frexpf(largest, &exponent);
    if (largest < 0x1p-126f)
        return best;
    for (int k = 0; k < 3; k++) {
        d[k] = ldexpf(ray->direction[k], 1 - exponent);
        if (fabsf(d[k]) < ldexpf(largest, 1 - exponent) * 0x1p-80f)
            d[k] = copysignf(ldexpf(largest, 1 - exponent) * 0x1p-80f, d[k]);
    }
    const float near = ldexpf(ray->near, exponent - 1);
    best.t = ldexpf(ray->far, exponent - 1);
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t id = triangles[i].id;
        float hit[3];
        if (id == ray->skip || !meet(&triangles[i], ray->origin, d, extent * 0x1p-19f, hit) ||
            hit[0] < near || (hit[0] == near && id <= ray->after) || hit[0] > best.t ||
            (hit[0] == best.t && best.id != TRACE_NONE && id > best.id))
            continue;
        best = (trace_hit){id, hit[0], hit[1], hit[2]};
    }
    best.t = ldexpf(best.t, 1 - exponent);
    return best;
}

// ---- Meshes -------------------------------------------------------------------------------------

typedef struct mesh {
    trace_triangle *triangles;
    uint32_t count;
} mesh;

static void add(mesh *m, const float a[3], const float b[3], const float c[3])
{
    trace_triangle *t = &m->triangles[m->count++];
    memcpy(t->corner[0], a, sizeof t->corner[0]);
    memcpy(t->corner[1], b, sizeof t->corner[1]);
    memcpy(t->corner[2], c, sizeof t->corner[2]);
    t->id = m->count;
}

/// `side` x `side` squares of `cell` metres, at z = 0, turned by `turn` about an axis that is none
/// of the space.
static void make_grid(mesh *m, int side, double cell, double turn)
{
    double sine, cosine;
    maths_sincos_deg(turn, &sine, &cosine);
    for (int i = 0; i < side * side; i++) {
        float p[4][3];
        for (int k = 0; k < 4; k++) {
            const double x = cell * (i % side + k % 2 - side / 2),
                         y = cell * (i / side + k / 2 - side / 2);
            const double a = cosine * x, b = sine * x;
            p[k][0] = (float)(0.8 * a - 0.6 * y);
            p[k][1] = (float)(0.6 * a + 0.8 * y);
            p[k][2] = (float)b;
            if (turn == 0.0) {
                p[k][0] = (float)x;
                p[k][1] = (float)y;
                p[k][2] = 0.0f;
            }
        }
        add(m, p[0], p[1], p[3]);
        add(m, p[0], p[3], p[2]);
    }
}

static void ball_point(int ring, int rings, int at, float out[3])
{
    double s, c, t, d;
    maths_sincos_deg(180.0 * ring / rings, &s, &c);
    maths_sincos_deg(180.0 * (at % (2 * rings)) / rings, &t, &d);
    out[0] = (float)(s * d);
    out[1] = (float)(s * t);
    out[2] = (float)c;
    if (ring == 0 || ring == rings)
        out[0] = out[1] = 0.0f;
}

static void make_ball(mesh *m, int rings)
{
    for (int ring = 0; ring < rings; ring++)
        for (int at = 0; at < 2 * rings; at++) {
            float p[4][3];
            for (int k = 0; k < 4; k++)
                ball_point(ring + k / 2, rings, at + k % 2, p[k]);
            if (ring > 0)
                add(m, p[0], p[2], p[1]);
            if (ring < rings - 1)
                add(m, p[1], p[2], p[3]);
        }
}

/// Triangles of any form: small, large, slivers, degenerate, coplanar, equal to another.
static void make_soup(mesh *m, random_state *r)
{
    while (m->count < TRIANGLES) {
        float p[3][3];
        const float size = ldexpf(1.0f, random_int(r, -20, 0));
        const int form = random_int(r, 0, 7);
        for (int k = 0; k < 9; k++)
            p[k / 3][k % 3] =
                random_float(r, -1.0f, 1.0f) * (k < 3 ? 1.0f : size) + (k < 3 ? 0.0f : p[0][k % 3]);
        for (int k = 0; k < 3 && form < 3; k++)
            p[k][form] = form == 0 ? 0.25f : p[0][form]; // coplanar, or in a plane of an axis
        if (form == 3)
            memcpy(p[2], p[1], sizeof p[2]);
        if (form == 4 && m->count > 0)
            memcpy(p, m->triangles[random_int(r, 0, (int32_t)m->count - 1)].corner, sizeof p);
        if (form == 5)
            p[random_int(r, 0, 2)][random_int(r, 0, 2)] =
                random_extreme(r, -1.0f, 1.0f) > 0.0f ? 1e-30f : 0.0f;
        add(m, p[0], p[1], p[2]);
    }
}

static void build(mesh m, int builder, arena *a, trace_scene *out)
{
    zt_error err;
    *out = (trace_scene){.scale = 1.0f};
    cr_assert(trace_tree_build(out, m.triangles, m.count, builders[builder], NULL, a, &err) ==
              ZT_OK);
}

/// A point of a triangle: a corner, on an edge, or inside.
static void point_of(const trace_triangle *t, int kind, random_state *r, float out[3])
{
    const float b = kind == 0 ? 0.0f : random_float(r, 0.0f, 1.0f);
    const float c = kind < 2 ? 0.0f : random_float(r, 0.0f, 1.0f - b);
    for (int k = 0; k < 3; k++)
        out[k] = t->corner[0][k] + (t->corner[1][k] - t->corner[0][k]) * b +
                 (t->corner[2][k] - t->corner[0][k]) * c;
}

static trace_ray any_ray(mesh m, random_state *r)
{
    const trace_triangle *t = &m.triangles[random_int(r, 0, (int32_t)m.count - 1)];
    trace_ray ray = {.far = INFINITY};
    const int form = random_int(r, 0, 9);
    point_of(t, form % 3, r, ray.direction);
    for (int k = 0; k < 3; k++) {
        ray.origin[k] = random_float(r, -2.0f, 2.0f);
        ray.direction[k] -= ray.origin[k];
        if (form == 7)
            ray.direction[k] = k == random_int(r, 0, 2) ? random_float(r, -1.0f, 1.0f) : 0.0f;
        if (form == 8)
            ray.direction[k] = random_extreme(r, -1.0f, 1.0f);
        if (form == 9)
            ray.origin[k] *= 1e6f;
    }
    if (form == 4)
        memcpy(ray.origin, t->corner[random_int(r, 0, 2)], sizeof ray.origin);
    if (form == 5)
        ray.skip = t->id;
    if (form == 6)
        ray.far = 1.0f;
    return ray;
}

// ---- Tests --------------------------------------------------------------------------------------

static trace_triangle memory[64 * 1024];

Test(trace, trees_find_what_a_search_of_all_finds)
{
    static trace_ray rays[RAYS];
    static trace_hit wanted[RAYS], hits[RAYS];
    static bool blocked[RAYS];
    budget b;
    budget_init_within(&b, NULL, 0, NULL);
    for (int which = 0; which < 3; which++) {
        random_state r = {77 + (uint64_t)which};
        mesh m = {memory, 0};
        trace_scene scene;
        arena a;
        uint32_t found = 0;
        arena_init(&a, &b);
        if (which == 0)
            make_soup(&m, &r);
        else if (which == 1)
            make_ball(&m, 22);
        else
            make_grid(&m, 31, 0.05, 0.0);
        build(m, 0, &a, &scene);
        for (int i = 0; i < RAYS; i++) {
            rays[i] = any_ray(m, &r);
            if (i % 4 == 3 && wanted[i - 1].id != TRACE_NONE) { // the one behind it
                rays[i] = rays[i - 1];
                rays[i].near = wanted[i - 1].t;
                rays[i].after = wanted[i - 1].id;
            }
            wanted[i] = nearest_of_all(&scene, m.triangles, m.count, &rays[i]);
            found += wanted[i].id != TRACE_NONE;
        }
        cr_assert(found > RAYS / 4 && found < RAYS, "%u", found);
        for (int builder = 0; builder < 4; builder++) {
            build(m, builder, &a, &scene);
            EACH_KERNEL_TABLE (isa, table) {
                table->trace->nearest(&(trace_job){&scene, rays, RAYS, hits, NULL});
                table->trace->any(&(trace_job){&scene, rays, RAYS, NULL, blocked});
                for (int i = 0; i < RAYS; i++) {
                    cr_assert(memcmp(&hits[i], &wanted[i], sizeof *hits) == 0 ||
                                  (hits[i].id == TRACE_NONE && wanted[i].id == TRACE_NONE),
                              "%s, mesh %d, builder %d, ray %d: %u at %a, not %u at %a",
                              table->name, which, builder, i, hits[i].id, (double)hits[i].t,
                              wanted[i].id, (double)wanted[i].t);
                    cr_assert(blocked[i] == (wanted[i].id != TRACE_NONE));
                }
            }
        }
        arena_finish(&a);
    }
}

/// Rays from `away` to corners and edges of a closed mesh, from its inside, or of a grid (`side`
/// squares wide), away from its border. Returns how many pass through.
static uint32_t leaks(mesh m, int side, float away, random_state *r)
{
    static trace_ray rays[LEAK_RAYS];
    static trace_hit hits[LEAK_RAYS];
    budget b;
    arena a;
    trace_scene scene;
    uint32_t lost = 0;
    budget_init_within(&b, NULL, 0, NULL);
    arena_init(&a, &b);
    build(m, 0, &a, &scene);
    for (int i = 0; i < LEAK_RAYS; i++) {
        float to[3];
        int at = random_int(r, 0, (int32_t)m.count - 1);
        if (side > 0)
            at = 2 * (random_int(r, 9, side - 9) * side + random_int(r, 9, side - 9)) + i / 2 % 2;
        rays[i] = (trace_ray){.far = INFINITY};
        point_of(&m.triangles[at], i % 2, r, to);
        for (int k = 0; k < 3; k++) {
            rays[i].origin[k] =
                random_float(r, -0.5f, 0.5f) * away + (k == 2 && side > 0 ? away : 0.0f);
            if (i % 8 == 7 && side > 0 && k < 2)
                rays[i].origin[k] = to[k]; // along the axis
            rays[i].direction[k] = to[k] - rays[i].origin[k];
        }
    }
    kernels_best(ZT_ISA_BEST)->trace->nearest(&(trace_job){&scene, rays, LEAK_RAYS, hits, NULL});
    for (int i = 0; i < LEAK_RAYS; i++)
        lost += hits[i].id == TRACE_NONE;
    arena_finish(&a);
    return lost;
}

Test(trace, nothing_leaks_between_triangles)
{
    random_state r = {5};
    for (int turned = 0; turned < 2; turned++)
        for (float away = 10.0f; away < 1000.0f; away *= 10.0f) {
            mesh grid = {memory, 0};
            make_grid(&grid, 100, 0.001, turned * 37.0);
            const uint32_t lost = leaks(grid, 100, away, &r);
            cr_expect(lost == 0, "%u of %d through a grid from %g m", lost, LEAK_RAYS,
                      (double)away);
        }
    mesh ball = {memory, 0};
    make_ball(&ball, 22);
    const uint32_t lost = leaks(ball, 0, 1.0f, &r);
    cr_expect(lost == 0, "%u of %d through a ball", lost, LEAK_RAYS);
}
