// SPDX-License-Identifier: MIT
#include "render/ray_surface.h"

#include "base/maths.h"

#include <string.h>

/// Rays start so far from surfaces, in shares of the largest coordinate: 16 times what floats
/// round.
static const double lift = 0x1p-20;

/// A line of sight in world space.
typedef struct sight {
    dvec3 from, along; ///< `along`: of perspective, a step of w
} sight;

static sight sight_at(const screen_view *v, double x, double y)
{
    const dvec3 ray = dvec3_add(dvec3_from_floats(v->ray),
                                dvec3_add(dvec3_scale(dvec3_from_floats(v->ray_x), x),
                                          dvec3_scale(dvec3_from_floats(v->ray_y), y)));
    const dvec3 origin = dvec3_from_floats(v->origin);
    if (!v->transform.orthographic)
        return (sight){origin, ray};
    return (sight){dvec3_add(origin, ray), dvec3_from_floats(v->forward)};
}

static dvec3 to_space(const trace_scene *scene, dvec3 world)
{
    return dvec3_scale(dvec3_sub(world, dvec3_load(scene->centre)), (double)scene->scale);
}

/// A direction from the space of a mesh: attributes are posed with it, or by the matrix.
static dvec3 turned(const skin_matrix *m, const float *v)
{
    float out[3] = {v[0], v[1], v[2]};
    for (int row = 0; row < 3 && m; row++)
        out[row] = (m->column[0][row] * v[0] + m->column[1][row] * v[1]) + m->column[2][row] * v[2];
    return dvec3_from_floats(out);
}

/// The corners and their normals.
static void fetch(const trace_posed *posed, ray_surface *s)
{
    const posed_meshlet *m = &posed->frame->meshlets[primitive_meshlet(s->id)];
    dvec3 corner[3];
    mat4 world;
    if (m->world_from_position)
        memcpy(world, m->world_from_position->column, sizeof world);
    for (int k = 0; k < 3; k++) {
        const uint32_t vertex = m->vertex[m->corner[k][primitive_triangle(s->id)]];
        const vertex_position *p = &m->position[vertex];
        float at[4] = {p->x, p->y, p->z};
        if (m->world_from_position)
            posed_place(world, p, at);
        corner[k] = to_space(&posed->scene, dvec3_from_floats(at));
        s->normal[k] = turned(m->world_from_normal, &m->attributes[vertex].nx);
    }
    s->corner = corner[0];
    s->edge[0] = dvec3_sub(corner[1], corner[0]);
    s->edge[1] = dvec3_sub(corner[2], corner[0]);
    s->plane = dvec3_cross(s->edge[0], s->edge[1]);
    s->material = m->material;
    s->draw = posed->frame->meshlet_draw[primitive_meshlet(s->id)];
}

/// Normals of length 1 on the side of the eye.
static void face(ray_surface *s, dvec3 to_eye)
{
    if (!dvec3_normalize(&s->plane, 0.0))
        s->plane = to_eye;
    if (dvec3_dot(s->plane, to_eye) < 0.0)
        s->plane = dvec3_scale(s->plane, -1.0);
    dvec3 sum = dvec3_add(dvec3_add(s->normal[0], s->normal[1]), s->normal[2]);
    for (int k = 0; k < 3; k++) {
        if (!dvec3_normalize(&s->normal[k], 0.0))
            s->normal[k] = s->plane;
        else if (dvec3_dot(sum, s->plane) < 0.0)
            s->normal[k] = dvec3_scale(s->normal[k], -1.0);
    }
}

/// Barycentrics of corners 1 and 2 where a line meets the plane, and how far along it (Moeller &
/// Trumbore, 1997). False: it does not.
static bool locate(const ray_surface *s, const trace_scene *scene, sight line, double out[3])
{
    const dvec3 p = dvec3_cross(line.along, s->edge[1]);
    const dvec3 from = dvec3_sub(to_space(scene, line.from), s->corner);
    const dvec3 q = dvec3_cross(from, s->edge[0]);
    const double scale = dvec3_dot(s->edge[0], p);
    out[0] = dvec3_dot(from, p) / scale;
    out[1] = dvec3_dot(line.along, q) / scale;
    out[2] = dvec3_dot(s->edge[1], q) / (scale * (double)scene->scale);
    return isfinite(out[0]) && isfinite(out[1]) && out[2] > 0.0;
}

/// Limits barycentrics to the triangle.
static void limit(const ray_surface *s, double at[2])
{
    if (s->endless)
        return;
    at[0] = maths_max(at[0], 0.0);
    at[1] = maths_max(at[1], 0.0);
    const double all = maths_max(at[0] + at[1], 1.0);
    at[0] /= all;
    at[1] /= all;
}

bool ray_surface_of(const trace_posed *posed, const screen_view *view, uint32_t id, bool endless,
                    bool steps, double x, double y, ray_surface *out)
{
    const trace_scene *scene = &posed->scene;
    const sight line = sight_at(view, x, y);
    if (out->id != id) {
        *out = (ray_surface){.id = id, .endless = endless};
        fetch(posed, out);
        face(out, view->transform.orthographic
                      ? dvec3_scale(line.along, -1.0)
                      : dvec3_sub(to_space(scene, line.from), out->corner));
    }
    const bool met = locate(out, scene, line, out->at);
    if (!met)
        out->at[0] = out->at[1] = 1.0 / 3.0;
    for (int axis = 0; axis < 2 && steps; axis++) {
        double there[3];
        if (!met || !locate(out, scene, sight_at(view, x + (axis == 0), y + (axis == 1)), there))
            memcpy(there, out->at, sizeof there); // seen edge-on, or the horizon
        for (int k = 0; k < 2; k++)
            out->step[axis][k] = there[k] - out->at[k];
    }
    limit(out, out->at);
    out->smooth = dvec3_scale(out->normal[0], 1.0 - out->at[0] - out->at[1]);
    for (int k = 0; k < 2; k++)
        out->smooth = dvec3_add(out->smooth, dvec3_scale(out->normal[1 + k], out->at[k]));
    if (!dvec3_normalize(&out->smooth, 0.0))
        out->smooth = out->plane;
    return met;
}

void ray_surface_start(const ray_surface *s, double dx, double dy, float out[3])
{
    double at[2];
    for (int k = 0; k < 2; k++)
        at[k] = s->at[k] + (s->step[0][k] * dx + s->step[1][k] * dy);
    limit(s, at);
    const double share[3] = {1.0 - at[0] - at[1], at[0], at[1]};
    const dvec3 from = dvec3_add(dvec3_scale(s->edge[0], at[0]), dvec3_scale(s->edge[1], at[1]));
    dvec3 p = dvec3_add(s->corner, from);
    for (int k = 0; k < 3 && !s->endless; k++) {
        const dvec3 to = k == 0 ? dvec3_scale(from, -1.0) : dvec3_sub(s->edge[k - 1], from);
        const double above = maths_max(dvec3_dot(to, s->normal[k]), 0.0);
        p = dvec3_add(p, dvec3_scale(s->normal[k], share[k] * above));
    }
    const double away = maths_max(dvec3_largest(p), 2.0) * lift;
    dvec3_to_floats(dvec3_add(p, dvec3_scale(s->plane, away)), out);
}
