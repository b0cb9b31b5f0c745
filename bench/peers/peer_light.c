// SPDX-License-Identifier: MIT
// A chain of octahedral levels -> a cube map with mip levels, by the lookups of
// environment/environment.inl in double. Shadow maps look where those of the picture look.
#include "peer_light.h"

#include <math.h>
#include <string.h>

/// One level at a place, bilinear.
static void level_at(const octahedral_levels *chain, int32_t level, double u, double v,
                     double out[3])
{
    const int32_t size = chain->size[level];
    const double px = (u * 0.5 + 0.5) * size, py = (v * 0.5 + 0.5) * size;
    const int32_t x = px < size - 1 ? (int32_t)px : size - 1;
    const int32_t y = py < size - 1 ? (int32_t)py : size - 1;
    const float(*t)[4] = chain->texels + chain->first[level] + (size_t)y * (size_t)(size + 1) + x;
    const double fx = px - x, fy = py - y;
    for (int k = 0; k < 3; k++)
        out[k] = ((double)t[0][k] * (1.0 - fx) + (double)t[1][k] * fx) * (1.0 - fy) +
                 ((double)t[size + 1][k] * (1.0 - fx) + (double)t[size + 2][k] * fx) * fy;
}

/// A direction in world space -> its place in the chain.
static void place_of(const environment_view *e, const double d[3], double *out_u, double *out_v)
{
    const double c = (double)e->cosine, s = (double)e->sine;
    const double x = d[0] * c - d[2] * s, z = d[0] * s + d[2] * c;
    const double sum = fabs(x) + fabs(d[1]) + fabs(z);
    double u = x / sum, v = z / sum;
    if (d[1] < 0.0) {
        const double folded = copysign(1.0 - fabs(v), u);
        v = copysign(1.0 - fabs(u), v);
        u = folded;
    }
    *out_u = u;
    *out_v = v;
}

static void irradiance(const environment_view *e, const double d[3], float out[3])
{
    double u, v, light[3];
    place_of(e, d, &u, &v);
    level_at(&e->chain, ENVIRONMENT_IRRADIANCE, u, v, light);
    for (int k = 0; k < 3; k++)
        out[k] = (float)(light[k] * (double)e->intensity);
}

static void radiance(const environment_view *e, const double d[3], double roughness, float out[3])
{
    double u, v;
    place_of(e, d, &u, &v);
    const double sharpest = 1.0 / (1 << (ENVIRONMENT_LEVELS - 1));
    int exponent;
    const double fraction = frexp(fmax(roughness * roughness, sharpest) / sharpest, &exponent);
    const int32_t level = exponent - 1;
    double near[3], far[3];
    level_at(&e->chain, level, u, v, near);
    level_at(&e->chain, level + 1 < e->chain.level_count ? level + 1 : level, u, v, far);
    for (int k = 0; k < 3; k++)
        out[k] =
            (float)((near[k] + (far[k] - near[k]) * (2.0 * fraction - 1.0)) * (double)e->intensity);
}

/// Direction of the texel at s, t (-1 to 1) of a face in the order of GL_TEXTURE_CUBE_MAP_*.
static void face_direction(int face, double s, double t, double out[3])
{
    const double faces[6][3] = {{1.0, -t, -s}, {-1.0, -t, s}, {s, 1.0, t},
                                {s, -1.0, -t}, {s, -t, 1.0},  {-s, -t, -1.0}};
    memcpy(out, faces[face], sizeof faces[face]);
}

/// Fills a face of `side` x `side` texels; roughness below 0: with irradiance.
static float *face_build(const environment_view *seen, int face, int32_t side, double roughness,
                         arena *a)
{
    float *texels = ARENA_ARRAY_RAW(a, float, (size_t)side *(size_t)side * 3);
    for (int32_t i = 0; i < side * side && texels; i++) {
        double d[3];
        face_direction(face, (i % side + 0.5) * 2.0 / side - 1.0,
                       (i / side + 0.5) * 2.0 / side - 1.0, d);
        if (roughness < 0.0)
            irradiance(seen, d, texels + (size_t)i * 3);
        else
            radiance(seen, d, roughness, texels + (size_t)i * 3);
    }
    return texels;
}

zt_result peer_cube_build(const environment_view *seen, arena *a, peer_cube *out, zt_error *err)
{
    bool ok = true;
    for (int face = 0; face < 6; face++) {
        for (int32_t level = 0; level < PEER_CUBE_LEVELS; level++) {
            out->rgb[level][face] = face_build(seen, face, PEER_CUBE_SIDE >> level,
                                               level / (PEER_CUBE_LEVELS - 1.0), a);
            ok = ok && out->rgb[level][face];
        }
        out->irradiance[face] = face_build(seen, face, PEER_IRRADIANCE_SIDE, -1.0, a);
        ok = ok && out->irradiance[face];
    }
    return ok ? ZT_OK : arena_fail(a, err, "environment of a peer");
}

void peer_shadow_view(const scene_framing *framing, const double direction[3], int32_t size,
                      peer_shadow *out)
{
    view_camera camera = {0};
    screen_view v;
    const shadow_bounds bounds = scene_framing_bounds(framing);
    shadow_fit_box(&bounds, direction, 0.0, size, &camera, &out->width, &out->height);
    view_build(&camera, out->width, out->height, &v);
    const view_transform *t = &v.transform;
    for (int c = 0; c < 4; c++) {
        out->clip_from_world[c * 4 + 0] =
            2.0f * t->row_x[c] / (float)out->width - (c == 3 ? 1.0f : 0.0f);
        out->clip_from_world[c * 4 + 1] =
            2.0f * t->row_y[c] / (float)out->height - (c == 3 ? 1.0f : 0.0f);
        out->clip_from_world[c * 4 + 2] = (c == 3 ? 1.0f : 0.0f) - 2.0f * t->row_d[c];
        out->clip_from_world[c * 4 + 3] = c == 3 ? 1.0f : 0.0f;
    }
    out->texel_m = (float)(2.0 * camera.half_height / out->height);
}
