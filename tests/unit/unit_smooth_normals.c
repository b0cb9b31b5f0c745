// SPDX-License-Identifier: MIT
/// Normals of meshes without any: a cube keeps its edges, a sphere has none, and parts, seams and
/// crowded points are as they should be.
#include "mesh/corner_lists.h"
#include "mesh/point_weld.h"
#include "mesh/smooth_normals.h"
#include "random_numbers.h"
#include "test_memory.h"

ARENA_SUITE(smooth_normals, a, (uint64_t)1 << 30);

static mesh_source mesh_of(uint32_t vertices, uint32_t triangles, const uint32_t *corner)
{
    mesh_source m = {.name = "test",
                     .vertex_count = vertices,
                     .triangle_count = triangles,
                     .corner = corner,
                     .position = ARENA_ARRAY(&a, vertex_position, vertices),
                     .attributes = ARENA_ARRAY(&a, vertex_attributes, vertices)};
    return m;
}

static const uint32_t cube_corners[36] = {0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6, 0, 1, 5, 0, 5, 4,
                                          2, 6, 7, 2, 7, 3, 0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5};

static mesh_source make_cube(void)
{
    mesh_source m = mesh_of(8, 12, cube_corners);
    for (uint32_t v = 0; v < 8; v++)
        m.position[v] = (vertex_position){(float)(v & 1), (float)(v >> 1 & 1), (float)(v >> 2), 1};
    return m;
}

static void expect_normal(const mesh_source *m, uint32_t corner, const double want[3], double far)
{
    const vertex_attributes *n = &m->attributes[m->corner[corner]];
    const double d = fabs((double)n->nx - want[0]) + fabs((double)n->ny - want[1]) +
                     fabs((double)n->nz - want[2]);
    cr_expect(d <= far, "corner %u: (%g %g %g), expected (%g %g %g)", corner, (double)n->nx,
              (double)n->ny, (double)n->nz, want[0], want[1], want[2]);
}

Test(smooth_normals, a_cube_keeps_its_edges)
{
    mesh_source m = make_cube();
    cr_assert_eq(mesh_smooth_normals(NULL, &a, &m, &(smooth_rule){.point_count = 8}, NULL), ZT_OK);
    cr_expect_eq(m.vertex_count, 24u);
    for (uint32_t c = 0; c < 36; c++) {
        const uint32_t side = c / 6; // z 0, z 1, y 0, y 1, x 0, x 1
        double want[3] = {0.0, 0.0, 0.0};
        want[2 - side / 2] = side % 2 ? 1.0 : -1.0;
        expect_normal(&m, c, want, 0.0);
        const vertex_position *p = &m.position[m.corner[c]];
        cr_expect(p->x == (float)(cube_corners[c] & 1) && p->z == (float)(cube_corners[c] >> 2));
    }
}

enum { AROUND = 24, RINGS = 12, SPHERE_POINTS = AROUND * (RINGS - 1) + 2 };

/// A sphere by its angles. Returns the number of triangles.
static uint32_t make_sphere(uint32_t *corner, vertex_position *position)
{
    uint32_t count = 0;
    for (uint32_t y = 0; y < RINGS - 1; y++)
        for (uint32_t x = 0; x < AROUND; x++) {
            const double turn = 6.283185307179586 * x / AROUND,
                         down = 3.141592653589793 * (y + 1) / RINGS;
            position[y * AROUND + x] =
                (vertex_position){(float)(sin(down) * sin(turn)), (float)cos(down),
                                  (float)(sin(down) * cos(turn)), 1};
        }
    position[SPHERE_POINTS - 2] = (vertex_position){0, 1, 0, 1};
    position[SPHERE_POINTS - 1] = (vertex_position){0, -1, 0, 1};
    for (uint32_t x = 0; x < AROUND; x++) {
        const uint32_t next = (x + 1) % AROUND, last = AROUND * (RINGS - 2);
        const uint32_t caps[6] = {SPHERE_POINTS - 2, x,           next,
                                  SPHERE_POINTS - 1, last + next, last + x};
        memcpy(corner + 3 * count, caps, sizeof caps);
        count += 2;
        for (uint32_t y = 0; y + 2 < RINGS; y++) {
            const uint32_t i = y * AROUND, k = i + AROUND;
            const uint32_t quad[6] = {i + x, k + x, k + next, i + x, k + next, i + next};
            memcpy(corner + 3 * count, quad, sizeof quad);
            count += 2;
        }
    }
    return count;
}

/// Gives every corner a vertex of its own, at the point of its old one.
static mesh_source cut_apart(const mesh_source *m, uint32_t *corner)
{
    mesh_source out = mesh_of(3 * m->triangle_count, m->triangle_count, corner);
    for (uint32_t c = 0; c < 3 * m->triangle_count; c++) {
        out.position[c] = m->position[m->corner[c]];
        corner[c] = c;
    }
    return out;
}

/// The weights are exact for points on a sphere.
Test(smooth_normals, of_a_sphere_point_away_from_its_middle)
{
    static uint32_t corner[6 * AROUND * RINGS], apart[6 * AROUND * RINGS];
    OWN_POOL *pool = make_pool(3);
    for (int kind = 0; kind < 4; kind++) { // bits: with threads, with seams everywhere
        mesh_source m = mesh_of(SPHERE_POINTS, 0, corner);
        m.triangle_count = make_sphere(corner, m.position);
        const uint32_t count = kind & 2 ? 3 * m.triangle_count : (uint32_t)SPHERE_POINTS;
        const smooth_rule rule = {.point_count = SPHERE_POINTS, .point = kind & 2 ? corner : NULL};
        if (kind & 2)
            m = cut_apart(&m, apart);
        cr_assert_eq(mesh_smooth_normals(kind & 1 ? pool : NULL, &a, &m, &rule, NULL), ZT_OK);
        cr_expect_eq(m.vertex_count, count);
        for (uint32_t c = 0; c < 3 * m.triangle_count; c++) {
            const vertex_position *p = &m.position[m.corner[c]];
            expect_normal(&m, c, (const double[]){(double)p->x, (double)p->y, (double)p->z}, 2e-6);
        }
    }
}

/// Two flat triangles over one edge: one normal, but for parts; vertices of a seam keep apart.
Test(smooth_normals, parts_and_seams)
{
    static const uint32_t corner[6] = {0, 1, 2, 3, 5, 4}; // 3 and 5 are at the points of 2 and 1
    static const uint32_t point[6] = {0, 1, 2, 2, 3, 1}, parts[2] = {4, 5};
    for (int kind = 0; kind < 2; kind++) {
        mesh_source m = mesh_of(6, 2, corner);
        m.position[1] = m.position[5] = (vertex_position){1, 0, 0, 1};
        m.position[2] = m.position[3] = (vertex_position){0, 1, 0, 1};
        m.position[4] = (vertex_position){1, 1, -0.2f, 1};
        for (uint32_t v = 0; v < 6; v++)
            m.attributes[v].u = (float)v;
        const smooth_rule rule = {.point = point, .point_count = 4, .part = kind ? parts : NULL};
        cr_assert_eq(mesh_smooth_normals(NULL, &a, &m, &rule, NULL), ZT_OK);
        cr_expect_eq(m.vertex_count, 6u);
        const vertex_attributes *at = m.attributes;
        cr_expect_eq(at[m.corner[1]].nx == at[m.corner[4]].nx, kind == 0);
        cr_expect_eq(at[m.corner[2]].nz == at[m.corner[3]].nz, kind == 0);
        cr_expect_eq(at[m.corner[0]].nz, 1.0f);
        for (uint32_t c = 0; c < 6; c++)
            cr_expect_eq(at[m.corner[c]].u, (float)corner[c]);
    }
}

/// A cone of many triangles has one normal at its point, though it has many vertices there.
Test(smooth_normals, at_a_crowded_point)
{
    enum { SIDES = 500 };
    static uint32_t corner[3 * SIDES];
    for (uint32_t count = CORNERS_OF_SMALL_FAN; count <= SIDES; count += 186) {
        mesh_source m = mesh_of(count + 1, count, corner);
        for (uint32_t i = 0; i < count; i++) {
            const double turn = 6.283185307179586 * i / count;
            m.position[i] = (vertex_position){(float)cos(turn), (float)sin(turn), 0, 1};
            const uint32_t triangle[3] = {count, i, (i + 1) % count};
            memcpy(corner + 3 * i, triangle, sizeof triangle);
        }
        m.position[count] = (vertex_position){0, 0, 0.5f, 1};
        const smooth_rule rule = {.point_count = count + 1};
        cr_assert_eq(mesh_smooth_normals(NULL, &a, &m, &rule, NULL), ZT_OK);
        for (uint32_t i = 0; i < count; i++)
            expect_normal(&m, 3 * i, (const double[]){0.0, 0.0, 1.0}, 1e-5);
    }
}

/// Two cones of few triangles with one tip have two normals there.
Test(smooth_normals, where_two_cones_touch)
{
    enum { SIDES = 6 };
    static uint32_t corner[6 * SIDES];
    mesh_source m = mesh_of(2 * SIDES + 1, 2 * SIDES, corner);
    for (uint32_t i = 0; i < 2 * SIDES; i++) {
        const double turn = 6.283185307179586 * (i % SIDES) / SIDES;
        const uint32_t cone = i / SIDES * SIDES, next = cone + (i + 1) % SIDES;
        const uint32_t triangle[3] = {2 * SIDES, cone ? next : i, cone ? i : next};
        m.position[i] = (vertex_position){(float)cos(turn), (float)sin(turn), cone ? .2f : -.2f, 1};
        memcpy(corner + 3 * i, triangle, sizeof triangle);
    }
    m.position[2 * SIDES] = (vertex_position){0, 0, 0, 1};
    cr_assert_eq(
        mesh_smooth_normals(NULL, &a, &m, &(smooth_rule){.point_count = 2 * SIDES + 1}, NULL),
        ZT_OK);
    cr_expect_eq(m.vertex_count, 2u * SIDES + 2);
    for (uint32_t i = 0; i < 2 * SIDES; i++)
        expect_normal(&m, 3 * i, (const double[]){0.0, 0.0, i < SIDES ? 1.0 : -1.0}, 1e-6);
}

/// Corners without an area have any unit normal, and crowds take no longer than the rest.
Test(smooth_normals, of_hostile_meshes_are_unit_and_soon, .timeout = 60)
{
    enum { TRIANGLES = 200000 };
    static uint32_t corner[3 * TRIANGLES], point[3 * TRIANGLES];
    uint32_t seed = 3;
    for (int kind = 0; kind < 4; kind++) {
        mesh_source m = mesh_of(3 * TRIANGLES, TRIANGLES, corner);
        for (uint32_t c = 0; c < 3 * TRIANGLES; c++) {
            const uint32_t many = kind == 3 ? 3 * TRIANGLES : 50;
            corner[c] = kind == 0 ? 0 : kind == 1 ? c : next_random(&seed) % many;
            point[c] = kind == 1 ? c % 3 : c;
            m.position[c] =
                (vertex_position){(float)(next_random(&seed) % 4), (float)(c % 5), 0, 1};
        }
        const smooth_rule rule = {.point = point, .point_count = 3 * TRIANGLES};
        cr_assert_eq(mesh_smooth_normals(NULL, &a, &m, &rule, NULL), ZT_OK);
        for (uint32_t c = 0; c < 3 * TRIANGLES; c++) {
            const vertex_attributes *n = &m.attributes[m.corner[c]];
            const float length = n->nx * n->nx + n->ny * n->ny + n->nz * n->nz;
            cr_assert(length > 0.999f && length < 1.001f, "kind %d, corner %u", kind, c);
        }
        arena_reset(&a);
    }
}

/// Places of a grid in records of `size`, some of which are not finite; each is as in a serial
/// pass.
static void check_weld(job_pool *pool, uint32_t size)
{
    enum { RECORDS = 30000, SIDE = 20 };
    static float place[RECORDS][4][3];
    static uint32_t number[3 * RECORDS], seen[SIDE * SIDE * SIDE];
    const point_places places = {(const uint8_t *)place, sizeof *place, size, RECORDS};
    point_weld weld;
    uint32_t seed = 9, count = 0, lost = 0;
    memset(seen, 0, sizeof seen);
    for (uint32_t i = 0; i < RECORDS * 12; i++) {
        const uint32_t at = next_random(&seed) % SIDE;
        place[i / 12][i / 3 % 4][i % 3] = at == 0 && i / 3 % 2 ? -0.0f : (float)at;
    }
    for (uint32_t r = 1; r < RECORDS; r++) // as triangles with an edge in common, now and then
        if (r % 3 != 0)
            memcpy(place[r][0], place[r - 1][1], 2 * sizeof place[0][0]);
    place[77][size - 1][2] = INFINITY;
    place[RECORDS - 5][0][0] = NAN;
    cr_assert_eq(point_weld_places(pool, &a, &places, number, &weld, NULL), ZT_OK);
    for (uint32_t i = 0; i < RECORDS * size; i++) {
        const uint32_t record = i / size;
        const float *at = place[record][i % size];
        if (record == 77 || record == RECORDS - 5) {
            cr_assert_eq(number[i], POINT_LOST);
            lost += i % size == 0;
            continue;
        }
        uint32_t *first =
            &seen[((uint32_t)at[0] * SIDE + (uint32_t)at[1]) * SIDE + (uint32_t)at[2]];
        if (*first == 0)
            *first = ++count;
        cr_assert_eq(number[i], *first - 1, "place %u", i);
        const vertex_position *point = &weld.point[number[i]];
        cr_assert(point->x == at[0] && point->y == at[1] && point->z == at[2] &&
                  !signbit(point->y));
    }
    cr_expect_eq(weld.count, count);
    cr_expect_eq(weld.lost, lost);
    arena_reset(&a);
}

Test(smooth_normals, points_are_there_once)
{
    OWN_POOL *pool = make_pool(3);
    for (uint32_t size = 1; size <= 3; size += 2) {
        check_weld(NULL, size);
        check_weld(pool, size);
    }
}

/// Tables of points that grow need more and more.
Test(smooth_normals, points_without_memory)
{
    enum { RECORDS = 20000, STEP = 1 << 18 };
    static float place[RECORDS][3][3];
    static uint32_t number[3 * RECORDS];
    const point_places places = {(const uint8_t *)place, sizeof *place, 3, RECORDS};
    zt_result result = ZT_ERR_LIMIT;
    uint64_t limit = 0;
    for (uint32_t i = 0; i < RECORDS * 9; i++)
        place[i / 9][i / 3 % 3][i % 3] = (float)i;
    while (result != ZT_OK) {
        point_weld weld = {0};
        zt_error err = {ZT_OK, ""};
        OWN_MEMORY(tight, limit += STEP);
        result = point_weld_places(NULL, &tight, &places, number, &weld, &err);
        cr_assert(result == ZT_OK ? weld.count == 3 * RECORDS : err.message[0] != 0);
    }
    cr_expect_gt(limit, (uint64_t)16 * 3 * RECORDS);
}
