// SPDX-License-Identifier: MIT
/// PLY files written here: the three encodings give one mesh; colours, texture coordinates,
/// polygons, strips and points; what is repaired and what is refused, where.
#include "model_reader.h"
#include "ply/ply.h"

READER_SUITE(ply, "x.ply");

#define XYZ          "property float x\nproperty float y\nproperty float z\n"
#define FACES(count) "element face " count "\nproperty list uchar int vertex_indices\n"
#define SQUARE       "0 0 0\n1 0 0\n1 1 0\n0 1 0\n"

Test(ply, text_of_all_kinds_of_lines)
{
    must_read("ply\r\nformat ascii 1.0\r\ncomment made here\r\nobj_info 7\r\n"
              "element vertex 4\r\nproperty float32 x\r\nproperty DOUBLE y\r\n"
              "property short z\r\nelement thing 2\r\nproperty list int float n\r\n"
              "element face 1\r\nproperty list uint8 int16 vertex_index\r\n"
              "property int flags\r\nend_header\r\n"
              "0 0. -0\r\n\r\n1 .0 0\r\n1 1e0 0\r\n0 1 0\r\n2 .5 nan\r\n0\r\n4 0 1 2 3 9");
    cr_expect(reader.model.triangle_count == 2 && reader.model.vertex_count == 4 &&
              reader.warnings == 0);
    cr_expect_eq(mesh()->attributes[0].nz, 1.0f);
    cr_expect(reader.model.nodes[0].rest.r[3] == 1.0f && reader.model.nodes[0].rest.s[0] == 1.0f);
}

static size_t put(uint8_t *to, double value, int size, bool is_float, bool big)
{
    uint64_t bits = (uint64_t)(int64_t)value;
    const float single = (float)value;
    if (is_float && size == 4)
        memcpy(&bits, &single, 4);
    if (is_float && size == 8)
        memcpy(&bits, &value, 8);
    for (int i = 0; i < size; i++)
        to[big ? size - 1 - i : i] = (uint8_t)(bits >> (8 * i));
    return (size_t)size;
}

/// The same square in both byte orders, with every type; the first byte of data is a line feed.
Test(ply, binary_in_both_orders)
{
    for (int big = 0; big < 2; big++) {
        uint8_t file[600];
        size_t size = (size_t)snprintf(
            (char *)file, sizeof file,
            "ply\nformat binary_%s_endian 1.0\nelement vertex 4\nproperty char a0\nproperty uint "
            "id\n"
            "property double x\nproperty float y\nproperty short z\nproperty ushort red\n"
            "property uchar green\nproperty float blue\n" FACES("1") "property list int uchar n\n"
                                                                     "end_header\n",
            big ? "big" : "little");
        for (int i = 0; i < 4; i++) {
            size += put(file + size, 10, 1, false, big);
            size += put(file + size, 4e9, 4, false, big);
            size += put(file + size, i == 1 || i == 2 ? 1.0 : 0.0, 8, true, big);
            size += put(file + size, i / 2, 4, true, big);
            size += put(file + size, -2, 2, false, big);
            size += put(file + size, 65535, 2, false, big);
            size += put(file + size, 0, 1, false, big);
            size += put(file + size, 0.5, 4, true, big);
        }
        size += put(file + size, 4, 1, false, big);
        for (int i = 0; i < 4; i++)
            size += put(file + size, i, 4, false, big);
        size += put(file + size, 2, 4, false, big);
        size += put(file + size, 0, 2, false, big);
        must_read_bytes(file, size);
        cr_expect(reader.model.triangle_count == 2 && mesh()->bounds_min[2] == -2.0f);
        const vertex_extra *e = &mesh()->extra[vertex_at(1, 1)];
        cr_expect(e->r == 1.0f && e->g == 0.0f && fabs((double)e->b - 0.214041) < 1e-5 &&
                  e->a == 1.0f);
        for (size_t cut = size - 1; cut > size - 20; cut--) {
            cr_expect_eq(reader_read(file, cut), ZT_ERR_FORMAT);
            cr_expect(strncmp(reader.err.message, "x.ply:", 6) == 0);
        }
    }
}

Test(ply, normals_and_texture_coordinates)
{
    must_read("ply\nformat ascii 1.0\nelement vertex 3\n" XYZ
              "property float nx\nproperty float ny\nproperty float nz\n"
              "property float s\nproperty float t\n" FACES(
                  "1") "end_header\n"
                       "0 0 0 0 0 2 0 0\n1 0 0 0 3 4 1 0\n0 1 0 0 0 1 0 .25\n3 0 1 2\n");
    const vertex_attributes *a = &mesh()->attributes[vertex_at(1, 0)];
    cr_expect(a->ny == 0.6f && a->nz == 0.8f && a->u == 1.0f && a->v == 1.0f);
    cr_expect_eq(mesh()->attributes[vertex_at(0, 1)].v, 0.75f, "v grows downwards here");
    must_warn("ply\nformat ascii 1.0\nelement vertex 3\n" XYZ
              "property float nx\nproperty float ny\nproperty float nz\n" FACES(
                  "1") "end_header\n0 0 0 0 0 0\n1 0 0 1 0 0\n0 1 0 1 0 0\n3 0 1 2\n",
              "some normals have no length");
    cr_expect_eq(mesh()->attributes[vertex_at(1, 0)].nz, 1.0f);
}

/// Corners with coordinates of their own split vertices, and so do colours of faces.
Test(ply, corners_and_faces_with_values_of_their_own)
{
    must_read("ply\nformat ascii 1.0\nelement vertex 4\n" XYZ FACES(
        "2") "property list uchar float texcoord\nend_header\n" SQUARE
             "3 0 1 2 6 0 0 1 0 1 1\n3 0 2 3 6 0 0 0.5 1 0 1\n");
    cr_expect_eq(reader.model.vertex_count, 5u);
    must_read("ply\nformat ascii 1.0\nelement vertex 4\n" XYZ FACES(
        "2") "property uchar red\nproperty uchar green\nproperty uchar blue\n"
             "end_header\n" SQUARE "3 0 1 2 255 0 0\n3 0 2 3 0 0 255\n");
    cr_expect(reader.model.vertex_count == 6 && reader.model.materials[0].vertex_color);
    cr_expect_eq(mesh()->extra[vertex_at(1, 0)].r, 1.0f);
    cr_expect_eq(mesh()->extra[vertex_at(0, 1)].b, 1.0f);
#define COLOR "property uchar red\nproperty uchar green\nproperty uchar blue\n"
#define TWO_FACES                                                                                  \
    "ply\nformat ascii 1.0\nelement vertex 3\n" XYZ COLOR FACES("2") COLOR "end_header\n"
#define BOTH  TWO_FACES "0 0 0 0 0 255\n1 0 0 0 255 0\n0 1 0 9 9 9\n3 0 1 2 255 0 0\n"
#define WHITE " 255 255 255\n"
    must_warn(BOTH "3 1 0 2 0 0 9\n", "those of faces are shown");
    cr_expect_eq(mesh()->extra[vertex_at(1, 0)].g, 0.0f);
    must_warn(BOTH "3 1 0 2 255 0 0\n", "those of vertices are shown");
    cr_expect_eq(mesh()->extra[vertex_at(1, 0)].g, 1.0f, "all faces have one colour");
    must_read(TWO_FACES "0 0 0" WHITE "1 0 0" WHITE "0 1 0" WHITE
                        "3 0 1 2 255 0 0\n3 1 0 2 255 0 0\n");
    cr_expect(mesh()->extra[vertex_at(1, 0)].g == 0.0f && reader.warnings == 0, "white: none");
    must_read("ply\nformat ascii 1.0\nelement vertex 4\n" XYZ FACES("0")
                  COLOR FACES("1") "end_header\n" SQUARE "4 0 1 2 3\n");
    cr_expect(!mesh()->extra && reader.model.triangle_count == 2, "colours of no faces");
}

/// Each face has the texture that it says, or none; the header names them in comments or without.
Test(ply, several_textures)
{
    must_warn(
        "ply\nformat ascii 1.0\ncomment TextureFile 1.tga\nTextureFile 2.tga\nmade by "
        "hand\nelement vertex 4\n" XYZ FACES(
            "3") "property list uchar float texcoord\nproperty int texnumber\nend_header\n" SQUARE
                 "3 0 1 2 6 0 0 1 0 1 1 1\n3 0 2 3 6 0 0 0 0 1 1 0\n3 0 3 1 6 0 0 0 0 1 1 -1\n",
        "1 lines of the header");
    const zt_model *m = &reader.model;
    cr_assert(mesh()->meshlet_count == 3 && m->material_count == 3 && m->texture_count == 2);
    static const int32_t textures[] = {1, 0, -1};
    for (uint32_t i = 0; i < 3; i++)
        cr_expect_eq(m->materials[mesh()->meshlets[i].material].base_map.texture, textures[i]);
}

Test(ply, strips_of_triangles)
{
    must_read("ply\nformat ascii 1.0\nelement vertex 4\n" XYZ
              "element tristrips 1\nproperty list int int vertex_indices\nend_header\n"
              "0 0 0\n1 0 0\n0 1 0\n1 1 0\n9 0 1 2 3 -1 0 1 3 -1\n");
    cr_expect_eq(reader.model.triangle_count, 3u);
    for (uint32_t v = 0; v < mesh()->vertex_count; v++)
        cr_expect_eq(mesh()->attributes[v].nz, 1.0f, "all face the same way");
}

Test(ply, points)
{
    must_read("ply\nformat ascii 1.0\nelement vertex 3\n" XYZ "end_header\n" SQUARE);
    cr_expect(reader.model.point_count == 3 && reader.model.triangle_count == 0);
    cr_expect(reader.model.materials[0].without_normals && reader.model.materials[0].unlit);
    must_warn("ply\nformat ascii 1.0\nelement vertex 3\n" XYZ
              "property float nx\nproperty float ny\nproperty float nz\nelement face 0\n"
              "end_header\n0 0 0 0 0 1\n1 inf 0 0 0 1\n0 1 0 0 0 1\n",
              "1 points are not finite");
    cr_expect(reader.model.point_count == 2 && !reader.model.materials[0].without_normals);
}

Test(ply, transparency_is_what_some_vertex_has)
{
    static const char *const alphas[] = {"255", "0", "128"};
    for (int i = 0; i < 3; i++) {
        must_read_as(
            "ply\nformat ascii 1.0\nelement vertex 3\n" XYZ "property uchar red\n"
            "property uchar green\nproperty uchar blue\nproperty uchar alpha\n" FACES(
                "1") "end_header\n0 0 0 9 9 9 %s\n1 0 0 9 9 9 %s\n0 1 0 9 9 9 %s\n3 0 1 2\n",
            alphas[i], alphas[i], alphas[i]);
        cr_expect_eq(reader.model.materials[0].alpha, i == 2 ? MODEL_BLEND : MODEL_OPAQUE);
        cr_expect_eq(mesh()->extra[0].a == 1.0f, i != 2);
    }
}

Test(ply, what_is_repaired_is_said)
{
#define HEAD "ply\nformat ascii 1.0\nelement vertex 4\n" XYZ FACES("2") "end_header\n"
    must_warn(HEAD SQUARE "3 0 1 2\n3 0 1 4\n", "1 polygons have a corner that is no vertex");
    must_warn(HEAD SQUARE "3 0 1 2\n3 0 1 -1\n", "1 polygons have a corner that is no vertex");
    must_warn(HEAD SQUARE "3 0 1 2\n2 0 1\n", "1 polygons have fewer than three corners");
    must_warn(HEAD "0 0 2e18\n1 0 0\n1 1 0\n0 1 0\n3 1 2 3\n3 0 1 2\n", "not finite");
    must_warn(HEAD "0 0 nan\n1 0 0\n1 1 0\n0 1 0\n3 1 2 3\n3 0 1 2\n", "not finite");
    cr_expect(reader.model.triangle_count == 1 && mesh()->bounds_max[2] == 0.0f);
    must_warn(HEAD SQUARE "3 0 1 2 7 7\n3 0 2 3\n", "1 lines have more values");
    must_warn("ply\nformat ascii 1.0\nend_header\n", "there are no vertices");
}

Test(ply, what_is_refused_is_told_where)
{
    must_fail(HEAD SQUARE "3 0 1 2\n", "x.ply:15:1: the file ends here (expected 2 of 'face')");
    must_fail(HEAD "0 0 \n1 0 0\n1 1 0\n0 1 0\n",
              "x.ply:10:5: the line ends here (expected a value)");
    must_fail(HEAD "0 0 x\n1 0 0\n1 1 0\n0 1 0\n", "x.ply:10:5: found 'x' (expected a number)");
    must_fail(HEAD SQUARE "300 0 1 2\n3 0 1 2\n", "x.ply:14:1: a list of 300 values");
    must_fail(HEAD SQUARE "20 0 1 2\n3 0 1 2\n", "a list of 20 values");
    must_fail(HEAD SQUARE "1.5 0 1 2\n3 0 1 2\n", "a list of 1.5 values");
    must_fail("plY\nformat text 1.0\n", "x.ply:2:8: found 'text' (expected ascii");
    must_fail("ply\nelement vertex -3\n", "x.ply:2:16: found '-3' (expected the number");
    must_fail("ply\nformat ascii 1.0\nproperty float x\n", "expected an element before");
    must_fail("ply\nformat ascii 1.0\nelement vertex 1\nproperty half x\n",
              "x.ply:4:10: found 'half' (expected a type");
    must_fail("ply\nformat ascii 1.0\nelement vertex 1\nproperty float\n",
              "x.ply:4:15: the line ends here (expected a name)");
    must_fail("ply\nformat ascii 1.0\nsurprise\n", "expected end_header");
    must_fail("ply\nend_header\n", "expected a format before it");
    must_fail("ply\nformat ascii 1.0\n", "expected end_header");
    must_fail("ply\nformat ascii 1.0\nelement vertex 1\nproperty int x\nend_header\n1\n",
              "vertices have no x, y and z");
    must_fail("ply\nformat binary_little_endian 1.0\nelement vertex 4000000000\n" XYZ
              "end_header\n",
              "4000000000 of 'vertex' cannot be in the 0 bytes that are left");
    reader.limits.triangles = 1;
    cr_expect_eq(read_text(HEAD SQUARE "3 0 1 2\n3 0 2 3\n"), ZT_ERR_LIMIT);
}

Test(ply, memory_and_cancel)
{
    static const char text[] = "ply\nformat ascii 1.0\nelement vertex 4\n" XYZ FACES(
        "2") "property list uchar float texcoord\nend_header\n" SQUARE
             "3 0 1 2 6 0 0 1 0 1 1\n3 0 2 3 6 0 0 0.5 1 0 1\n";
    must_bear_limits(text, strlen(text), 1024);
}
