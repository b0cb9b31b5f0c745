// SPDX-License-Identifier: MIT
// A model for golden images of transparency.
#include "models.h"
#include "shapes.h"

static int glass_material(built_model *m, const char *name, double r, double g, double b,
                          double alpha)
{
    const int material = new_material(m, name, r, g, b, 0.0, 0.4);
    m->materials[material].base_color[3] = (float)alpha;
    m->materials[material].alpha = MODEL_BLEND;
    return material;
}

/// Three panes through one axis, each partly in front of the others, around an opaque post.
static void crossed_panes(built_model *m)
{
    static const double colors[3][3] = {
        {0.8, 0.05, 0.05},
        {0.05, 0.6, 0.1},
        {0.05, 0.1, 0.8},
    };
    static const char *const names[3] = {"red", "green", "blue"};
    const int post = new_material(m, "post", 0.7, 0.65, 0.55, 0.0, 0.8);
    shape_box(new_part(m, "post", v3(0.0, 0.5, 0.0), post, 0), frame_at(0.0, 0.0, 0.0),
              v3(0.09, 0.6, 0.09));
    for (int i = 0; i < 3; i++) {
        const int material =
            glass_material(m, names[i], colors[i][0], colors[i][1], colors[i][2], 0.5);
        m->materials[material].double_sided = true;
        const double turn = MATHS_PI * (i + 0.2) / 3.0;
        const double x = exact_cos(turn), z = exact_sin(turn);
        shape_quad(new_part(m, names[i], v3(0.0, 0.5, 0.0), material, 0),
                   v3(-0.55 * x, 0.45, -0.55 * z), v3(1.1 * x, 0.0, 1.1 * z), v3(0.0, -0.9, 0.0));
    }
}

/// A double-sided bubble and a single-sided one: the first is darker.
static void bubbles(built_model *m)
{
    for (int i = 0; i < 2; i++) {
        const int material =
            glass_material(m, i == 0 ? "two_sides" : "one_side", 0.9, 0.55, 0.1, 0.4);
        m->materials[material].double_sided = i == 0;
        shape_ball(new_part(m, i == 0 ? "bubble_two" : "bubble_one", v3(1.0, 0.78 - 0.56 * i, 0.0),
                            material, 0),
                   0.26, 32, 16);
    }
}

/// Above: alpha from a texture, from 0 (left) to 1 in eight steps, with a disc. Below: alpha from
/// vertex colours, continuous, from 1 to 0.
static void ramps(built_model *m)
{
    const int textured = glass_material(m, "textured", 1.0, 1.0, 1.0, 1.0);
    const int colored = glass_material(m, "colored", 1.0, 1.0, 1.0, 1.0);
    m->materials[textured].base_map.texture = 0;
    built_image *image = new_picture(m, "steps", 64, 32);
    m->textures[0].wrap_s = m->textures[0].wrap_t = 33071;
    for (int y = 0; y < 32; y++)
        for (int x = 0; x < 64; x++) {
            const int dx = 2 * x - 63, dy = 2 * y - 31;
            const bool disc = dx * dx + dy * dy < 22 * 22;
            if (disc)
                texel_set_bytes(image, x, y, 230, 40, 40, 255);
            else
                texel_set_bytes(image, x, y, 30, 140, 200, x / 8 * 255 / 7);
        }
    shape_pane(new_part(m, "textured", v3(-1.0, 0.78, 0.0), textured, HAS_UV), 0.4, 0.22);
    built_primitive *p = new_part(m, "colored", v3(-1.0, 0.22, 0.0), colored, HAS_COLOR);
    shape_pane(p, 0.4, 0.22);
    for (size_t i = 0; i < p->vertex_count; i++) {
        built_vertex *v = &p->vertices[i];
        dvec3_to_floats(v3(0.6, 0.1, 0.7), v->color);
        v->color[3] = v->position[0] < 0.0f ? 1.0f : 0.0f;
    }
}

// Panes, bubbles and ramps of alpha in front of a striped board, and in part of nothing.
void glass_build(built_model *m)
{
    crossed_panes(m);
    bubbles(m);
    ramps(m);
    const int stripe[2] = {new_material(m, "light", 0.8, 0.8, 0.8, 0.0, 0.9),
                           new_material(m, "dark", 0.12, 0.12, 0.12, 0.0, 0.9)};
    for (int i = 0; i < 2; i++) {
        built_primitive *p = new_part(m, i ? "stripes" : "board", v3(0.0, 0.0, -0.9), stripe[i], 0);
        for (int k = 0; k < 9; k++)
            shape_quad(p, v3(-1.6, 0.02 + 0.11 * k + 0.055 * i, 0.0), v3(3.2, 0.0, 0.0),
                       v3(0.0, -0.055, 0.0));
    }
}

/// An irregular grid over the square from -1 to 1: its edges cross pixels at any position.
static dvec3 net_point(double s, double t)
{
    const double edge = s * (1.0 - s) * t * (1.0 - t);
    return v3(2.0 * s - 1.0 + 0.9 * edge * exact_sin(17.0 * t), 1.0 - 2.0 * t + 0.7 * edge, 0.0);
}

// Unlit transparent sheets at different depths, in no order, each of 98 triangles. The left half
// has an opaque background. Each half has one colour, which is easy to compute.
void veils_build(built_model *m)
{
    static const struct {
        double z, rgba[4];
    } veils[] = {
        {0.0, {0.5, 0.0, 0.0, 0.5}},   {-0.2, {0.0, 1.0, 0.25, 0.25}},
        {0.3, {1.0, 0.5, 0.0, 0.125}}, {-0.4, {0.0, 0.25, 1.0, 0.75}},
        {0.1, {0.25, 1.0, 1.0, 0.5}},
    };
    for (int i = 0; i < 5; i++) {
        const int material = glass_material(m, "veil", veils[i].rgba[0], veils[i].rgba[1],
                                            veils[i].rgba[2], veils[i].rgba[3]);
        m->materials[material].unlit = true;
        shape_sheet(new_part(m, "veil", v3(0.0, 0.0, veils[i].z), material, 0), net_point, 7, 7);
    }
    const int back = new_material(m, "back", 1.0, 1.0, 0.5, 0.0, 1.0);
    m->materials[back].unlit = true;
    shape_quad(new_part(m, "back", v3(0.0, 0.0, -0.6), back, 0), v3(-1.0, 1.0, 0.0),
               v3(1.0, 0.0, 0.0), v3(0.0, -2.0, 0.0));
}
