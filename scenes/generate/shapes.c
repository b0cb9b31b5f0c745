// SPDX-License-Identifier: MIT
#include "shapes.h"

shape_frame frame_at(double x, double y, double z)
{
    return (shape_frame){v3(x, y, z), quat_identity()};
}

shape_frame frame_turned(double x, double y, double z, double rx, double ry, double rz)
{
    return (shape_frame){v3(x, y, z), quat_degrees(rx, ry, rz)};
}

static uint32_t put(built_primitive *p, shape_frame f, dvec3 at, dvec3 normal, double u, double v)
{
    return primitive_vertex(p, vertex_at(dvec3_add(f.origin, quat_rotate(f.rotation, at)),
                                         quat_rotate(f.rotation, v3_unit(normal)), u, v));
}

// Joins a grid of (columns + 1) x (rows + 1) vertices whose rows run downwards on the outside.
static void join_grid(built_primitive *p, uint32_t base, int columns, int rows, bool top_pole,
                      bool bottom_pole)
{
    const uint32_t stride = (uint32_t)columns + 1;
    for (uint32_t row = 0; row < (uint32_t)rows; row++)
        for (uint32_t column = 0; column < (uint32_t)columns; column++) {
            const uint32_t a = base + row * stride + column, b = a + stride;
            if (!(bottom_pole && row + 1 == (uint32_t)rows))
                primitive_triangle(p, a, b, b + 1);
            if (!(top_pole && row == 0))
                primitive_triangle(p, a, b + 1, a + 1);
        }
}

// A surface of revolution about y: a ring per profile entry {radius, y, normal radius, normal y},
// from the top down. u runs from -x over +z to +x on the front, as on a globe seen from outside.
static void revolve(built_primitive *p, shape_frame f, const double (*profile)[4], int rings,
                    int around, bool top_pole, bool bottom_pole)
{
    const uint32_t base = (uint32_t)p->vertex_count;
    for (int r = 0; r < rings; r++)
        for (int k = 0; k <= around; k++) {
            const double angle = 2.0 * MATHS_PI * (double)(k % around) / around;
            const double x = -exact_sin(angle), z = -exact_cos(angle);
            put(p, f, v3(profile[r][0] * x, profile[r][1], profile[r][0] * z),
                v3(profile[r][2] * x, profile[r][3], profile[r][2] * z), (double)k / around,
                (double)r / (rings - 1));
        }
    join_grid(p, base, around, rings - 1, top_pole, bottom_pole);
}

void shape_turned(built_primitive *p, shape_frame frame, const double (*profile)[4], int rings,
                  int around)
{
    revolve(p, frame, profile, rings, around, true, true);
}

enum { MAX_RINGS = 64 }; // two per four segments around, and the caps: up to 120 segments

void shape_sphere(built_primitive *p, shape_frame frame, dvec3 radii, int around, int down)
{
    const uint32_t base = (uint32_t)p->vertex_count;
    for (int r = 0; r <= down; r++)
        for (int k = 0; k <= around; k++) {
            const double angle = 2.0 * MATHS_PI * (double)(k % around) / around;
            const double polar = MATHS_PI * (double)r / down;
            const double ring = r == 0 || r == down ? 0.0 : exact_sin(polar);
            const dvec3 n =
                v3(-exact_sin(angle) * ring, exact_cos(polar), -exact_cos(angle) * ring);
            put(p, frame, v3(n.x * radii.x, n.y * radii.y, n.z * radii.z),
                v3(n.x / radii.x, n.y / radii.y, n.z / radii.z), (double)k / around,
                (double)r / down);
        }
    join_grid(p, base, around, down, true, true);
}

void shape_ball(built_primitive *p, double radius, int around, int down)
{
    shape_sphere(p, frame_at(0.0, 0.0, 0.0), v3(radius, radius, radius), around, down);
}

void shape_capsule(built_primitive *p, shape_frame frame, double radius, double height, int around)
{
    double profile[MAX_RINGS][4];
    const int cap = around / 4;
    int rings = 0;
    for (int half = 0; half < 2; half++)
        for (int k = 0; k <= cap; k++) {
            const double polar = MATHS_PI / 2.0 * ((double)k / cap + half);
            const bool pole = half == 0 ? k == 0 : k == cap;
            const double s = pole ? 0.0 : exact_sin(polar), c = exact_cos(polar);
            const double ring[4] = {radius * s, (half == 0 ? height : 0.0) + radius * c, s, c};
            for (int i = 0; i < 4; i++)
                profile[rings][i] = ring[i];
            rings++;
        }
    revolve(p, frame, (const double(*)[4])profile, rings, around, true, true);
}

void shape_cylinder(built_primitive *p, shape_frame frame, double bottom, double top, double height,
                    int around)
{
    const double slope = bottom - top;
    const double cap[2][4] = {{0.0, height, 0.0, 1.0}, {top, height, 0.0, 1.0}};
    const double side[2][4] = {{top, height, height, slope}, {bottom, 0.0, height, slope}};
    const double base[2][4] = {{bottom, 0.0, 0.0, -1.0}, {0.0, 0.0, 0.0, -1.0}};
    revolve(p, frame, cap, 2, around, true, false);
    revolve(p, frame, side, 2, around, false, false);
    revolve(p, frame, base, 2, around, false, true);
}

void shape_box(built_primitive *p, shape_frame frame, dvec3 h)
{
    const dvec3 normals[6] = {v3(1, 0, 0),  v3(-1, 0, 0), v3(0, 1, 0),
                              v3(0, -1, 0), v3(0, 0, 1),  v3(0, 0, -1)};
    for (int k = 0; k < 6; k++) {
        const dvec3 n = normals[k];
        const dvec3 up = n.y != 0.0 ? v3(0.0, 0.0, -n.y) : v3(0.0, 1.0, 0.0);
        const dvec3 right = dvec3_cross(up, n);
        uint32_t at[4];
        for (int c = 0; c < 4; c++) {
            const double s = c & 1 ? 1.0 : -1.0, t = c & 2 ? 1.0 : -1.0;
            const dvec3 q = dvec3_add(n, dvec3_add(dvec3_scale(right, s), dvec3_scale(up, -t)));
            at[c] = put(p, frame, v3(q.x * h.x, q.y * h.y, q.z * h.z), n, (s + 1.0) / 2.0,
                        (t + 1.0) / 2.0);
        }
        primitive_triangle(p, at[0], at[2], at[3]);
        primitive_triangle(p, at[0], at[3], at[1]);
    }
}

void shape_sheet(built_primitive *p, sheet_point point, int columns, int rows)
{
    const double step = 1e-4; // central differences on shapes of metre size: error near 1e-8
    const uint32_t base = (uint32_t)p->vertex_count;
    for (int r = 0; r <= rows; r++)
        for (int c = 0; c <= columns; c++) {
            const double s = (double)c / columns, t = (double)r / rows;
            const dvec3 ds = dvec3_sub(point(s + step, t), point(s - step, t));
            const dvec3 dt = dvec3_sub(point(s, t + step), point(s, t - step));
            put(p, frame_at(0.0, 0.0, 0.0), point(s, t), dvec3_cross(dt, ds), s, t);
        }
    join_grid(p, base, columns, rows, false, false);
}

void shape_quad_uv(built_primitive *p, dvec3 top_left, dvec3 right, dvec3 down, double u0,
                   double v0, double u1, double v1)
{
    const dvec3 n = v3_unit(dvec3_cross(down, right));
    const uint32_t a = primitive_vertex(p, vertex_at(top_left, n, u0, v0));
    primitive_vertex(p, vertex_at(dvec3_add(top_left, right), n, u1, v0));
    primitive_vertex(p, vertex_at(dvec3_add(top_left, down), n, u0, v1));
    primitive_vertex(p, vertex_at(dvec3_add(dvec3_add(top_left, right), down), n, u1, v1));
    primitive_triangle(p, a, a + 2, a + 3);
    primitive_triangle(p, a, a + 3, a + 1);
}

void shape_quad(built_primitive *p, dvec3 top_left, dvec3 right, dvec3 down)
{
    shape_quad_uv(p, top_left, right, down, 0.0, 0.0, 1.0, 1.0);
}

void shape_pane(built_primitive *p, double half_width, double half_height)
{
    shape_quad(p, v3(-half_width, half_height, 0.0), v3(2.0 * half_width, 0.0, 0.0),
               v3(0.0, -2.0 * half_height, 0.0));
}

void shape_prism(built_primitive *p, const double (*outline)[2], int count,
                 const int (*triangles)[3], int triangle_count, double depth)
{
    for (int side = 0; side < 2; side++) {
        const double z = side == 0 ? depth / 2.0 : -depth / 2.0;
        const uint32_t base = (uint32_t)p->vertex_count;
        for (int k = 0; k < count; k++)
            primitive_vertex(p, vertex_at(v3(outline[k][0], outline[k][1], z),
                                          v3(0.0, 0.0, side == 0 ? 1.0 : -1.0), outline[k][0],
                                          -outline[k][1]));
        for (int k = 0; k < triangle_count; k++) {
            const uint32_t a = base + (uint32_t)triangles[k][0];
            const uint32_t b = base + (uint32_t)triangles[k][1];
            const uint32_t c = base + (uint32_t)triangles[k][2];
            primitive_triangle(p, a, side == 0 ? b : c, side == 0 ? c : b);
        }
    }
    for (int k = 0; k < count; k++) {
        const double *a = outline[k], *b = outline[(k + 1) % count];
        shape_quad(p, v3(b[0], b[1], -depth / 2.0), v3(a[0] - b[0], a[1] - b[1], 0.0),
                   v3(0.0, 0.0, depth));
    }
}

void shape_tube(built_primitive *p, double length, int rings, int around, tube_vertex vertex,
                const void *user)
{
    const uint32_t first = (uint32_t)p->vertex_count;
    for (int r = 0; r <= rings; r++)
        for (int k = 0; k <= around; k++) {
            const double a = 2.0 * MATHS_PI * (double)(k % around) / around;
            const dvec3 n = v3(-exact_sin(a), 0.0, -exact_cos(a));
            primitive_vertex(p, vertex(user, n, length * (rings - r) / rings, r, k));
            if (r == 0 || k == around)
                continue;
            const uint32_t b = first + (uint32_t)(r * (around + 1) + k);
            const uint32_t above = b - (uint32_t)around - 1;
            primitive_triangle(p, above, b, b + 1);
            primitive_triangle(p, above, b + 1, above + 1);
        }
}

void vertex_bends(built_vertex *v, double elbow, double y)
{
    v->weights[1] = (float)smooth_step(elbow - 0.3, elbow + 0.3, y);
    v->weights[0] = 1.0f - v->weights[1];
    v->joints[1] = v->weights[1] > 0.0f ? 1 : 0;
}

int new_limb(built_model *m, double elbow)
{
    const int skin = new_mesh_node(m, "skin", -1, v3(0.0, 0.0, 0.0));
    const int upper = new_node(m, "upper_arm", -1, v3(0.0, 0.0, 0.0));
    const int lower = new_node(m, "forearm", upper, v3(0.0, elbow, 0.0));
    m->nodes[skin].skin = 0;
    m->skeleton = upper;
    m->joints[m->joint_count++] = (built_joint){upper, v3(0.0, 0.0, 0.0)};
    m->joints[m->joint_count++] = (built_joint){lower, v3(0.0, elbow, 0.0)};
    return skin;
}
