// SPDX-License-Identifier: MIT
/// Shapes as models. Round ones are profiles that are rotated about y: u goes around to the right
/// as seen from outside, v from the top down.
#include "scene/shape_model.h"

#include "base/maths.h"
#include "model/model_format.h"
#include "model/model_node.h"
#include "model/single_mesh.h"

/// Quads around, and from pole to equator.
enum { AROUND = 64, ARC = 16, PROFILE_MAX = 2 * (ARC + 1) };
enum { BOX_FACES = 6 };

const char *const shape_names[4] = {[SHAPE_SPHERE] = "sphere",
                                    [SHAPE_CAPSULE] = "capsule",
                                    [SHAPE_CYLINDER] = "cylinder",
                                    [SHAPE_BOX] = "box"};

static const model_format shape_format = {.name = "shape", .noun = "a shape"};

/// A point of a profile: distance from the axis, height, normal.
typedef struct profile_point {
    double r, y, normal_r, normal_y, v;
} profile_point;

typedef struct profile {
    uint32_t count;
    profile_point point[PROFILE_MAX];
} profile;

static void add_point(profile *p, double r, double y, double normal_r, double normal_y)
{
    p->point[p->count++] = (profile_point){r, y, normal_r, normal_y, 0.0};
}

/// A quarter of a circle about (0, centre_y), from `from_deg` above the equator downwards.
static void add_arc(profile *p, double radius, double centre_y, double from_deg)
{
    for (int i = 0; i <= ARC; i++) {
        double sine, cosine;
        maths_sincos_deg(from_deg - 90.0 * i / ARC, &sine, &cosine);
        cosine = i == (from_deg > 0.0 ? 0 : ARC) ? 0.0 : cosine; // the poles
        add_point(p, radius * cosine, centre_y + radius * sine, cosine, sine);
    }
}

static profile profile_of(const shape *s)
{
    profile p = {0};
    const double half = s->height / 2.0;
    if (s->kind == SHAPE_CYLINDER) {
        add_point(&p, 0.0, half, 0.0, 1.0);
        add_point(&p, s->radius, half, 0.0, 1.0);
        add_point(&p, s->radius, half, 1.0, 0.0);
        add_point(&p, s->radius, -half, 1.0, 0.0);
        add_point(&p, s->radius, -half, 0.0, -1.0);
        add_point(&p, 0.0, -half, 0.0, -1.0);
    } else {
        const double centre = s->kind == SHAPE_CAPSULE ? half - s->radius : 0.0;
        add_arc(&p, s->radius, centre, 90.0);
        add_arc(&p, s->radius, -centre, 0.0);
    }
    for (uint32_t i = 1; i < p.count; i++) {
        const double r = p.point[i].r - p.point[i - 1].r, y = p.point[i].y - p.point[i - 1].y;
        p.point[i].v = p.point[i - 1].v + sqrt(r * r + y * y);
    }
    for (uint32_t i = 1; i < p.count; i++)
        p.point[i].v /= p.point[p.count - 1].v;
    return p;
}

/// A mesh as it is filled.
typedef struct shape_mesh {
    mesh_source source;
    uint32_t *corner, *material;
    uint32_t triangle_capacity;
} shape_mesh;

static zt_result allocate(arena *a, uint32_t vertices, uint32_t triangles, shape_mesh *out,
                          zt_error *err)
{
    *out = (shape_mesh){.triangle_capacity = triangles};
    ZT_TRY(ARENA_TAKE(a, &out->source.position, vertices, "shape", err));
    ZT_TRY(ARENA_TAKE(a, &out->source.attributes, vertices, "shape", err));
    ZT_TRY(ARENA_TAKE(a, &out->corner, 3 * (size_t)triangles, "shape", err));
    ZT_TRY(ARENA_TAKE(a, &out->material, triangles, "shape", err));
    out->source.corner = out->corner;
    out->source.material = out->material;
    return ZT_OK;
}

static void add_vertex(shape_mesh *m, dvec3 at, dvec3 normal, dvec3 tangent, double u, double v)
{
    const uint32_t i = m->source.vertex_count++;
    m->source.position[i] = (vertex_position){(float)at.x, (float)at.y, (float)at.z, 1.0f};
    m->source.attributes[i] =
        (vertex_attributes){(float)normal.x,  (float)normal.y,  (float)normal.z,  (float)u,
                            (float)tangent.x, (float)tangent.y, (float)tangent.z, (float)v};
}

static void add_triangle(shape_mesh *m, uint32_t a, uint32_t b, uint32_t c)
{
    uint32_t *corner = &m->corner[3 * (size_t)m->source.triangle_count++];
    corner[0] = a;
    corner[1] = b;
    corner[2] = c;
}

static zt_result revolve(const profile *p, arena *a, shape_mesh *out, zt_error *err)
{
    ZT_TRY(allocate(a, p->count * (AROUND + 1), 2 * AROUND * (p->count - 1), out, err));
    for (uint32_t i = 0; i < p->count; i++)
        for (uint32_t k = 0; k <= AROUND; k++) {
            const profile_point *q = &p->point[i];
            double s, c;
            maths_sincos_deg(k % AROUND * (360.0 / AROUND), &s, &c);
            add_vertex(out, (dvec3){q->r * c, q->y, -q->r * s},
                       (dvec3){q->normal_r * c, q->normal_y, -q->normal_r * s},
                       (dvec3){-s, 0.0, -c}, (double)k / AROUND, q->v);
        }
    for (uint32_t i = 0; i + 1 < p->count; i++)
        for (uint32_t k = 0; k < AROUND; k++) {
            const uint32_t above = i * (AROUND + 1) + k, below = above + AROUND + 1;
            const profile_point *q = &p->point[i];
            if (q[0].r == q[1].r && q[0].y == q[1].y)
                continue; // an edge, or where caps of no distance meet
            if (q[1].r > 0.0)
                add_triangle(out, above, below, below + 1);
            if (q[0].r > 0.0)
                add_triangle(out, above, below + 1, above + 1);
        }
    return ZT_OK;
}

static zt_result make_box(const double size[3], arena *a, shape_mesh *out, zt_error *err)
{
    static const dvec3 normals[BOX_FACES] = {{0, 0, 1},  {1, 0, 0}, {0, 0, -1},
                                             {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}};
    static const dvec3 rights[BOX_FACES] = {{1, 0, 0}, {0, 0, -1}, {-1, 0, 0},
                                            {0, 0, 1}, {1, 0, 0},  {1, 0, 0}};
    ZT_TRY(allocate(a, 4 * BOX_FACES, 2 * BOX_FACES, out, err));
    for (uint32_t f = 0; f < BOX_FACES; f++) {
        const dvec3 n = normals[f], right = rights[f], up = dvec3_cross(n, right);
        for (uint32_t k = 0; k < 4; k++) {
            const double u = k == 1 || k == 2 ? 1.0 : 0.0, v = k < 2 ? 1.0 : 0.0;
            const dvec3 at = dvec3_add(
                n, dvec3_add(dvec3_scale(right, 2.0 * u - 1.0), dvec3_scale(up, 1.0 - 2.0 * v)));
            add_vertex(out,
                       (dvec3){at.x * size[0] / 2.0, at.y * size[1] / 2.0, at.z * size[2] / 2.0}, n,
                       right, u, v);
        }
        add_triangle(out, 4 * f, 4 * f + 1, 4 * f + 2);
        add_triangle(out, 4 * f, 4 * f + 2, 4 * f + 3);
    }
    return ZT_OK;
}

static zt_result build_mesh(const shape *from, zt_model *model, arena *scratch, zt_error *err)
{
    shape_mesh made;
    const profile p = profile_of(from);
    ZT_TRY(from->kind == SHAPE_BOX ? make_box(from->size, scratch, &made, err)
                                   : revolve(&p, scratch, &made, err));
    made.source.name = shape_names[from->kind];
    return single_mesh_set(NULL, &made.source, model, scratch, err);
}

zt_result shape_model_build(const shape *from, zt_model *model, arena *scratch, zt_error *err)
{
    const char *name = shape_names[from->kind];
    model_material *material;
    model_node *node;
    model->format = &shape_format;
    model->in_memory = true;
    ZT_TRY(build_mesh(from, model, scratch, err));
    ZT_TRY(ARENA_TAKE(&model->arena, &material, 1, "shape", err));
    ZT_TRY(ARENA_TAKE(&model->arena, &node, 1, "shape", err));
    *material = model_material_default();
    material->name = name;
    material->metallic = 0.0f;
    material->roughness = 0.5f;
    material->plain = true;
    for (int k = 0; k < 3; k++)
        material->base_color[k] = 0.8f;
    *node = model_node_default(name);
    node->mesh = 0;
    model->materials = material;
    model->nodes = node;
    model->material_count = model->node_count = 1;
    return model_lay_out_motion(model, scratch, err);
}
