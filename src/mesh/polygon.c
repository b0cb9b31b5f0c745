// SPDX-License-Identifier: MIT
/// See polygon.h. Reference: Meisters, Polygons Have Ears (1975): a corner is an ear when it is
/// convex and the triangle with its neighbours holds no other corner.
#include "mesh/polygon.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

/// Tests of corners for one polygon; beyond, the rest is cut without any.
enum { TESTS_MAX = 1 << 22 };

typedef struct outline {
    const vertex_position *position;
    const uint32_t *vertex;
    uint32_t *next, *before; ///< [count] places that are left
    int axis[2];             ///< of the plane that it is seen in, so that it runs counter-clockwise
    int64_t tests;
} outline;

static double coordinate(const outline *o, uint32_t place, int axis)
{
    const vertex_position *p = &o->position[o->vertex[place]];
    return (double)(axis == 0 ? p->x : axis == 1 ? p->y : p->z);
}

/// Twice the area of three corners, as they are seen.
static double area_of(const outline *o, uint32_t a, uint32_t b, uint32_t c)
{
    const double ax = coordinate(o, a, o->axis[0]), ay = coordinate(o, a, o->axis[1]);
    return (coordinate(o, b, o->axis[0]) - ax) * (coordinate(o, c, o->axis[1]) - ay) -
           (coordinate(o, c, o->axis[0]) - ax) * (coordinate(o, b, o->axis[1]) - ay);
}

/// Chooses the plane: along the axis that the normal is nearest to.
static void look(outline *o, uint32_t count)
{
    double normal[3] = {0.0, 0.0, 0.0};
    int along = 2;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t k = i + 1 < count ? i + 1 : 0;
        for (int n = 0; n < 3; n++) {
            const int u = (n + 1) % 3, v = (n + 2) % 3;
            normal[n] += (coordinate(o, i, u) - coordinate(o, k, u)) *
                         (coordinate(o, i, v) + coordinate(o, k, v));
        }
    }
    for (int n = 0; n < 3; n++)
        if (fabs(normal[n]) > fabs(normal[along]))
            along = n;
    const bool turned = normal[along] < 0.0;
    o->axis[turned] = (along + 1) % 3;
    o->axis[!turned] = (along + 2) % 3;
}

static bool is_convex(const outline *o, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (area_of(o, i, (i + 1) % count, (i + 2) % count) < 0.0)
            return false;
    return true;
}

static bool is_same_place(const outline *o, uint32_t a, uint32_t b)
{
    return coordinate(o, a, o->axis[0]) == coordinate(o, b, o->axis[0]) &&
           coordinate(o, a, o->axis[1]) == coordinate(o, b, o->axis[1]);
}

/// True when the corner may be cut off: outlines of holes pass through their corners twice.
static bool is_ear(outline *o, uint32_t b)
{
    const uint32_t a = o->before[b], c = o->next[b];
    if (!(area_of(o, a, b, c) > 0.0))
        return false;
    for (uint32_t p = o->next[c]; p != a; p = o->next[p]) {
        o->tests++;
        if (area_of(o, a, b, p) >= 0.0 && area_of(o, b, c, p) >= 0.0 &&
            area_of(o, c, a, p) >= 0.0 && !is_same_place(o, p, a) && !is_same_place(o, p, b) &&
            !is_same_place(o, p, c))
            return false;
    }
    return true;
}

static void cut_ears(outline *o, uint32_t count, uint32_t *out)
{
    uint32_t at = 0, since = 0;
    for (uint32_t left = count; left > 3;) {
        // Where there is no ear, as in outlines that cross themselves, any corner goes.
        if (!(since > left || o->tests > TESTS_MAX || is_ear(o, at))) {
            at = o->next[at];
            since++;
            continue;
        }
        const uint32_t before = o->before[at], next = o->next[at];
        *out++ = before;
        *out++ = at;
        *out++ = next;
        o->next[before] = next;
        o->before[next] = before;
        at = before;
        since = 0;
        left--;
    }
    *out++ = o->before[at];
    *out++ = at;
    *out++ = o->next[at];
}

void polygon_cut(const vertex_position *position, const uint32_t *vertex, uint32_t count,
                 uint32_t *room, uint32_t *out)
{
    outline o = {.position = position, .vertex = vertex, .next = room, .before = room + count};
    if (count > 3)
        look(&o, count);
    if (count == 3 || is_convex(&o, count)) {
        for (uint32_t i = 1; i + 1 < count; i++) {
            *out++ = 0;
            *out++ = i;
            *out++ = i + 1;
        }
        return;
    }
    for (uint32_t i = 0; i < count; i++) {
        o.next[i] = i + 1 < count ? i + 1 : 0;
        o.before[i] = i > 0 ? i - 1 : count - 1;
    }
    cut_ears(&o, count, out);
}
