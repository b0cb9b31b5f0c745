// SPDX-License-Identifier: MIT
#include "mesh/far_points.h"

#include "base/maths.h"

#include <float.h>
#include <math.h>

typedef struct extent {
    double low[3], high[3];
    bool any;
} extent;

static void add_point(extent *e, const double p[3])
{
    for (int k = 0; k < 3; k++) {
        e->low[k] = !e->any || p[k] < e->low[k] ? p[k] : e->low[k];
        e->high[k] = !e->any || p[k] > e->high[k] ? p[k] : e->high[k];
    }
    e->any = true;
}

/// Times the size: the farthest that small things are from zero before their floats are moved, and
/// large ones, of which a float knows no half millimetre.
static const double far_sizes = 256.0, far_sizes_of_large = 2.0, large = 4096.0;

static double largest_part(dvec3 v)
{
    return maths_max(fabs(v.x), maths_max(fabs(v.y), fabs(v.z)));
}

/// What is subtracted; `before`: of the mesh before.
static dvec3 far_middle(const extent *e, dvec3 before)
{
    const dvec3 low = dvec3_load(e->low), high = dvec3_load(e->high);
    const dvec3 middle = dvec3_add(dvec3_scale(low, 0.5), dvec3_scale(high, 0.5));
    const double size = largest_part(dvec3_sub(high, low)), distance = largest_part(middle);
    const double sizes = distance > large ? far_sizes_of_large : far_sizes;
    if (!e->any || !(distance > sizes * size && size > 0.0))
        return (dvec3){0.0, 0.0, 0.0};
    if (largest_part(before) > 0.0 && largest_part(dvec3_sub(middle, before)) <= far_sizes * size)
        return before;
    return (dvec3){(double)(float)middle.x, (double)(float)middle.y, (double)(float)middle.z};
}

static bool fits(double x) { return x >= -(double)FLT_MAX && x <= (double)FLT_MAX; }

static bool all_fit(const double p[3]) { return fits(p[0]) && fits(p[1]) && fits(p[2]); }

void far_points_load(const double *point, uint32_t count, vertex_position *out, dvec3 *middle)
{
    extent e = {.any = false};
    dvec3 m = {0.0, 0.0, 0.0};
    for (uint32_t v = 0; middle && v < count; v++)
        if (all_fit(point + 3 * (size_t)v))
            add_point(&e, point + 3 * (size_t)v);
    if (middle)
        m = *middle = far_middle(&e, *middle);
    for (uint32_t v = 0; v < count; v++) {
        const double *p = point + 3 * (size_t)v;
        out[v] = all_fit(p) ? (vertex_position){(float)(p[0] - m.x), (float)(p[1] - m.y),
                                                (float)(p[2] - m.z), 1.0f}
                            : (vertex_position){NAN, NAN, NAN, 1.0f};
    }
}

void far_points_center(mesh_source *mesh)
{
    extent e = {.any = false};
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        const vertex_position *p = &mesh->position[v];
        add_point(&e, (const double[]){(double)p->x, (double)p->y, (double)p->z});
    }
    const dvec3 m = far_middle(&e, (dvec3){0.0, 0.0, 0.0});
    const float x = (float)m.x, y = (float)m.y, z = (float)m.z;
    mesh->middle = dvec3_add(mesh->middle, m);
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        vertex_position *p = &mesh->position[v];
        *p = (vertex_position){p->x - x, p->y - y, p->z - z, 1.0f};
    }
}
