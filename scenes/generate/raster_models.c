// SPDX-License-Identifier: MIT
// Small models for golden images of rasterisation: slivers, ties in depth, the near plane.
#include "models.h"
#include "shapes.h"

// A disc of 5,000 spokes (left) and a ball of 60,000 tiny triangles (right, two instances of one
// hemisphere): both must be free of holes and of pixels drawn twice. No normals: faces are flat.
void slivers_build(built_model *m)
{
    enum { SPOKES = 5000, AROUND = 240, DOWN = 63 }; // 240 + 62 x 480 = 30,000 per half
    const int disc = new_material(m, "disc", 0.2, 0.45, 0.7, 0.0, 0.7);
    const int ball = new_material(m, "ball", 0.75, 0.4, 0.15, 0.0, 0.5);
    new_mesh_node(m, "disc", -1, v3(-0.6, 0.5, 0.0));
    built_primitive *p = new_primitive(m, disc, 0);
    const uint32_t centre = primitive_vertex(p, vertex_at(v3(0.0, 0.0, 0.0), v3(0, 0, 1), 0, 0));
    for (int k = 0; k < SPOKES; k++) {
        const double a = 2.0 * MATHS_PI * k / SPOKES;
        primitive_vertex(
            p, vertex_at(v3(0.5 * exact_cos(a), 0.5 * exact_sin(a), 0.0), v3(0, 0, 1), 0.0, 0.0));
        primitive_triangle(p, centre, (uint32_t)k + 1, (uint32_t)(k + 1) % SPOKES + 1);
    }

    const int half = new_mesh(m);
    p = new_primitive(m, ball, 0);
    const uint32_t pole = primitive_vertex(p, vertex_at(v3(0.0, 0.5, 0.0), v3(0, 1, 0), 0, 0));
    for (uint32_t r = 1; r <= DOWN; r++)
        for (uint32_t k = 0; k < AROUND; k++) {
            const double polar = MATHS_PI / 2.0 * r / DOWN, a = 2.0 * MATHS_PI * k / AROUND;
            const double y = r == DOWN ? 0.0 : exact_cos(polar), ring = exact_sin(polar);
            const uint32_t next = (k + 1) % AROUND, row = 1 + (r - 1) * AROUND;
            primitive_vertex(
                p, vertex_at(v3(0.5 * ring * exact_sin(a), 0.5 * y, 0.5 * ring * exact_cos(a)),
                             v3(0, 1, 0), 0.0, 0.0));
            if (r == 1) {
                primitive_triangle(p, pole, row + k, row + next);
            } else {
                primitive_triangle(p, row - AROUND + k, row + k, row + next);
                primitive_triangle(p, row - AROUND + k, row + next, row - AROUND + next);
            }
        }
    for (int side = 0; side < 2; side++) {
        const int node = new_node(m, side == 0 ? "ball_top" : "ball_bottom", -1, v3(0.6, 0.5, 0.0));
        m->nodes[node].mesh = half;
        if (side == 1) // 180 degrees about x maps the rim onto itself, vertex by vertex
            quat_to_floats((quat){1.0, 0.0, 0.0, 0.0}, m->nodes[node].rest.r);
    }
}

// Quads at exactly the same depth that overlap: the earlier primitive wins. Seen from the front,
// red lies over green over blue over yellow, in whole areas without speckles.
void ties_build(built_model *m)
{
    static const double colors[4][3] = {
        {0.8, 0.05, 0.05}, {0.05, 0.6, 0.1}, {0.08, 0.2, 0.85}, {0.85, 0.7, 0.05}};
    static const char *const names[4] = {"red", "green", "blue", "yellow"};
    new_mesh_node(m, "quads", -1, v3(0.0, 0.0, 0.0));
    for (int k = 0; k < 4; k++) {
        const int material =
            new_material(m, names[k], colors[k][0], colors[k][1], colors[k][2], 0.0, 1.0);
        // Corners differ, but every z is the same number: depth must not depend on the triangle.
        shape_quad(new_primitive(m, material, HAS_NORMAL), v3(k * 0.25, 1.0 - k * 0.2, 0.125),
                   v3(0.7, 0.0, 0.0), v3(0.0, -0.7, 0.0));
    }
}

// A corridor of 40 m, 2.4 m wide and 2.4 m high, seen from inside (walls face inwards), centred on
// the origin: wherever the camera stands in it, triangles pass behind the near plane.
void near_plane_build(built_model *m)
{
    static const double colors[6][3] = {{0.7, 0.68, 0.62}, {0.45, 0.2, 0.15}, {0.8, 0.8, 0.8},
                                        {0.2, 0.3, 0.5},   {0.6, 0.5, 0.1},   {0.15, 0.45, 0.3}};
    static const char *const names[6] = {"left", "right", "ceiling", "floor", "far", "near"};
    const double w = 1.2, l = 20.0;
    new_mesh_node(m, "corridor", -1, v3(0.0, w, 0.0));
    const dvec3 corners[6] = {v3(-w, w, l),   v3(w, w, -l),  v3(-w, w, l),
                              v3(-w, -w, -l), v3(-w, w, -l), v3(w, w, l)};
    const dvec3 rights[6] = {v3(0, 0, -2 * l), v3(0, 0, 2 * l), v3(2 * w, 0, 0),
                             v3(2 * w, 0, 0),  v3(2 * w, 0, 0), v3(-2 * w, 0, 0)};
    const dvec3 downs[6] = {v3(0, -2 * w, 0), v3(0, -2 * w, 0), v3(0, 0, -2 * l),
                            v3(0, 0, 2 * l),  v3(0, -2 * w, 0), v3(0, -2 * w, 0)};
    for (int k = 0; k < 6; k++) {
        const int material =
            new_material(m, names[k], colors[k][0], colors[k][1], colors[k][2], 0.0, 0.9);
        shape_quad(new_primitive(m, material, HAS_NORMAL), corners[k], rights[k], downs[k]);
    }
}
