// SPDX-License-Identifier: MIT
/// Rays through trees against a search of all triangles, bit by bit, in every instruction set, with
/// trees of several builders; rays at the edges and corners of meshes, none of which may pass
/// through; and the building of trees from triangles that are hard to divide. By hand, ten million
/// rays at meshes of 2,000 triangles, and trees of five million triangles:
/// ZT_TRACE_TIMES=100 kernels_trace
/// ZT_TRACE_TRIANGLES=5000000 kernels_trace --filter 'trace/trees_of*'
#include "base/maths.h"
#include "kernels/kernels.h"
#include "random_inputs.h"
#include "testing.h"
#include "trace/trace_collect.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

enum { RAYS = 20000 / ZT_RANDOM_SHARE, FEW = 400, MANY = 2000, REFITTED = 4 };

/// The last one has other corners first, and is refitted.
static const trace_build_def builders[] = {
    {0}, {.leaf_size = 4}, {.leaf_size = 1}, {.middle = true}, [REFITTED] = {0}};

// ---- A search of all triangles ------------------------------------------------------------------

/// A ray as the definition in trace_loops.h has it.
typedef struct line {
    float origin[3], direction[3], sx, sy, sz, unit, pad;
    int x, y, z;
} line;

static bool line_of(const trace_scene *scene, const trace_ray *ray, line *out)
{
    float largest = 0.0f, extent = scene->extent;
    float *const d = out->direction;
    int exponent = 0, z = 0;
    for (int k = 0; k < 3; k++) {
        if (!isfinite(ray->direction[k]) || !(fabsf(ray->origin[k]) <= 0x1p60f))
            return false;
        z = fabsf(ray->direction[k]) > largest ? k : z;
        largest = fmaxf(largest, fabsf(ray->direction[k]));
        extent = fmaxf(extent, fabsf(ray->origin[k]));
    }
    (void)frexpf(largest, &exponent);
    if (largest < 0x1p-126f)
        return false;
    out->unit = ldexpf(1.0f, exponent < 127 ? 1 - exponent : -126);
    for (int k = 0; k < 3; k++) {
        const float flat = largest * out->unit * 0x1p-80f;
        d[k] = ray->direction[k] * out->unit;
        d[k] = fabsf(d[k]) < flat ? copysignf(flat, d[k]) : d[k];
        out->origin[k] = ray->origin[k];
    }
    out->z = z;
    out->x = (z + (d[z] < 0.0f ? 2 : 1)) % 3;
    out->y = (z + (d[z] < 0.0f ? 1 : 2)) % 3;
    out->sx = d[out->x] / d[z];
    out->sy = d[out->y] / d[z];
    out->sz = 1.0f / d[z];
    out->pad = extent * 0x1p-19f;
    return true;
}

static float sign_of_difference(float a, float b, float c, float d)
{
    const float edge = a * b - c * d;
    const double one = (double)a * (double)b, other = (double)c * (double)d;
    if (edge != 0.0f || one == other)
        return edge;
    return one > other ? 0x1p-149f : -0x1p-149f;
}

static float lower(float a, float b) { return a < b ? a : b; }
static float higher(float a, float b) { return a > b ? a : b; }

/// The hit of one triangle by the definition, in plain C.
static bool meet(const trace_triangle *t, const line *l, float out[3])
{
    float px[3], py[3], pz[3], enter = -INFINITY, leave = INFINITY;
    for (int i = 0; i < 3; i++) {
        const float along = t->corner[i][l->z] - l->origin[l->z];
        px[i] = (t->corner[i][l->x] - l->origin[l->x]) - l->sx * along;
        py[i] = (t->corner[i][l->y] - l->origin[l->y]) - l->sy * along;
        pz[i] = l->sz * along;
    }
    const float u = sign_of_difference(px[2], py[1], py[2], px[1]);
    const float v = sign_of_difference(px[0], py[2], py[0], px[2]);
    const float w = sign_of_difference(px[1], py[0], py[1], px[0]);
    const float sum = (u + v) + w;
    if (((u < 0.0f || v < 0.0f || w < 0.0f) && (u > 0.0f || v > 0.0f || w > 0.0f)) || sum == 0.0f)
        return false;
    for (int k = 0; k < 3; k++) {
        const float *const c[3] = {t->corner[0], t->corner[1], t->corner[2]};
        const float low = lower(lower(c[0][k], c[1][k]), c[2][k]);
        const float high = higher(higher(c[0][k], c[1][k]), c[2][k]);
        const float d = l->direction[k], o = l->origin[k], inverse = 1.0f / d;
        const float a = (low - (o + l->pad)) * inverse, b = (high - (o - l->pad)) * inverse;
        enter = higher(enter, d < 0.0f ? b : a);
        leave = lower(leave, d < 0.0f ? a : b);
    }
    out[0] = lower(higher((u * pz[0] + v * pz[1] + w * pz[2]) / sum, enter), leave) * l->unit;
    out[1] = v / sum;
    out[2] = w / sum;
    return enter <= leave;
}

typedef struct mesh {
    trace_triangle *triangles;
    uint32_t count;
} mesh;

static bool can_be_hit(const trace_triangle *t)
{
    bool can = true;
    for (int k = 0; k < 9; k++)
        can = can && fabsf(t->corner[k / 3][k % 3]) <= 0x1p60f;
    return can;
}

static trace_hit nearest_of_all(const trace_scene *scene, mesh m, const trace_ray *ray)
{
    trace_hit best = {TRACE_NONE, ray->far, 0.0f, 0.0f};
    line l;
    if (!line_of(scene, ray, &l))
        return best;
    for (uint32_t i = 0; i < m.count; i++) {
        const uint32_t id = m.triangles[i].id;
        float hit[3];
        if (id == ray->skip || !meet(&m.triangles[i], &l, hit) || !(hit[0] >= ray->near) ||
            (hit[0] == ray->near && id <= ray->after) || !(hit[0] <= best.t) ||
            (hit[0] == best.t && best.id != TRACE_NONE && id > best.id) ||
            !can_be_hit(&m.triangles[i]))
            continue;
        best = (trace_hit){id, hit[0], hit[1], hit[2]};
    }
    return best;
}

// ---- Meshes -------------------------------------------------------------------------------------

static void add(mesh *m, const float a[3], const float b[3], const float c[3])
{
    trace_triangle *t = &m->triangles[m->count++];
    memcpy(t->corner[0], a, sizeof t->corner[0]);
    memcpy(t->corner[1], b, sizeof t->corner[1]);
    memcpy(t->corner[2], c, sizeof t->corner[2]);
    t->id = m->count;
}

/// `side` x `side` squares of `cell` metres, at z = 0, or turned about an axis that is none of the
/// space.
static void make_grid(mesh *m, int side, double cell, bool turned)
{
    static const double axes[2][2][3] = {{{1, 0, 0}, {0, 1, 0}}, {{.64, .48, .6}, {-.6, .8, 0}}};
    for (int i = 0; i < side * side; i++) {
        float p[4][3];
        for (int k = 0; k < 12; k++) {
            const double x = cell * (i % side + k / 3 % 2 - side / 2);
            const double y = cell * (i / side + k / 3 / 2 - side / 2);
            p[k / 3][k % 3] = (float)(axes[turned][0][k % 3] * x + axes[turned][1][k % 3] * y);
        }
        add(m, p[0], p[1], p[3]);
        add(m, p[0], p[3], p[2]);
    }
}

/// A ball whose upper half is turned by `bend` degrees, as a skin of two joints does.
static void ball_point(int ring, int rings, int at, int around, double bend, float out[3])
{
    double s, c, t, d, sine, cosine;
    maths_sincos_deg(180.0 * ring / rings, &s, &c);
    maths_sincos_deg(360.0 * (at % around) / around, &t, &d);
    maths_sincos_deg(bend, &sine, &cosine);
    const double weight = 0.5 + 0.5 * c, x = s * d;
    out[0] = (float)(x + weight * (cosine * x + sine * c - x));
    out[1] = (float)(s * t);
    out[2] = (float)(c + weight * (cosine * c - sine * x - c));
}

/// Closed balls of about FEW and MANY triangles: round, two fans of slivers, four strips of them.
static const int ball_rings[][3] = {{10, 2, 50}, {22, 2, 250}};
static const int ball_around[][3] = {{20, 200, 4}, {44, 1000, 4}};

static void make_ball(mesh *m, int rings, int around, double bend)
{
    for (int ring = 0; ring < rings; ring++)
        for (int at = 0; at < around; at++) {
            float p[4][3];
            for (int k = 0; k < 4; k++)
                ball_point(ring + k / 2, rings, at + k % 2, around, bend, p[k]);
            if (ring > 0)
                add(m, p[0], p[2], p[1]);
            if (ring < rings - 1)
                add(m, p[1], p[2], p[3]);
        }
}

/// Triangles of any form: small, large, slivers, degenerate, coplanar, equal to another.
static void make_soup(mesh *m, uint32_t count, random_state *r)
{
    while (m->count < count) {
        float p[3][3];
        const float size = ldexpf(1.0f, random_int(r, -20, 0));
        const int form = random_int(r, 0, 16) % 11 % 8;
        for (int k = 0; k < 9; k++)
            p[k / 3][k % 3] =
                random_float(r, -1.0f, 1.0f) * (k < 3 ? 1.0f : size) + (k < 3 ? 0.0f : p[0][k % 3]);
        for (int k = 0; k < 3 && form < 3; k++)
            p[k][form] = form == 0 ? 0.25f : p[0][form]; // coplanar, or in a plane of an axis
        if (form == 3)
            memcpy(p[2], p[1], sizeof p[2]);
        if (form == 4 && m->count > 0)
            memcpy(p, m->triangles[random_int(r, 0, (int32_t)m->count - 1)].corner, sizeof p);
        if (form >= 5)
            p[random_int(r, 0, 2)][random_int(r, 0, 2)] =
                form == 5   ? ldexpf(1.0f, -random_int(r, 20, 149))
                : form == 6 ? NAN
                            : -1e19f;
        add(m, p[0], p[1], p[2]);
    }
}

static trace_triangle memory[1 << 16];

static void build(mesh m, int builder, arena *a, trace_scene *out)
{
    static trace_triangle turned[MANY];
    static uint32_t first[MANY];
    zt_error err;
    for (uint32_t i = 0; i < m.count && builder == REFITTED; i++) {
        first[primitive_meshlet(i + 1)] = i - primitive_triangle(i + 1);
        turned[i].id = m.triangles[i].id;
        for (int k = 0; k < 9; k++)
            turned[i].corner[k / 3][k % 3] = m.triangles[i].corner[k / 3][(k + 1) % 3];
    }
    *out = (trace_scene){.scale = 1.0f};
    MUST(trace_tree_build(out, builder == REFITTED ? turned : m.triangles, m.count,
                          builders[builder], NULL, a, &err),
         err);
    cr_assert(builder != REFITTED || trace_tree_refit(out, m.triangles, first));
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
    const int form = random_int(r, 0, 14);
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
        if (form == 10) // lengths that are subnormal or overflow
            ray.direction[k] = ldexpf(ray.direction[k], random_int(r, 0, 1) ? 125 : -123);
    }
    float *const all[] = {ray.origin, ray.direction, &ray.near, &ray.far};
    const int field = random_int(r, 0, 3);
    if (form == 12) // NaN, infinite, huge
        all[field][0] = random_int(r, 0, 2)
                            ? random_bits(r)
                            : (float[]){NAN, INFINITY, FLT_MAX, -FLT_MAX}[random_int(r, 0, 3)];
    if (form == 13)
        ray.near = -3.0f;
    if (form == 4)
        memcpy(ray.origin, t->corner[random_int(r, 0, 2)], sizeof ray.origin);
    if (form == 5)
        ray.skip = t->id;
    if (form == 6)
        ray.far = 1.0f;
    return ray;
}

// ---- Tests --------------------------------------------------------------------------------------

/// A number of the environment, or `otherwise`.
static unsigned long wanted_of(const char *name, unsigned long otherwise)
{
    const char *text = getenv(name);
    return text ? strtoul(text, NULL, 10) : otherwise;
}

Test(trace, trees_find_what_a_search_of_all_finds)
{
    static trace_ray rays[RAYS];
    static trace_hit wanted[RAYS], hits[RAYS];
    static bool blocked[RAYS];
    const int times = (int)wanted_of("ZT_TRACE_TIMES", 1), large = times > 1;
    for (int round = 0; round < 5 * times; round++) {
        const int which = round % 5;
        random_state r = {77 + (uint64_t)round};
        mesh m = {memory, 0};
        trace_scene scene;
        uint32_t found = 0;
        OWN_MEMORY(a, 0);
        if (which == 0)
            make_soup(&m, large ? MANY : FEW, &r);
        else if (which < 4)
            make_ball(&m, ball_rings[large][which - 1], ball_around[large][which - 1], 0.0);
        else
            make_grid(&m, large ? 31 : 14, large ? 0.05 : 0.11, false);
        build(m, 0, &a, &scene);
        for (int i = 0; i < RAYS; i++) {
            rays[i] = any_ray(m, &r);
            if (i % 4 == 3 && wanted[i - 1].id != TRACE_NONE) { // the one behind it
                rays[i] = rays[i - 1];
                rays[i].near = wanted[i - 1].t;
                rays[i].after = wanted[i - 1].id;
            }
            wanted[i] = nearest_of_all(&scene, m, &rays[i]);
            found += wanted[i].id != TRACE_NONE;
        }
        cr_assert(found > RAYS / 4 && found < RAYS, "%u", found);
        for (int builder = 0; builder <= REFITTED; builder++) {
            const int first = builder == 0 ? 0 : RAYS / REFITTED * (builder - 1);
            const int end = builder == 0 ? RAYS : first + RAYS / REFITTED;
            const size_t count = (size_t)(end - first);
            build(m, builder, &a, &scene);
            EACH_KERNEL_TABLE (isa, table) {
                table->trace->nearest(&(trace_job){&scene, rays + first, count, hits + first, 0});
                table->trace->any(&(trace_job){&scene, rays + first, count, 0, blocked + first});
                for (int i = first; i < end; i++) {
                    cr_assert(memcmp(&hits[i], &wanted[i], sizeof *hits) == 0 &&
                                  blocked[i] == (wanted[i].id != TRACE_NONE),
                              "%s, round %d, builder %d, ray %d: %u at %a, not %u at %a",
                              table->name, round, builder, i, hits[i].id, (double)hits[i].t,
                              wanted[i].id, (double)wanted[i].t);
                }
            }
        }
    }
}

/// From `away` to a corner or an edge of a closed mesh, from its inside, or of a grid (`side`
/// squares wide), away from its border.
static trace_ray edge_ray(mesh m, int side, float away, int i, random_state *r)
{
    trace_ray ray = {.far = INFINITY};
    float to[3];
    int at = random_int(r, 0, (int32_t)m.count - 1);
    if (side > 0)
        at = 2 * (random_int(r, 9, side - 9) * side + random_int(r, 9, side - 9)) + i / 2 % 2;
    point_of(&m.triangles[at], i % 2, r, to);
    for (int k = 0; k < 3; k++) {
        ray.origin[k] = random_float(r, -0.5f, 0.5f) * away + (k == 2 && side > 0 ? away : 0.0f);
        if (i % 8 == 7 && side > 0 && k < 2)
            ray.origin[k] = to[k]; // along the axis
        ray.direction[k] = to[k] - ray.origin[k];
    }
    return ray;
}

/// Balls round, of slivers, and bent; grids of millimetres, along axes and turned, from far away.
Test(trace, nothing_leaks_between_triangles)
{
    static trace_ray rays[RAYS];
    static trace_hit hits[RAYS];
    random_state r = {5};
    for (int form = 0; form < 10 * (int)wanted_of("ZT_TRACE_TIMES", 1); form++) {
        const int which = form % 10, ball = which % 3, side = which < 6 ? 0 : 50;
        const float away = which < 6 ? (ball ? 0.5f : 1.0f) : which < 8 ? 10.0f : 100.0f;
        mesh m = {memory, 0};
        trace_scene scene;
        int lost = 0;
        OWN_MEMORY(a, 0);
        if (side == 0)
            make_ball(&m, ball_rings[1][ball], ball_around[1][ball], which / 3 * 40.0);
        else
            make_grid(&m, side, 0.001, which % 2);
        build(m, 0, &a, &scene);
        for (int i = 0; i < RAYS; i++)
            rays[i] = edge_ray(m, side, away, i, &r);
        kernels_best(ZT_ISA_BEST)->trace->nearest(&(trace_job){&scene, rays, RAYS, hits, NULL});
        for (int i = 0; i < RAYS; i++)
            lost += hits[i].id == TRACE_NONE;
        cr_expect(lost == 0, "%d of %d through form %d", lost, RAYS, which);
    }
}

// ---- The building of trees ----------------------------------------------------------------------

enum hard { EQUAL, SHEETS, GIANT, SERIES, APART, FAULTY, HARD };

/// Triangles that are hard to divide.
static void make_hard(mesh *m, enum hard form, uint32_t count)
{
    static const float corner[3][3] = {{-1, -1, 0}, {1, -1, 0}, {0, 1, 0}};
    const double w = form == APART ? 1e30 : 1.0;
    random_state r = {9};
    trace_scene space;
    trace_space_init(&space, (double[3]){-w, -w, -w}, (double[3]){w, w, w});
    while (m->count < count) {
        const uint32_t n = m->count;
        const float series = ldexpf(1.0f, -(int)(n % 130));
        const float size = form == EQUAL             ? random_float(&r, 0.0f, 1.0f)
                           : form == SERIES          ? 0x1p-140f
                           : form == GIANT && n == 0 ? 2.0f
                                                     : 1e-6f;
        float p[3][3];
        double world[3][3];
        for (int k = 0; k < 3 && form != EQUAL; k++)
            p[0][k] = form == SERIES             ? series
                      : form == SHEETS && k == 2 ? 0.25f * (float)(n % 2)
                                                 : random_float(&r, -1.0f, 1.0f);
        for (int k = 0; k < 9; k++)
            world[k / 3][k % 3] =
                (form == APART && n % 2 ? 1e-30 : w) *
                (double)((form == EQUAL ? 0.0f : p[0][k % 3]) + size * corner[k / 3][k % 3]);
        for (int k = 0; k < 3; k++)
            trace_space_point(&space, world[k], p[k]);
        if (form == FAULTY && n % 3 > 0)
            p[n % 7 % 3][n % 5 % 3] = n % 2 ? NAN : -INFINITY;
        add(m, p[0], p[1], p[2]);
    }
}

/// Each id is there once, and nodes are behind those above them.
static void check_tree(const trace_scene *scene, mesh m)
{
    OWN_BLOCK uint8_t *depth = calloc(scene->node_count + 1, 1);
    uint64_t ids = 0;
    uint32_t count = 0;
    for (uint32_t i = 0; i < m.count; i++) {
        const bool can = can_be_hit(&m.triangles[i]);
        ids += can ? m.triangles[i].id : 0;
        count += can;
    }
    for (uint32_t i = 0; i < scene->node_count * TRACE_CHILDREN; i++) {
        const uint32_t child = scene->nodes[i / TRACE_CHILDREN].child[i % TRACE_CHILDREN];
        for (int k = 0; k < TRACE_CHILDREN && child & TRACE_LEAF; k++)
            ids -= scene->blocks[child & ~TRACE_LEAF].id[k];
        if (child == 0 || child & TRACE_LEAF)
            continue;
        depth[child] = (uint8_t)(depth[i / TRACE_CHILDREN] + 1);
        cr_assert(child > i / TRACE_CHILDREN && depth[child] < TRACE_DEPTH_MAX);
    }
    cr_assert(ids == 0 && count == scene->triangle_count);
}

Test(trace, trees_of_hard_triangles_are_whole_and_equal)
{
    const uint32_t many = (uint32_t)wanted_of("ZT_TRACE_TRIANGLES", 20000 / ZT_RANDOM_SHARE);
    OWN_BLOCK trace_triangle *triangles = malloc(many * sizeof *triangles);
    for (int form = 0; form < 2 * HARD + 2; form++) { // of `many`, of one, and none
        const uint32_t count = form < HARD ? many : form < 2 * HARD + 1;
        mesh m = {triangles, 0};
        trace_scene first = {0};
        zt_error err;
        OWN_MEMORY(a, 0);
        make_hard(&m, (enum hard)(form % HARD), count);
        for (int i = 0; i < 3; i++) {
            OWN_POOL *pool = NULL;
            trace_scene scene = {.scale = 1.0f};
            MUST(job_pool_create((int32_t[]){1, 2, 7}[i], &pool, &err), err);
            MUST(trace_tree_build(&scene, m.triangles, count, builders[0], pool, &a, &err), err);
            first = i == 0 ? scene : first;
            const size_t nodes = scene.node_count * sizeof *scene.nodes;
            const size_t blocks = scene.block_count * sizeof *scene.blocks;
            cr_assert(scene.node_count == first.node_count &&
                      scene.block_count == first.block_count && scene.extent == first.extent);
            cr_assert(count == 0 || (memcmp(scene.nodes, first.nodes, nodes) == 0 &&
                                     memcmp(scene.blocks, first.blocks, blocks) == 0));
        }
        check_tree(&first, m);
    }
}

static bool asked(void *user) { return --*(int *)user < 0; }

Test(trace, builds_without_memory_or_cancelled_end)
{
    OWN_POOL *pool = NULL;
    zt_error err;
    mesh m = {memory, 0};
    MUST(job_pool_create(2, &pool, &err), err);
    make_hard(&m, SHEETS, 6000);
    for (int i = 0; i < 40; i++) {
        int patience = i;
        const zt_cancel cancel = {asked, &patience};
        trace_scene scene = {.scale = 1.0f};
        OWN_MEMORY(a, i % 2 ? 0 : 100000 + 100000 * (uint64_t)i);
        cancel_init(&a_budget.cancel, i % 2 ? &cancel : NULL);
        const zt_result result =
            trace_tree_build(&scene, m.triangles, m.count, builders[0], pool, &a, &err);
        cr_assert(result == (i % 2 ? ZT_ERR_CANCELLED : ZT_ERR_LIMIT) ||
                      (i > 10 && result == ZT_OK),
                  "%d: %d", i, result);
        arena_finish(&a);
        cr_assert_eq(a_budget.used, 0);
    }
}

// ---- Frames -------------------------------------------------------------------------------------

enum { PARTS = 5, PART = 72, WHOLE = PARTS * PART };

/// A ball in parts: built, higher, in another order, with a corner that is nowhere, without it,
/// with another one, without its triangle, without the second part, without the last one. Rays from
/// its middle to each triangle find the same as those through a frame that follows none.
Test(trace, frames_that_follow_are_those_alone)
{
    static vertex_position position[WHOLE * 3];
    static uint32_t vertex[PART * 3];
    static uint8_t corner[3][PART];
    static trace_ray rays[WHOLE];
    static trace_hit hits[2][WHOLE];
    static const int found[] = {WHOLE,     WHOLE,    WHOLE,        WHOLE - 1,   WHOLE,
                                WHOLE - 1, PART - 1, WHOLE - PART, WHOLE - PART};
    const trace_loops *loops = kernels_best(ZT_ISA_BEST)->trace;
    meshlet sizes[PARTS];
    posed_meshlet parts[PARTS];
    const model_mesh shape = {.meshlets = sizes};
    const geometry_draw draw = {.mesh = &shape}, *draws[PARTS];
    geometry_frame frame = {.meshlet_draw = draws, .meshlets = parts};
    trace_posed posed = {0}, alone;
    zt_error err;
    OWN_MEMORY(a, 0);
    for (int i = 0; i < PARTS; i++) {
        sizes[i].triangle_count = PART;
        draws[i] = &draw;
        parts[i] = (posed_meshlet){.vertex = vertex,
                                   .corner = {corner[0], corner[1], corner[2]},
                                   .position = position + i * PART * 3,
                                   .material = i == 1};
    }
    for (int step = 0; step < 9; step++) {
        const uint8_t flags[] = {0, step == 7 ? SURFACE_INVISIBLE : 0};
        const double cost = posed.scene.cost;
        mesh m = {memory, 0};
        int count = 0;
        OWN_MEMORY(b, 0);
        make_ball(&m, ball_rings[0][0], ball_around[0][0], 0.0);
        for (int i = 0; i < WHOLE * 3; i++) {
            const float *c = m.triangles[step < 2 ? i / 3 : i / 3 * 7 % WHOLE].corner[i % 3];
            position[i] = (vertex_position){c[0], c[1], step > 0 ? c[2] * 1.1f : c[2], 1.0f};
            vertex[i % (PART * 3)] = (uint32_t)i % (PART * 3);
            corner[i % 3][i / 3 % PART] = (uint8_t)(i % (PART * 3));
            rays[i / 3].far = INFINITY;
            for (int k = 0; k < 3; k++)
                rays[i / 3].direction[k] = (i % 3 ? rays[i / 3].direction[k] : 0.0f) + c[k];
        }
        position[step == 3 ? 600 : PART * 3 - 1].x += step == 3 || step == 5 ? NAN : 0.0f;
        sizes[0].triangle_count = step == 6 ? PART - 1 : PART;
        frame.meshlet_count = step == 8 ? PARTS - 1 : PARTS;
        MUST(trace_follow(&frame, flags, NULL, &a, &posed, &err), err);
        MUST(trace_collect(&frame, flags, NULL, &b, &alone, &err), err);
        cr_assert_eq(posed.scene.cost, step == 1 ? cost : alone.scene.cost, "step %d", step);
        cr_assert(posed.scene.extent == alone.scene.extent && (step == 1 || a.used == b.used));
        for (int i = 0; i < WHOLE; i++)
            trace_space_point(&posed.scene, (double[3]){0.0, 0.0, 0.0}, rays[i].origin);
        loops->nearest(&(trace_job){&posed.scene, rays, WHOLE, hits[0], NULL});
        loops->nearest(&(trace_job){&alone.scene, rays, WHOLE, hits[1], NULL});
        for (uint32_t i = 0; i < WHOLE; i++)
            count += hits[0][i].id && trace_place_of(&posed, hits[0][i].id).triangle == i;
        cr_assert(memcmp(hits[0], hits[1], sizeof hits[0]) == 0);
        cr_assert_eq(count, found[step], "step %d: %d", step, count);
    }
}
