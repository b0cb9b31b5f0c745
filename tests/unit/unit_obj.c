// SPDX-License-Identifier: MIT
/// OBJ and MTL files written here: indices, lines, materials and normals; what is repaired and what
/// is refused, where.
#include "model_reader.h"
#include "obj/obj.h"

READER_SUITE(obj, "x.obj");

#define SQUARE "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n"

Test(obj, faces_of_every_form)
{
    must_read("# made here\r\no a b \r\nv 0 0 0 1.0\r\nv  1\t0 .0\r\n"
              "v 1 1. 0 # behind\r\nv 0 1 \\\r\n 0\r\nvt 0 0\r\nvt 1 0.25 7\r\n"
              "vn 2 3 6\r\ng x\r\nf 1//1 2//-1 3//1 \\\n4//1\r\nf -4/1/1 2/2/1 3/-2/1\r\n"
              "vp 0 0\r\nunknown words");
    cr_expect(reader.model.triangle_count == 3 && reader.warnings == 0, "%s", reader.last_warning);
    cr_expect_str_eq(mesh()->name, "a b");
    const vertex_attributes *a = &mesh()->attributes[0];
    cr_expect_lt(fabsf(7 * a->nx - 2) + fabsf(7 * a->ny - 3) + fabsf(7 * a->nz - 6), 1e-5f);
    bool seen = false;
    for (uint32_t v = 0; v < mesh()->vertex_count; v++)
        seen = seen || (mesh()->attributes[v].u == 1.0f && mesh()->attributes[v].v == 0.75f);
    cr_expect(seen, "v grows downwards here");
}

Test(obj, colours_of_vertices)
{
    must_read("v 0 0 0\nv 1 0 0 1 0 0.5\nv 0 1 0\nf 1 2 3\n");
    const vertex_extra *e = &mesh()->extra[vertex_at(1, 0)];
    cr_expect(e->r == 1.0f && e->g == 0.0f && fabs((double)e->b - 0.214041) < 1e-5);
    cr_expect_eq(mesh()->extra[vertex_at(0, 1)].g, 1.0f, "others are white");
}

/// With an alpha, and in comments of ZBrush, each block behind the vertices of its part.
Test(obj, colours_of_other_programs)
{
    must_read("v 0 0 0 1 0 0 1\nv 1 0 0 1 0 1 .5\nv 0 1 0 0 0 0 1\nf 1 2 3\n");
    const vertex_extra *e = &mesh()->extra[vertex_at(1, 0)];
    cr_expect(e->r == 1.0f && e->g == 0.0f && e->b == 1.0f && e->a == 0.5f);
    cr_expect_eq(reader.model.materials[0].alpha, MODEL_BLEND);
    must_read("v 0 9 0\nv 1 9 0\nv 0 8 0\nf 1 2 3\nv 0 0 0\nv 1 0 0\nv 0 1 0\n#MRGB 7f0000FF\n"
              "#mrgb 7fFF00ff00ff00ffff\n#The #MRGB block ends\nf 4 5 6\n");
    e = &mesh()->extra[vertex_at(1, 0)];
    cr_expect(e->r == 1.0f && e->g == 0.0f && e->b == 1.0f && e->a == 1.0f);
    cr_expect_eq(mesh()->extra[vertex_at(1, 9)].g, 1.0f, "white");
    cr_expect_eq(reader.model.materials[0].alpha, MODEL_OPAQUE);
}

/// Two triangles that meet at a right angle: of one group smooth, of none flat, without groups by
/// their angle.
Test(obj, smoothing_groups)
{
    static const struct {
        const char *before, *between;
        uint32_t vertices;
    } cases[] = {{"s 1\n", "", 4},          {"s off\n", "", 6},
                 {"s 1\n", "s 2\n", 6},     {"", "", 6},
                 {"s 0\n", "", 6},          {"s 2147483648\n", "", 4},
                 {"s 4294967294\n", "", 4}, {"s 4294967294\n", "s 4294967293\n", 6}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        must_read_as("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n%sf 1 2 3\n%sf 1 4 2\n", cases[i].before,
                     cases[i].between);
        cr_expect_eq(reader.model.vertex_count, cases[i].vertices, "case %zu: %u", i,
                     (unsigned)reader.model.vertex_count);
    }
}

Test(obj, lines_and_points)
{
    must_read(SQUARE "l 1 2 3\np 4 1\nf 1 2 3\n");
    cr_expect(reader.model.line_count == 2 && reader.model.point_count == 2 &&
              reader.model.triangle_count == 1);
    cr_expect(reader.model.material_count == 2 && reader.model.materials[1].without_normals);
    must_read("v 0 0 0\nv nan 0 0\nv 1 0 0\n");
    cr_expect_eq(reader.model.point_count, 2u, "vertices alone are points");
}

Test(obj, materials)
{
    reader.other_name = "a b.mtl";
    reader.other = "newmtl one two \nKd 1 0 0.5\nKe 0 0 1\nNs 0\nPm 0.25\nPc .5\nPcr .125\nd 0.5\n"
                   "newmtl two\nKd 0.5\nPr 0.75\nTr 0.25\nnewmtl three\nd 0\nd -halo 1\n"
                   "newmtl 4\nKd 0 0 0\nmap_Kd 1.tga\nKe 0\nmap_Ke 1.tga\nnewmtl 5\nKd 0\n"
                   "Ke 0\nnewmtl 6\nmap_Kd 1.tga\nmap_Ke 1.tga\nKd 0 1 0\nKe 0 1 0\n";
    must_read("mtllib a b.mtl\n" SQUARE "usemtl one two\nf 1 2 3\nusemtl two\nf 1 2 3\n"
              "usemtl three\nf 1 2 3\nusemtl two\nf 1 3 4\n");
    cr_assert(reader.model.material_count == 4 && reader.warnings == 0, "%s", reader.last_warning);
    const model_material *m = &reader.model.materials[1];
    cr_expect_str_eq(m->name, "one two");
    cr_expect(m->base_color[0] == 1.0f && m->base_color[1] == 0.0f);
    cr_expect(fabs((double)m->base_color[2] - 0.214041) < 1e-5 && m->emissive[2] == 1.0f);
    cr_expect(m->roughness == 1.0f && m->metallic == 0.25f && m->alpha == MODEL_BLEND);
    cr_expect(m->base_color[3] == 0.5f && m->extensions.clearcoat == 0.5f);
    cr_expect_eq(m->extensions.clearcoat_roughness, 0.125f);
    cr_expect(m[1].roughness == 0.75f && m[1].base_color[3] == 0.75f);
    cr_expect_eq(m[2].alpha, MODEL_OPAQUE);
    must_read("mtllib a b.mtl\n" SQUARE
              "usemtl 4\nf 1 2 3\nusemtl 5\nf 1 2 3\nusemtl 6\nf 1 2 4\n");
    m = reader.model.materials;
    cr_expect(m[1].base_color[0] == 1.0f && m[1].emissive_factor[0] == 1.0f, "of a map alone");
    for (int i = 2; i < 4; i++)
        cr_expect(m[i].base_color[0] == 0.0f && m[i].emissive_factor[0] == 0.0f, "%d", i);
    // Several names in a line; a blank behind a backslash belongs to a name.
    must_read("mtllib none.mtl a\\ b.mtl\n" SQUARE "usemtl two\nf 1 2 3\n");
    cr_expect(reader.warnings == 0 && reader.model.materials[1].roughness == 0.75f, "%s",
              reader.last_warning);
}

/// Libraries are looked for once, and partners of a picture before it, which is not decoded for one
/// that is missing.
Test(obj, files_that_are_looked_for)
{
    reader.other_name = "m.mtl";
    reader.other = "newmtl a\nmap_Kd b.png\nmap_d c.png\nnewmtl b\nmap_Kd b.png\nmap_d d.png\n";
    must_read("mtllib x m.mtl x m.mtl x\nmtllib m.mtl\n" SQUARE
              "usemtl a\nf 1 2 3\nusemtl b\nf 1 2 3\n");
    cr_expect_eq(reader.opened, 5, "%d: the line, x, m.mtl, c.png and d.png", reader.opened);
    cr_expect_eq(reader.warnings, 2);
    reader.other = "newmtl a\nmap_Kd 9.tga\nmap_d 1.tga\nnewmtl b\nmap_Kd 9.tga\nmap_d 2.tga\n"
                   "newmtl c\nmap_Kd c.png\nmap_d 2.tga\n";
    must_read("mtllib m.mtl\n" SQUARE "usemtl a\nf 1 2 3\nusemtl b\nf 1 2 3\nusemtl c\nf 1 2 3\n");
    cr_expect_eq(reader.opened, 5, "%d: m.mtl, each picture once, and c.png", reader.opened);
    const uint64_t map = 2 * picture_steps(&(picture){.width = 8192, .height = 8192});
    cr_expect_leq(32 * map, (uint64_t)WORK_PER_BYTE * WORK_BYTES_MIN, "of a small file");
    char many[4000] = "v 0 0 0\nmtllib 0\n";
    for (int i = 1; i < 257; i++)
        snprintf(many + strlen(many), 13, "mtllib %d\n", i);
    must_read(many);
    cr_expect_not_null(strstr(reader.model.notes[256], "of more than 256 names: \"256\""));
}

Test(obj, maps_with_options)
{
    reader.other_name = "m.mtl";
    reader.other =
        "newmtl a\nmap_Kd -clamp on -s 2 3 -o 0.5 .25 0 -colorspace sRGB.2.2 -new 1 2 3 4 -x -type "
        "a.cube no such.png\nmap_Ks x.png\nbump -bm 0.5 -y.png\nmap_Ke -o 1 2 3.png\nmap_Pr "
        "-texres 5 6\n"
        "newmtl b\nmap_Kd -new :b 1.tga\n";
    must_read("mtllib m.mtl\n" SQUARE "usemtl a\nf 1 2 3\nusemtl b\nf 1 2 3\n");
    cr_expect_eq(reader.warnings, 5);
    cr_expect_eq(reader.model.textures[0].mipmap.level[0].width, 10, "of ':b 1.tga'");
    const model_slot *slot = &reader.model.materials[1].base_map;
    cr_expect(slot->texture < 0 && slot->transformed && slot->scale[1] == 3.0f);
    cr_expect(slot->offset[0] == 0.5f && slot->offset[1] == 1.0f - 3.0f - 0.25f);
    static const char *const names[] = {"\"no such.png\"", "\"-y.png\"", "\"3.png\"", "\"6\""};
    for (int k = 0; k < 4; k++) {
        bool named = false;
        for (uint32_t i = 0; i < reader.model.note_count; i++)
            named = named || strstr(reader.model.notes[i], names[k]);
        cr_expect(named, "the rest of the line is the name: %s", names[k]);
    }
}

Test(obj, far_from_its_origin)
{
    must_read("v 500123.25 4649776.5 0\nv 500124.25 4649776.5 0\n"
              "v 500123.25 4649777.53125 0\nf 1 2 3\n");
    const float *low = mesh()->bounds_min, *high = mesh()->bounds_max;
    cr_expect(high[0] - low[0] == 1.0f && high[1] - low[1] == 1.03125f);
    cr_expect(fabs(reader.model.origin.x + (double)low[0] - 500123.25) < 1e-9);
}

Test(obj, what_is_repaired_is_said)
{
    must_warn(SQUARE "f 1 2 3\nf 1 2 5\n", "1 faces have a corner that is no vertex");
    must_warn(SQUARE "f 1 2 3\nf 0 1 2\n", "1 faces have a corner");
    must_warn(SQUARE "f 1 2 3\nf /1 2/1 3/1\n", "1 faces have a corner");
    must_warn(SQUARE "f 1 2 3\nf 1 2\nf\n", "2 faces have too few corners");
    must_warn(SQUARE "f 1/9 2/8/7 3//-5\nusemtl x\nf 1 2 4\n", "material 'x' is not defined");
    cr_expect_eq(reader.model.triangle_count, 2u,
                 "without coordinates and normals that are not there");
    must_warn(SQUARE "f 1 2 3\nmtllib none.mtl\n", "materials \"none.mtl\" not found");
    must_warn(SQUARE "f 1 2 3\nsurf 0 1 0 1 1 2 3 4\n", "free-form curves and surfaces (surf)");
    must_warn("# nothing\n", "there are no faces, lines or points");
}

Test(obj, what_is_refused_is_told_where)
{
    must_fail("v 0 0\n", "x.obj:1:6: the line ends here (expected three numbers)");
    must_fail("v 0 0 0\n\nf 1 x 3\n", "x.obj:3:5: found 'x' (expected the number of a vertex)");
    must_fail("v 0 0 0\nf 1;2 3\n", "x.obj:2:4: found ';2' (expected a blank");
    must_fail("vt x\n", "x.obj:1:4: found 'x' (expected a number)");
    reader.limits.triangles = 1;
    cr_expect_eq(read_text(SQUARE "f 1 2 3 4\n"), ZT_ERR_LIMIT);
}

Test(obj, memory_and_cancel)
{
    static const char text[] =
        "mtllib m.mtl\n" SQUARE "vt 0 0\nusemtl a\nf 1/1 2/1 3/1 4/1\ns 1\nf 1 2 3\nl 1 2\n";
    reader.other_name = "m.mtl";
    reader.other = "newmtl a\nKd 1 0 0\n";
    must_bear_limits(text, strlen(text), 1024);
}

/// By content: a line of a vertex, behind others, in a text.
Test(obj, files_without_a_suffix_are_recognised)
{
    static const struct {
        char bytes[24];
        size_t size;
        bool found;
    } cases[] = {{"v 0 0 0\n", 8, true},         {"# a\nv\t-1 0 0\n", 13, true},
                 {"o b\rv .5 0 0\r", 13, true},  {"vn 0 0 1\n", 9, false},
                 {"a v 0 0 0\n", 10, false},     {"v x 0 0\n", 8, false},
                 {"\n\0\nv 0 0 0\n", 11, false}, {"", 0, false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const file_bytes bytes = {(const uint8_t *)cases[i].bytes, cases[i].size};
        cr_expect_eq(obj_format.recognise("model", bytes, 0), cases[i].found, "%zu", i);
    }
}
