// SPDX-License-Identifier: MIT
/// Specular antialiasing in the shading kernel against double: the colour of the light oracle for
/// the roughness of the steps of the interpolated normal and the length of a filtered one.
#include "shade_oracle.h"
#include "testing.h"
#include "texture/mipmap.h"

/// A directional light near the mirror direction of `n` at the centre.
static void light_near(random_state *r, shade_stage *s, const double n[3], oracle_light *out)
{
    double eye[3], mirror[3], to_light[3];
    stage_view(s, s->centre, eye);
    for (int k = 0; k < 3; k++)
        mirror[k] = 2.0 * dot3(n, eye) * n[k] - eye[k];
    stage_direction_near(r, mirror, 0.9, to_light);
    *out = (oracle_light){.kind = SHADE_LIGHT_DIRECTIONAL};
    for (int k = 0; k < 3; k++) {
        out->direction[k] = -to_light[k];
        out->color[k] = 1.0;
    }
    oracle_light_stage(out, s);
}

/// The interpolated unit normal at (x, y): weights solve b0 h0 + b1 h1 + b2 h2 ~ (x, y, 1).
static void normal_at(const shade_stage *s, double x, double y, double out[3])
{
    const double at[3] = {x, y, 1.0};
    double h[3][3], edge[3];
    for (int k = 0; k < 3; k++) {
        out[k] = 0.0;
        for (int c = 0; c < 3; c++)
            h[k][c] = (double)s->homogeneous[k][c];
    }
    for (int k = 0; k < 3; k++) {
        cross3(h[(k + 1) % 3], h[(k + 2) % 3], edge);
        const float *n = &s->attributes[k].nx;
        for (int c = 0; c < 3; c++)
            out[c] += dot3(edge, at) * (double)n[c];
    }
    double determinant = 0.0;
    cross3(h[1], h[2], edge);
    determinant = dot3(h[0], edge);
    for (int c = 0; c < 3; c++)
        out[c] /= determinant;
    unit3(out);
}

/// Addition to alpha^2 by the steps of the unit normal, from central differences.
static double curvature_widening(const shade_stage *s, double x, double y)
{
    const double step = 1e-4;
    double sum = 0.0;
    for (int axis = 0; axis < 2; axis++) {
        double a[3], b[3];
        const double dx = axis == 0 ? step : 0.0, dy = axis == 0 ? 0.0 : step;
        normal_at(s, x - dx, y - dy, a);
        normal_at(s, x + dx, y + dy, b);
        for (int c = 0; c < 3; c++)
            sum += (b[c] - a[c]) * (b[c] - a[c]) / (4.0 * step * step);
    }
    return fmin(sum / PI, 0.18);
}

/// Colour of sample i in double for a shading normal and what is added to alpha^2.
static double reflected(const shade_stage *s, const oracle_light *light, int i, const double n[3],
                        double wider, double *slack)
{
    const double rough = fmax((double)s->material.roughness, 0.05);
    oracle_point p = {.metallic = 1.0, .specular = 1.0};
    p.roughness = sqrt(sqrt(fmin(rough * rough * rough * rough + wider, 1.0)));
    stage_position(s, i, p.position);
    stage_view(s, p.position, p.view);
    for (int k = 0; k < 3; k++) {
        p.normal[k] = n[k];
        p.base[k] = 1.0;
        p.f0[k] = 0.04;
    }
    double color[3], slacks[3];
    if (dot3(p.normal, p.view) < 0.1)
        return -1.0;
    oracle_direct(&p, light, color, slacks);
    *slack = slacks[0];
    return color[0];
}

/// Compares samples with the oracle; counts those that tell `wider` from an unwidened lobe.
static int check(const shade_stage *s, const oracle_light *light, double n[][3],
                 const double *wider, double per_slack)
{
    int told = 0;
    for (int i = 0; i < STAGE_SAMPLES; i++) {
        double slack, other;
        const double want = reflected(s, light, i, n[i], wider[i], &slack);
        if (want < 0.0)
            continue;
        const double got = (double)s->color[i][0], bound = 1e-5 * (want + 1.0) + per_slack * slack;
        cr_assert_leq(fabs(got - want), bound, "%.9g, want %.9g (+- %g), wider by %g", got, want,
                      bound, wider[i]);
        told += fabs(got - reflected(s, light, i, n[i], 0.0, &other)) > 4.0 * bound;
    }
    return told;
}

/// Normals that turn by up to 40 degrees a pixel.
Test(widening, steps_of_the_normal)
{
    static shade_stage s;
    int told = 0, limited = 0;
    for (uint64_t seed = 1; seed <= 400; seed++) {
        random_state r = {seed * 17};
        double n[3], turn[2][3], normals[STAGE_SAMPLES][3], wider[STAGE_SAMPLES];
        oracle_light light;
        stage_build(&s, &r, seed % 2 == 0);
        memcpy(n, s.plane, sizeof n);
        const double per_pixel = seed % 4 == 0 ? 0.7 : stage_number(&r, 0.01, 0.4);
        for (int axis = 0; axis < 2; axis++) {
            random_unit3(&r, turn[axis]);
            for (int c = 0; c < 3; c++)
                turn[axis][c] *= per_pixel;
        }
        for (int k = 0; k < 3; k++) {
            const float *h = s.homogeneous[k];
            const double x = (double)(h[0] / h[2]) - 128.0, y = (double)(h[1] / h[2]) - 128.0;
            float *to = &s.attributes[k].nx;
            for (int c = 0; c < 3; c++)
                to[c] = (float)(n[c] + turn[0][c] * x + turn[1][c] * y);
        }
        normal_at(&s, 128.0, 128.0, n);
        light_near(&r, &s, n, &light);
        s.material.roughness = random_float(&r, 0.3f, 0.6f);
        s.frame.specular_antialiasing = true;
        const int around = (int)(fmin(0.5 / per_pixel, 25.0) * 256.0);
        for (int i = 0; i < STAGE_SAMPLES; i++) {
            s.sample[i].x = 128 * 256 + random_int(&r, -around, around);
            s.sample[i].y = 128 * 256 + random_int(&r, -around, around);
            const double x = s.sample[i].x / 256.0, y = s.sample[i].y / 256.0;
            normal_at(&s, x, y, normals[i]);
            wider[i] = curvature_widening(&s, x, y);
            limited += wider[i] == 0.18;
        }
        stage_shade(&s);
        told += check(&s, &light, normals, wider, 3e-5);
    }
    cr_log_info("%d samples tell widened lobes, %d at the limit", told, limited);
    cr_assert_gt(told, 1000);
    cr_assert_gt(limited, 200);
}

/// A normal map of (0, 0, length), `shortness` too short in the picture, `per_pixel` texels each.
static void map_of_length(shade_stage *s, double length, float shortness, double per_pixel)
{
    static uint16_t texels[5][5][4];
    static surface_texture texture;
    static const float corner[3][2] = {{0.0f, 0.0f}, {1.0f, 0.0f}, {0.0f, 1.0f}};
    for (int i = 0; i < 5 * 5; i++) {
        texels[i / 5][i % 5][0] = texels[i / 5][i % 5][1] = MIPMAP_U15_ONE / 2;
        texels[i / 5][i % 5][2] = (uint16_t)(MIPMAP_U15_ONE / 2 * (1.0 + length) + 0.5);
    }
    texture = (surface_texture){.level = {{texels, 4, 4, 5}},
                                .level_count = 1,
                                .wide = true,
                                .is_signed = true,
                                .shortness = shortness};
    s->material.map[SHADE_MAP_NORMAL].texture = &texture;
    for (int k = 0; k < 3; k++) {
        s->attributes[k].u = corner[k][0] * (float)(per_pixel * 64.0);
        s->attributes[k].v = corner[k][1] * (float)(per_pixel * 64.0);
    }
}

/// Maps that are minified far widen by a tenth of what they are shorter than 8 bits explain;
/// magnified ones, and those that are as short in the picture, do not.
Test(widening, length_of_the_normal_map)
{
    static shade_stage s;
    int told = 0, same = 0;
    for (uint64_t seed = 1; seed <= 200; seed++) {
        random_state r = {seed * 29};
        double n[STAGE_SAMPLES][3], wider[STAGE_SAMPLES];
        oracle_light light;
        stage_build(&s, &r, seed % 2 == 0);
        const bool magnified = seed % 4 == 0, as_it_is = seed % 4 == 2;
        const double length = stage_number(&r, 0.3, 1.0), short_by = 1.0 - length * length;
        map_of_length(&s, length, as_it_is ? (float)short_by / 2.0f : 0.0f, magnified ? 0.01 : 40);
        stage_normal(&s, n[0]);
        light_near(&r, &s, n[0], &light);
        s.material.roughness = random_float(&r, 0.2f, 0.5f);
        s.material.normal_scale = seed % 3 == 0 ? 0.5f : 1.0f;
        s.frame.specular_antialiasing = true;
        const double scale = (double)s.material.normal_scale;
        for (int i = 0; i < STAGE_SAMPLES; i++) {
            stage_normal(&s, n[i]);
            wider[i] = magnified || as_it_is
                           ? 0.0
                           : 0.1 * scale * scale * fmax(short_by - 1.0 / 64.0, 0.0);
        }
        stage_shade(&s);
        const int tells = check(&s, &light, n, wider, 3e-4);
        told += tells;
        same += magnified || as_it_is;
    }
    cr_log_info("%d samples tell widened lobes, %d maps widen nothing", told, same);
    cr_assert_gt(told, 500);
    cr_assert_eq(same, 100);
}
