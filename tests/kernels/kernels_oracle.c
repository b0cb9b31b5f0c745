// SPDX-License-Identifier: MIT
/// Transform against naive doubles: bit_exact alone would pass a shared mistake. Skinning:
/// kernels_skin_forms.c.
#include "kernels/kernels.h"
#include "random_inputs.h"
#include "testing.h"

static const double EPS = 1.0 / 8388608.0; ///< 2^-23: twice the rounding error of one operation

Test(oracle, skin_single_matrix_copies_an_identity)
{
    const vertex_position p = {1.5f, -2.25f, 1e-3f, 1.0f};
    const skin_matrix identity = {{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}}};
    EACH_KERNEL_TABLE (isa, k) {
        vertex_position out = {0};
        k->geometry->skin(&(skin_job){.position = &p,
                                      .palette = &identity,
                                      .normals = &identity,
                                      .out_position = &out,
                                      .count = 1});
        cr_assert(memcmp(&out, &p, sizeof p) == 0, "%s", k->name);
    }
}

static double row_dot(const float row[4], const vertex_position *p, double *out_size)
{
    const double t[4] = {(double)row[0] * (double)p->x, (double)row[1] * (double)p->y,
                         (double)row[2] * (double)p->z, (double)row[3]};
    *out_size = fabs(t[0]) + fabs(t[1]) + fabs(t[2]) + fabs(t[3]);
    return ((t[0] + t[1]) + t[2]) + t[3];
}

/// Checks vertex i: outcode, depth and snapped position that follow from its homogeneous position.
static void check_vertex(const char *name, const view_transform *v, const screen_vertices *s, int i,
                         const vertex_position *p)
{
    double size[3];
    const double want[3] = {row_dot(v->row_x, p, &size[0]), row_dot(v->row_y, p, &size[1]),
                            row_dot(v->row_w, p, &size[2])};
    const float got[3] = {s->x[i], s->y[i], s->w[i]};
    for (int k = 0; k < 3; k++)
        cr_assert(fabs((double)got[k] - want[k]) <= 4.0 * EPS * size[k], "%s: row %d", name, k);

    const double x = (double)s->x[i], y = (double)s->y[i], w = (double)s->w[i];
    unsigned code = 0;
    code |= x < 0.0 ? OUTCODE_LEFT : 0u;
    code |= y < 0.0 ? OUTCODE_TOP : 0u;
    code |= x > (double)(v->width * s->w[i]) ? OUTCODE_RIGHT : 0u;
    code |= y > (double)(v->height * s->w[i]) ? OUTCODE_BOTTOM : 0u;
    const unsigned sides = OUTCODE_LEFT | OUTCODE_TOP | OUTCODE_RIGHT | OUTCODE_BOTTOM;
    cr_assert_eq(s->outcode[i] & sides, code, "%s", name);
    const bool near = v->orthographic ? (double)s->depth[i] > 1.0 : s->w[i] < v->near_w;
    cr_assert_eq((s->outcode[i] & OUTCODE_NEAR) != 0, near, "%s", name);
    cr_assert_eq((s->outcode[i] & OUTCODE_FAR) != 0, v->orthographic && s->depth[i] < 0.0f);
    const double px = x / w, py = y / w;
    const bool in_guard = px > GUARD_MIN_PX - 0.01 && px < GUARD_MAX_PX + 0.01 &&
                          py > GUARD_MIN_PX - 0.01 && py < GUARD_MAX_PX + 0.01;
    if (s->outcode[i] & OUTCODE_CLIP)
        return;
    cr_assert(in_guard, "%s", name);
    if (!v->orthographic)
        cr_assert(fabs((double)s->depth[i] * w - 1.0) <= EPS);
    // Half a unit of rounding, and the error of a quotient of up to 2^15 pixels in 24 bits.
    const double slack = 0.5 + 2.0 * EPS * 256.0 * fmax(fabs(px), fabs(py));
    cr_assert(fabs(px * 256.0 - s->sx[i]) <= slack && fabs(py * 256.0 - s->sy[i]) <= slack, "%s",
              name);
}

Test(oracle, transform)
{
    enum { COUNT = 64 };
    static vertex_position position[COUNT];
    static screen_vertices screen;
    static _Alignas(16) float homogeneous[COUNT][4];
    uint32_t index[COUNT];
    int inside = 0, clipped = 0;
    for (unsigned seed = 1; seed <= 300; seed++) {
        random_state r = {seed};
        view_transform v = {.near_w = 0.25f,
                            .width = (float)random_int(&r, 1, 4000),
                            .height = (float)random_int(&r, 1, 4000),
                            .orthographic = seed % 2 == 0};
        for (int i = 0; i < 4; i++) {
            v.row_x[i] = random_float(&r, -1000.0f, 1500.0f);
            v.row_y[i] = random_float(&r, -1000.0f, 1500.0f);
            v.row_w[i] = v.orthographic ? (i == 3 ? 1.0f : 0.0f) : random_float(&r, -0.5f, 1.0f);
            v.row_d[i] = random_float(&r, -0.4f, 0.6f);
        }
        for (uint32_t i = 0; i < COUNT; i++) {
            position[i] =
                (vertex_position){random_float(&r, -2.0f, 2.0f), random_float(&r, -2.0f, 2.0f),
                                  random_float(&r, -2.0f, 2.0f), 1.0f};
            index[i] = COUNT - 1 - i;
        }
        EACH_KERNEL_TABLE (isa, k) {
            k->geometry->transform(
                &(transform_job){&v, position, index, COUNT, &screen, homogeneous});
            for (int i = 0; i < COUNT; i++) {
                check_vertex(k->name, &v, &screen, i, &position[index[i]]);
                cr_assert(homogeneous[i][0] == screen.x[i] && homogeneous[i][1] == screen.y[i] &&
                          homogeneous[i][2] == screen.w[i] && homogeneous[i][3] == screen.depth[i]);
                inside += (screen.outcode[i] & OUTCODE_CLIP) == 0;
                clipped += (screen.outcode[i] & OUTCODE_CLIP) != 0;
            }
        }
    }
    cr_assert(inside > 1000 && clipped > 1000, "the inputs must meet both: %d, %d", inside,
              clipped);
}

Test(oracle, transform_marks_vertices_that_are_not_finite)
{
    static screen_vertices screen;
    static _Alignas(16) float homogeneous[4][4];
    const vertex_position position[4] = {{NAN, 0.0f, 0.0f, 1.0f},
                                         {0.0f, INFINITY, 0.0f, 1.0f},
                                         {0.0f, 0.0f, 3e38f, 1.0f},
                                         {0.0f, 0.0f, 1.0f, 1.0f}};
    const uint32_t index[4] = {0, 1, 2, 3};
    const view_transform v = {.row_x = {9.0f, 0.0f, 9.0f, 0.0f},
                              .row_y = {0.0f, 9.0f, 9.0f, 0.0f},
                              .row_w = {0.0f, 0.0f, 1.0f, 0.0f},
                              .near_w = 0.1f,
                              .width = 18.0f,
                              .height = 18.0f};
    EACH_KERNEL_TABLE (isa, k) {
        k->geometry->transform(&(transform_job){&v, position, index, 4, &screen, homogeneous});
        for (int i = 0; i < 3; i++)
            cr_assert(screen.outcode[i] & OUTCODE_INVALID, "%s: %d", k->name, i);
        cr_assert_eq(screen.outcode[3], 0u);
        cr_assert(screen.sx[3] == 9 * 256 && screen.sy[3] == 9 * 256);
    }
}
