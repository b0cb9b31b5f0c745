// SPDX-License-Identifier: MIT
/// Rays through trees against a search of all triangles, bit by bit, in every instruction set, with
/// trees of several builders; rays at the edges and corners of meshes, none of which may pass
/// through; and the building of trees from triangles that are hard to divide. By hand, ten million
/// rays, and trees of five million triangles:
/// ZT_TRACE_TIMES=100 kernels_trace --filter 'trace/trees_find*'
/// ZT_TRACE_TRIANGLES=5000000 kernels_trace --filter 'trace/trees_of*'
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

static trace_hit nearest_of_all(const trace_scene *scene, const trace_triangle *triangles,
                                uint32_t count, const trace_ray *ray)
{
    trace_hit best = {TRACE_NONE, ray->far, 0.0f, 0.0f};
    line l;
    if (!line_of(scene, ray, &l))
        return best;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t id = triangles[i].id;
        float hit[3];
        if (id == ray->skip || !meet(&triangles[i], &l, hit) || !(hit[0] >= ray->near) ||
            (hit[0] == ray->near && id <= ray->after) || !(hit[0] <= best.t) ||
            (hit[0] == best.t && best.id != TRACE_NONE && id > best.id))
            continue;
        best = (trace_hit){id, hit[0], hit[1], hit[2]};
    }
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

static void ball_point(int ring, int rings, int at, int around, float out[3])
{
    double s, c, t, d;
    maths_sincos_deg(180.0 * ring / rings, &s, &c);
    maths_sincos_deg(360.0 * (at % around) / around, &t, &d);
    out[0] = (float)(s * d);
    out[1] = (float)(s * t);
    out[2] = (float)c;
    if (ring == 0 || ring == rings)
        out[0] = out[1] = 0.0f;
}

/// Closed balls of about 2,000 triangles: round, two fans of slivers, and four strips of them.
static const int ball_rings[] = {22, 2, 250}, ball_around[] = {44, 1000, 4};

static void make_ball(mesh *m, int rings, int around)
{
    for (int ring = 0; ring < rings; ring++)
        for (int at = 0; at < around; at++) {
            float p[4][3];
            for (int k = 0; k < 4; k++)
                ball_point(ring + k / 2, rings, at + k % 2, around, p[k]);
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

static void build(mesh m, int builder, arena *a, trace_scene *out)
{
    zt_error err;
    *out = (trace_scene){.scale = 1.0f};
    cr_assert(trace_tree_build(out, m.triangles, m.count, builders[builder], NULL, a, &err) ==
              ZT_OK);
}

/// Moves triangles that nothing can hit behind the others. Returns how many those are.
static uint32_t sound_ones(mesh m)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < m.count; i++) {
        const trace_triangle t = m.triangles[i];
        bool sound = true;
        for (int k = 0; k < 9; k++)
            sound = sound && fabsf(t.corner[k / 3][k % 3]) <= 0x1p60f;
        m.triangles[i] = m.triangles[count];
        m.triangles[count] = t;
        count += sound;
    }
    return count;
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
        all[field][0] = random_int(r, 0, 3) ? random_bits(r) : random_int(r, 0, 1) ? NAN : INFINITY;
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

static trace_triangle memory[64 * 1024];

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
    budget b;
    budget_init_within(&b, NULL, 0, NULL);
    for (int turn = 0; turn < 5 * (int)wanted_of("ZT_TRACE_TIMES", 1); turn++) {
        const int which = turn % 5;
        random_state r = {77 + (uint64_t)turn};
        mesh m = {memory, 0};
        trace_scene scene;
        arena a;
        uint32_t found = 0;
        arena_init(&a, &b);
        if (which == 0)
            make_soup(&m, &r);
        else if (which < 4)
            make_ball(&m, ball_rings[which - 1], ball_around[which - 1]);
        else
            make_grid(&m, 31, 0.05, 0.0);
        const uint32_t sound = sound_ones(m);
        build(m, 0, &a, &scene);
        for (int i = 0; i < RAYS; i++) {
            rays[i] = any_ray(m, &r);
            if (i % 4 == 3 && wanted[i - 1].id != TRACE_NONE) { // the one behind it
                rays[i] = rays[i - 1];
                rays[i].near = wanted[i - 1].t;
                rays[i].after = wanted[i - 1].id;
            }
            wanted[i] = nearest_of_all(&scene, m.triangles, sound, &rays[i]);
            found += wanted[i].id != TRACE_NONE;
        }
        cr_assert(found > RAYS / 4 && found < RAYS, "%u", found);
        for (int builder = 0; builder < 4; builder++) {
            build(m, builder, &a, &scene);
            EACH_KERNEL_TABLE (isa, table) {
                table->trace->nearest(&(trace_job){&scene, rays, RAYS, hits, NULL});
                table->trace->any(&(trace_job){&scene, rays, RAYS, NULL, blocked});
                for (int i = 0; i < RAYS; i++) {
                    cr_assert(memcmp(&hits[i], &wanted[i], sizeof *hits) == 0,
                              "%s, turn %d, builder %d, ray %d: %u at %a, not %u at %a",
                              table->name, turn, builder, i, hits[i].id, (double)hits[i].t,
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
    for (size_t i = 0; i < 3; i++) {
        mesh ball = {memory, 0};
        make_ball(&ball, ball_rings[i], ball_around[i]);
        const uint32_t lost = leaks(ball, 0, i == 0 ? 1.0f : 0.5f, &r);
        cr_expect(lost == 0, "%u of %d through ball %zu", lost, LEAK_RAYS, i);
    }
}

// ---- The building of trees ----------------------------------------------------------------------

enum hard { EQUAL, SHEETS, GIANT, SERIES, APART, FAULTY, HARD };

/// Triangles that are hard to divide.
static void make_hard(mesh *m, enum hard form, uint32_t count)
{
    random_state r = {9};
    trace_scene space;
    trace_space_init(&space, (double[3]){-1e30, -1e30, -1e30}, (double[3]){1e30, 1e30, 1e30});
    while (m->count < count) {
        const float size = form == EQUAL    ? random_float(&r, 0.0f, 1.0f)
                           : form == SERIES ? 0x1p-140f
                                            : (form == GIANT && m->count == 0 ? 2.0f : 1e-6f);
        const float series = ldexpf(1.0f, -(int)(m->count % 130));
        float p[3][3], at[3] = {0};
        for (int k = 0; k < 3 && form != EQUAL; k++)
            at[k] = form == SERIES             ? series
                    : form == SHEETS && k == 2 ? 0.25f * (float)(m->count % 2)
                                               : random_float(&r, -1.0f, 1.0f);
        for (int k = 0; k < 9; k++) {
            const float corner[3][3] = {{-1, -1, 0}, {1, -1, 0}, {0, 1, 0}};
            p[k / 3][k % 3] = at[k % 3] + size * corner[k / 3][k % 3];
            if (form == APART)
                p[k / 3][k % 3] *= m->count % 2 ? 1e30f : 1e-30f;
        }
        for (int k = 0; k < 3 && form == APART; k++) {
            const double world[3] = {(double)p[k][0], (double)p[k][1], (double)p[k][2]};
            trace_space_point(&space, world, p[k]);
        }
        if (form == FAULTY && m->count % 3 > 0)
            p[m->count % 7 % 3][m->count % 5 % 3] = m->count % 2 ? NAN : -INFINITY;
        add(m, p[0], p[1], p[2]);
    }
}

/// Depths and ids of a tree, each of which is there once.
static void check_tree(const trace_scene *scene, mesh m)
{
    uint32_t stack[TRACE_DEPTH_MAX * (TRACE_CHILDREN - 1) + 1][2] = {{0}};
    uint64_t ids = 0;
    const uint32_t sound = sound_ones(m);
    for (uint32_t i = 0; i < sound; i++)
        ids += m.triangles[i].id;
    for (int top = scene->node_count > 0; top > 0;) {
        const trace_node *node = &scene->nodes[stack[--top][0]];
        const uint32_t depth = stack[top][1];
        cr_assert_lt(depth, TRACE_DEPTH_MAX);
        for (int i = 0; i < TRACE_CHILDREN; i++) {
            const uint32_t child = node->child[i];
            if (!(node->bound[0][0][i] <= node->bound[0][1][i]))
                continue;
            for (int k = 0; k < TRACE_CHILDREN && child & TRACE_LEAF; k++)
                ids -= scene->blocks[child & ~TRACE_LEAF].id[k];
            if (!(child & TRACE_LEAF)) {
                stack[top][0] = child;
                stack[top++][1] = depth + 1;
            }
        }
    }
    cr_assert_eq(ids, 0);
}

Test(trace, trees_of_hard_triangles_are_whole_and_equal)
{
    const uint32_t many = (uint32_t)wanted_of("ZT_TRACE_TRIANGLES", 40000 / ZT_RANDOM_SHARE);
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
            cr_assert(scene.node_count == first.node_count &&
                      scene.block_count == first.block_count && scene.extent == first.extent);
            cr_assert(count == 0 || (memcmp(scene.nodes, first.nodes,
                                            first.node_count * sizeof *first.nodes) == 0 &&
                                     memcmp(scene.blocks, first.blocks,
                                            first.block_count * sizeof *first.blocks) == 0));
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
    make_hard(&m, SHEETS, 20000);
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
    }
}
