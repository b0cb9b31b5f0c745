// SPDX-License-Identifier: MIT
#include "image/cube_map.h"

#include "base/maths.h"

#include <float.h>
#include <math.h>

/// The face that `d` meets, and where: u to the right, v down, -1 to 1.
static int find_face(dvec3 d, double *u, double *v)
{
    const double x = fabs(d.x), y = fabs(d.y), z = fabs(d.z);
    if (x >= y && x >= z) {
        *u = (d.x > 0.0 ? d.z : -d.z) / x;
        *v = -d.y / x;
        return d.x > 0.0 ? 0 : 1;
    }
    if (y >= z) {
        *u = -d.x / y;
        *v = (d.y > 0.0 ? d.z : -d.z) / y;
        return d.y > 0.0 ? 2 : 3;
    }
    *u = (d.z > 0.0 ? -d.x : d.x) / z;
    *v = -d.y / z;
    return d.z > 0.0 ? 4 : 5;
}

/// The pixel before a place on an axis, and how far the place is on the way to the next one.
static int32_t split(double place, int32_t size, double *part)
{
    double at = (place + 1.0) * 0.5 * size - 0.5;
    at = maths_clamp(at, 0.0, size - 1);
    const int32_t first = (int32_t)at < size - 1 ? (int32_t)at : size > 1 ? size - 2 : 0;
    *part = at - first;
    return first;
}

static void look_up(const cube_map *cube, dvec3 d, double out[3])
{
    double u, v, right, below;
    const float *face = cube->face[find_face(d, &u, &v)];
    const int32_t x = split(u, cube->size, &right), y = split(v, cube->size, &below);
    const int32_t step = cube->size > 1 ? 3 : 0, line = step * cube->size;
    const float *p = face + 3 * ((int64_t)y * cube->size + x);
    for (int c = 0; c < 3; c++) {
        const double top = (double)p[c] + ((double)p[step + c] - (double)p[c]) * right;
        const double low =
            (double)p[line + c] + ((double)p[line + step + c] - (double)p[line + c]) * right;
        out[c] = top + (low - top) * below;
    }
}

typedef struct sine_cosine {
    double s, c;
} sine_cosine;

/// `polar` is the angle of the row from the axis, `around` that of each column about it.
static void unroll_row(const cube_map *cube, quat cube_from_world, double intensity,
                       sine_cosine polar, const sine_cosine *around, int32_t width, float *rgb)
{
    for (int32_t x = 0; x < width; x++) {
        double value[3];
        const dvec3 world = {polar.s * around[x].c, polar.c, polar.s * around[x].s};
        look_up(cube, quat_rotate(cube_from_world, world), value);
        for (int k = 0; k < 3; k++) {
            const double light = value[k] * intensity;
            rgb[3 * x + k] = light > (double)FLT_MAX ? FLT_MAX : (float)light;
        }
    }
}

static zt_result unroll(arena *temporary, const cube_map *cube, quat world_from_cube,
                        double intensity, float *rgb, zt_error *err)
{
    const int32_t width = 4 * cube->size, height = 2 * cube->size;
    const quat cube_from_world = quat_conjugate(world_from_cube);
    sine_cosine *around;
    ZT_TRY(ARENA_TAKE_RAW(temporary, &around, (size_t)width, "the angles of an environment", err));
    for (int32_t x = 0; x < width; x++)
        maths_sincos_deg(360.0 * (x + 0.5) / width - 180.0, &around[x].s, &around[x].c);
    for (int32_t y = 0; y < height; y++) {
        sine_cosine polar;
        ZT_TRY(arena_go_on(temporary, "the faces of an environment", err));
        maths_sincos_deg(180.0 * (y + 0.5) / height, &polar.s, &polar.c);
        unroll_row(cube, cube_from_world, intensity, polar, around, width,
                   rgb + 3 * (int64_t)y * width);
    }
    return ZT_OK;
}

zt_result cube_map_unroll(arena *a, const cube_map *cube, quat world_from_cube, double intensity,
                          hdr_picture *out, zt_error *err)
{
    const int32_t width = 4 * cube->size, height = 2 * cube->size;
    float *rgb = arena_alloc_raw(a, (size_t)width * (size_t)height, 3 * sizeof *rgb);
    arena temporary;
    *out = (hdr_picture){0};
    if (!rgb)
        return arena_fail(a, err, "the faces of an environment");
    arena_init(&temporary, a->budget);
    const zt_result result = unroll(&temporary, cube, world_from_cube, intensity, rgb, err);
    arena_finish(&temporary);
    if (result == ZT_OK)
        *out = (hdr_picture){width, height, rgb};
    return result;
}
