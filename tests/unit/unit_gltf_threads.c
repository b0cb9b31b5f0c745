// SPDX-License-Identifier: MIT
/// A mesh that is large enough to be read on several threads: every array, every meshlet and every
/// message is the same for all numbers of them, and directions are those of the plain formula.

#include "gltf_fixture.h"
#include "random_numbers.h"

enum { VERTICES = 50000, TRIANGLES = 60000 };

typedef struct wild_mesh {
    float position[VERTICES][3], normal[VERTICES][3], tangent[VERTICES][4], uv[VERTICES][2];
    uint32_t index[3 * TRIANGLES];
} wild_mesh;

#define MESH(material, attributes, use)                                                            \
    "{'asset':{'version':'2.0'},'buffers':[{'byteLength':3120000}],'bufferViews':["                \
    "<600000>,<600000+600000>,<1200000+800000>,<2000000+400000>,<2400000+720000>],"                \
    "'accessors':[<0 float VEC3 50000>,<1 float VEC3 50000>,<2 float VEC4 50000>,"                 \
    "<3 float VEC2 50000>,<4 u32 SCALAR 180000>]," material                                        \
    "'meshes':[{'primitives':[{'attributes':{'POSITION':0,'NORMAL':1," attributes                  \
    "'TEXCOORD_0':3},'indices':4" use "}]}]}"

static const char json[] = MESH("", "'TANGENT':2,", "");
/// Its tangents have to be made, for a normal map of one pixel.
static const char json_bare[] = MESH("'images':[{" PIXEL "}],'textures':[{'source':0}],"
                                     "'materials':[{'normalTexture':{'index':0}}],",
                                     "", ",'material':0");

static float next_float(uint32_t *state)
{
    return (float)(next_random(state) % 2001u) / 1000.0f - 1.0f;
}

/// Windows of vertices that move on; here and there what is no number, no direction, or mirrored.
static wild_mesh *mesh;

static void make_mesh(void)
{
    wild_mesh *m = mesh = malloc(sizeof *m);
    uint32_t seed = 11;
    cr_assert(m != NULL);
    for (int v = 0; v < VERTICES; v++) {
        for (int k = 0; k < 4; k++) {
            m->position[v][k % 3] = next_float(&seed) + (float)v;
            m->normal[v][k % 3] = v % 977 == 0 ? 0.0f : next_float(&seed);
            m->tangent[v][k] = next_float(&seed);
            m->uv[v][k % 2] = next_float(&seed);
        }
        if (v % 1999 == 7)
            memcpy(&m->position[v][v % 3], &(uint32_t){0x7fc00000u}, sizeof(float));
    }
    for (uint32_t i = 0; i < 3 * TRIANGLES; i++) {
        const uint32_t base = (uint32_t)((uint64_t)(VERTICES - 200) * i / (3 * TRIANGLES));
        m->index[i] = base + next_random(&seed) % 200;
    }
    m->index[0] = 0; // else the first vertices are not read
    m->index[1] = VERTICES - 1;
}

static void free_mesh(void) { free(mesh); }

TestSuite(gltf_threads, .init = make_mesh, .fini = free_mesh);

static void expect_equal_meshes(const model_mesh *a, const model_mesh *b, int32_t threads)
{
    cr_assert_eq(a->vertex_count, b->vertex_count, "%d threads", (int)threads);
    cr_assert_eq(a->meshlet_count, b->meshlet_count, "%d threads", (int)threads);
    cr_assert_eq(memcmp(a->position, b->position, a->vertex_count * sizeof *a->position), 0);
    cr_assert_eq(memcmp(a->attributes, b->attributes, a->vertex_count * sizeof *a->attributes), 0);
    for (uint32_t i = 0; i < a->meshlet_count; i++) {
        const meshlet *x = &a->meshlets[i], *y = &b->meshlets[i];
        cr_assert_eq(x->vertex_first, y->vertex_first);
        cr_assert_eq(x->triangle_first, y->triangle_first);
        cr_assert_eq(x->vertex_count, y->vertex_count);
        cr_assert_eq(x->triangle_count, y->triangle_count);
        cr_assert_eq(x->left_handed, y->left_handed);
        cr_assert_eq(memcmp(a->meshlet_vertex + x->vertex_first,
                            b->meshlet_vertex + y->vertex_first,
                            x->vertex_count * sizeof *a->meshlet_vertex),
                     0);
        for (int k = 0; k < 3; k++)
            cr_assert_eq(memcmp(a->meshlet_corner[k] + x->triangle_first,
                                b->meshlet_corner[k] + y->triangle_first, pad16(x->triangle_count)),
                         0);
    }
}

static void check_threads(const char *text, const gltf_case *one)
{
    static const int32_t threads[] = {2, 7, 16};
    for (size_t i = 0; i < sizeof threads / sizeof *threads; i++) {
        GLTF_MUST(many, .threads = threads[i], text, mesh, sizeof *mesh);
        expect_equal_meshes(&one->model.meshes[0], &many.model.meshes[0], threads[i]);
        cr_assert_str_eq(one->messages, many.messages);
    }
}

Test(gltf_threads, a_large_mesh_is_the_same_for_any_number_of_threads)
{
    GLTF_MUST(one, .threads = 1, json, mesh, sizeof *mesh);
    SAYS(one.messages, "infinite or not a number");
    SAYS(one.messages, "52 normals have no length");
    cr_assert_gt(one.model.meshes[0].meshlet_count, 1000u);
    check_threads(json, &one);
}

Test(gltf_threads, tangents_are_the_same_for_any_number_of_threads)
{
    GLTF_MUST(one, .threads = 1, json_bare, mesh, sizeof *mesh);
    cr_assert_gt(one.model.meshes[0].vertex_count, VERTICES, "vertices whose corners disagree");
    check_threads(json_bare, &one);
}

Test(gltf_threads, directions_are_those_of_the_plain_formula)
{
    GLTF_MUST(c, .threads = 3, json, mesh, sizeof *mesh);
    for (int v = 0; v < VERTICES; v++) {
        const vertex_attributes *a = &c.model.meshes[0].attributes[v];
        float *n = mesh->normal[v], *t = mesh->tangent[v];
        if (!vec3_normalize(n)) {
            n[0] = n[1] = 0.0f;
            n[2] = 1.0f;
        }
        vec3_normalize(t);
        cr_assert(a->nx == n[0] && a->ny == n[1] && a->nz == n[2], "normal %d", v);
        cr_assert(a->tx == t[0] && a->ty == t[1] && a->tz == t[2], "tangent %d", v);
        cr_assert(a->u == mesh->uv[v][0] && a->v == mesh->uv[v][1], "uv %d", v);
    }
}

Test(gltf_threads, a_wrong_index_is_named_anywhere)
{
    mesh->index[3 * TRIANGLES - 2] = VERTICES;
    gltf_expect_error(json, mesh, sizeof *mesh, ZT_ERR_FORMAT,
                      "index 179998 of accessor 4 is 50000, but there are 50000 vertices");
}
