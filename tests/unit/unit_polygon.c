// SPDX-License-Identifier: MIT
/// Polygons cut into triangles: areas add up, no triangle lies outside, and any outline has an end.
#include "mesh/polygon.h"
#include "random_numbers.h"
#include "test_memory.h"

enum { CORNERS_MAX = 3000 };

typedef struct cut {
    vertex_position position[CORNERS_MAX];
    uint32_t vertex[CORNERS_MAX], out[3 * CORNERS_MAX];
    uint32_t count;
} cut;

static cut c;

/// Corners in a plane that is tilted by `kind`.
static void add(double x, double y, int kind)
{
    const float a = (float)x, b = (float)y, d = (float)(0.3 * x - 0.2 * y);
    const vertex_position places[4] = {{a, b, d, 1}, {d, a, b, 1}, {b, d, a, 1}, {b, a, d, 1}};
    c.vertex[c.count] = CORNERS_MAX - 1 - c.count;
    c.position[CORNERS_MAX - 1 - c.count++] = places[kind];
}

static void triangle_normal(const uint32_t *corner, double out[3])
{
    double e[2][3];
    const vertex_position *p0 = &c.position[c.vertex[corner[0]]];
    for (int i = 0; i < 2; i++) {
        const vertex_position *p = &c.position[c.vertex[corner[i + 1]]];
        e[i][0] = (double)p->x - (double)p0->x;
        e[i][1] = (double)p->y - (double)p0->y;
        e[i][2] = (double)p->z - (double)p0->z;
    }
    for (int k = 0; k < 3; k++)
        out[k] =
            0.5 * (e[0][(k + 1) % 3] * e[1][(k + 2) % 3] - e[0][(k + 2) % 3] * e[1][(k + 1) % 3]);
}

/// Counts no bytes as read: what the corners cost is bounded by the least.
static uint64_t cut_outline(void)
{
    OWN_MEMORY(a, 0);
    zt_error err = {0};
    memset(c.out, 0xff, sizeof c.out);
    cr_assert_eq(polygon_cut(&a, c.position, c.vertex, c.count, c.out, &err), ZT_OK);
    cr_assert_eq(a_budget.used, 0);
    cr_assert_eq(a_budget.work->blind == 0, a_budget.work->cut < (uint64_t)1 << 24);
    return a_budget.work->cut;
}

/// The sum of the triangles' areas, and of their area vectors: equal when none is turned over.
static void expect_area(double want, const char *what)
{
    double sum = 0.0, all[3] = {0.0, 0.0, 0.0}, n[3];
    (void)cut_outline();
    for (uint32_t t = 0; t + 2 < c.count; t++) {
        for (int k = 0; k < 3; k++)
            cr_assert_lt(c.out[3 * t + (uint32_t)k], c.count, "%s: triangle %u", what, t);
        triangle_normal(&c.out[3 * t], n);
        sum += sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
        for (int k = 0; k < 3; k++)
            all[k] += n[k];
    }
    const double whole = sqrt(all[0] * all[0] + all[1] * all[1] + all[2] * all[2]);
    NEAR(sum, whole, 1e-5 * whole, "%s", what);
    const double tilt = sqrt(1.0 + 0.09 + 0.04);
    cr_expect(want == 0.0 || fabs(whole - want * tilt) < 1e-4 * whole, "%s: area %g", what, whole);
}

Test(polygon, outlines_of_known_area)
{
    for (int kind = 0; kind < 4; kind++) {
        c.count = 0; // an arrow head, from each corner
        for (int i = 0; i < 4; i++) {
            static const double arrow[4][2] = {{0, 0}, {2, -1}, {0, 3}, {-2, -1}};
            c.count = 0;
            for (int k = 0; k < 4; k++)
                add(arrow[(i + k) % 4][0], arrow[(i + k) % 4][1], kind);
            expect_area(6.0, "arrow");
        }
        c.count = 0; // a star
        for (int i = 0; i < 10; i++) {
            const double r = i % 2 ? 0.4 : 1.0, turn = 0.6283185307179586 * i;
            add(r * cos(turn), r * sin(turn), kind);
        }
        expect_area(10.0 * 0.5 * 0.4 * sin(0.6283185307179586), "star");
        c.count = 0; // a comb
        for (int i = 0; i < 200; i++)
            add(i, i % 2 ? 5 : 1, kind);
        add(199, 0, kind);
        add(0, 0, kind);
        expect_area(199.0 * 3.0, "comb");
    }
}

/// Combs of any size have areas that add up, and cost little more than they have corners.
Test(polygon, work_follows_the_corners)
{
    uint64_t before = 0;
    for (int teeth = 370; teeth < 3000; teeth *= 2) {
        c.count = 0;
        for (int i = 0; i < teeth; i++)
            add(i, i % 2 ? 5 : 1, 0);
        add(teeth - 1, 0, 0);
        add(0, 0, 0);
        expect_area((teeth - 1) * 3.0, "comb");
        const uint64_t steps = cut_outline();
        cr_assert(before == 0 || 10 * steps < 26 * before, "%d teeth: %llu steps after %llu", teeth,
                  (unsigned long long)steps, (unsigned long long)before);
        before = steps;
    }
}

/// A square with a square hole, joined by a line that runs there and back.
Test(polygon, holes)
{
    static const double outline[10][2] = {{0, 0}, {4, 0}, {4, 4}, {0, 4}, {0, 0},
                                          {1, 1}, {1, 3}, {3, 3}, {3, 1}, {1, 1}};
    c.count = 0;
    for (int i = 0; i < 10; i++)
        add(outline[i][0], outline[i][1], 0);
    expect_area(12.0, "hole");
}

Test(polygon, of_any_shape_have_an_end, .timeout = 60)
{
    uint32_t seed = 11;
    for (int round = 0; round < 300; round++) {
        c.count = 0;
        const uint32_t count = round < 290 ? 3 + next_random(&seed) % 40 : CORNERS_MAX;
        const uint32_t grid = round % 3 == 0 ? 3 : 1000;
        for (uint32_t i = 0; i < count; i++)
            add(next_random(&seed) % grid, next_random(&seed) % grid, round % 4);
        (void)cut_outline();
        for (uint32_t i = 0; i < 3 * (count - 2); i++)
            cr_assert_lt(c.out[i], count);
    }
}
