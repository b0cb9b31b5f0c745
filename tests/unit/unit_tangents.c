// SPDX-License-Identifier: MIT
/// Generated tangents: on meshes where they are known, where vertices must split, on degenerate
/// input, and against the tangents that other programs wrote into glTF files.
#include "asset_files.h"
#include "mesh/tangents.h"
#include "plain_gltf.h"
#include "random_numbers.h"
#include "test_memory.h"

ARENA_SUITE(tangents, scratch, (uint64_t)1 << 31);

/// A mesh with tangents, and room for vertices of its own; all normals along +z.
static mesh_source mesh_of(uint32_t vertices, const float (*pos_uv)[5], uint32_t triangles,
                           const uint32_t *corner)
{
    mesh_source m = {.name = "test", .vertex_count = vertices, .triangle_count = triangles};
    m.position = ARENA_ARRAY(&scratch, vertex_position, vertices);
    m.attributes = ARENA_ARRAY(&scratch, vertex_attributes, vertices);
    m.joints = ARENA_ARRAY(&scratch, vertex_joints, vertices);
    for (uint32_t v = 0; v < vertices; v++) {
        const float *p = pos_uv[v];
        m.position[v] = (vertex_position){p[0], p[1], p[2], 1.0f};
        m.attributes[v] = (vertex_attributes){.nz = 1.0f, .u = p[3], .v = p[4]};
        m.joints[v].joint[0] = (uint16_t)v;
    }
    m.corner = corner;
    m.material = ARENA_ARRAY(&scratch, uint32_t, triangles);
    cr_assert_eq(tangents_generate(NULL, &scratch, &m, NULL), ZT_OK);
    return m;
}

static void expect_tangent(const mesh_source *m, uint32_t corner, const float want[4],
                           const char *what)
{
    const uint32_t v = m->corner[corner];
    const vertex_attributes *a = &m->attributes[v];
    cr_assert(fabsf(a->tx - want[0]) < 1e-6f && fabsf(a->ty - want[1]) < 1e-6f &&
                  fabsf(a->tz - want[2]) < 1e-6f,
              "%s, corner %u: (%g %g %g)", what, corner, (double)a->tx, (double)a->ty,
              (double)a->tz);
    cr_assert_eq(m->tangent_w[v], want[3], "%s, corner %u: handedness", what, corner);
}

/// Squares whose vertices need no copies.
Test(tangents, are_those_of_the_picture)
{
    static const struct {
        const char *name;
        float v[4][5];
        uint32_t corner[6];
        float want[4];
    } cases[] = {
        // v grows downwards: the top of the picture (v = 0) is at y = 1, where cross(z, x) = +y
        // points to, so w = +1.
        {"the right way up",
         {{0, 0, 0, 0, 1}, {1, 0, 0, 1, 1}, {1, 1, 0, 1, 0}, {0, 1, 0, 0, 0}},
         {0, 1, 2, 0, 2, 3},
         {1, 0, 0, 1}},
        // u grows along +y, the top is at x = 0: cross(z, y) = -x.
        {"turned",
         {{0, 0, 0, 0, 0}, {1, 0, 0, 0, 1}, {1, 1, 0, 1, 1}, {0, 1, 0, 1, 0}},
         {0, 1, 2, 0, 2, 3},
         {0, 1, 0, 1}},
        {"a degenerate triangle as its neighbour",
         {{0, 0, 0, 0, 1}, {1, 0, 0, 1, 1}, {1, 1, 0, 1, 0}, {1, 1, 0, 1, 0}},
         {0, 1, 2, 1, 2, 3},
         {1, 0, 0, 1}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        mesh_source m = mesh_of(4, cases[i].v, 2, cases[i].corner);
        cr_assert_eq(m.vertex_count, 4);
        for (uint32_t c = 0; c < 6; c++)
            expect_tangent(&m, c, cases[i].want, cases[i].name);
    }
}

Test(tangents, of_mirrored_halves_split_the_vertices_of_the_seam)
{
    // Two quads, u grows from the middle to both sides.
    const float v[6][5] = {{-1, 0, 0, 1, 1}, {0, 0, 0, 0, 1}, {1, 0, 0, 1, 1},
                           {-1, 1, 0, 1, 0}, {0, 1, 0, 0, 0}, {1, 1, 0, 1, 0}};
    const uint32_t corner[12] = {0, 1, 4, 0, 4, 3, 1, 2, 5, 1, 5, 4};
    mesh_source m = mesh_of(6, v, 4, corner);
    cr_assert_eq(m.vertex_count, 8, "two vertices of the seam become four");
    for (uint32_t c = 0; c < 6; c++)
        expect_tangent(&m, c, (const float[]){-1, 0, 0, -1}, "left");
    for (uint32_t c = 6; c < 12; c++)
        expect_tangent(&m, c, (const float[]){1, 0, 0, 1}, "right");
    // Copies carry everything else of the vertex, and corners keep their place.
    for (uint32_t c = 0; c < 12; c++) {
        cr_assert_eq(m.position[m.corner[c]].x, v[corner[c]][0]);
        cr_assert_eq(m.attributes[m.corner[c]].v, v[corner[c]][4]);
        cr_assert_eq(m.joints[m.corner[c]].joint[0], corner[c]);
    }
}

Test(tangents, of_welded_vertices_are_one)
{
    // A roof of two triangles that share an edge, once indexed and once as a soup.
    const float v[6][5] = {{0, 0, 0, 0, 0}, {1, 0, 0, 1, 0},     {0, 1, 0.3f, 0.1f, 1},
                           {1, 0, 0, 1, 0}, {1, 1, -0.2f, 1, 1}, {0, 1, 0.3f, 0.1f, 1}};
    const uint32_t indexed[6] = {0, 1, 2, 1, 4, 2}, soup[6] = {0, 1, 2, 3, 4, 5};
    mesh_source a = mesh_of(6, v, 2, indexed), b = mesh_of(6, v, 2, soup);
    cr_assert_eq(b.vertex_count, 6, "an equal tangent needs no copy");
    for (uint32_t c = 0; c < 6; c++) {
        const vertex_attributes *x = &a.attributes[a.corner[c]], *y = &b.attributes[b.corner[c]];
        cr_assert_eq(memcmp(&x->tx, &y->tx, 3 * sizeof(float)), 0, "corner %u", c);
    }
}

Test(tangents, without_texture_coordinates_are_any_perpendicular)
{
    const float v[4][5] = {{0, 0, 0, 0, 0}, {1, 0, 0, 0, 0}, {1, 1, 0, 0, 0}, {5, 5, 5, 0, 0}};
    const uint32_t corner[3] = {0, 1, 2};
    mesh_source m = mesh_of(4, v, 1, corner); // the fourth vertex is in no triangle
    for (uint32_t i = 0; i < 4; i++) {
        const vertex_attributes *a = &m.attributes[i];
        cr_assert_float_eq(a->tx * a->tx + a->ty * a->ty + a->tz * a->tz, 1.0f, 1e-6);
        cr_assert_eq(a->tz, 0.0f);
        cr_assert_eq(fabsf(m.tangent_w[i]), 1.0f);
    }
}

Test(tangents, of_an_empty_mesh)
{
    mesh_source m = mesh_of(0, NULL, 0, NULL);
    cr_assert_eq(m.vertex_count, 0);
}

Test(tangents, of_random_soup_are_unit_and_finite)
{
    // Few places, so that edges, vertices and whole triangles coincide; huge and tiny coordinates.
    enum { VERTICES = 300, TRIANGLES = 2000 };
    static float v[VERTICES][5];
    static uint32_t corner[TRIANGLES * 3];
    static const float coordinates[] = {0, 1, -1, 2, 1e-30f, 1e30f, -0.0f, 3e38f};
    uint32_t seed = 7;
    for (int range = 3; range <= 8; range++) {
        for (int i = 0; i < VERTICES; i++)
            for (int k = 0; k < 5; k++)
                v[i][k] = coordinates[next_random(&seed) % (uint32_t)range];
        for (int i = 0; i < TRIANGLES * 3; i++)
            corner[i] = next_random(&seed) % VERTICES;
        mesh_source m = mesh_of(VERTICES, (const float(*)[5])v, TRIANGLES, corner);
        for (uint32_t i = 0; i < m.vertex_count; i++) {
            const vertex_attributes *a = &m.attributes[i];
            const float length = a->tx * a->tx + a->ty * a->ty + a->tz * a->tz;
            cr_assert(length > 0.999f && length < 1.001f, "vertex %u: %g", i, (double)length);
            cr_assert_eq(fabsf(m.tangent_w[i]), 1.0f);
        }
        for (uint32_t c = 0; c < TRIANGLES * 3; c++)
            cr_assert_lt(m.corner[c], m.vertex_count);
    }
}

Test(tangents, of_hostile_fans_take_linear_time, .timeout = 60)
{
    // All triangles at one vertex, all over one edge, and all at one vertex without shared edges.
    enum { TRIANGLES = 200000 };
    for (int kind = 0; kind < 3; kind++) {
        mesh_source m = {
            .name = "fan", .vertex_count = 2 * TRIANGLES + 2, .triangle_count = TRIANGLES};
        m.position = ARENA_ARRAY(&scratch, vertex_position, m.vertex_count);
        m.attributes = ARENA_ARRAY(&scratch, vertex_attributes, m.vertex_count);
        uint32_t *corner = ARENA_ARRAY(&scratch, uint32_t, TRIANGLES * 3);
        for (uint32_t i = 0; i < m.vertex_count; i++) {
            const float x = (float)i;
            m.position[i] = (vertex_position){x, x * x * 1e-6f, 0, 1};
            m.attributes[i] = (vertex_attributes){.nz = 1, .u = x, .v = (float)(i % 97)};
        }
        for (uint32_t t = 0; t < TRIANGLES; t++) {
            corner[3 * t] = 0;
            corner[3 * t + 1] = kind == 0 ? t + 1 : kind == 1 ? 1 : 2 * t + 1;
            corner[3 * t + 2] = kind == 0 ? t + 2 : kind == 1 ? t + 2 : 2 * t + 2;
        }
        m.corner = corner;
        cr_assert_eq(tangents_generate(NULL, &scratch, &m, NULL), ZT_OK);
        arena_reset(&scratch);
    }
}

static void load_primitive(const plain_gltf *g, const json_t *primitive, const char *uv_set,
                           mesh_source *m)
{
    const json_t *attributes = json_object_get(primitive, "attributes");
    const size_t position = plain_integer(attributes, "POSITION");
    const size_t normal = plain_integer(attributes, "NORMAL");
    const size_t uv = plain_integer(attributes, uv_set);
    const size_t indices = plain_integer(primitive, "indices");
    *m = (mesh_source){.name = "published",
                       .vertex_count = (uint32_t)plain_count(g, position),
                       .triangle_count = (uint32_t)plain_count(g, indices) / 3};
    m->position = ARENA_ARRAY(&scratch, vertex_position, m->vertex_count);
    m->attributes = ARENA_ARRAY(&scratch, vertex_attributes, m->vertex_count);
    uint32_t *corner = ARENA_ARRAY(&scratch, uint32_t, (size_t)m->triangle_count * 3);
    for (size_t v = 0; v < m->vertex_count; v++) {
        float p[3], n[3], t[2];
        for (size_t k = 0; k < 3; k++) {
            p[k] = (float)plain_number(g, position, v, k, 3);
            n[k] = (float)plain_number(g, normal, v, k, 3);
        }
        for (size_t k = 0; k < 2; k++)
            t[k] = (float)plain_number(g, uv, v, k, 2);
        m->position[v] = (vertex_position){p[0], p[1], p[2], 1.0f};
        m->attributes[v] = (vertex_attributes){n[0], n[1], n[2], t[0], 0, 0, 0, t[1]};
    }
    for (size_t c = 0; c < (size_t)m->triangle_count * 3; c++)
        corner[c] = (uint32_t)plain_number(g, indices, c, 0, 1);
    m->corner = corner;
}

/// Agreement of generated tangents with published ones, by corners.
typedef struct agreement {
    size_t corners, near, mirrored; ///< near: within the angle, of the same handedness
    double worst;                   ///< angle in degrees where the handedness agrees
} agreement;

/// Strips the tangents of a primitive, generates them, and compares.
static void compare_tangents(const plain_gltf *g, const json_t *primitive, const char *uv_set,
                             double degrees, agreement *sum)
{
    mesh_source m;
    load_primitive(g, primitive, uv_set, &m);
    const uint32_t *corner = m.corner;
    const size_t published = plain_integer(json_object_get(primitive, "attributes"), "TANGENT");
    cr_assert_eq(tangents_generate(NULL, &scratch, &m, NULL), ZT_OK);
    for (size_t c = 0; c < (size_t)m.triangle_count * 3; c++) {
        const vertex_attributes *a = &m.attributes[m.corner[c]];
        double t[4];
        for (size_t k = 0; k < 4; k++)
            t[k] = plain_number(g, published, corner[c], k, 4);
        const double length = sqrt(t[0] * t[0] + t[1] * t[1] + t[2] * t[2]);
        const double cosine =
            (t[0] * (double)a->tx + t[1] * (double)a->ty + t[2] * (double)a->tz) / length;
        const double angle = acos(cosine > 1.0 ? 1.0 : cosine < -1.0 ? -1.0 : cosine) * 57.29577951;
        const bool same_hand = t[3] * (double)m.tangent_w[m.corner[c]] > 0.0;
        sum->corners++;
        sum->mirrored += !same_hand;
        sum->near += same_hand && angle <= degrees;
        if (same_hand && angle > sum->worst)
            sum->worst = angle;
    }
}

static bool has_tangents(const json_t *primitive)
{
    const json_t *attributes = json_object_get(primitive, "attributes");
    return json_object_get(attributes, "TANGENT") && json_object_get(attributes, "TEXCOORD_0") &&
           json_object_get(attributes, "NORMAL") && json_object_get(primitive, "indices");
}

Test(tangents, agree_with_those_in_published_files)
{
    // The angle allows for the rounding in the files: their positions were transformed or quantised
    // after the tangents had been computed. `share` of the corners must be within it. The tangents
    // of MultiUVTest are those of its second coordinates; the second mesh of VertexColorTest has no
    // texture area.
    static const struct {
        const char *name;
        size_t meshes; ///< 0: all
        const char *uv_set;
        double degrees, share;
    } files[] = {
        {"ext/AnisotropyStrengthTest.glb", 0, "TEXCOORD_0", 0.05, 1.0},
        {"geom/VertexColorTest.glb", 1, "TEXCOORD_0", 0.01, 1.0},
        {"texture/MultiUVTest.glb", 0, "TEXCOORD_1", 0.01, 1.0},
        {"anim/blio_03_animated_cube/03_animated_cube.gltf", 0, "TEXCOORD_0", 0.01, 1.0},
        {"morph/blio_01_morphed_cube/01_morphed_cube.gltf", 0, "TEXCOORD_0", 0.01, 1.0},
    };
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        const char *path = asset_file(files[i].name);
        if (!path)
            continue;
        PLAIN_GLTF g = plain_gltf_open(path);
        agreement sum = {0};
        const json_t *meshes = json_object_get(g.root, "meshes");
        const size_t count = files[i].meshes ? files[i].meshes : json_array_size(meshes);
        for (size_t j = 0; j < count; j++) {
            const json_t *primitives = json_object_get(json_array_get(meshes, j), "primitives");
            for (size_t k = 0; k < json_array_size(primitives); k++)
                if (has_tangents(json_array_get(primitives, k)))
                    compare_tangents(&g, json_array_get(primitives, k), files[i].uv_set,
                                     files[i].degrees, &sum);
        }
        fprintf(stderr, "%s: %zu corners, %zu within %g degrees, %zu mirrored, worst %g\n",
                files[i].name, sum.corners, sum.near, files[i].degrees, sum.mirrored, sum.worst);
        cr_assert_gt(sum.corners, 0);
        cr_expect((double)sum.near >= files[i].share * (double)sum.corners, "%s", files[i].name);
    }
}
