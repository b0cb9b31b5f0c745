// SPDX-License-Identifier: MIT
/// Cutting into meshlets: every triangle in order; limits, padding and reasons to cut hold.
#include "mesh/mesh_build.h"
#include "random_numbers.h"
#include "test_memory.h"

static budget memory;
static arena keep, scratch;

static void setup(void)
{
    budget_init(&memory, (uint64_t)1 << 30, NULL);
    arena_init(&keep, &memory);
    arena_init(&scratch, &memory);
}

static void teardown(void)
{
    arena_finish(&keep);
    arena_finish(&scratch);
}

TestSuite(mesh_build, .init = setup, .fini = teardown);

/// A mesh with random triangles over a window of vertices that moves on with the triangles.
static mesh_source random_mesh(uint32_t vertices, uint32_t triangles, uint32_t window,
                               uint32_t materials, uint32_t seed)
{
    mesh_source m = {.name = "random", .vertex_count = vertices, .triangle_count = triangles};
    m.position = ARENA_ARRAY(&scratch, vertex_position, vertices);
    m.attributes = ARENA_ARRAY(&scratch, vertex_attributes, vertices);
    m.tangent_w = ARENA_ARRAY(&scratch, float, vertices);
    m.joints = ARENA_ARRAY(&scratch, vertex_joints, vertices);
    m.weights = ARENA_ARRAY(&scratch, vertex_weights, vertices);
    uint32_t *corner = ARENA_ARRAY(&scratch, uint32_t, (size_t)triangles * 3);
    uint32_t *material = ARENA_ARRAY(&scratch, uint32_t, triangles);
    for (uint32_t v = 0; v < vertices; v++) {
        m.position[v] = (vertex_position){(float)v, (float)(v % 7), -(float)v, 1.0f};
        m.tangent_w[v] = v / 50 % 2 ? -1.0f : 1.0f;
        m.joints[v].joint[0] = (uint16_t)v;
        m.weights[v].weight[0] = 1.0f;
    }
    for (uint32_t t = 0; t < triangles; t++) {
        const uint32_t base = (uint32_t)((uint64_t)(vertices - window) * t / triangles);
        for (uint32_t k = 0; k < 3; k++)
            corner[3 * t + k] = base + next_random(&seed) % window;
        material[t] = t * materials / triangles;
    }
    m.corner = corner;
    m.material = material;
    return m;
}

static model_mesh built(const mesh_source *m)
{
    model_mesh out;
    zt_error err = {0};
    MUST(mesh_build(NULL, &keep, &scratch, m, &out, &err), err);
    return out;
}

static bool left_handed(const mesh_source *m, const uint32_t *c)
{
    return (m->tangent_w[c[0]] < 0) + (m->tangent_w[c[1]] < 0) + (m->tangent_w[c[2]] < 0) >= 2;
}

static void check_meshlets(const mesh_source *m, const model_mesh *out)
{
    size_t t = 0, vertex_end = 0, corner_end = 0;
    for (uint32_t i = 0; i < out->meshlet_count; i++) {
        const meshlet *let = &out->meshlets[i];
        cr_assert(let->vertex_count >= 1 && let->vertex_count <= MESHLET_VERTICES);
        cr_assert(let->triangle_count >= 1 && let->triangle_count <= MESHLET_TRIANGLES);
        cr_assert_eq(let->vertex_first, vertex_end);
        cr_assert_eq(let->triangle_first, corner_end);
        cr_assert_eq(let->triangle_first % 16, 0);
        bool used[MESHLET_VERTICES] = {false};
        for (uint32_t j = 0; j < let->triangle_count; j++, t++) {
            cr_assert_eq(let->material, m->material[t]);
            cr_assert_eq(let->left_handed, left_handed(m, &m->corner[3 * t]));
            for (size_t k = 0; k < 3; k++) {
                const uint8_t local = out->meshlet_corner[k][let->triangle_first + j];
                cr_assert_lt(local, let->vertex_count);
                cr_assert_eq(out->meshlet_vertex[let->vertex_first + local], m->corner[3 * t + k]);
                used[local] = true;
            }
        }
        for (uint32_t j = let->triangle_count; j < pad16(let->triangle_count); j++)
            for (int k = 0; k < 3; k++)
                cr_assert_eq(out->meshlet_corner[k][let->triangle_first + j], 0);
        for (uint32_t v = 0; v < let->vertex_count; v++)
            cr_assert(used[v], "meshlet %u holds a vertex that it does not use", i);
        vertex_end += let->vertex_count;
        corner_end += pad16(let->triangle_count);
    }
    cr_assert_eq(t, m->triangle_count);
}

Test(mesh_build, every_triangle_comes_back_in_order)
{
    static const struct {
        uint32_t vertices, triangles, window, materials;
    } cases[] = {{3, 1, 3, 1},         {64, 128, 64, 1},   {64, 129, 64, 1},
                 {65, 300, 65, 3},     {500, 1000, 20, 7}, {500, 1000, 500, 1},
                 {1000, 1000, 9, 999}, {17, 5000, 2, 2},   {70001, 90000, 100, 4}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const mesh_source m = random_mesh(cases[i].vertices, cases[i].triangles, cases[i].window,
                                          cases[i].materials, (uint32_t)i + 1);
        const model_mesh out = built(&m);
        cr_assert_eq(out.vertex_count, m.vertex_count);
        cr_assert_eq(out.triangle_count, m.triangle_count);
        check_meshlets(&m, &out);
    }
}

Test(mesh_build, meshlets_do_not_depend_on_threads)
{
    const mesh_source m = random_mesh(70001, 90000, 100, 4, 5);
    model_mesh one = built(&m);
    for (int32_t threads = 1; threads <= 16; threads += 5) {
        OWN_POOL *pool = make_pool(threads);
        model_mesh out;
        cr_assert_eq(mesh_build(pool, &keep, &scratch, &m, &out, NULL), ZT_OK);
        check_meshlets(&m, &out);
        cr_assert_eq(out.meshlet_count, one.meshlet_count);
        for (uint32_t i = 0; i < out.meshlet_count; i++) {
            const meshlet *x = &out.meshlets[i], *y = &one.meshlets[i];
            cr_assert_eq(x->vertex_first, y->vertex_first);
            for (uint32_t v = 0; v < x->vertex_count; v++)
                cr_assert_eq(out.meshlet_vertex[x->vertex_first + v],
                             one.meshlet_vertex[x->vertex_first + v]);
        }
    }
}

Test(mesh_build, arrays_are_copied_and_padded_with_the_last)
{
    for (uint32_t count = 3; count <= 34; count++) {
        const mesh_source m = random_mesh(count, 10, 3, 1, count);
        model_mesh out = built(&m);
        for (size_t v = 0; v < pad16(count); v++) {
            const size_t from = v < count ? v : count - 1;
            cr_assert_eq(memcmp(&out.position[v], &m.position[from], sizeof *m.position), 0);
            cr_assert_eq(memcmp(&out.attributes[v], &m.attributes[from], sizeof *m.attributes), 0);
            cr_assert_eq(memcmp(&out.joints[v], &m.joints[from], sizeof *m.joints), 0);
            cr_assert_eq(memcmp(&out.weights[v], &m.weights[from], sizeof *m.weights), 0);
        }
        cr_assert_null(out.extra);
        cr_assert_neq((const void *)out.position, (const void *)m.position);
    }
}

Test(mesh_build, bounds_are_those_of_the_vertices_that_are_used)
{
    mesh_source m = random_mesh(20, 2, 3, 1, 1);
    const uint32_t corner[6] = {3, 9, 4, 9, 4, 15};
    m.corner = corner;
    model_mesh out = built(&m);
    const float low[3] = {3, 1, -15}, high[3] = {15, 4, -3};
    for (int k = 0; k < 3; k++) {
        cr_assert_eq(out.bounds_min[k], low[k]);
        cr_assert_eq(out.bounds_max[k], high[k]);
    }
}

Test(mesh_build, a_full_strip_fills_its_meshlets)
{
    // 66 vertices in a strip: 62 triangles reach the 64th vertex, then the next one is cut off.
    enum { TRIANGLES = 64 };
    mesh_source m = random_mesh(TRIANGLES + 2, TRIANGLES, 3, 1, 1);
    uint32_t corner[TRIANGLES * 3];
    for (uint32_t t = 0; t < TRIANGLES; t++)
        for (uint32_t k = 0; k < 3; k++)
            corner[3 * t + k] = t + k;
    m.corner = corner;
    m.tangent_w = NULL;
    model_mesh out = built(&m);
    cr_assert_eq(out.meshlet_count, 2);
    cr_assert_eq(out.meshlets[0].triangle_count, 62);
    cr_assert_eq(out.meshlets[0].vertex_count, 64);
    cr_assert_eq(out.meshlets[1].triangle_count, 2);
    cr_assert_eq(out.meshlets[1].vertex_count, 4);
}

Test(mesh_build, degenerate_triangles_stay)
{
    mesh_source m = random_mesh(4, 3, 3, 1, 1);
    const uint32_t corner[9] = {0, 0, 0, 1, 2, 1, 1, 2, 3};
    m.corner = corner;
    model_mesh out = built(&m);
    cr_assert_eq(out.meshlet_count, 1);
    cr_assert_eq(out.meshlets[0].triangle_count, 3);
    cr_assert_eq(out.meshlets[0].vertex_count, 4);
    check_meshlets(&m, &out);
}

/// Far away lie vertices that no triangle has, a point three times, and a needle.
Test(mesh_build, triangles_without_area_do_not_frame)
{
    mesh_source m = random_mesh(16, 4, 3, 1, 1);
    for (uint32_t v = 0; v < 16; v++)
        m.position[v] = (vertex_position){900.1f + 33.3f * (float)v, 700.7f + 11.1f * (float)v,
                                          0.3f * (float)v, 1.0f};
    for (uint32_t v = 0; v < 4; v++)
        m.position[v] = (vertex_position){(float)(v % 2), (float)(v / 2), 0.0f, 1.0f};
    m.position[15] = m.position[14]; // another vertex at the same place
    const uint32_t corner[12] = {14, 15, 9, 0, 1, 2, 3, 2, 1, 5, 7, 12};
    m.corner = corner;
    m.joints = NULL;
    m.weights = NULL;
    model_mesh out = built(&m);
    cr_assert_eq(out.triangle_count, 4);
    cr_assert_eq(out.seen_count, 4);
    cr_assert_eq(out.bounds_max[0], 1.0f);
    m.morphs = true; // of which one may open the triangles, but no vertex becomes a corner
    out = built(&m);
    cr_assert_eq(out.seen_count, 10);
    const uint32_t all[12] = {0, 1, 2, 3, 2, 1, 0, 1, 3, 0, 2, 3};
    m.corner = all;
    m.vertex_count = 4;
    out = built(&m);
    cr_assert_null(out.seen_vertex);
}

/// Of every size whose products floats hold; others have no area.
Test(mesh_build, flat_normals_are_unit)
{
    static const float sizes[] = {1.0f, 1e-15f, 1e18f, 1e-30f, 1e30f};
    for (int i = 0; i < 5; i++) {
        const float s = sizes[i];
        const vertex_position p[3] = {{s, s, s, 1.0f}, {s, -s, 2 * s, 1.0f}, {4 * s, -s, s, 1.0f}};
        const float none[3] = {0.0f, 0.0f, 1.0f}, some[3] = {2 / 7.0f, 3 / 7.0f, 6 / 7.0f};
        float n[3];
        mesh_flat_normal(p, n);
        for (int k = 0; k < 3; k++)
            NEAR(n[k], i < 3 ? some[k] : none[k], 1e-6f, "%g", (double)s);
    }
}

Test(mesh_build, an_empty_mesh_is_a_mesh)
{
    vertex_position position = {0};
    vertex_attributes attributes = {0};
    const mesh_source m = {.name = "empty", .position = &position, .attributes = &attributes};
    model_mesh out = built(&m);
    cr_assert_eq(out.meshlet_count, 0);
    cr_assert_gt(out.bounds_min[0], out.bounds_max[0]);
}

Test(mesh_build, a_small_budget_is_an_error_with_a_message)
{
    const mesh_source m = random_mesh(5000, 5000, 50, 1, 1);
    OWN_MEMORY(tight, 4096);
    model_mesh out;
    zt_error err = {0};
    cr_assert_eq(mesh_build(NULL, &tight, &scratch, &m, &out, &err), ZT_ERR_LIMIT);
    cr_assert_gt(strlen(err.message), 0);
}
