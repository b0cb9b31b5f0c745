// SPDX-License-Identifier: MIT
// Small models for golden images of shading: tangent frames, materials, colours, sidedness.
#include "models.h"
#include "shapes.h"

#include <string.h>

// Two quads with one normal map of round bumps: the left with u to the right, the right one
// mirrored (u to the left, tangent -x, w of the other sign). All bumps look raised under one light.
void mirror_tangent_build(built_model *m)
{
    enum { SIZE = 128, BUMPS = 4, CELL = SIZE / BUMPS };
    const int material = new_material(m, "bumps", 0.6, 0.58, 0.55, 0.0, 0.45);
    m->materials[material].normal_map.texture = 0;
    built_image *image = new_picture(m, "bumps_normal", SIZE, SIZE);
    for (int y = 0; y < SIZE; y++)
        for (int x = 0; x < SIZE; x++) {
            // Hemisphere of radius 0.4 cells, its rim cut at 80 degrees to stay decodable.
            const double cx = ((x % CELL) + 0.5) / CELL - 0.5, cy = ((y % CELL) + 0.5) / CELL - 0.5;
            const double r = sqrt(cx * cx + cy * cy) / 0.4;
            dvec3 n = v3(0.0, 0.0, 1.0);
            if (r < 0.98)
                n = v3(cx / 0.4, -cy / 0.4, sqrt(1.0 - r * r)); // green up: against the rows
            texel_set_bytes(image, x, y, (int)floor(n.x * 127.0 + 128.0),
                            (int)floor(n.y * 127.0 + 128.0), (int)floor(n.z * 127.0 + 128.0), 255);
        }
    built_primitive *p = new_part(m, "quads", v3(0.0, 0.0, 0.0), material, HAS_TANGENT | HAS_UV);
    shape_quad(p, v3(-1.05, 1.0, 0.0), v3(1.0, 0.0, 0.0), v3(0.0, -1.0, 0.0));
    shape_quad_uv(p, v3(0.05, 1.0, 0.0), v3(1.0, 0.0, 0.0), v3(0.0, -1.0, 0.0), 1.0, 0.0, 0.0, 1.0);
    primitive_tangents(p, true);
}

// 5 x 5 spheres: roughness 0 to 1 from left to right, metalness 0 to 1 from the top down.
void materials_build(built_model *m)
{
    enum { SIDE = 5 };
    // One mesh per sphere: meshes share no geometry in glTF, so the spheres are kept light.
    for (int row = 0; row < SIDE; row++)
        for (int column = 0; column < SIDE; column++) {
            const int material = new_material(m, "sphere", 0.9, 0.55, 0.25, row / (SIDE - 1.0),
                                              column / (SIDE - 1.0));
            const dvec3 at = v3((column - 2) * 0.5, (2 - row) * 0.5, 0.0);
            shape_ball(new_part(m, "sphere", at, material, 0), 0.21, 32, 16);
        }
}

// Left: a quad with a colour at each corner (red, green, blue, white, row by row). Right: white
// vertices and a checker of 4 x 4 fields by TEXCOORD_1; TEXCOORD_0 would show a single field.
void vertex_colors_build(built_model *m)
{
    const int plain = new_material(m, "colors", 1.0, 1.0, 1.0, 0.0, 0.9);
    const int checker = new_material(m, "second_uv", 1.0, 1.0, 1.0, 0.0, 0.9);
    m->materials[checker].base_map.texture = 0;
    m->materials[checker].base_map.uv_set = 1;
    built_image *image = new_picture(m, "checker", 16, 16);
    for (int i = 0; i < 256; i++) {
        const bool light = ((i % 16 / 4) + (i / 16 / 4)) % 2 == 0;
        memcpy(image->rgba8 + i * 4, light ? "\xf0\xe8\xd8\xff" : "\x20\x40\x70\xff", 4);
    }
    built_primitive *p = new_part(m, "quads", v3(0.0, 0.0, 0.0), plain, HAS_COLOR);
    shape_quad(p, v3(-1.05, 1.0, 0.0), v3(1.0, 0.0, 0.0), v3(0.0, -1.0, 0.0));
    static const float corners[4][4] = {{1.0f, 0.0f, 0.0f, 1.0f},
                                        {0.0f, 1.0f, 0.0f, 1.0f},
                                        {0.0f, 0.0f, 1.0f, 1.0f},
                                        {1.0f, 1.0f, 1.0f, 1.0f}};
    for (int k = 0; k < 4; k++)
        memcpy(p->vertices[k].color, corners[k], sizeof corners[k]);
    p = new_primitive(m, checker, HAS_NORMAL | HAS_UV | HAS_UV1 | HAS_COLOR);
    shape_quad(p, v3(0.05, 1.0, 0.0), v3(1.0, 0.0, 0.0), v3(0.0, -1.0, 0.0));
    for (int k = 0; k < 4; k++) {
        memcpy(p->vertices[k].uv1, p->vertices[k].uv, sizeof p->vertices[k].uv);
        p->vertices[k].uv[0] *= 0.2f;
        p->vertices[k].uv[1] *= 0.2f;
    }
}

// A sheet rolled up by 450 degrees: the front of its flat end faces +z and up.
static dvec3 curl_point(double s, double t)
{
    const double angle = t * 2.5 * MATHS_PI, radius = 0.42 - 0.22 * t;
    return v3((s - 0.5) * 0.9, 0.45 + radius * exact_cos(angle), radius * exact_sin(angle));
}

// One curled sheet twice: double-sided left; single-sided right, without the inside of the curl.
void double_sided_build(built_model *m)
{
    for (int side = 0; side < 2; side++) {
        const char *name = side == 0 ? "double_sided" : "single_sided";
        const int material =
            new_material(m, name, side == 0 ? 0.2 : 0.75, 0.45, side == 0 ? 0.7 : 0.2, 0.0, 0.6);
        m->materials[material].double_sided = side == 0;
        shape_sheet(new_part(m, name, v3(side == 0 ? -0.55 : 0.55, 0.0, 0.0), material, 0),
                    curl_point, 12, 60);
    }
}

// A solid letter F, single-sided: as it is on the left, under scale [-1, 1, 1] on the right. Both
// must be closed solids, lit alike, and the right one must read backwards.
void mirrored_instance_build(built_model *m)
{
    static const double outline[10][2] = {{0.0, 0.0},  {0.2, 0.0},  {0.2, 0.4},  {0.5, 0.4},
                                          {0.5, 0.58}, {0.2, 0.58}, {0.2, 0.82}, {0.62, 0.82},
                                          {0.62, 1.0}, {0.0, 1.0}};
    static const int triangles[8][3] = {{0, 1, 2}, {0, 2, 5}, {2, 3, 4}, {2, 4, 5},
                                        {0, 5, 6}, {0, 6, 9}, {6, 7, 8}, {6, 8, 9}};
    const int material = new_material(m, "letter", 0.75, 0.5, 0.12, 0.0, 0.4);
    const int mesh = new_mesh(m);
    built_primitive *p = new_primitive(m, material, HAS_NORMAL);
    shape_prism(p, outline, 10, triangles, 8, 0.24);
    for (int side = 0; side < 2; side++) {
        const int node = new_node(m, side == 0 ? "normal" : "mirrored", -1,
                                  v3(side == 0 ? -0.75 : 0.75, 0.0, 0.0));
        m->nodes[node].mesh = mesh;
        m->nodes[node].rest.s[0] = side == 0 ? 1.0f : -1.0f;
    }
}
