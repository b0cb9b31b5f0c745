// SPDX-License-Identifier: MIT
/// Generated tangents against a second implementation of the definition, written for reading:
/// corner by corner in double precision, with searches where tangents.h has tables.
#include "mesh/tangents.h"
#include "random_numbers.h"
#include "test_memory.h"

enum { SIDE = 14, HUB = 160, VERTICES = 2 * SIDE * SIDE + HUB + 1, TRIANGLES = 1200 };

typedef struct reference {
    mesh_source mesh;
    uint32_t weld[VERTICES];
    int neighbour[3 * TRIANGLES]; ///< triangle over the edge from this corner to the next; -1
    bool degenerate[TRIANGLES], any[TRIANGLES], preserving[TRIANGLES];
    double along[TRIANGLES][3];
    bool taken[3 * TRIANGLES];
    double tangent[3 * TRIANGLES][4]; ///< of each corner, with its handedness; 0: by rounding
} reference;

static uint32_t welded(const reference *r, uint32_t corner)
{
    return r->weld[r->mesh.corner[corner]];
}

static uint32_t next_of(uint32_t corner) { return corner % 3 == 2 ? corner - 2 : corner + 1; }

static void point(const reference *r, uint32_t vertex, double out[3])
{
    const vertex_position *p = &r->mesh.position[vertex];
    out[0] = (double)p->x;
    out[1] = (double)p->y;
    out[2] = (double)p->z;
}

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void unit_in_plane(const double normal[3], double v[3])
{
    const double along = dot(normal, v);
    for (int k = 0; k < 3; k++)
        v[k] -= normal[k] * along;
    const double length = sqrt(dot(v, v));
    for (int k = 0; k < 3; k++)
        v[k] = length > 1e-30 ? v[k] / length : 0.0;
}

static void measure(reference *r, uint32_t t)
{
    const uint32_t *c = &r->mesh.corner[3 * t];
    const vertex_attributes *a = r->mesh.attributes;
    double p[3][3];
    for (int k = 0; k < 3; k++)
        point(r, c[k], p[k]);
    r->degenerate[t] = memcmp(p[0], p[1], sizeof p[0]) == 0 ||
                       memcmp(p[1], p[2], sizeof p[0]) == 0 || memcmp(p[2], p[0], sizeof p[0]) == 0;
    const double s1 = (double)(a[c[1]].u - a[c[0]].u), t1 = (double)(a[c[0]].v - a[c[1]].v);
    const double s2 = (double)(a[c[2]].u - a[c[0]].u), t2 = (double)(a[c[0]].v - a[c[2]].v);
    const double area = s1 * t2 - s2 * t1;
    r->preserving[t] = area > 0.0;
    r->any[t] = area == 0.0;
    for (int k = 0; k < 3; k++)
        r->along[t][k] =
            (t2 * (p[1][k] - p[0][k]) - t1 * (p[2][k] - p[0][k])) * (area > 0 ? 1 : -1);
}

static bool same_vertex(const mesh_source *m, uint32_t a, uint32_t b)
{
    const vertex_attributes *x = &m->attributes[a], *y = &m->attributes[b];
    return memcmp(&m->position[a], &m->position[b], sizeof *m->position) == 0 && x->nx == y->nx &&
           x->ny == y->ny && x->nz == y->nz && x->u == y->u && x->v == y->v;
}

/// Each edge is paired with the first before it that runs against it and has no pair yet.
static void connect_edges(reference *r)
{
    for (uint32_t e = 0; e < 3 * TRIANGLES; e++)
        r->neighbour[e] = -1;
    for (uint32_t e = 0; e < 3 * TRIANGLES; e++)
        for (uint32_t f = 0; f < e && !r->degenerate[e / 3] && r->neighbour[e] < 0; f++)
            if (!r->degenerate[f / 3] && r->neighbour[f] < 0 &&
                welded(r, f) == welded(r, next_of(e)) && welded(r, next_of(f)) == welded(r, e)) {
                r->neighbour[e] = (int)(f / 3);
                r->neighbour[f] = (int)(e / 3);
            }
}

static void normal_of(const reference *r, uint32_t corner, double out[3])
{
    const vertex_attributes *a = &r->mesh.attributes[r->mesh.corner[corner]];
    out[0] = (double)a->nx;
    out[1] = (double)a->ny;
    out[2] = (double)a->nz;
}

static void add_corner(const reference *r, uint32_t corner, double sum[3])
{
    double normal[3], along[3], own[3], next[3], last[3];
    normal_of(r, corner, normal);
    memcpy(along, r->along[corner / 3], sizeof along);
    point(r, r->mesh.corner[corner], own);
    point(r, r->mesh.corner[next_of(corner)], next);
    point(r, r->mesh.corner[next_of(next_of(corner))], last);
    for (int k = 0; k < 3; k++) {
        next[k] -= own[k];
        last[k] -= own[k];
    }
    unit_in_plane(normal, along);
    unit_in_plane(normal, next);
    unit_in_plane(normal, last);
    const double cosine = dot(next, last);
    const double angle = acos(cosine > 1.0 ? 1.0 : cosine < -1.0 ? -1.0 : cosine);
    for (int k = 0; k < 3 && !r->any[corner / 3]; k++)
        sum[k] += angle * along[k];
}

/// Takes the corners of a group, depth first.
static uint32_t take_group(reference *r, uint32_t corner, bool preserving, uint32_t *list,
                           uint32_t count)
{
    const uint32_t t = corner / 3;
    if (r->taken[corner])
        return count;
    if (r->any[t] && !r->taken[3 * t] && !r->taken[3 * t + 1] && !r->taken[3 * t + 2])
        r->preserving[t] = preserving;
    if (r->preserving[t] != preserving)
        return count;
    r->taken[corner] = true;
    list[count++] = corner;
    const int around[2] = {r->neighbour[corner], r->neighbour[next_of(next_of(corner))]};
    for (int i = 0; i < 2; i++)
        for (uint32_t k = 0; k < 3 && around[i] >= 0; k++)
            if (welded(r, 3 * (uint32_t)around[i] + k) == welded(r, corner))
                count = take_group(r, 3 * (uint32_t)around[i] + k, preserving, list, count);
    return count;
}

static void perpendicular(const double normal[3], double out[4])
{
    int axis = 0;
    for (int k = 1; k < 3; k++)
        if (fabs(normal[k]) < fabs(normal[axis]))
            axis = k;
    for (int k = 0; k < 3; k++)
        out[k] = (k == axis) - normal[axis] * normal[k];
    const double length = sqrt(dot(out, out));
    for (int k = 0; k < 3; k++)
        out[k] /= length;
}

static void group_corners(reference *r)
{
    static uint32_t list[3 * TRIANGLES];
    for (uint32_t c = 0; c < 3 * TRIANGLES; c++) {
        if (r->degenerate[c / 3] || r->any[c / 3] || r->taken[c])
            continue;
        double sum[4] = {0.0}, normal[3];
        const bool preserving = r->preserving[c / 3];
        const uint32_t count = take_group(r, c, preserving, list, 0);
        for (uint32_t i = 0; i < count; i++)
            add_corner(r, list[i], sum);
        const double length = sqrt(dot(sum, sum));
        normal_of(r, c, normal);
        for (int k = 0; k < 3; k++)
            sum[k] /= length;
        if (!(length > 1e-30))
            perpendicular(normal, sum);
        sum[3] = length < 1e-3 && length > 0.0 ? 0.0 : preserving ? 1.0 : -1.0;
        for (uint32_t i = 0; i < count; i++)
            memcpy(r->tangent[list[i]], sum, sizeof sum);
    }
    for (uint32_t c = 0; c < 3 * TRIANGLES; c++) {
        uint32_t first = 0;
        double normal[3];
        normal_of(r, c, normal);
        while (first < 3 * TRIANGLES && !(r->taken[first] && welded(r, first) == welded(r, c)))
            first++;
        r->tangent[c][3] = r->taken[c] ? r->tangent[c][3] : 1.0;
        if (!r->taken[c] && first < 3 * TRIANGLES)
            memcpy(r->tangent[c], r->tangent[first], sizeof r->tangent[c]);
        else if (!r->taken[c])
            perpendicular(normal, r->tangent[c]);
    }
}

/// A bent grid of which every vertex is there twice, and a hub with many triangles. Texture
/// coordinates are mirrored in places and span no area in others; some triangles are degenerate.
static void make_mesh(uint32_t *seed, arena *a, mesh_source *m, uint32_t *corner)
{
    *m = (mesh_source){.vertex_count = VERTICES, .triangle_count = TRIANGLES, .corner = corner};
    m->position = ARENA_ARRAY(a, vertex_position, VERTICES);
    m->attributes = ARENA_ARRAY(a, vertex_attributes, VERTICES);
    for (uint32_t v = 0; v < VERTICES; v++) {
        const uint32_t g = v % (SIDE * SIDE);
        const bool hub = v >= 2 * SIDE * SIDE;
        const double turn = (double)v * 6.283185307 / HUB;
        const float x = hub ? (float)cos(turn) * 40.0f : (float)(g % SIDE + 0.3 * sin(g * 12.9));
        const float y = hub ? (float)sin(turn) * 40.0f : (float)(g / SIDE + 0.3 * sin(g * 78.2));
        const float u = hub ? x : (float)(g % SIDE < 7 ? g % SIDE : 14 - g % SIDE);
        const float w = (float)(g / SIDE == 5 ? 4 : g / SIDE); // a row without area
        m->position[v] = (vertex_position){x, y, hub ? 0.0f : 0.1f * x * y, 1.0f};
        m->attributes[v] =
            (vertex_attributes){.nz = 1.0f, .u = u, .v = hub ? y + 0.01f * x * x : w};
    }
    m->position[VERTICES - 1] = (vertex_position){0.0f, 0.0f, 9.0f, 1.0f};
    uint32_t t = 0;
    for (uint32_t y = 0; y + 1 < SIDE; y++)
        for (uint32_t x = 0; x + 1 < SIDE; x++) {
            const uint32_t at = y * SIDE + x;
            const uint32_t quad[6] = {at, at + 1, at + SIDE, at + 1, at + SIDE + 1, at + SIDE};
            for (uint32_t k = 0; k < 6; k++) // some go to the second copy of a vertex
                corner[3 * t + k] = quad[k] + (next_random(seed) % 3 == 0 ? SIDE * SIDE : 0);
            t += 2;
        }
    for (uint32_t i = 0; i < HUB && t < TRIANGLES; i++, t++) {
        const uint32_t fan[3] = {VERTICES - 1, 2 * SIDE * SIDE + i,
                                 2 * SIDE * SIDE + (i + 1) % HUB};
        memcpy(&corner[3 * t], fan, sizeof fan);
    }
    for (; t < TRIANGLES; t++) // in any way, often degenerate
        for (uint32_t k = 0; k < 3; k++)
            corner[3 * t + k] = next_random(seed) % (SIDE * 3);
}

static void expect_same(const reference *r, const mesh_source *made, uint32_t round)
{
    for (uint32_t c = 0; c < 3 * TRIANGLES; c++) {
        const vertex_attributes *a = &made->attributes[made->corner[c]];
        const double *want = r->tangent[c];
        const double far = fabs((double)a->tx - want[0]) + fabs((double)a->ty - want[1]) +
                           fabs((double)a->tz - want[2]);
        if (want[3] == 0.0)
            continue;
        cr_assert(far < 1e-3, "round %u, corner %u: (%g %g %g), expected (%g %g %g)", round, c,
                  (double)a->tx, (double)a->ty, (double)a->tz, want[0], want[1], want[2]);
        cr_assert_eq((double)made->tangent_w[made->corner[c]], want[3], "corner %u", c);
    }
}

Test(tangents_reference, the_same_by_the_definition, .timeout = 120)
{
    static reference r;
    static uint32_t corner[3 * TRIANGLES];
    uint32_t seed = 5;
    budget memory;
    budget_init(&memory, (uint64_t)1 << 30, NULL);
    OWN_POOL *pool = make_pool(3);
    for (uint32_t round = 0; round < 6; round++) {
        OWN_ARENA a;
        arena_init(&a, &memory);
        memset(&r, 0, sizeof r);
        make_mesh(&seed, &a, &r.mesh, corner);
        for (uint32_t v = 0; v < VERTICES; v++)
            while (!same_vertex(&r.mesh, r.weld[v], v))
                r.weld[v]++;
        for (uint32_t t = 0; t < TRIANGLES; t++)
            measure(&r, t);
        connect_edges(&r);
        group_corners(&r);
        mesh_source made = r.mesh;
        cr_assert_eq(tangents_generate(round % 2 ? pool : NULL, &a, &made, NULL), ZT_OK);
        expect_same(&r, &made, round);
    }
}
