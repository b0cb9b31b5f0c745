// SPDX-License-Identifier: MIT
// Axes go through the skinning kernel instead of normals and tangents, so that they turn as
// vertex normals do, with linear skinning and with dual quaternions.
#include "geometry/axes.h"

#include <string.h>

zt_result axes_allocate(geometry_draw *draw, arena *a, zt_error *err)
{
    const size_t padded = pad16(draw->mesh->vertex_count);
    for (int i = 0; i < 2 && draw->needs_axes; i++) {
        draw->bind_axes[i] = ARENA_ARRAY(a, vertex_attributes, padded);
        draw->axes[i] = ARENA_ARRAY_RAW(a, vertex_attributes, padded);
        if (!draw->bind_axes[i] || !draw->axes[i])
            return arena_fail(a, err, "axes of posed vertices");
    }
    return ZT_OK;
}

static float dot3(const float a[3], const float b[3])
{
    return (a[0] * b[0] + a[1] * b[1]) + a[2] * b[2];
}

/// Turns v by the shortest rotation from the unit vector `from` to `to`: with c = from x to and
/// d = from . to, v d + c x v + c (c . v) / (1 + d).
static void turn(const float from[3], const float to[3], float v[3])
{
    const float c[3] = {from[1] * to[2] - from[2] * to[1], from[2] * to[0] - from[0] * to[2],
                        from[0] * to[1] - from[1] * to[0]};
    const float d = dot3(from, to), sum = 1.0f + d;
    // Opposite normals have no shortest rotation: what is left of it must not grow.
    const float along = dot3(c, v) / (sum > 1e-3f ? sum : 1e-3f);
    const float across[3] = {c[1] * v[2] - c[2] * v[1], c[2] * v[0] - c[0] * v[2],
                             c[0] * v[1] - c[1] * v[0]};
    for (int k = 0; k < 3; k++)
        v[k] = (v[k] * d + across[k]) + c[k] * along;
}

/// The axes of one vertex before the skin.
static void bind_axes_of(const geometry_draw *draw, size_t vertex)
{
    const vertex_attributes *rest = &draw->mesh->attributes[vertex];
    const float n[3] = {rest->nx, rest->ny, rest->nz};
    float axis[3][3] = {
        {1.0f, 0.0f, 0.0f                              },
        {0.0f, 1.0f, 0.0f                              },
        {0.0f, 0.0f, draw->mirrored_axes ? -1.0f : 1.0f}
    };
    if (draw->morph_count > 0) {
        const vertex_attributes *morphed = &draw->morphed_attributes[vertex];
        const float m[3] = {morphed->nx, morphed->ny, morphed->nz};
        for (int i = 0; i < 3 && memcmp(n, m, sizeof n) != 0; i++)
            turn(n, m, axis[i]);
    }
    vertex_attributes *xy = &draw->bind_axes[0][vertex], *z = &draw->bind_axes[1][vertex];
    *xy = (vertex_attributes){.nx = axis[0][0],
                              .ny = axis[0][1],
                              .nz = axis[0][2],
                              .tx = axis[1][0],
                              .ty = axis[1][1],
                              .tz = axis[1][2]};
    *z = (vertex_attributes){.nx = axis[2][0], .ny = axis[2][1], .nz = axis[2][2], .tx = 1.0f};
}

void axes_pose(const geometry_draw *draw, const geometry_loops *loops, size_t first, size_t count)
{
    for (size_t i = first; i < first + count; i++)
        bind_axes_of(draw, i);
    for (int i = 0; i < 2; i++) {
        // As normals turn, so do the axes: matrices of normals instead of those of positions.
        skin_job job =
            geometry_skin_job(draw, draw->mesh->position, draw->bind_axes[i], first, count);
        job.stretch = draw->stretch_normals;
        job.palette = draw->normals;
        job.out_attributes = draw->axes[i];
        loops->skin(&job);
    }
}
