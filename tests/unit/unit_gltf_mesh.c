// SPDX-License-Identifier: MIT
/// Meshes of glTF files made here: modes, flat normals, colours, weights, materials per primitive.

#include "gltf_fixture.h"
#include "mesh/point_line_mesh.h"

// View 0: four corners of a square in the plane z = 0, as float VEC3, then four u16 indices.
#define SQUARE                                                                                     \
    "'buffers':[{'byteLength':56}],'bufferViews':[<48>,<48+8>],'accessors':[<0 float VEC3 4>,"     \
    "<1 u16 SCALAR 4>],"

typedef struct square {
    float position[4][3];
    uint16_t index[4];
} square;

/// In the order of a strip: (0,0) (1,0) (0,1) (1,1).
static const square strip = {{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}}, {0, 1, 2, 3}};
/// In the order of a fan.
static const square fan = {{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}}, {0, 1, 2, 3}};

/// Twice the signed area in the plane z = 0, positive when counter-clockwise.
static float signed_area(const model_mesh *mesh, uint32_t triangle)
{
    const vertex_position *a = &mesh->position[gltf_corner(mesh, triangle, 0)];
    const vertex_position *b = &mesh->position[gltf_corner(mesh, triangle, 1)];
    const vertex_position *c = &mesh->position[gltf_corner(mesh, triangle, 2)];
    return (b->x - a->x) * (c->y - a->y) - (b->y - a->y) * (c->x - a->x);
}

static void check_square(const char *primitive, const square *data, uint32_t triangles)
{
    GLTF_PRINT(c, .strict = true, data, sizeof *data,
               ASSET SQUARE "'meshes':[{'primitives':[{'attributes':{'POSITION':0},%s}]}]}",
               primitive);
    const model_mesh *mesh = &c.model.meshes[0];
    cr_assert(mesh->triangle_count == triangles, "%s: %u", primitive, mesh->triangle_count);
    for (uint32_t t = 0; t < triangles; t++) {
        cr_expect(signed_area(mesh, t) == 1.0f, "%s: triangle %u has area %g", primitive, t,
                  (double)signed_area(mesh, t));
        const vertex_attributes *a = &mesh->attributes[gltf_corner(mesh, t, 0)];
        cr_expect(a->nx == 0.0f && a->ny == 0.0f && a->nz == 1.0f, "flat normals are missing");
    }
}

Test(gltf_mesh, strips_and_fans_keep_their_winding)
{
    check_square("'mode':5", &strip, 2);
    check_square("'mode':5,'indices':1", &strip, 2);
    check_square("'mode':6", &fan, 2);
    check_square("'mode':6,'indices':1", &fan, 2);
}

Test(gltf_mesh, only_the_vertices_between_smallest_and_largest_index_are_read)
{
    square data = strip;
    const uint16_t index[4] = {1, 3, 2, 1};
    memcpy(data.index, index, sizeof index);
    GLTF_MUST(c, .strict = false,
              ASSET SQUARE "'meshes':[{'primitives':[{'attributes':{'POSITION':0,'NORMAL':0},"
                           "'indices':1}]}]}",
              &data, sizeof data);
    const model_mesh *mesh = &c.model.meshes[0];
    cr_expect(mesh->triangle_count == 1 && mesh->vertex_count == 3);
    cr_expect(mesh->position[gltf_corner(mesh, 0, 0)].x == 1.0f);
    cr_expect(mesh->bounds_min[0] == 0.0f && mesh->bounds_max[1] == 1.0f);
    cr_expect(strstr(c.messages, "the last 1 of 4 corners") != NULL, "%s", c.messages);
}

/// Volume in a closed mesh that winds outwards: the sum over tetrahedra to the origin.
static double signed_volume(const model_mesh *mesh)
{
    double volume = 0.0;
    for (uint32_t t = 0; t < mesh->triangle_count; t++) {
        double p[3][3];
        for (int k = 0; k < 3; k++) {
            const vertex_position *v = &mesh->position[gltf_corner(mesh, t, k)];
            p[k][0] = (double)v->x;
            p[k][1] = (double)v->y;
            p[k][2] = (double)v->z;
        }
        volume += (p[0][0] * (p[1][1] * p[2][2] - p[1][2] * p[2][1]) +
                   p[0][1] * (p[1][2] * p[2][0] - p[1][0] * p[2][2]) +
                   p[0][2] * (p[1][0] * p[2][1] - p[1][1] * p[2][0])) /
                  6.0;
    }
    return volume;
}

/// Reads the square as a primitive of this mode.
static void read_square(gltf_case *c, const char *mode, bool indexed)
{
    gltf_case_print(c, &strip, sizeof strip,
                    ASSET SQUARE
                    "'meshes':[{'primitives':[{'attributes':{'POSITION':0},%s'mode':%s}]}]}",
                    indexed ? "'indices':1," : "", mode);
}

/// Points and lines keep their vertices, without normals that no one gave them.
Test(gltf_mesh, points_and_lines_are_primitives_of_their_kind)
{
    static const struct {
        const char *mode;
        uint32_t lines, points;
        uint8_t second[4]; ///< vertex at corner 1 of each
    } cases[] = {
        {"0", 0, 4, {0, 1, 2, 3}},
        {"1", 2, 0, {1, 3}},
        {"2", 4, 0, {1, 2, 3, 0}},
        {"3", 3, 0, {1, 2, 3}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int indexed = 0; indexed < 2; indexed++) {
            GLTF_CASE c = {.strict = true};
            read_square(&c, cases[i].mode, indexed);
            const model_mesh *mesh = &c.model.meshes[0];
            const uint32_t count = cases[i].lines + cases[i].points;
            cr_assert(mesh->triangle_count == count && mesh->vertex_count == 4);
            cr_expect(mesh->line_count == cases[i].lines && mesh->point_count == cases[i].points);
            cr_expect(c.model.triangle_count == 0 && c.model.line_count == cases[i].lines &&
                      c.model.point_count == cases[i].points);
            cr_expect(mesh->meshlets[0].kind ==
                      (cases[i].points ? PRIMITIVE_POINT : PRIMITIVE_LINE));
            cr_expect(mesh->attributes[0].nz == 0.0f);
            for (uint32_t k = 0; k < count; k++)
                cr_expect(gltf_corner(mesh, k, 1) == cases[i].second[k] &&
                              gltf_corner(mesh, k, 2) == cases[i].second[k],
                          "mode %s: %u ends at %u", cases[i].mode, k, gltf_corner(mesh, k, 1));
        }
}

/// 3.9.7: without normals unlit; without tangents no normal map; other uses get their own.
Test(gltf_mesh, materials_of_points_and_lines_follow_their_attributes)
{
    GLTF_MUST(c, .strict = true,
              ASSET SQUARE
              "'materials':[{'emissiveFactor':[0,0.5,0],'pbrMetallicRoughness':"
              "{'baseColorFactor':[0.25,0.5,1,1],'roughnessFactor':0.5}}],"
              "'meshes':[{'primitives':[{'attributes':{'POSITION':0,'NORMAL':0},'mode':0,"
              "'material':0},{'attributes':{'POSITION':0},'mode':3,'material':0},"
              "{'attributes':{'POSITION':0},'mode':5,'material':0},"
              "{'attributes':{'POSITION':0},'mode':0}]}]}",
              &strip, sizeof strip);
    const model_mesh *mesh = &c.model.meshes[0];
    cr_assert(mesh->meshlet_count == 4);
    const model_material *lit = &c.model.materials[mesh->meshlets[0].material];
    const model_material *bare = &c.model.materials[mesh->meshlets[1].material];
    const model_material *plain = &c.model.materials[mesh->meshlets[2].material];
    const model_material *none = &c.model.materials[mesh->meshlets[3].material];
    cr_expect(!lit->unlit && !plain->unlit && bare->unlit && bare->without_normals);
    cr_expect(lit->number == 0 && bare->number == 0 && plain->number == 0);
    cr_expect(bare->base_color[2] == 1.0f && bare->emissive[1] == 0.5f);
    cr_expect(lit->roughness == 0.5f && plain->roughness == 0.5f);
    cr_expect(none->unlit && none->base_color[0] == 0.2f, "the default one is grey");
    cr_expect(mesh->meshlets[2].kind == PRIMITIVE_TRIANGLE &&
              mesh->triangle_count == 4 + 3 + 2 + 4);
}

/// The corners of a unit square in the order of a strip, as points and as lines. The width is
/// 1/40 of the diagonal, sqrt(2), for few points and 1/150 for lines.
Test(gltf_mesh, points_and_lines_are_solids_of_the_stated_width)
{
    const double half = sqrt(2.0) / 300.0, section = 2.0 * half * half;
    const double point = sqrt(2.0) / 80.0;
    const struct {
        const char *mode;
        uint32_t triangles;
        double volume;
    } cases[] = {
        {"0", 4 * POINT_TRIANGLES, 4.0 * 4.0 / 3.0 * point * point * point},
        {"1", 2 * LINE_TRIANGLES, section * 2.0},
        {"2", 4 * LINE_TRIANGLES, section * (2.0 + 2.0 * sqrt(2.0))},
        {"3", 3 * LINE_TRIANGLES, section * (2.0 + sqrt(2.0))},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int indexed = 0; indexed < 2; indexed++) {
            GLTF_CASE c = {.strict = true, .only_triangles = true};
            read_square(&c, cases[i].mode, indexed);
            const model_mesh *mesh = &c.model.meshes[0];
            cr_expect(mesh->triangle_count == cases[i].triangles, "mode %s: %u triangles",
                      cases[i].mode, mesh->triangle_count);
            cr_expect(c.model.triangle_count == cases[i].triangles);
            // Positions near 1 round to 6e-8, a part in 60000 of the half width.
            const double volume = signed_volume(mesh);
            cr_expect(fabs(volume / cases[i].volume - 1.0) < 1e-3, "mode %s: volume %g, not %g",
                      cases[i].mode, volume, cases[i].volume);
        }
}

Test(gltf_mesh, solids_of_lines_without_length_and_of_lone_points_have_a_width)
{
    square data = {0};
    GLTF_CASE c = {.strict = true, .only_triangles = true};
    gltf_case_must(&c,
                   ASSET SQUARE "'meshes':[{'primitives':[{'attributes':{'POSITION':0},'mode':3},"
                                "{'attributes':{'POSITION':0},'mode':0}]}]}",
                   &data, sizeof data);
    cr_expect(c.model.meshes[0].bounds_max[0] == 0.005f &&
              c.model.meshes[0].bounds_min[2] == -0.005f);
    gltf_case_must(&c,
                   ASSET SQUARE "'meshes':[{'primitives':[{'attributes':{'POSITION':0,'NORMAL':0},"
                                "'indices':1,'mode':0}]}]}",
                   &strip, sizeof strip);
    cr_expect(c.model.meshes[0].vertex_count == 4 * 6, "normals of the file are kept, not split");
}

// Three vertices: positions, RGB colours as u8 with a stride of 4, two sets of joints and weights.
typedef struct triangle_data {
    float position[3][3];
    uint8_t color[3][4];
    uint8_t joint[2][3][4];
    float weight[2][3][4];
} triangle_data;

#define TRIANGLE                                                                                   \
    "'buffers':[{'byteLength':168}],'bufferViews':[<36>,<36+12,'byteStride':4>,<48+24>,<72+96>],"  \
    "'accessors':[<0 float VEC3 3>,<1 u8 VEC3 3,'normalized':true>,<2 u8 VEC4 3>,"                 \
    "<2+12 u8 VEC4 3>,<3 float VEC4 3>,<3+48 float VEC4 3>],"

static const triangle_data triangle = {
    {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}},
    {{255, 0, 51, 9}, {0, 255, 0, 9}, {0, 0, 255, 9}},
    {{{1, 2, 3, 4}, {1, 0, 0, 0}, {7, 7, 7, 7}}, {{5, 6, 7, 8}, {0, 0, 0, 0}, {7, 7, 7, 7}}},
    {{{0.5f, 0.1f, 0.1f, 0.1f}, {2, 0, 0, 0}, {0, 0, 0, 0}},
     {{0.2f, 0.1f, 0.3f, 0.1f}, {0, 0, 0, 0}, {0, 0, 0, 0}}},
};

Test(gltf_mesh, a_material_used_with_and_without_colors_becomes_two)
{
    GLTF_MUST(c, .strict = true,
              ASSET TRIANGLE
              "'materials':[{'name':'both'},{'name':'colored'},{'name':'plain'}],"
              "'meshes':[{'primitives':[{'attributes':{'POSITION':0},'material':0},"
              "{'attributes':{'POSITION':0,'COLOR_0':1},'material':0},"
              "{'attributes':{'POSITION':0,'COLOR_0':1},'material':1},"
              "{'attributes':{'POSITION':0},'material':2},{'attributes':{'POSITION':0}}]}]}",
              &triangle, sizeof triangle);
    cr_assert(c.model.material_count == 5);
    const uint32_t want[5] = {0, 4, 1, 2, 3};
    const bool colored[5] = {false, true, true, false, false};
    const model_mesh *mesh = &c.model.meshes[0];
    cr_assert(mesh->meshlet_count == 5 && mesh->extra != NULL);
    for (uint32_t i = 0; i < 5; i++) {
        cr_expect(mesh->meshlets[i].material == want[i]);
        cr_expect(c.model.materials[want[i]].vertex_color == colored[i]);
    }
    cr_expect_str_eq(c.model.materials[4].name, "both");
    const vertex_extra *first = &mesh->extra[gltf_corner(mesh, 1, 0)];
    cr_expect(first->r == 1.0f && first->g == 0.0f && first->b == 0.2f && first->a == 1.0f);
    cr_expect(mesh->extra[gltf_corner(mesh, 0, 0)].g == 1.0f,
              "a primitive without colours is white");
}

#define NINE_JOINTS "'nodes':[{'mesh':0,'skin':0},{},{},{},{},{},{},{},{}],"
#define SKIN        "'skins':[{'joints':[0,1,2,3,4,5,6,7,8]}],"

Test(gltf_mesh, weights_sum_to_one_the_largest_first)
{
    GLTF_MUST(c, .strict = false,
              ASSET NINE_JOINTS SKIN TRIANGLE
              "'meshes':[{'primitives':[{'attributes':{'POSITION':0,'NORMAL':0,'JOINTS_0':2,"
              "'WEIGHTS_0':4,'JOINTS_1':3,'WEIGHTS_1':5}},"
              "{'attributes':{'POSITION':0,'NORMAL':0}}]}]}",
              &triangle, sizeof triangle);
    const model_mesh *mesh = &c.model.meshes[0];
    cr_assert(mesh->joints && mesh->weights);
    const uint32_t v = gltf_corner(mesh, 0, 0);
    const uint16_t joints[8] = {1, 7, 5, 2, 3, 4, 6, 8}; // 0.5 0.3 0.2, then each of the 0.1
    const double given[8] = {0.5, 0.3, 0.2, 0.1, 0.1, 0.1, 0.1, 0.1}, sum = 1.5;
    cr_assert(mesh->joints_more && mesh->weights_more);
    for (int k = 0; k < 8; k++) {
        const float got = k < 4 ? mesh->weights[v].weight[k] : mesh->weights_more[v].weight[k - 4];
        cr_expect_eq(k < 4 ? mesh->joints[v].joint[k] : mesh->joints_more[v].joint[k - 4],
                     joints[k]);
        cr_expect(fabs((double)got - given[k] / sum) < 1e-7);
    }
    const uint32_t second = gltf_corner(mesh, 0, 1), third = gltf_corner(mesh, 0, 2);
    cr_expect(mesh->weights[second].weight[0] == 1.0f && mesh->joints[second].joint[0] == 1);
    cr_expect(mesh->weights[third].weight[0] == 1.0f && mesh->joints[third].joint[0] == 0);
    cr_expect(!strstr(c.messages, "more than 8 influences"), "%s", c.messages);
    SAYS(c.messages, "1 vertices have no weights");
    SAYS(c.messages, "some primitives have no weights and follow joint 0");
    SAYS(c.messages, "do not sum to 1");
}

Test(gltf_mesh, joints_must_exist_in_every_skin_that_is_used)
{
    gltf_expect_error(ASSET "'nodes':[{'mesh':0,'skin':0},{'mesh':0,'skin':1},{}],"
                            "'skins':[{'joints':[0,0,0,0,0,0,0,0,0]},{'joints':[0,1]}]," TRIANGLE
                            "'meshes':[{'primitives':[{'attributes':{'POSITION':0,'JOINTS_0':2,"
                            "'WEIGHTS_0':4}}]}]}",
                      &triangle, sizeof triangle, ZT_ERR_FORMAT,
                      "/nodes/1/skin: mesh 0 follows joint 4, but skin 1 has 2 joints");
}

#define MAPPED                                                                                     \
    "'images':[{" PIXEL "}],'textures':[{'source':0}],"                                            \
    "'materials':[{'normalTexture':{'index':0}}],"

// The positions of the triangle again as texture coordinates: (x, y) of each.
#define TRIANGLE_WITH_UV                                                                           \
    "'buffers':[{'byteLength':168}],'bufferViews':[<36,'byteStride':12>,<72+48>],"                 \
    "'accessors':[<0 float VEC3 3>,<0 float VEC2 3>,<1 float VEC4 3>,<float VEC2 3>],"

static void check_tangents(const char *attributes, const float want[3], bool left_handed)
{
    triangle_data data = triangle;
    const float given[4] = {0, 3, 0, -1};
    for (int i = 0; i < 3; i++)
        memcpy(data.weight[0][i], given, sizeof given);
    GLTF_PRINT(c, .strict = true, &data, sizeof data,
               ASSET MAPPED TRIANGLE_WITH_UV
               "'meshes':[{'primitives':[{'material':0,'attributes':{%s}}]}]}",
               attributes);
    cr_assert(c.model.texture_count == 1);
    const model_mesh *mesh = &c.model.meshes[0];
    cr_expect(mesh->meshlets[0].left_handed == left_handed, "%s", attributes);
    for (int k = 0; k < 3; k++) {
        const uint32_t v = gltf_corner(mesh, 0, k);
        const vertex_attributes *a = &mesh->attributes[v];
        cr_expect(fabsf(a->tx - want[0]) < 1e-6f && fabsf(a->ty - want[1]) < 1e-6f &&
                      fabsf(a->tz - want[2]) < 1e-6f,
                  "%s: %g %g %g", attributes, (double)a->tx, (double)a->ty, (double)a->tz);
        if (!strstr(attributes, "TEXCOORD_1"))
            cr_expect(a->u == mesh->position[v].x && a->v == mesh->position[v].y);
    }
}

Test(gltf_mesh, normal_maps_get_tangents_and_given_ones_are_kept)
{
    // Made ones: their bitangent points to the top of the picture, here -y.
    const float along_u[3] = {1, 0, 0}, given[3] = {0, 1, 0};
    check_tangents("'POSITION':0,'TEXCOORD_0':1", along_u, true);
    check_tangents("'POSITION':0,'NORMAL':0,'TEXCOORD_0':1,'TANGENT':2", given, true);
    check_tangents("'POSITION':0,'TEXCOORD_0':1,'TANGENT':2", along_u, true);
}

Test(gltf_mesh, tangents_follow_the_second_texture_coordinates_when_the_map_does)
{
    GLTF_MUST(c, .strict = true,
              ASSET TRIANGLE_WITH_UV
              "'images':[{" PIXEL
              "}],'textures':[{'source':0}],'materials':[{'normalTexture':{'index':0,"
              "'texCoord':1}}],'meshes':[{'primitives':[{'material':0,'attributes':"
              "{'POSITION':0,'TEXCOORD_0':3,'TEXCOORD_1':1}}]}]}",
              &triangle, sizeof triangle);
    const model_mesh *mesh = &c.model.meshes[0];
    cr_assert(mesh->extra != NULL);
    const uint32_t v = gltf_corner(mesh, 0, 2);
    cr_expect(fabsf(mesh->attributes[v].tx - 1.0f) < 1e-6f);
    cr_expect(mesh->attributes[v].v == 0.0f && mesh->extra[v].v1 == 1.0f, "the sets stay apart");
}

Test(gltf_mesh, a_missing_image_takes_its_map_with_it)
{
    GLTF_MUST(c, .strict = false,
              ASSET TRIANGLE "'images':[{'uri':'missing.png'}],'textures':[{'source':0}],"
                             "'materials':[{'normalTexture':{'index':0}}],"
                             "'meshes':[{'primitives':[{'attributes':{'POSITION':0,"
                             "'NORMAL':0},'material':0}]}]}",
              &triangle, sizeof triangle);
    cr_expect(c.model.texture_count == 0 && c.model.materials[0].normal_map.texture == -1);
    cr_expect(strstr(c.messages, "/images/0: the image is left out") != NULL, "%s", c.messages);
}

Test(gltf_mesh, meshes_over_the_same_accessors_are_stored_once)
{
    GLTF_MUST(c, .strict = true,
              ASSET SQUARE
              "'materials':[{'name':'a'},{'name':'b','normalTexture':{'index':0}}],"
              "'textures':[{}],'meshes':["
              "{'primitives':[{'attributes':{'POSITION':0},'indices':1,'mode':5}]},"
              "{'name':'twin','primitives':[{'attributes':{'POSITION':0},'indices':1,'mode':5,"
              "'material':1}]},"
              "{'primitives':[{'attributes':{'POSITION':0},'indices':1,'mode':6}]},"
              "{'primitives':[{'attributes':{'POSITION':0},'mode':5,'material':0}]},"
              "{'primitives':[{'attributes':{'POSITION':0},'indices':1,'mode':5,'material':0}]}"
              "]}",
              &strip, sizeof strip);
    const model_mesh *m = c.model.meshes;
    const bool shared[5] = {true, true, false, false, true};
    const uint32_t material[5] = {2, 1, 2, 0, 0};
    for (int i = 0; i < 5; i++) {
        cr_expect((m[i].position == m[0].position) == shared[i], "mesh %d", i);
        cr_expect((m[i].meshlet_vertex == m[0].meshlet_vertex) == shared[i], "mesh %d", i);
        cr_expect(m[i].triangle_count == 2 && m[i].meshlets[0].material == material[i],
                  "mesh %d: material %u", i, m[i].meshlets[0].material);
    }
    cr_expect_str_eq(m[1].name, "twin");
    uint64_t vertices = 0;
    for (int i = 0; i < 5; i++)
        vertices += m[i].vertex_count;
    cr_expect(c.model.triangle_count == 10 && c.model.vertex_count == vertices);
}

// The second is brushed along u: its vertices need tangents, the first's, shared, do not.
Test(gltf_mesh, meshes_share_arrays_only_when_both_or_none_need_tangents)
{
    static const struct {
        float position[4][3], uv[4][2];
    } data = {{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}}, {{0, 0}, {0, 1}, {1, 0}, {1, 1}}};
    GLTF_MUST(c, .strict = true,
              ASSET
              "'extensionsUsed':['KHR_materials_anisotropy'],'buffers':[{'byteLength':80}],"
              "'bufferViews':[<48>,<48+32>],'accessors':[<0 float VEC3 4>,<1 float VEC2 4>],"
              "'materials':[{},{'extensions':{'KHR_materials_anisotropy':"
              "{'anisotropyStrength':0.5}}}],'meshes':["
              "{'primitives':[{'attributes':{'POSITION':0,'TEXCOORD_0':1},'mode':5,'material':0}]},"
              "{'primitives':[{'attributes':{'POSITION':0,'TEXCOORD_0':1},'mode':5,'material':1}]}"
              "]}",
              &data, sizeof data);
    const model_mesh *mesh = &c.model.meshes[1];
    for (uint32_t i = 0; i < mesh->vertex_count; i++) {
        const vertex_attributes *a = &mesh->attributes[i];
        cr_expect(a->tx == 0.0f && a->ty == 1.0f && a->tz == 0.0f, "tangent %g %g %g",
                  (double)a->tx, (double)a->ty, (double)a->tz);
    }
}

// The anisotropy's texture is not there, on the second coordinates; tangents follow them.
#define MISSING_MAP                                                                                \
    "{'asset':{'version':'2.0'},'buffers':[{'byteLength':96}],'bufferViews':[<96>],"               \
    "'accessors':[<0 float VEC3 3>,<0+36 float VEC3 3>,<0+72 float VEC2 3>],"                      \
    "'textures':[{}],'materials':[{'extensions':{'KHR_materials_anisotropy':{"                     \
    "'anisotropyTexture':{'index':0,'texCoord':1}}}}],'meshes':[{'primitives':[{'attributes':{"    \
    "'POSITION':0,'NORMAL':1,'TEXCOORD_1':2},'material':0}]}],'nodes':[{'mesh':0}]}"

Test(gltf_mesh, tangents_of_a_missing_map_follow_its_coordinates)
{
    static const float bin[24] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1,
                                  0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1};
    GLTF_MUST(c, .strict = false, MISSING_MAP, bin, sizeof bin);
    const model_mesh *mesh = &c.model.meshes[0];
    cr_assert(mesh->extra);
    for (uint32_t i = 0; i < mesh->vertex_count; i++)
        cr_expect(mesh->attributes[i].tx == 1.0f && mesh->attributes[i].ty == 0.0f, "%g %g",
                  (double)mesh->attributes[i].tx, (double)mesh->attributes[i].ty);
}

/// Colours in bytes without 'normalized', which exporters write, are those with it, and a line.
Test(gltf_mesh, colours_in_bytes_without_normalized)
{
    const uint8_t bin[48] = {[36] = 255, 128, 0, 255, 255, 128, 0, 255, 255, 128, 0, 255};
    static const char *const flags[] = {",'normalized':true", ""};
    for (int i = 0; i < 2; i++) {
        GLTF_PRINT(
            c, 0, bin, sizeof bin,
            "{'asset':{'version':'2.0'},'scene':0,'scenes':[{'nodes':[0]}],'nodes':[{'mesh':0}"
            "],'buffers':[{'byteLength':48}],'bufferViews':[<36>,<36+12>],"
            "'accessors':[<0 float VEC3 3,'min':[0,0,0],'max':[0,0,0]>,"
            "{'bufferView':1,'componentType':5121,'type':'VEC4','count':3%s}],'meshes':["
            "{'primitives':[{'attributes':{'POSITION':0,'COLOR_0':1}}]}]}",
            flags[i]);
        const model_mesh *mesh = &c.model.meshes[0];
        cr_assert(mesh->extra);
        cr_expect_float_eq((double)mesh->extra[0].r, 1.0, 1e-6);
        cr_expect_float_eq((double)mesh->extra[0].g, 128.0 / 255.0, 1e-6);
        cr_expect_eq(strstr(c.messages, "without 'normalized'") != NULL, i == 1, "%s", c.messages);
    }
}

/// Maps on any two of eight sets, here of sets whose u is their number over ten.
Test(gltf_mesh, texture_coordinates_of_any_two_sets)
{
    static const struct {
        int base, emissive; // sets of the file
        double first, second;
    } cases[] = {
        {0, 1, 0.0, 0.1}, {0, 3, 0.0, 0.3}, {3, 2, 0.3, 0.2}, {2, 2, 0.0, 0.2}, {1, 2, 0.2, 0.1}};
    float bin[9 + 4 * 6] = {[3] = 1.0f, [7] = 1.0f};
    for (int set = 0; set < 4; set++)
        for (int i = 0; i < 6; i++)
            bin[9 + 6 * set + i] = 0.1f * (float)set;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        GLTF_PRINT(
            c, .strict = true, bin, sizeof bin,
            ASSET
            "'nodes':[{'mesh':0}],'images':[{" TWO_PIXELS
            "}],'textures':[{'source':0}],'materials':[{'pbrMetallicRoughness':"
            "{'baseColorTexture':{'index':0,'texCoord':%d}},'emissiveTexture':{'index':0,"
            "'texCoord':%d}}],'buffers':[{'byteLength':132}],'bufferViews':[<36>,<36+96>],"
            "'accessors':[<0 float VEC3 3,'min':[0,0,0],'max':[1,1,0]>,<1 float VEC2 3>,"
            "<1+24 float VEC2 3>,<1+48 float VEC2 3>,<1+72 float VEC2 3>],"
            "'meshes':[{'primitives':[{'material':0,'attributes':{'POSITION':0,'TEXCOORD_0':1,"
            "'TEXCOORD_1':2,'TEXCOORD_2':3,'TEXCOORD_3':4}}]}]}",
            cases[i].base, cases[i].emissive);
        const model_mesh *mesh = &c.model.meshes[0];
        const model_material *m = &c.model.materials[0];
        cr_assert(mesh->extra);
        const double got[2] = {(double)mesh->attributes[0].u, (double)mesh->extra[0].u1};
        cr_expect(fabs(got[m->base_map.uv_set] - 0.1 * cases[i].base) < 1e-6 &&
                      fabs(got[m->emissive_map.uv_set] - 0.1 * cases[i].emissive) < 1e-6 &&
                      fabs(got[0] - cases[i].first) < 1e-6 && fabs(got[1] - cases[i].second) < 1e-6,
                  "%d and %d: %g %g", cases[i].base, cases[i].emissive, got[0], got[1]);
    }
}
