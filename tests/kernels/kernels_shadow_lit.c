// SPDX-License-Identifier: MIT
/// Triangles that are said to be wholly lit, compiled for one lane: lookups of their points find
/// nothing nearer to the light, in maps of texels just above and below their planes.
#define ZT_ISA_SCALAR_BUILD 1
#include "random_inputs.h"
#include "shade/shade_loops.h"
#include "simd/vec3_lanes.h"

// clang-format off
#include "surface/texture.inl"
#include "surface/anisotropy.inl"
#include "surface/surface.inl"
#include "surface/surface_screen.inl"
#include "shadow/shadow.inl"
#include "shadow/shadow_soft.inl"
#include "shadow/shadow_lit.inl"
#include "testing.h"
// clang-format on

enum {
    SIDE = 128,
    STRIDE = SIDE + 2 * SHADOW_BORDER + 64, ///< rows are read past their ends
    ROWS = SIDE + 2 * SHADOW_BORDER,
    CELLS = SIDE / SHADOW_COVER_CELL,
    CASES = 2000 / ZT_RANDOM_SHARE,
    POINTS = 50,
};

static float texels[ROWS * STRIDE], cover[CELLS * CELLS + 64];

/// A light that looks along -z from `eye`: 100 texels a metre, 2 metres deep.
static shadow_map map_at(const float eye[3], bool soft)
{
    const float pixels = 100.0f, range = 2.0f, half = SIDE * 0.5f;
    return (shadow_map){.depth = texels + SHADOW_BORDER * STRIDE + SHADOW_BORDER,
                        .width = SIDE,
                        .height = SIDE,
                        .stride = STRIDE,
                        .view = {.row_x = {pixels, 0.0f, 0.0f, half - pixels * eye[0]},
                                 .row_y = {0.0f, -pixels, 0.0f, half + pixels * eye[1]},
                                 .row_d = {0.0f, 0.0f, 1.0f / range, 1.0f - eye[2] / range},
                                 .orthographic = true},
                        .forward = {0.0f, 0.0f, -1.0f},
                        .plane_x = {1.0f / (pixels * range), 0.0f, 0.0f},
                        .plane_y = {0.0f, -1.0f / (pixels * range), 0.0f},
                        .inside = half + 2.0f,
                        .texel_m = 1.0f / pixels,
                        .steps = 1.0f / (pixels * range),
                        .spread = soft ? 100.0f : 0.0f,
                        .cover = cover,
                        .cover_wide = CELLS};
}

/// A triangle around `eye` less a metre, of normals that differ from its own by about `bend`.
static void random_triangle(random_state *r, const float eye[3], float bend, shadow_table *t)
{
    const screen_view view = {.transform.orthographic = true, .forward = {0.0f, 0.0f, -1.0f}};
    const float tilt[2] = {random_float(r, -1.5f, 1.5f), random_float(r, -1.5f, 1.5f)};
    vec3_lanes p[3];
    for (int32_t k = 0; k < 3; k++) {
        const float x = random_float(r, -0.15f, 0.15f), y = random_float(r, -0.15f, 0.15f);
        p[k] = (vec3_lanes){eye[0] + x, eye[1] + y, eye[2] - 1.0f + tilt[0] * x + tilt[1] * y};
        float n[3] = {random_float(r, -bend, bend) - tilt[0],
                      random_float(r, -bend, bend) - tilt[1], 1.0f};
        const float length = sqrtf((n[0] * n[0] + n[1] * n[1]) + n[2] * n[2]);
        for (int32_t i = 0; i < 3; i++) {
            float *row = &t->surface.row[ROW_ATTRIBUTES + 3 * i][0];
            row[k * ZT_W] = n[i] / length - (k > 0 ? row[0] : 0.0f);
        }
    }
    shadow_geometry(&view, p, t);
}

/// Fills the map with the plane of the triangle, at most `above` texels' steps nearer.
static void fill_map(random_state *r, const shadow_map *m, const shadow_table *t, float above)
{
    const double n[3] = {(double)t->row[SHADOW_PLANE][0], (double)t->row[SHADOW_PLANE + 1][0],
                         (double)t->row[SHADOW_PLANE + 2][0]};
    const vec3_lanes p = {t->row[SHADOW_POSITION][0], t->row[SHADOW_POSITION + 3][0],
                          t->row[SHADOW_POSITION + 6][0]};
    const double x0 = (double)shadow_transform(m->view.row_x, p);
    const double y0 = (double)shadow_transform(m->view.row_y, p);
    const double d0 = (double)shadow_transform(m->view.row_d, p), steps = (double)m->steps;
    const double dx = -n[0] / n[2] * steps, dy = n[1] / n[2] * steps;
    for (int32_t y = 0; y < SIDE; y++)
        for (int32_t x = 0; x < SIDE; x++) {
            const double plane = d0 + dx * (x + 0.5 - x0) + dy * (y + 0.5 - y0);
            const double off = (double)random_float(r, above - 0.2f, above);
            texels[(y + SHADOW_BORDER) * STRIDE + x + SHADOW_BORDER] = (float)(plane + off * steps);
        }
    // One that blocks, near a corner.
    const int32_t corner = random_int(r, 0, 2);
    float at[3];
    for (int32_t k = 0; k < 3; k++)
        at[k] = t->row[SHADOW_POSITION + 3 * k][0] +
                (corner > 0 ? t->row[SHADOW_POSITION + 3 * k + corner][0] : 0.0f);
    const vec3_lanes c = {at[0], at[1], at[2]};
    const int32_t at_x = (int32_t)shadow_transform(m->view.row_x, c) + random_int(r, -5, 5);
    const int32_t at_y = (int32_t)shadow_transform(m->view.row_y, c) + random_int(r, -5, 5);
    texels[(at_y + SHADOW_BORDER) * STRIDE + at_x + SHADOW_BORDER] += 40.0f * m->steps;
    const double cell = SHADOW_COVER_CELL;
    for (int32_t y = 0; y < CELLS; y++)
        for (int32_t x = 0; x < CELLS; x++) {
            const double plane = d0 + dx * ((x + 0.5) * cell - x0) + dy * ((y + 0.5) * cell - y0);
            const double off = 1.5 * cell * (fabs(dx) + fabs(dy));
            cover[y * CELLS + x] =
                (float)(plane + off + (double)random_float(r, above - 0.3f, above) * steps);
        }
}

static void check_points(random_state *r, const shadow_map *m, const shadow_table *t)
{
    for (int32_t i = 0; i < POINTS; i++) {
        surface s = {.table = &t->surface, .slot = 0};
        s.l1 = i % 5 ? random_float(r, 0.0f, 1.0f) : (float)(i % 2);
        s.l2 = i % 3 ? random_float(r, 0.0f, 1.0f - s.l1) : 1.0f - s.l1;
        const shadow_point p = shadow_point_at(t, &s);
        const shadow_texel at = shadow_project(m, &p);
        const float share = shadow_filter_3x3(m, &at);
        cr_assert(share >= 1.0f, "%.9g of the light arrives at %.9g, %.9g", (double)share,
                  (double)s.l1, (double)s.l2);
        cr_assert(m->spread <= 0.0f || !shadow_is_covered(m, &at));
    }
}

Test(shadow_lit, points)
{
    random_state r = {23};
    int32_t found[2] = {0, 0};
    for (int32_t i = 0; i < CASES; i++) {
        const float far = i % 3 == 0 ? 50.0f : 1.0f;
        const float eye[3] = {random_float(&r, -far, far), random_float(&r, -far, far),
                              random_float(&r, -far, far)};
        const bool soft = i % 2;
        const shadow_map m = map_at(eye, soft);
        const int32_t id[1] = {1};
        shadow_table t = {0};
        float open = 0.5f;
        random_triangle(&r, eye, i % 4 ? 0.3f : 0.0f, &t);
        fill_map(&r, &m, &t, random_float(&r, 0.6f, 1.6f));
        shadow_lit_triangles(&m, &t, id, &open);
        cr_assert(open == 0.0f || open == 1.0f);
        found[soft] += open > 0.0f;
        if (open > 0.0f)
            check_points(&r, &m, &t);
    }
    for (int32_t soft = 0; soft < 2; soft++) {
        cr_expect_gt(found[soft], CASES / 24, "%d found", (int)found[soft]);
        cr_expect_lt(found[soft], CASES * 7 / 16, "%d found", (int)found[soft]);
    }
}
