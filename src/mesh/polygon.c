// SPDX-License-Identifier: MIT
/// See polygon.h. Reference: Meisters, Polygons Have Ears (1975): a corner is an ear when it is
/// convex and the triangle with its neighbours holds no other corner.
#include "mesh/polygon.h"

#include "mesh/corner_lists.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    // Steps of all cuts of a model, for each byte of it, and for this many bytes more. Outlines of
    // people need far fewer; those that cross themselves may need more, and are cut blindly then.
    CUT_PER_BYTE = 128,
    CUT_SPARE_BYTES = 128 << 10,
    SORT_STEPS = 64, // of one corner
    TEST_STEPS = 4,  // of one box
};

typedef struct corner {
    uint32_t before, next; ///< of those that are left
    uint32_t place;
} corner;

/// Corners that lie upon each other, as they are seen.
typedef struct corner_place {
    uint32_t corner; ///< one of them
    uint32_t left;   ///< how many are not cut off
} corner_place;

/// Without places min is above max.
typedef struct box {
    float min[2], max[2];
} box;

typedef struct outline {
    const vertex_position *position;
    const uint32_t *vertex;
    int axis[2]; ///< of the plane that it is seen in, so that it runs counter-clockwise
    corner *corner;
    corner_place *place; ///< [place_count] along a curve that keeps neighbours together
    uint32_t place_count;
    box *box; ///< [2 * place_count] a tree: 1 is its root, i has 2i and 2i + 1 below it
    uint64_t steps, most;
} outline;

static double coordinate(const outline *o, uint32_t at, int axis)
{
    const vertex_position *p = &o->position[o->vertex[at]];
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

/// Bits of a number at every second place.
static uint64_t spread(uint64_t x)
{
    x = (x | x << 16) & UINT64_C(0x0000ffff0000ffff);
    x = (x | x << 8) & UINT64_C(0x00ff00ff00ff00ff);
    x = (x | x << 4) & UINT64_C(0x0f0f0f0f0f0f0f0f);
    x = (x | x << 2) & UINT64_C(0x3333333333333333);
    return (x | x << 1) & UINT64_C(0x5555555555555555);
}

/// A number that grows with a coordinate, and differs where it does.
static uint32_t ordered(double coordinate)
{
    const float value = (float)coordinate + 0.0f; // -0 is 0
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits >> 31 ? ~bits : bits | UINT32_C(1) << 31;
}

/// Along the Z-order curve (Morton 1966).
static uint64_t key_of(const outline *o, uint32_t at)
{
    return spread(ordered(coordinate(o, at, o->axis[0]))) |
           spread(ordered(coordinate(o, at, o->axis[1]))) << 1;
}

static int by_key(const void *a, const void *b)
{
    const uint64_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static zt_result find_places(outline *o, uint32_t count, arena *a, zt_error *err)
{
    uint64_t *key;
    ZT_TRY(ARENA_TAKE_RAW(a, &key, count, "a polygon", err));
    for (uint32_t i = 0; i < count; i++)
        key[i] = key_of(o, i);
    corner_keys_sort(key, count);
    for (uint32_t i = 0; i < count; i++)
        if (i == 0 || key[i] != key[o->place_count - 1])
            key[o->place_count++] = key[i];
    ZT_TRY(ARENA_TAKE(a, &o->place, o->place_count, "a polygon", err));
    for (uint32_t i = 0; i < count; i++) {
        const uint64_t own = key_of(o, i);
        const uint64_t *at = bsearch(&own, key, o->place_count, sizeof own, by_key);
        o->corner[i].place = (uint32_t)(at - key);
        o->place[o->corner[i].place].corner = i;
        o->place[o->corner[i].place].left++;
    }
    return ZT_OK;
}

static void measure_box(outline *o, uint32_t node)
{
    box *b = &o->box[node];
    for (int k = 0; k < 2; k++) {
        const box *one = &o->box[2 * node], *two = one + 1;
        b->min[k] = one->min[k] < two->min[k] ? one->min[k] : two->min[k];
        b->max[k] = one->max[k] > two->max[k] ? one->max[k] : two->max[k];
    }
}

static zt_result build_tree(outline *o, arena *a, zt_error *err)
{
    ZT_TRY(ARENA_TAKE_RAW(a, &o->box, 2 * (size_t)o->place_count, "a polygon", err));
    for (uint32_t i = 0; i < o->place_count; i++)
        for (int k = 0; k < 2; k++)
            o->box[o->place_count + i].min[k] = o->box[o->place_count + i].max[k] =
                (float)coordinate(o, o->place[i].corner, o->axis[k]);
    for (uint32_t node = o->place_count; node-- > 1;)
        measure_box(o, node);
    return ZT_OK;
}

static void remove_place(outline *o, uint32_t i)
{
    uint32_t node = o->place_count + i;
    o->box[node] = (box){{INFINITY, INFINITY}, {-INFINITY, -INFINITY}};
    while (node /= 2)
        measure_box(o, node);
}

/// True when all of a box is outside of an edge of the triangle: rounding is monotone, so that no
/// point in it could pass. A box of one point is tested as area_of() does.
static bool misses(const box *b, double ear[4][2])
{
    if (b->min[0] > b->max[0])
        return true;
    for (int k = 0; k < 3; k++) {
        const double *p = ear[k], dx = ear[k + 1][0] - p[0], dy = ear[k + 1][1] - p[1];
        const double x = (double)(dy > 0.0 ? b->min[0] : b->max[0]);
        const double y = (double)(dx > 0.0 ? b->max[1] : b->min[1]);
        if (!(dx * (y - p[1]) - (x - p[0]) * dy >= 0.0))
            return true;
    }
    return false;
}

/// True when no place is in the triangle of a corner and its neighbours, but their own: outlines of
/// holes pass through their corners twice.
static bool is_empty(outline *o, const uint32_t corners[4])
{
    uint32_t stack[64], depth = 0;
    double ear[4][2];
    for (int k = 0; k < 4; k++)
        for (int i = 0; i < 2; i++)
            ear[k][i] = coordinate(o, corners[k], o->axis[i]);
    stack[depth++] = 1;
    while (depth > 0) {
        const uint32_t node = stack[--depth], i = node - o->place_count;
        o->steps += TEST_STEPS;
        if (misses(&o->box[node], ear))
            continue;
        if (node < o->place_count) {
            stack[depth++] = 2 * node;
            stack[depth++] = 2 * node + 1;
        } else if (i != o->corner[corners[0]].place && i != o->corner[corners[1]].place &&
                   i != o->corner[corners[2]].place) {
            return false;
        }
    }
    return true;
}

/// True when the corner may be cut off.
static bool is_ear(outline *o, uint32_t b)
{
    const uint32_t a = o->corner[b].before, c = o->corner[b].next;
    o->steps += TEST_STEPS;
    return area_of(o, a, b, c) > 0.0 && is_empty(o, (uint32_t[4]){a, b, c, a});
}

/// False: the steps did not suffice.
static bool cut_ears(outline *o, uint32_t count, uint32_t *out)
{
    uint32_t at = 0, since = 0;
    for (uint32_t left = count; left > 3;) {
        const bool blind = o->steps > o->most;
        // Where there is no ear, as in outlines that cross themselves, any corner goes.
        if (!(since > left || blind || is_ear(o, at))) {
            at = o->corner[at].next;
            since++;
            continue;
        }
        const uint32_t before = o->corner[at].before, next = o->corner[at].next;
        *out++ = before;
        *out++ = at;
        *out++ = next;
        o->corner[before].next = next;
        o->corner[next].before = before;
        if (!blind && --o->place[o->corner[at].place].left == 0)
            remove_place(o, o->corner[at].place);
        at = before;
        since = 0;
        left--;
    }
    *out++ = o->corner[at].before;
    *out++ = at;
    *out++ = o->corner[at].next;
    return o->steps <= o->most;
}

static zt_result cut_outline(outline *o, arena *a, uint32_t count, uint32_t *out, zt_error *err)
{
    work_count *work = a->budget->work;
    const uint64_t all = CUT_PER_BYTE * (work->own + CUT_SPARE_BYTES), used = work->cut;
    o->most = all > used ? all - used : 0;
    o->steps = SORT_STEPS * (uint64_t)count;
    ZT_TRY(ARENA_TAKE_RAW(a, &o->corner, count, "a polygon", err));
    for (uint32_t i = 0; i < count; i++)
        o->corner[i] = (corner){i > 0 ? i - 1 : count - 1, i + 1 < count ? i + 1 : 0, 0};
    if (o->steps <= o->most) {
        ZT_TRY(find_places(o, count, a, err));
        ZT_TRY(build_tree(o, a, err));
    }
    work->blind += !cut_ears(o, count, out);
    work->cut += o->steps < o->most ? o->steps : o->most;
    return arena_work(a, o->steps < o->most ? o->steps : o->most, "polygons", err);
}

zt_result polygon_cut(arena *a, const vertex_position *position, const uint32_t *vertex,
                      uint32_t count, uint32_t *out, zt_error *err)
{
    outline o = {.position = position, .vertex = vertex};
    if (count > 3)
        look(&o, count);
    if (count == 3 || is_convex(&o, count)) {
        for (uint32_t i = 1; i + 1 < count; i++) {
            *out++ = 0;
            *out++ = i;
            *out++ = i + 1;
        }
        return ZT_OK;
    }
    arena room;
    arena_init(&room, a->budget);
    const zt_result result = cut_outline(&o, &room, count, out, err);
    arena_finish(&room);
    return result;
}
