// SPDX-License-Identifier: MIT
/// STL files written here: binary and text, the colours of both conventions, what is repaired and
/// what is refused, where.
#include "base/bytes.h"
#include "model_reader.h"
#include "stl/stl.h"

READER_SUITE(stl, "x.stl");

#define TRIANGLE                                                                                   \
    "facet normal 0 0 1 outer loop vertex 0 0 0 vertex 1 0 0 vertex 0 1 0 endloop endfacet\n"
#define TWO_TRIANGLES "solid x\n" TRIANGLE TRIANGLE "endsolid x\n"

enum { TRIANGLES_MAX = 16 };

typedef struct stl_file {
    uint8_t bytes[84 + 50 * TRIANGLES_MAX];
    size_t size;
} stl_file;

static void put(uint8_t *to, float value)
{
    uint32_t bits;
    memcpy(&bits, &value, 4);
    bytes_store_u32_le(to, bits);
}

static stl_file begin_file(const char *header, uint8_t count)
{
    stl_file out = {.size = 84};
    memcpy(out.bytes, header, strlen(header));
    out.bytes[80] = count;
    return out;
}

/// A triangle at `x`, 1 by 1, that faces +z; its normal in the file is wrong.
static void add(stl_file *file, float x, uint16_t attribute)
{
    const float corners[9] = {x, 0, 0, x + 1, 0, 0, x, 1, 0};
    uint8_t *record = file->bytes + file->size;
    put(record, 1.0f);
    for (int i = 0; i < 9; i++)
        put(record + 12 + 4 * i, corners[i]);
    record[48] = (uint8_t)attribute;
    record[49] = (uint8_t)(attribute >> 8);
    file->size += 50;
}

static const vertex_extra *color_at(float x)
{
    const model_mesh *m = &reader.model.meshes[0];
    for (uint32_t v = 0; m->extra && v < m->vertex_count; v++)
        if (m->position[v].x == x && m->position[v].y == 1.0f)
            return &m->extra[v];
    cr_assert(false, "no vertex at %g has a colour", (double)x);
    return NULL;
}

static void expect_color(float x, double r, double g, double b)
{
    const vertex_extra *c = color_at(x);
    cr_expect(fabs((double)c->r - r) < 1e-5 && fabs((double)c->g - g) < 1e-5 &&
                  fabs((double)c->b - b) < 1e-5,
              "%g: %g %g %g", (double)x, (double)c->r, (double)c->g, (double)c->b);
}

Test(stl, binary_in_millimetres_with_z_up)
{
    stl_file file = begin_file("solid as some begin: a facet endsolid", 2);
    add(&file, 0, 0);
    add(&file, 5, 0);
    must_read_bytes(file.bytes, file.size);
    cr_expect(reader.model.triangle_count == 2 && reader.model.vertex_count == 6 &&
              reader.warnings == 0);
    cr_expect(reader.model.meshes[0].bounds_max[0] == 6.0f &&
              reader.model.meshes[0].bounds_max[1] == 1.0f);
    cr_expect_eq(reader.model.meshes[0].attributes[0].nz, 1.0f);
    cr_expect(reader.model.materials[0].double_sided && !reader.model.materials[0].vertex_color);
    affine world[1];
    model_place_nodes(&reader.model, NULL, world);
    const dvec3 z = world[0].m.z; // where the file's z points
    cr_expect(fabs(z.x) < 1e-9 && fabs(z.y - 0.001) < 1e-9 && fabs(z.z) < 1e-9);
}

Test(stl, text_of_any_case_and_several_solids)
{
    must_read("\r\n SOLID two words \r\nFacet\tNormal 0 0 +1E0\r\nOUTER LOOP\r\n"
              "vertex 0 0 0 vertex 2e0 0 -0\nvertex .5 1. 0\nendloop endfacet\n"
              "endsolid two words\nsolid\nfacet normal nan nan nan outer loop\n"
              "vertex 0 0 1\nvertex 1 0 1\nvertex 1 1 1\nvertex 0 1 1\nendloop\n"
              "endfacet endsolid");
    cr_expect_eq(reader.model.triangle_count, 3u, "a loop of four corners is two triangles");
    const model_mesh *m = &reader.model.meshes[0];
    const vertex_position *third = &m->position[m->meshlet_vertex[m->meshlet_corner[1][2]]];
    cr_expect(third->x == 1.0f && third->y == 1.0f && third->z == 1.0f, "its second: a fan");
    cr_expect_str_eq(reader.model.meshes[0].name, "two words");
    cr_expect(reader.model.meshes[0].bounds_max[0] == 2.0f &&
              reader.model.meshes[0].bounds_max[2] == 1.0f);
}

/// VisCAM: bit 15 says that there is a colour, blue is lowest. Magics: bit 15 says that there is
/// none, red is lowest.
Test(stl, colours_of_both_conventions)
{
    const double half = 0.229275, plain = 0.36; // 16/31 of sRGB
    stl_file file = begin_file("VisCAM", 4);
    add(&file, 0, 0x8000 | 31 << 10);
    add(&file, NAN, 0x8000 | 31 << 5); // left out, with its colour
    add(&file, 2, 0x8000 | 16);
    add(&file, 4, 31); // not valid
    must_read_bytes(file.bytes, file.size);
    cr_expect(reader.model.materials[0].vertex_color);
    expect_color(0, 1, 0, 0);
    expect_color(2, 0, 0, half);
    expect_color(4, plain, plain, plain);

    file = begin_file("Materialise: COLOR=\xff", 3);
    file.bytes[22] = 255; // alpha
    add(&file, 0, 31);
    add(&file, 2, 16 << 10);
    add(&file, 4, 0x8000); // the object's
    must_read_bytes(file.bytes, file.size);
    expect_color(0, 1, 0, 0);
    expect_color(2, 0, 0, half);
    expect_color(4, 1, 0, 0);
}

/// The caller may say what the format does not.
Test(stl, other_axes_and_units)
{
    stl_file file = begin_file("", 1);
    add(&file, 0, 0);
    reader.up = UP_Y;
    reader.unit_um = 25400;
    must_read_bytes(file.bytes, file.size);
    cr_expect(reader.model.nodes[0].rest.r[3] == 1.0f &&
              reader.model.nodes[0].rest.s[1] == 0.0254f);
}

/// Triangles of two colours have an edge between them, though they are in one plane.
Test(stl, colours_do_not_bleed)
{
    stl_file file = begin_file("", 2);
    add(&file, 0, 0x8000 | 31 << 10);
    add(&file, 0, 0x8000 | 31);
    must_read_bytes(file.bytes, file.size);
    cr_expect_eq(reader.model.vertex_count, 6u);
}

Test(stl, far_from_its_origin)
{
    stl_file file = begin_file("", 1);
    add(&file, 4600000, 0);
    must_read_bytes(file.bytes, file.size);
    cr_expect_eq(reader.model.meshes[0].bounds_min[0], -0.5f);
    cr_expect(fabs(reader.model.origin.x - 4600.0005) < 1e-9 &&
              fabs(reader.model.origin.z + 0.0005) < 1e-9);
}

Test(stl, what_is_repaired_is_said)
{
    stl_file file = begin_file("", 2);
    add(&file, 0, 0);
    add(&file, INFINITY, 0);
    must_read_bytes(file.bytes, file.size);
    cr_expect(reader.model.triangle_count == 1 &&
              strstr(reader.last_warning, "1 triangles have corners"));
    cr_assert_eq(reader_read(file.bytes, file.size - 50 + 7), ZT_ERR_FORMAT);
    file.bytes[80] = 1;
    must_read_bytes(file.bytes, file.size - 50 + 7);
    SAYS(reader.last_warning, "7 bytes behind the last triangle");
    file.bytes[80] = 0;
    must_read_bytes(file.bytes, 84 + 50);
    cr_expect(reader.model.triangle_count == 1 &&
              strstr(reader.last_warning, "says that it has 0"));
    must_read_bytes(file.bytes, 84);
    cr_expect(reader.model.mesh_count == 0 &&
              strstr(reader.last_warning, "there are no triangles"));
    must_warn("solid x\nendsolid x\n", "");
}

Test(stl, what_is_refused_is_told_where)
{
    stl_file file = begin_file("", 3);
    add(&file, 0, 0);
    cr_expect_eq(reader_read(file.bytes, file.size), ZT_ERR_FORMAT);
    cr_expect_str_eq(reader.err.message,
                     "x.stl:134: the file ends in triangle 2 of 3 (expected 50 bytes "
                     "for each behind byte 84)");
    file.bytes[83] = 255; // four billion
    cr_expect_eq(reader_read(file.bytes, file.size), ZT_ERR_FORMAT);
    must_fail("hello", "x.stl:5: the file ends in its header");
    must_fail("solid without a word of text's", "x.stl:30: the file ends in its header");
    must_fail("solid x\n\n facet normal 0 0 1\nouter loop\nvertex 0 0\nendloop endfacet",
              "x.stl:6:1: found 'endloop' (expected a number)");
    must_fail("solid x\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nendloop endfacet",
              "x.stl:5:1: found 'endloop' (expected vertex)");
    must_fail("solid x\nfacet normal 0 0 1\nouter loop\nvertex 0 0 1x\n",
              "x.stl:4:12: found '1x' (expected a number)");
    must_fail("solid x\nendsolid\nrubbish", "x.stl:3:1: found 'rubbish' (expected facet");
    reader.limits.triangles = 3;
    cr_expect_eq(read_text(TWO_TRIANGLES), ZT_OK, "less than the room for more");
    reader.limits.triangles = 1;
    cr_expect_eq(read_text(TWO_TRIANGLES), ZT_ERR_LIMIT);
    file = begin_file("", 2);
    add(&file, 0, 0);
    add(&file, 2, 0);
    must_fail_bytes(file.bytes, file.size, ZT_ERR_LIMIT, "more than 1 triangles");
}

Test(stl, memory_and_cancel)
{
    stl_file file = begin_file("", TRIANGLES_MAX);
    for (int i = 0; i < TRIANGLES_MAX; i++)
        add(&file, (float)i, 0x8001);
    must_bear_limits(file.bytes, file.size, 512);
}
