// SPDX-License-Identifier: MIT
/// Points and lines as triangles in bind space, to move with skins and nodes: an octahedron for a
/// point, a square bar for a line. Their width is a part of the diagonal of the primitive's bounds,
/// not of the picture: neighbours in a sequence agree, and hidden parts hide.
#include "mesh/point_line_mesh.h"

#include "base/trs.h"

#include <float.h>
#include <math.h>
#include <string.h>

// Widths, as in docs/formats.md: parts of the diagonal. Lines are about three pixels in a picture
// of 500; few points are larger, many smaller, so that a cloud of them does not close.
#define LINE_PART      150.0f
#define POINT_MIN_PART 40.0f
#define POINT_MAX_PART 400.0f
#define ALONE_WIDTH    0.01f // metres: of one point

enum { POINT_VERTICES = 6, BAR_VERTICES = 8 };

static const uint8_t point_corner[POINT_TRIANGLES][3] = {
    {0, 2, 4}, {2, 1, 4}, {1, 3, 4}, {3, 0, 4}, {2, 0, 5}, {1, 2, 5}, {3, 1, 5}, {0, 3, 5},
};
// The first ring is 0 to 3, the last one 4 to 7.
static const uint8_t bar_corner[LINE_TRIANGLES][3] = {
    {0, 1, 5}, {0, 5, 4}, {1, 2, 6}, {1, 6, 5}, {2, 3, 7}, {2, 7, 6},
    {3, 0, 4}, {3, 4, 7}, {0, 3, 2}, {0, 2, 1}, {4, 5, 6}, {4, 6, 7},
};

static float width_part(bool points, uint32_t count)
{
    if (!points)
        return LINE_PART;
    const float part = 8.0f * sqrtf((float)count);
    return part < POINT_MIN_PART ? POINT_MIN_PART : part > POINT_MAX_PART ? POINT_MAX_PART : part;
}

static float half_width(bool points, const mesh_source *mesh)
{
    float low[3] = {FLT_MAX, FLT_MAX, FLT_MAX}, high[3] = {-FLT_MAX, -FLT_MAX, -FLT_MAX};
    for (size_t i = 0; i < 3 * (size_t)mesh->triangle_count; i++) {
        const vertex_position *v = &mesh->position[mesh->corner[i]];
        const float p[3] = {v->x, v->y, v->z};
        for (int k = 0; k < 3; k++) {
            low[k] = p[k] < low[k] ? p[k] : low[k];
            high[k] = p[k] > high[k] ? p[k] : high[k];
        }
    }
    const float d[3] = {high[0] - low[0], high[1] - low[1], high[2] - low[2]};
    const float diagonal = sqrtf(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
    const bool usable = diagonal > 0.0f && diagonal <= FLT_MAX;
    return 0.5f * (usable ? diagonal / width_part(points, mesh->triangle_count) : ALONE_WIDTH);
}

static void move(vertex_position *p, const float direction[3], float distance)
{
    p->x += direction[0] * distance;
    p->y += direction[1] * distance;
    p->z += direction[2] * distance;
}

static void shape_point(vertex_position *p, float half)
{
    for (int i = 0; i < POINT_VERTICES; i++) {
        float axis[3] = {0.0f, 0.0f, 0.0f};
        axis[i / 2] = i % 2 == 0 ? 1.0f : -1.0f;
        move(&p[i], axis, half);
    }
}

/// Two directions at right angles to d and each other, with u x v = d.
static void frame_of(const float d[3], float u[3], float v[3])
{
    const int least = fabsf(d[0]) <= fabsf(d[1]) ? (fabsf(d[0]) <= fabsf(d[2]) ? 0 : 2)
                                                 : (fabsf(d[1]) <= fabsf(d[2]) ? 1 : 2);
    float e[3] = {0.0f, 0.0f, 0.0f};
    e[least] = 1.0f;
    for (int k = 0; k < 3; k++)
        u[k] = d[(k + 1) % 3] * e[(k + 2) % 3] - d[(k + 2) % 3] * e[(k + 1) % 3];
    vec3_normalize(u);
    for (int k = 0; k < 3; k++)
        v[k] = d[(k + 1) % 3] * u[(k + 2) % 3] - d[(k + 2) % 3] * u[(k + 1) % 3];
}

static void shape_bar(vertex_position *p, float half)
{
    float d[3] = {p[4].x - p[0].x, p[4].y - p[0].y, p[4].z - p[0].z}, u[3], v[3];
    if (!vec3_normalize(d))
        memcpy(d, (float[3]){0.0f, 0.0f, 1.0f}, sizeof d);
    frame_of(d, u, v);
    for (int i = 0; i < BAR_VERTICES; i++)
        move(&p[i], i % 2 == 0 ? u : v, i % 4 < 2 ? half : -half);
}

zt_result point_line_mesh_build(arena *a, bool points, mesh_source *mesh, zt_error *err)
{
    const uint32_t elements = mesh->triangle_count;
    const uint32_t vertices = points ? POINT_VERTICES : BAR_VERTICES;
    const uint32_t triangles = points ? POINT_TRIANGLES : LINE_TRIANGLES;
    const float half = half_width(points, mesh);
    const size_t count = (size_t)elements * vertices;
    uint32_t *from, *corner;
    ZT_TRY(ARENA_TAKE_RAW(a, &from, count, "points and lines", err));
    ZT_TRY(ARENA_TAKE_RAW(a, &corner, 3 * (size_t)elements * triangles, "points and lines", err));
    for (size_t i = 0; i < count; i++) // the second half of a bar belongs to its second end
        from[i] = mesh->corner[3 * (i / vertices) + (i % vertices >= 4 && !points ? 1 : 0)];
    for (size_t i = 0; i < 3 * (size_t)elements * triangles; i++) {
        const size_t element = i / (3 * triangles), t = i / 3 % triangles;
        const uint8_t local = points ? point_corner[t][i % 3] : bar_corner[t][i % 3];
        corner[i] = (uint32_t)(element * vertices + local);
    }
    ZT_TRY(mesh_source_gather(NULL, a, mesh, from, count, err));
    mesh->corner = corner;
    mesh->triangle_count = elements * triangles;
    for (uint32_t e = 0; e < elements; e++) {
        vertex_position *p = &mesh->position[(size_t)e * vertices];
        if (points)
            shape_point(p, half);
        else
            shape_bar(p, half);
    }
    return ZT_OK;
}
