// SPDX-License-Identifier: MIT
// Models with morph targets: a face, an arm whose muscle swells as it bends, and two shapes of one
// topology in separate files.
#include "models.h"
#include "shapes.h"

#include <math.h>
#include <string.h>

static double side_of(dvec3 at) { return at.x < 0.0 ? -1.0 : 1.0; }

static dvec3 smile(dvec3 at, float color[4])
{
    (void)color;
    const double side = side_of(at), w = bump(at, v3(side * 0.36, -0.38, 0.72), 0.36);
    return v3_mad(at, v3(side * 0.05, 0.13, -0.02), w);
}

static dvec3 brow(dvec3 at, float color[4])
{
    (void)color;
    const double side = side_of(at), w = bump(at, v3(side * 0.27, 0.44, 0.76), 0.27);
    return v3_mad(at, v3(side * -0.03, -0.06, 0.1), w);
}

static dvec3 jaw(dvec3 at, float color[4])
{
    (void)color;
    return v3_mad(at, v3(0.0, -0.3, 0.06), bump(at, v3(0.0, -0.9, 0.35), 0.85));
}

static dvec3 nose(dvec3 at, float color[4])
{
    (void)color;
    return v3_mad(at, v3(0.0, -0.04, 0.3), bump(at, v3(0.0, -0.02, 0.9), 0.24));
}

static dvec3 blush(dvec3 at, float color[4])
{
    const double w = bump(at, v3(side_of(at) * 0.5, -0.12, 0.7), 0.34);
    color[1] -= (float)(0.35 * w);
    color[2] -= (float)(0.3 * w);
    return at;
}

// A head with the targets smile, brow, jaw, nose and blush (colours only), and a painted mouth.
void face_build(built_model *m)
{
    const int skin = new_material(m, "skin", 0.95, 0.78, 0.62, 0.0, 0.55);
    const int white = new_material(m, "eye", 0.9, 0.9, 0.88, 0.0, 0.25);
    const int pupil = new_material(m, "pupil", 0.03, 0.04, 0.07, 0.0, 0.2);
    built_primitive *head = new_part(m, "face", v3(0.0, 0.0, 0.0), skin, HAS_COLOR);
    shape_sphere(head, frame_at(0.0, 0.0, 0.0), v3(0.85, 1.1, 0.9), 80, 60);
    for (size_t i = 0; i < head->vertex_count; i++) {
        built_vertex *v = &head->vertices[i];
        const double x = (double)v->position[0], y = (double)v->position[1] + 0.42;
        const bool mouth = v->position[2] > 0.0f && fabs(x) < 0.36 && fabs(y) < 0.045;
        const bool hair = y > 1.02 + 0.1 * (double)v->position[2];
        const float dark[3] = {0.25f, 0.05f, 0.06f}, brown[3] = {0.2f, 0.12f, 0.07f};
        if (mouth || hair)
            memcpy(v->color, mouth ? dark : brown, sizeof dark);
    }
    built_primitive *eyes = new_primitive(m, white, HAS_NORMAL);
    built_primitive *pupils = new_primitive(m, pupil, HAS_NORMAL);
    for (int side = -1; side <= 1; side += 2) {
        shape_sphere(eyes, frame_at(side * 0.29, 0.2, 0.72), v3(0.15, 0.15, 0.13), 24, 16);
        shape_sphere(pupils, frame_at(side * 0.29, 0.19, 0.82), v3(0.06, 0.06, 0.05), 16, 12);
    }
    primitive_target(head, new_target(m, "smile"), smile);
    primitive_target(head, new_target(m, "brow"), brow);
    primitive_target(head, new_target(m, "jaw"), jaw);
    primitive_target(head, new_target(m, "nose"), nose);
    primitive_target(head, new_target(m, "blush"), blush);
}

enum { ARM_RINGS = 48, ARM_AROUND = 28 };
static const double arm_radius = 0.16, arm_length = 2.0, arm_elbow = 1.0;

static dvec3 biceps(dvec3 at, float color[4])
{
    (void)color;
    return v3_mad(at, v3(-0.22, 0.0, 0.0), bump(at, v3(-0.16, 0.55, 0.0), 0.42));
}

// White and dark in stripes along it, so that a twist is visible.
static built_vertex arm_vertex(const void *user, dvec3 n, double y, int ring, int column)
{
    (void)user;
    (void)ring;
    const float dark[3] = {0.12f, 0.2f, 0.42f};
    built_vertex v = vertex_at(v3(arm_radius * n.x, y, arm_radius * n.z), n, 0.0, 0.0);
    if (column % ARM_AROUND / 2 % 2 == 0)
        memcpy(v.color, dark, sizeof dark);
    vertex_bends(&v, arm_elbow, y);
    return v;
}

// Two bones and a muscle. "curl" bends the elbow by 100 degrees while the target biceps swells
// (CUBICSPLINE, 0 to 1); "twist" rotates the forearm by 170 degrees about its own length: linear
// skinning collapses at the elbow, dual quaternions do not.
void arm_build(built_model *m)
{
    const int material = new_material(m, "arm", 0.85, 0.85, 0.85, 0.0, 0.5);
    m->materials[material].double_sided = true;
    const int mesh_node = new_limb(m, arm_elbow), lower = mesh_node + 2;
    built_primitive *p = new_primitive(m, material, HAS_NORMAL | HAS_COLOR | HAS_SKIN);
    shape_tube(p, arm_length, ARM_RINGS, ARM_AROUND, arm_vertex, NULL);
    primitive_target(p, new_target(m, "biceps"), biceps);
    const int curl = new_clip(m, "curl"), twist = new_clip(m, "twist");
    turn_keys(m, curl, lower, KEYS({0.0}, {1.0, 0.0, 0.0, 100.0}, {2.0}));
    built_channel *swell = new_channel(m, curl, mesh_node, PATH_WEIGHTS, CURVE_CUBIC, 3);
    for (int k = 0; k < 3; k++) {
        swell->values[3 * k + 1] = k == 1 ? 1.0f : 0.0f; // its tangents are 0
        swell->times[k] = (float)k;
    }
    turn_keys(m, twist, lower, KEYS({0.0}, {1.0, 0.0, 170.0, 0.0}, {2.0}));
}

// A ball drawn out into two ears and a snout.
static dvec3 beast(dvec3 at, float color[4])
{
    (void)color;
    const double side = side_of(at);
    dvec3 to = v3_mad(at, v3(side * 0.15, 0.6, 0.0), bump(at, v3(side * 0.35, 0.35, 0.0), 0.28));
    to = v3_mad(to, v3(0.0, -0.1, 0.6), bump(at, v3(0.0, -0.05, 0.5), 0.38));
    return v3(to.x, to.y, to.z * 1.1);
}

// A ball, and as a beast, without targets of their own: the scene makes one the morph target of the
// other.
void blob_build(built_model *m)
{
    const int material = new_material(m, "blob", 0.35, 0.55, 0.3, 0.0, 0.45);
    shape_ball(new_part(m, "blob", v3(0.0, 0.0, 0.0), material, 0), 0.5, 48, 32);
}

void blob_beast_build(built_model *m)
{
    blob_build(m);
    primitive_reshape(&m->primitives[0], beast);
}
