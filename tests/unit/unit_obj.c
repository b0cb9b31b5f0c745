// SPDX-License-Identifier: MIT
/// OBJ and MTL files written here: indices, lines, materials and normals; what is repaired and what
/// is refused, where.
#include "model_reader.h"
#include "obj/obj.h"
#include "testing.h"

#include <math.h>

static reader_case f;

static void setup(void) { reader_begin(&f); }
static void finish(void) { reader_finish(&f); }

TestSuite(obj, .init = setup, .fini = finish);

static zt_result read_text(const char *text)
{
    return reader_read(&f, &obj_format, "x.obj", text, strlen(text));
}

static void expect_failure(const char *text, const char *message)
{
    cr_expect_eq(read_text(text), ZT_ERR_FORMAT, "%s", text);
    cr_expect(strstr(f.err.message, message), "%s, expected %s", f.err.message, message);
}

static void expect_warning(const char *text, const char *message)
{
    cr_assert_eq(read_text(text), ZT_OK, "%s", f.err.message);
    cr_expect(f.warnings == 1 && strstr(f.last_warning, message), "%d: %s", f.warnings,
              f.last_warning);
}

#define SQUARE "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n"

static const model_mesh *mesh(void) { return &f.model.meshes[0]; }

static uint32_t vertex_at(float x, float y)
{
    for (uint32_t v = 0; v < mesh()->vertex_count; v++)
        if (mesh()->position[v].x == x && mesh()->position[v].y == y)
            return v;
    cr_assert(false, "no vertex at %g %g", (double)x, (double)y);
    return 0;
}

Test(obj, faces_of_every_form)
{
    cr_assert_eq(
        read_text("\xEF\xBB\xBF# made here\r\no a b \r\nv 0 0 0 1.0\r\nv  1\t0 .0\r\n"
                  "v 1 1. 0 # behind\r\nv 0 1 \\\r\n 0\r\nvt 0 0\r\nvt 1 0.25 7\r\n"
                  "vn 0 0 2\r\ng x\r\nf 1//1 2//-1 3//1 \\\n4//1\r\nf -4/1/1 2/2/1 3/-2/1\r\n"
                  "vp 0 0\r\nunknown words"),
        ZT_OK, "%s", f.err.message);
    cr_expect(f.model.triangle_count == 3 && f.warnings == 0, "%s", f.last_warning);
    cr_expect_str_eq(mesh()->name, "a b");
    cr_expect_eq(mesh()->attributes[0].nz, 1.0f);
    bool seen = false;
    for (uint32_t v = 0; v < mesh()->vertex_count; v++)
        seen = seen || (mesh()->attributes[v].u == 1.0f && mesh()->attributes[v].v == 0.75f);
    cr_expect(seen, "v grows downwards here");
}

Test(obj, colours_of_vertices)
{
    cr_assert_eq(read_text("v 0 0 0\nv 1 0 0 1 0 0.5\nv 0 1 0\nf 1 2 3\n"), ZT_OK);
    const vertex_extra *e = &mesh()->extra[vertex_at(1, 0)];
    cr_expect(e->r == 1.0f && e->g == 0.0f && fabs((double)e->b - 0.214041) < 1e-5);
    cr_expect_eq(mesh()->extra[vertex_at(0, 1)].g, 1.0f, "others are white");
}

/// Two triangles that meet at a right angle: of one group smooth, of none flat, without groups by
/// their angle.
Test(obj, smoothing_groups)
{
    static const struct {
        const char *before, *between;
        uint32_t vertices;
    } cases[] = {{"s 1\n", "", 4}, {"s off\n", "", 6}, {"s 1\n", "s 2\n", 6}, {"", "", 6}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[200];
        snprintf(text, sizeof text, "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n%sf 1 2 3\n%sf 1 4 2\n",
                 cases[i].before, cases[i].between);
        cr_assert_eq(read_text(text), ZT_OK);
        cr_expect_eq(f.model.vertex_count, cases[i].vertices, "case %zu: %u", i,
                     (unsigned)f.model.vertex_count);
    }
}

Test(obj, lines_and_points)
{
    cr_assert_eq(read_text(SQUARE "l 1 2 3\np 4 1\nf 1 2 3\n"), ZT_OK, "%s", f.err.message);
    cr_expect(f.model.line_count == 2 && f.model.point_count == 2 && f.model.triangle_count == 1);
    cr_expect(f.model.material_count == 2 && f.model.materials[1].without_normals);
    cr_assert_eq(read_text("v 0 0 0\nv nan 0 0\nv 1 0 0\n"), ZT_OK);
    cr_expect_eq(f.model.point_count, 2u, "vertices alone are points");
}

Test(obj, materials)
{
    f.other_name = "a b.mtl";
    f.other = "newmtl one two \nKd 1 0 0.5\nKe 0 0 1\nNs 0\nPm 0.25\nPc .5\nPcr .125\nd 0.5\n"
              "newmtl two\nKd 0.5\nPr 0.75\nTr 0.25\nnewmtl three\nd 0\nd -halo 1\n";
    cr_assert_eq(read_text("mtllib a b.mtl\n" SQUARE
                           "usemtl one two\nf 1 2 3\nusemtl two\nf 1 2 3\n"
                           "usemtl three\nf 1 2 3\nusemtl two\nf 1 3 4\n"),
                 ZT_OK, "%s", f.err.message);
    cr_assert(f.model.material_count == 4 && f.warnings == 0, "%s", f.last_warning);
    const model_material *m = &f.model.materials[1];
    cr_expect_str_eq(m->name, "one two");
    cr_expect(m->base_color[0] == 1.0f && m->base_color[1] == 0.0f);
    cr_expect(fabs((double)m->base_color[2] - 0.214041) < 1e-5 && m->emissive[2] == 1.0f);
    cr_expect(m->roughness == 1.0f && m->metallic == 0.25f && m->alpha == MODEL_BLEND);
    cr_expect(m->base_color[3] == 0.5f && m->extensions.clearcoat == 0.5f);
    cr_expect_eq(m->extensions.clearcoat_roughness, 0.125f);
    cr_expect(m[1].roughness == 0.75f && m[1].base_color[3] == 0.75f);
    cr_expect_eq(m[2].alpha, MODEL_OPAQUE);
    // Several names in a line; a blank behind a backslash belongs to a name.
    cr_assert_eq(read_text("mtllib none.mtl a\\ b.mtl\n" SQUARE "usemtl two\nf 1 2 3\n"), ZT_OK);
    cr_expect(f.warnings == 0 && f.model.materials[1].roughness == 0.75f, "%s", f.last_warning);
}

Test(obj, maps_with_options)
{
    f.other_name = "m.mtl";
    f.other = "newmtl a\nmap_Kd -clamp on -s 2 3 -o 0.5 .25 0 -mm 0 1 -type sphere no such.png\n"
              "map_Ks x.png\nbump -bm 0.5 y.png\n";
    cr_assert_eq(read_text("mtllib m.mtl\n" SQUARE "usemtl a\nf 1 2 3\n"), ZT_OK);
    cr_expect_eq(f.warnings, 3);
    const model_slot *slot = &f.model.materials[1].base_map;
    cr_expect(slot->texture < 0 && slot->transformed && slot->scale[1] == 3.0f);
    cr_expect(slot->offset[0] == 0.5f && slot->offset[1] == 1.0f - 3.0f - 0.25f);
    bool named = false;
    for (uint32_t i = 0; i < f.model.note_count; i++)
        named = named || strstr(f.model.notes[i], "\"no such.png\"");
    cr_expect(named, "the rest of the line is the name");
}

Test(obj, far_from_its_origin)
{
    cr_assert_eq(read_text("v 500123.25 4649776.5 0\nv 500124.25 4649776.5 0\n"
                           "v 500123.25 4649777.53125 0\nf 1 2 3\n"),
                 ZT_OK);
    const float *low = mesh()->bounds_min, *high = mesh()->bounds_max;
    cr_expect(high[0] - low[0] == 1.0f && high[1] - low[1] == 1.03125f);
    cr_expect(fabs(f.model.origin.x + (double)low[0] - 500123.25) < 1e-9);
}

Test(obj, what_is_repaired_is_said)
{
    expect_warning(SQUARE "f 1 2 3\nf 1 2 5\n", "1 faces have a corner that is no vertex");
    expect_warning(SQUARE "f 1 2 3\nf 0 1 2\n", "1 faces have a corner");
    expect_warning(SQUARE "f 1 2 3\nf /1 2/1 3/1\n", "1 faces have a corner");
    expect_warning(SQUARE "f 1 2 3\nf 1 2\nf\n", "2 faces have too few corners");
    expect_warning(SQUARE "f 1/9 2/8/7 3//-5\nusemtl x\nf 1 2 4\n", "material 'x' is not defined");
    cr_expect_eq(f.model.triangle_count, 2u, "without coordinates and normals that are not there");
    expect_warning(SQUARE "f 1 2 3\nmtllib none.mtl\n", "materials \"none.mtl\" not found");
    expect_warning(SQUARE "f 1 2 3\nsurf 0 1 0 1 1 2 3 4\n",
                   "free-form curves and surfaces (surf)");
    expect_warning("# nothing\n", "there are no faces, lines or points");
}

Test(obj, what_is_refused_is_told_where)
{
    expect_failure("v 0 0\n", "x.obj:1:6: the line ends here (expected three numbers)");
    expect_failure("v 0 0 0\n\nf 1 x 3\n",
                   "x.obj:3:5: found 'x' (expected the number of a vertex)");
    expect_failure("v 0 0 0\nf 1;2 3\n", "x.obj:2:4: found ';2' (expected a blank");
    expect_failure("vt x\n", "x.obj:1:4: found 'x' (expected a number)");
    expect_failure("\xff\xfev\0", "UTF-16");
    f.limits.triangles = 1;
    cr_expect_eq(read_text(SQUARE "f 1 2 3 4\n"), ZT_ERR_LIMIT);
}

/// Every amount of memory is enough, or refused with a message; and it can be cancelled.
Test(obj, memory_and_cancel)
{
    static const char text[] =
        "mtllib m.mtl\n" SQUARE "vt 0 0\nusemtl a\nf 1/1 2/1 3/1 4/1\ns 1\nf 1 2 3\nl 1 2\n";
    int refused = 0, fitted = 0;
    f.other_name = "m.mtl";
    f.other = "newmtl a\nKd 1 0 0\n";
    for (uint64_t limit = 0; limit < 200000; limit += 1024) {
        f.memory.limit = limit;
        const zt_result r = read_text(text);
        cr_assert(r == ZT_OK || r == ZT_ERR_LIMIT || r == ZT_ERR_MEMORY, "%d", (int)r);
        refused += r != ZT_OK;
        fitted += r == ZT_OK;
    }
    cr_expect(refused > 3 && fitted > 3, "%d, %d", refused, fitted);
    cancel_raise(&f.memory.cancel);
    cr_expect_eq(read_text(text), ZT_ERR_CANCELLED);
}
