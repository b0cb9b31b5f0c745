// SPDX-License-Identifier: MIT
// Small models for golden images of texturing: wrap modes, filters, mips, cut-outs.
#include "models.h"
#include "shapes.h"

// Quads with uv from -1 to 2 over an 8 x 8 picture: columns repeat, mirror, clamp; top row nearest,
// bottom row linear. The picture has no symmetry, so that a mirrored tile shows.
void wraps_build(built_model *m)
{
    static const int wraps[3] = {10497, 33648, 33071};
    for (int i = 0; i < 6; i++) {
        const int column = i % 3, row = i / 3;
        if (i == 0) {
            built_image *image = new_picture(m, "tile", 8, 8);
            for (int y = 0; y < 8; y++)
                for (int x = 0; x < 8; x++) {
                    if (x < 3 && y < 2)
                        texel_set(image, x, y, 1.0, 1.0, 1.0, 1.0);
                    else if (x == y)
                        texel_set(image, x, y, 0.1, 0.1, 0.2, 1.0);
                    else
                        texel_set(image, x, y, 0.15 + x * 0.11, 0.9 - y * 0.1,
                                  (x + y) % 2 ? 0.75 : 0.25, 1.0);
                }
        } else {
            m->texture_count++;
        }
        m->textures[i] =
            (built_texture){0, wraps[column], wraps[column], row ? 9729 : 9728, row ? 9729 : 9728};
        static const char *const names[6] = {"repeat_nearest", "mirror_nearest", "clamp_nearest",
                                             "repeat_linear",  "mirror_linear",  "clamp_linear"};
        const int material = new_material(m, names[i], 1.0, 1.0, 1.0, 0.0, 1.0);
        m->materials[material].base_map.texture = i;
        built_primitive *p =
            new_part(m, names[i], v3(column * 1.1, -row * 1.1, 0.0), material, HAS_UV);
        shape_quad_uv(p, v3(-0.5, 0.5, 0.0), v3(1.0, 0.0, 0.0), v3(0.0, -1.0, 0.0), -1.0, -1.0, 2.0,
                      2.0);
    }
}

// A blind with an arrow whose texture coordinates alone are morphed: "slide" moves them a quarter
// to the right, "turn" rotates them by 90 degrees about the middle.
void blind_build(built_model *m)
{
    built_image *image = new_picture(m, "arrow", 64, 64);
    for (int y = 0; y < 64; y++)
        for (int x = 0; x < 64; x++) {
            const int off = y < 32 ? 31 - y : y - 32; // rows from the middle
            const bool shaft = x >= 10 && x < 36 && off < 5, head = x >= 36 && x + off < 56;
            const bool frame = (x / 8 + y / 8) % 2 == 0;
            if (shaft || head)
                texel_set(image, x, y, 0.85, 0.2, 0.1, 1.0);
            else
                texel_set(image, x, y, frame ? 0.75 : 0.6, frame ? 0.78 : 0.64, 0.7, 1.0);
        }
    m->textures[0] = (built_texture){0, 10497, 10497, 9729, 9987};
    const int material = new_material(m, "blind", 1.0, 1.0, 1.0, 0.0, 1.0);
    m->materials[material].base_map.texture = 0;
    m->materials[material].double_sided = true;
    built_primitive *p = new_part(m, "blind", v3(0.0, 0.0, 0.0), material, HAS_UV);
    shape_pane(p, 0.5, 0.5);
    built_vertex *slide = primitive_target_vertices(p, new_target(m, "slide"));
    built_vertex *turn = primitive_target_vertices(p, new_target(m, "turn"));
    for (size_t i = 0; i < p->vertex_count; i++) {
        const float u = p->vertices[i].uv[0], v = p->vertices[i].uv[1];
        slide[i].uv[0] = u - 0.25f;
        turn[i].uv[0] = v;
        turn[i].uv[1] = 1.0f - u;
    }
}

// A floor of 400 m with fields of 1 m, from one metre before the origin towards -z: without mips
// the distance sparkles, with them it turns an even grey.
void mips_build(built_model *m)
{
    const int material = new_material(m, "checker", 1.0, 1.0, 1.0, 0.0, 1.0);
    m->materials[material].base_map.texture = 0;
    built_image *image = new_picture(m, "checker", 64, 64);
    for (int y = 0; y < 64; y++)
        for (int x = 0; x < 64; x++) {
            const bool light = (x / 32 + y / 32) % 2 == 0;
            texel_set(image, x, y, light ? 0.95 : 0.08, light ? 0.95 : 0.08, light ? 0.92 : 0.12,
                      1.0);
        }
    built_primitive *p = new_part(m, "floor", v3(0.0, 0.0, 0.0), material, HAS_UV);
    shape_quad_uv(p, v3(-100.0, 0.0, -399.0), v3(200.0, 0.0, 0.0), v3(0.0, 0.0, 400.0), 0.0, 0.0,
                  100.0, 200.0);
}

// Crossed cards of a leafy twig, MASK at 0.5, double-sided: clean edges, holes to look through.
void alpha_mask_build(built_model *m)
{
    enum { SIZE = 256, LEAVES = 9 };
    const int material = new_material(m, "leaves", 1.0, 1.0, 1.0, 0.0, 0.7);
    m->materials[material].base_map.texture = 0;
    m->materials[material].alpha = MODEL_MASK;
    m->materials[material].double_sided = true;
    built_image *image = new_picture(m, "leaves", SIZE, SIZE);
    m->textures[0].wrap_s = m->textures[0].wrap_t = 33071;
    for (int y = 0; y < SIZE; y++)
        for (int x = 0; x < SIZE; x++) {
            const double px = (x + 0.5) / SIZE, py = 1.0 - (y + 0.5) / SIZE;
            // Signed distances in picture units: below 0 is inside.
            double inside = maths_max(fabs(px - 0.5) - 0.012, py - 0.9);
            double vein = 1.0, shade = 0.0;
            for (int k = 0; k < LEAVES; k++) {
                const bool tip = k == LEAVES - 1;
                const double side = k % 2 ? 1.0 : -1.0, turn = tip ? 0.0 : side * 0.95;
                const double c = exact_cos(turn), s = exact_sin(turn);
                const double x0 = px - 0.5, y0 = py - (0.08 + 0.092 * k);
                const double along = x0 * s + y0 * c, across = x0 * c - y0 * s;
                const double length = tip ? 0.2 : 0.36 - 0.02 * k, t = along / length;
                const double width =
                    t > 0.0 && t < 1.0 ? 0.42 * length * (1.0 - t) * sqrt(t) : -0.01;
                const double leaf = fabs(across) - width;
                if (leaf < inside) {
                    inside = leaf;
                    vein = fabs(across) / 0.006;
                    shade = t * 0.25 + 0.1 * hash_unit(k, 7, 0);
                }
            }
            // Colour bleeds outwards so that filtering at the edge never picks up black.
            const double light = vein < 1.0 ? 0.15 : 0.0;
            const double alpha = maths_clamp(0.5 - inside * SIZE * 0.5, 0.0, 1.0);
            texel_set(image, x, y, 0.16 + shade * 0.5 + light, 0.42 + shade + light,
                      0.09 + light * 0.5, alpha);
        }
    built_primitive *p = new_part(m, "twig", v3(0.0, 0.0, 0.0), material, HAS_UV);
    for (int k = 0; k < 3; k++) {
        const double a = MATHS_PI * k / 3.0, c = exact_cos(a), s = exact_sin(a);
        shape_quad(p, v3(-0.5 * c, 1.0, 0.5 * s), v3(c, 0.0, -s), v3(0.0, -1.0, 0.0));
    }
}

// One texel of the pavement: slabs of 32 texels with rounded edges and a joint of 2 texels between
// them; of four slabs one is brass, and no two have one colour.
static void paint_slab(int x, int y, built_image *color, built_image *metal_rough,
                       built_image *normal)
{
    enum { SLAB = 32, EDGE = 6 };
    static const double colors[2][2][3] = {{{0.62, 0.30, 0.22}, {0.25, 0.42, 0.55}},
                                           {{0.95, 0.75, 0.35}, {0.55, 0.55, 0.50}}};
    const int row = y / SLAB, column = x / SLAB;
    const bool brass = row == 1 && column == 0;
    const double px = x % SLAB + 0.5 - SLAB / 2, py = y % SLAB + 0.5 - SLAB / 2;
    const double beyond_x = fabs(px) - (SLAB / 2 - EDGE), beyond_y = fabs(py) - (SLAB / 2 - EDGE);
    const bool joint = fabs(px) > SLAB / 2 - 1 || fabs(py) > SLAB / 2 - 1;
    const double grain = 0.85 + 0.15 * hash_unit(x, y, 3), *c = colors[row][column];
    texel_set(color, x, y, joint ? 0.1 : c[0] * grain, joint ? 0.1 : c[1] * grain,
              joint ? 0.1 : c[2] * grain, 1.0);
    texel_set(metal_rough, x, y, 0.0,
              joint   ? 1.0
              : brass ? 0.3
                      : 0.75,
              joint || !brass ? 0.0 : 1.0, 1.0);
    // Heights fall towards the edges; green points up the picture, against v.
    const double nx =
        beyond_x > 0.0 && !joint ? 0.8 * beyond_x / EDGE * (px > 0.0 ? 1.0 : -1.0) : 0.0;
    const double ny =
        beyond_y > 0.0 && !joint ? 0.8 * beyond_y / EDGE * (py > 0.0 ? -1.0 : 1.0) : 0.0;
    const dvec3 n = v3_unit(v3(nx, ny, 1.0));
    texel_set_normal(normal, x, y, n);
}

// A pavement with colour, metal and normals from pictures of one size, which the renderer samples
// together: magnified at the feet, through all mips to the far end.
void pavement_build(built_model *m)
{
    enum { SIDE = 64 };
    const int material = new_material(m, "slabs", 1.0, 1.0, 1.0, 1.0, 1.0);
    built_image *color = new_picture(m, "color", SIDE, SIDE);
    built_image *metal_rough = new_picture(m, "metal_rough", SIDE, SIDE);
    built_image *normal = new_picture(m, "normal", SIDE, SIDE);
    m->materials[material].base_map.texture = 0;
    m->materials[material].metal_rough_map.texture = 1;
    m->materials[material].normal_map.texture = 2;
    for (int y = 0; y < SIDE; y++)
        for (int x = 0; x < SIDE; x++)
            paint_slab(x, y, color, metal_rough, normal);
    built_primitive *p = new_part(m, "pavement", v3(0.0, 0.0, 0.0), material, HAS_TANGENT | HAS_UV);
    shape_quad_uv(p, v3(-20.0, 0.0, -39.0), v3(40.0, 0.0, 0.0), v3(0.0, 0.0, 40.0), 0.0, 0.0, 40.0,
                  40.0);
    primitive_tangents(p, true);
}
