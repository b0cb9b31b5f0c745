// SPDX-License-Identifier: MIT
// An arm in relief, whose normal map is also baked in object space: both must give the same
// picture.
#include "models.h"
#include "shapes.h"
#include "writers.h"

#include <stdlib.h>

enum { RINGS = 48, AROUND = 32, SIDE = 128 };
static const double radius = 0.2, length = 2.0, elbow = 1.0;

/// The frame of the tube at an angle: along +u, up the picture, outwards.
typedef struct tube_frame {
    dvec3 t, b, n;
} tube_frame;

static tube_frame tube_at(double u)
{
    const double a = 2.0 * MATHS_PI * u, s = exact_sin(a), c = exact_cos(a);
    return (tube_frame){v3(-c, 0.0, s), v3(0.0, 1.0, 0.0), v3(-s, 0.0, -c)};
}

static built_vertex arm_vertex(const void *user, dvec3 n, double y, int ring, int column)
{
    (void)user;
    built_vertex v = vertex_at(v3(radius * n.x, y, radius * n.z), n, (double)column / AROUND,
                               (double)ring / RINGS);
    vertex_bends(&v, elbow, y);
    return v;
}

// Waves around the arm, and studs along it.
static dvec3 relief_at(double u, double v)
{
    const double wave = 2.0 * MATHS_PI * (6.0 * v + 2.0 * u);
    const double stud = 2.0 * MATHS_PI * 8.0;
    return v3_unit(v3(0.25 * exact_cos(wave) + 0.35 * exact_sin(stud * u) * exact_cos(stud * v),
                      -0.45 * exact_cos(wave) + 0.3 * exact_cos(stud * u) * exact_sin(stud * v),
                      1.0));
}

/// Folds across the inner side of the elbow, at u = 1/4: seven waves that fade out.
static dvec3 crease_at(double u, double v)
{
    const double x = (u - 0.25) / 0.2, y = (v - 0.5) / 0.12, inside = 1.0 - x * x - y * y;
    const double slope = exact_sin(2.0 * MATHS_PI * 28.0 * (v - 0.5) * (1.0 - 0.25 * x * x));
    return v3_unit(v3(0.0, inside > 0.0 ? 1.4 * inside * slope : 0.0, 1.0));
}

// Two bones; "curl" bends the elbow by 100 degrees and back. relief_object.png has the normals of
// its map, after rounding, in the space of the mesh; relief_crease.png has folds of the elbow.
void relief_build(built_model *m)
{
    const int material = new_material(m, "relief", 0.75, 0.45, 0.3, 0.0, 0.45);
    built_image *tangent = new_picture(m, "relief", SIDE, SIDE);
    built_image object = {.width = SIDE, .height = SIDE}, crease = {.width = SIDE, .height = SIDE};
    object.rgba8 = checked_alloc((size_t)SIDE * SIDE, 4);
    crease.rgba8 = checked_alloc((size_t)SIDE * SIDE, 4);
    m->materials[material].normal_map.texture = 0;
    m->materials[material].double_sided = true;
    for (int y = 0; y < SIDE; y++)
        for (int x = 0; x < SIDE; x++) {
            const double u = (x + 0.5) / SIDE;
            texel_set_normal(tangent, x, y, relief_at(u, (y + 0.5) / SIDE));
            const uint8_t *c = texel_at(tangent, x, y);
            const tube_frame f = tube_at(u);
            dvec3 n = dvec3_scale(f.t, c[0] * (2.0 / 255.0) - 1.0);
            n = v3_mad(n, f.b, c[1] * (2.0 / 255.0) - 1.0);
            n = v3_mad(n, f.n, c[2] * (2.0 / 255.0) - 1.0);
            texel_set_normal(&object, x, y, v3_unit(n));
            texel_set_normal(&crease, x, y, crease_at(u, (y + 0.5) / SIDE));
        }
    const int lower = new_limb(m, elbow) + 2;
    built_primitive *p = new_primitive(m, material, HAS_NORMAL | HAS_UV | HAS_SKIN);
    shape_tube(p, length, RINGS, AROUND, arm_vertex, NULL);
    turn_keys(m, new_clip(m, "curl"), lower, KEYS({0.0}, {1.0, 0.0, 0.0, 100.0}, {2.0}));
    png_save(&object, m->folder, "relief_object.png");
    png_save(&crease, m->folder, "relief_crease.png");
    free(object.rgba8);
    free(crease.rgba8);
}
