// SPDX-License-Identifier: MIT
// The models of the benchmarks that are one shape each.
#include "bench_models.h"
#include "writers.h"

#include <stdlib.h>

void ball_write(const char *folder, const char *name, int around, int down)
{
    if (around < 3 || down < 2)
        generator_fail("AROUND is at least 3, DOWN at least 2");
    built_model *m = model_create();
    const int material = new_material(m, "clay", 0.62, 0.36, 0.22, 0.0, 0.45);
    const int node = new_node(m, "ball", -1, v3(0.0, 0.0, 0.0));
    m->nodes[node].mesh = new_mesh(m);
    built_primitive *p = new_primitive(m, material, HAS_NORMAL);
    // One vertex a pole and one ring a row between them: no seam, as nothing is textured.
    const uint32_t top = primitive_vertex(p, vertex_at(v3(0, 1, 0), v3(0, 1, 0), 0.0, 0.0));
    for (int row = 1; row < down; row++) {
        const double polar = MATHS_PI * row / down;
        const double ring = exact_sin(polar), y = exact_cos(polar);
        for (int k = 0; k < around; k++) {
            const double turn = 2.0 * MATHS_PI * k / around;
            const dvec3 n = v3(exact_sin(turn) * ring, y, exact_cos(turn) * ring);
            primitive_vertex(p, vertex_at(n, n, 0.0, 0.0));
        }
    }
    const uint32_t bottom = primitive_vertex(p, vertex_at(v3(0, -1, 0), v3(0, -1, 0), 0.0, 0.0));
    const uint32_t columns = (uint32_t)around, rows = (uint32_t)down - 1;
    for (uint32_t row = 0; row <= rows; row++)
        for (uint32_t k = 0; k < columns; k++) {
            const uint32_t next = (k + 1) % columns, upper = 1 + (row - 1) * columns;
            const uint32_t lower = 1 + row * columns;
            if (row == 0) {
                primitive_triangle(p, top, 1 + k, 1 + next);
            } else if (row == rows) {
                primitive_triangle(p, upper + k, bottom, upper + next);
            } else {
                primitive_triangle(p, upper + k, lower + k, lower + next);
                primitive_triangle(p, upper + k, lower + next, upper + next);
            }
        }
    shape_write(m, folder, name);
    model_destroy(m);
}

/// Round bosses, eight by eight.
static void paint_bosses(built_image *image)
{
    for (int y = 0; y < image->height; y++)
        for (int x = 0; x < image->width; x++) {
            const double a = 16.0 * MATHS_PI * x / image->width;
            const double b = 16.0 * MATHS_PI * y / image->height;
            const dvec3 n = v3_unit(v3(0.4 * exact_sin(a), 0.4 * exact_sin(b), 1.0));
            const double value[3] = {n.x, n.y, n.z};
            uint8_t *to = image->rgba8 + 4 * ((size_t)y * (size_t)image->width + (size_t)x);
            for (int k = 0; k < 3; k++)
                to[k] = (uint8_t)((value[k] * 0.5 + 0.5) * 255.0 + 0.5);
            to[3] = 255;
        }
}

void globe_write(const char *folder, const char *name, int around, int down, bool tangents)
{
    const double flatness = 0.9; // which is why its normals are not its positions
    if (around < 3 || down < 2)
        generator_fail("AROUND is at least 3, DOWN at least 2");
    built_model *m = model_create();
    const int material = new_material(m, "globe", 0.5, 0.55, 0.6, 0.0, 0.5);
    paint_bosses(new_picture(m, "bosses", 256, 256));
    m->materials[material].normal_map.texture = 0;
    const int node = new_node(m, "globe", -1, v3(0.0, 0.0, 0.0));
    m->nodes[node].mesh = new_mesh(m);
    built_primitive *p =
        new_primitive(m, material, HAS_NORMAL | HAS_UV | (tangents ? HAS_TANGENT : 0u));
    // A grid whose first and last columns lie on one another, as do all points of a pole.
    dvec3 *column = checked_alloc((size_t)around, sizeof *column);
    for (int k = 0; k < around; k++) {
        const double turn = 2.0 * MATHS_PI * k / around;
        column[k] = v3(exact_sin(turn), 0.0, exact_cos(turn));
    }
    for (int row = 0; row <= down; row++) {
        const double polar = MATHS_PI * row / down;
        const double ring = row % down == 0 ? 0.0 : exact_sin(polar), y = exact_cos(polar);
        for (int k = 0; k <= around; k++) {
            const dvec3 out = column[k % around];
            built_vertex v = vertex_at(v3(out.x * ring, y * flatness, out.z * ring),
                                       v3_unit(v3(out.x * ring, y / flatness, out.z * ring)),
                                       (double)k / around, (double)row / down);
            v.tangent[0] = (float)out.z;
            v.tangent[2] = (float)-out.x;
            primitive_vertex(p, v);
        }
    }
    free(column);
    for (uint32_t row = 0; row < (uint32_t)down; row++)
        for (uint32_t k = 0; k < (uint32_t)around; k++) {
            const uint32_t upper = row * ((uint32_t)around + 1) + k;
            const uint32_t lower = upper + (uint32_t)around + 1;
            if (row + 1 < (uint32_t)down)
                primitive_triangle(p, upper, lower, lower + 1);
            if (row > 0)
                primitive_triangle(p, upper, lower + 1, upper + 1);
        }
    shape_write(m, folder, name);
    model_destroy(m);
}

void layers_write(const char *folder, const char *name, int count)
{
    built_model *m = model_create();
    const int node = new_node(m, "layers", -1, v3(0.0, 0.0, 0.0));
    m->nodes[node].mesh = new_mesh(m);
    for (int k = 0; k < count; k++) {
        const double part = (double)k / count;
        const int material =
            new_material(m, "layer", 0.15 + 0.5 * part, 0.55 - 0.4 * part, 0.35, 0.0, 1.0);
        m->materials[material].unlit = true;
        built_primitive *p = new_primitive(m, material, HAS_NORMAL);
        // Nearer ones are drawn later and are smaller, all of them larger than the picture.
        const double z = -1.0 + part, x = 3.5, y = 2.5;
        const double corner[4][2] = {{-x, -y}, {x, -y}, {x, y}, {-x, y}};
        for (int i = 0; i < 4; i++)
            primitive_vertex(p,
                             vertex_at(v3(corner[i][0], corner[i][1], z), v3(0, 0, 1), 0.0, 0.0));
        primitive_triangle(p, 0, 1, 2);
        primitive_triangle(p, 0, 2, 3);
    }
    glb_write(m, folder, name);
    model_destroy(m);
}
