// SPDX-License-Identifier: MIT
// Points and lines in every mode and kind of material: lit and unlit, masked, blended, emissive,
// skinned and morphed; on a surface, through each other, and behind the camera.
#include "models.h"
#include "shapes.h"

#include <string.h>

static built_primitive *primitive_of(built_model *m, int material, draw_mode mode,
                                     unsigned attributes)
{
    built_primitive *p = new_primitive(m, material, attributes);
    p->mode = mode;
    return p;
}

static void add_index(built_primitive *p, uint32_t index)
{
    array_reserve((void **)&p->indices, &p->index_capacity, p->index_count + 1, sizeof index);
    p->indices[p->index_count++] = index;
}

/// Adds a vertex and its index.
static built_vertex *add_vertex(built_primitive *p, dvec3 at, dvec3 normal)
{
    const uint32_t index = primitive_vertex(p, vertex_at(at, normal, 0.0, 0.0));
    add_index(p, index);
    return &p->vertices[index];
}

static void set_color(built_vertex *v, double r, double g, double b, double a)
{
    const float color[4] = {(float)r, (float)g, (float)b, (float)a};
    memcpy(v->color, color, sizeof color);
}

/// Point k of `count` on a unit sphere, all about as far apart (a Fibonacci lattice).
static dvec3 lattice(int k, int count)
{
    const double y = 1.0 - (2.0 * k + 1.0) / count, ring = sqrt(1.0 - y * y);
    const double a = k * MATHS_PI * (3.0 - sqrt(5.0));
    return v3(ring * exact_cos(a), y, ring * exact_sin(a));
}

// A globe of points with normals, which are lit; half of them get their colours at the vertices.
// The mask cuts out every third point of the upper half.
static void globe(built_model *m)
{
    enum { COUNT = 900 };
    const int lit = new_material(m, "globe", 0.8, 0.35, 0.2, 0.0, 0.6);
    const int cut = new_material(m, "cut", 1.0, 1.0, 1.0, 0.0, 0.6);
    m->materials[cut].alpha = MODEL_MASK;
    m->materials[cut].alpha_cutoff = 0.5;
    new_mesh_node(m, "globe", -1, v3(-1.7, 0.75, 0.0));
    built_primitive *p = primitive_of(m, lit, DRAW_POINTS, HAS_NORMAL);
    for (int k = COUNT / 2; k < COUNT; k++)
        add_vertex(p, dvec3_scale(lattice(k, COUNT), 0.6), lattice(k, COUNT));
    p = primitive_of(m, cut, DRAW_POINTS, HAS_NORMAL | HAS_COLOR);
    for (int k = 0; k < COUNT / 2; k++) {
        const dvec3 n = lattice(k, COUNT);
        set_color(add_vertex(p, dvec3_scale(n, 0.6), n), 0.5 + 0.5 * n.x, 0.7, 0.5 + 0.5 * n.z,
                  k % 3 ? 1.0 : 0.25);
    }
}

// A box with its edges, and the diagonals of its faces, as lines: they lie on its surface.
static void crate(built_model *m)
{
    static const double h = 0.45;
    const int wood = new_material(m, "crate", 0.55, 0.42, 0.28, 0.0, 0.8);
    const int ink = new_material(m, "ink", 0.02, 0.02, 0.03, 0.0, 1.0);
    const int node = new_mesh_node(m, "crate", -1, v3(-0.35, 0.5, 0.0));
    quat_to_floats(quat_degrees(0.0, 25.0, 0.0), m->nodes[node].rest.r);
    shape_box(new_primitive(m, wood, HAS_NORMAL), frame_at(0.0, 0.0, 0.0), v3(h, h, h));
    built_primitive *p = primitive_of(m, ink, DRAW_LINES, 0);
    for (int a = 0; a < 8; a++)
        primitive_vertex(
            p, vertex_at(v3(a & 1 ? h : -h, a & 2 ? h : -h, a & 4 ? h : -h), v3(0, 0, 1), 0, 0));
    for (uint32_t a = 0; a < 8; a++)
        for (uint32_t b = a + 1; b < 8; b++) {
            const int steps = __builtin_popcount(a ^ b); // 1: an edge, 2: across a face
            if (steps == 1 || (steps == 2 && a == 0)) {
                add_index(p, a);
                add_index(p, b);
            }
        }
}

// A spring with colours, without normals, whose upper half a joint bends; and a ring with normals
// that a morph target turns into a star.
static void spring(built_model *m)
{
    enum { STEPS = 240, AROUND = 96 };
    const int paint = new_material(m, "spring", 1.0, 1.0, 1.0, 0.0, 1.0);
    const int steel = new_material(m, "steel", 0.7, 0.72, 0.75, 1.0, 0.35);
    const int clip = new_clip(m, "move");
    const int skin = new_mesh_node(m, "spring", -1, v3(0.0, 0.0, 0.0));
    const int lower = new_node(m, "lower", -1, v3(0.85, 0.0, 0.0));
    const int upper = new_node(m, "upper", lower, v3(0.0, 0.7, 0.0));
    m->nodes[skin].skin = 0;
    m->skeleton = lower;
    m->joints[m->joint_count++] = (built_joint){lower, v3(0.85, 0.0, 0.0)};
    m->joints[m->joint_count++] = (built_joint){upper, v3(0.85, 0.7, 0.0)};
    built_primitive *p = primitive_of(m, paint, DRAW_STRIP, HAS_COLOR | HAS_SKIN);
    for (int k = 0; k <= STEPS; k++) {
        const double t = (double)k / STEPS, a = t * 16.0 * MATHS_PI;
        built_vertex *v = add_vertex(
            p, v3(0.85 + 0.25 * exact_cos(a), 1.4 * t, 0.25 * exact_sin(a)), v3(0, 0, 1));
        set_color(v, t, 0.25 + 0.5 * fabs(2.0 * t - 1.0), 1.0 - t, 1.0);
        vertex_bends(v, 0.7, 1.4 * t);
    }
    const int ring = new_mesh_node(m, "ring", -1, v3(1.9, 0.75, 0.0));
    p = primitive_of(m, steel, DRAW_LOOP, HAS_NORMAL);
    for (int k = 0; k < AROUND; k++) {
        const double a = 2.0 * MATHS_PI * k / AROUND;
        add_vertex(p, v3(0.5 * exact_cos(a), 0.5 * exact_sin(a), 0.0),
                   v3(exact_cos(a), exact_sin(a), 0.0));
    }
    built_vertex *star = primitive_target_vertices(p, new_target(m, "star"));
    for (int k = 0; k < AROUND; k++)
        for (int axis = 0; axis < 2; axis++)
            star[k].position[axis] *= (float)(1.0 - 0.35 * (k % 16 < 8 ? k % 8 : 8 - k % 8) / 8.0);
    turn_keys(m, clip, upper, KEYS({0.0}, {1.0, 0.0, 0.0, -70.0}));
    built_channel *swell = new_channel(m, clip, ring, PATH_WEIGHTS, CURVE_LINEAR, 2);
    swell->values[1] = swell->times[1] = 1.0f;
}

// A floor of lines that pass below the camera and behind it, a mist of blended points before all,
// and sparks that add their emission to their colour.
static void surroundings(built_model *m)
{
    enum { SIDE = 12, DROPS = 160 };
    const int chalk = new_material(m, "chalk", 0.35, 0.4, 0.45, 0.0, 1.0);
    const int fog = new_material(m, "fog", 0.6, 0.75, 0.9, 0.0, 1.0);
    const int spark = new_material(m, "spark", 0.5, 0.1, 0.0, 0.0, 1.0);
    const float glow[3] = {0.5f, 0.5f, 0.1f};
    m->materials[fog].base_color[3] = 0.45f;
    m->materials[fog].alpha = MODEL_BLEND;
    memcpy(m->materials[spark].emissive, glow, sizeof glow);
    new_mesh_node(m, "surroundings", -1, v3(0.0, 0.0, 0.0));
    built_primitive *p = primitive_of(m, chalk, DRAW_LINES, 0);
    for (int k = -SIDE; k <= SIDE; k++) {
        add_vertex(p, v3(0.5 * k, 0.0, -6.0), v3(0, 1, 0));
        add_vertex(p, v3(0.5 * k, 0.0, 9.0), v3(0, 1, 0));
        add_vertex(p, v3(-6.0, 0.0, 0.5 * k), v3(0, 1, 0));
        add_vertex(p, v3(6.0, 0.0, 0.5 * k), v3(0, 1, 0));
    }
    p = primitive_of(m, fog, DRAW_POINTS, HAS_COLOR);
    for (int k = 0; k < DROPS; k++)
        set_color(add_vertex(p,
                             v3(5.0 * hash_unit(k, 0, 1) - 2.5, 1.6 * hash_unit(k, 1, 1),
                                1.0 + hash_unit(k, 2, 1)),
                             v3(0, 0, 1)),
                  1.0, 1.0, 1.0, 0.3 + 0.7 * hash_unit(k, 3, 1));
    p = primitive_of(m, spark, DRAW_POINTS, 0);
    for (int k = 0; k < 24; k++)
        add_vertex(p, v3(5.0 * k / 23.0 - 2.5, 1.65 + 0.1 * hash_unit(k, 0, 2), -0.5), v3(0, 0, 1));
}

void points_lines_build(built_model *m)
{
    globe(m);
    crate(m);
    spring(m);
    surroundings(m);
}
