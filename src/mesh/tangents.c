// SPDX-License-Identifier: MIT
/// Tangents by the definition of MikkTSpace, which glTF 2.0 (section 3.7.2.1) requires where a file
/// has none: Mikkelsen, Simulation of Wrinkled Surfaces Revisited, MSc thesis, Copenhagen 2008,
/// chapter 4; http://www.mikktspace.com. Written from the definition:
///
/// 1. Corners with equal position, normal and texture coordinate are one vertex.
///    (tangents_triangles.c)
/// 2. Triangles are neighbours when they share an edge of such vertices (tangents_connect.c).
/// 3. Around a vertex, triangles that are connected over edges and whose texture coordinates have
///    the same orientation form a group. Its tangent is the sum of the triangles' directions of
///    growing u, each projected into the plane of the normal, made unit and weighted by the angle
///    of its corner in that plane (tangents_group.c).
/// 4. Degenerate triangles take what another triangle at the same vertex has.
///
/// v of our vertices grows downwards. As glTF exporters do, the orientation is measured with 1 - v:
/// w * cross(normal, tangent) points to the picture's top (-v), as green of a normal map does.
#include "mesh/tangents.h"

#include "base/hash.h"
#include "mesh/tangents_parts.h"

#include <stdatomic.h>
#include <string.h>

/// Vertices after splitting: the first [mesh->vertex_count] are the old ones, then come copies.
typedef struct split {
    uint32_t count;
    uint32_t *origin;        ///< [count] old vertex; if there are copies
    corner_tangent *tangent; ///< [count]
    uint32_t *corner; ///< [3 * triangle_count] new vertex of each corner, if there are copies
} split;

static bool same_tangent(const corner_tangent *a, const corner_tangent *b)
{
    return a->t[0] == b->t[0] && a->t[1] == b->t[1] && a->t[2] == b->t[2] && a->w == b->w;
}

// Over the bits; -0 counts as 0 because the two compare equal.
static uint64_t hash_split(uint32_t vertex, const corner_tangent *x)
{
    uint64_t h = vertex;
    const float value[4] = {x->t[0] + 0.0f, x->t[1] + 0.0f, x->t[2] + 0.0f, x->w};
    for (int k = 0; k < 4; k++) {
        uint32_t bits;
        memcpy(&bits, &value[k], sizeof bits);
        h = hash_number(h, bits);
    }
    return h;
}

typedef struct first_loop {
    const mesh_source *mesh;
    const vertex_corners *corners;
    const corner_tangent *wanted;
    corner_tangent *tangent;
    _Atomic size_t others; ///< corners that want another than the first
} first_loop;

static void clear_range(void *user, size_t first, size_t count)
{
    const first_loop *l = user;
    for (size_t v = first; v < first + count; v++)
        l->tangent[v].w = 0.0f; // none yet
}

// The first tangent of a vertex stays. True: the corner wants another.
static bool take_corner(const first_loop *l, size_t c)
{
    corner_tangent *t = &l->tangent[l->mesh->corner[c]];
    if (t->w != 0.0f)
        return !same_tangent(t, &l->wanted[c]);
    *t = l->wanted[c];
    return false;
}

static void take_corners(void *user, uint32_t vertex, uint64_t *room)
{
    first_loop *l = user;
    size_t others = 0;
    (void)room;
    for (uint32_t i = l->corners->start[vertex]; i < l->corners->start[vertex + 1]; i++)
        others += take_corner(l, l->corners->corner[i]);
    if (others > 0)
        atomic_fetch_add_explicit(&l->others, others, memory_order_relaxed);
}

static void fill_unused(void *user, size_t first, size_t count)
{
    const first_loop *l = user;
    for (size_t v = first; v < first + count; v++) {
        const vertex_attributes *a = &l->mesh->attributes[v];
        if (l->tangent[v].w != 0.0f)
            continue;
        tangents_perpendicular((const float[3]){a->nx, a->ny, a->nz}, l->tangent[v].t);
        l->tangent[v].w = 1.0f; // no triangle uses it
    }
}

// In the order of the corners: around each vertex when all corners are listed there.
static zt_result take_first(job_pool *pool, arena *scratch, first_loop *l, zt_error *err)
{
    const mesh_source *mesh = l->mesh;
    const size_t corners = (size_t)mesh->triangle_count * 3;
    size_t others = 0;
    ZT_TRY(job_pool_ranges(pool, scratch->budget, mesh->vertex_count, clear_range, l, err));
    if (l->corners->start[mesh->vertex_count] == corners) {
        ZT_TRY(tangents_each_vertex(pool, scratch, l->corners, take_corners, l, err));
    } else {
        for (size_t c = 0; c < corners; c++) {
            if (arena_cancelled_at(scratch, c))
                return arena_fail(scratch, err, "tangents");
            others += take_corner(l, c);
        }
        l->others = others;
    }
    return job_pool_ranges(pool, scratch->budget, mesh->vertex_count, fill_unused, l, err);
}

// Room for the vertices to come.
static zt_result grow(arena *scratch, split *s, const mesh_source *mesh, size_t others,
                      zt_error *err)
{
    const size_t most = s->count + others;
    if (most > UINT32_MAX)
        return zt_fail(err, ZT_ERR_LIMIT, "mesh '%s': too many vertices", mesh->name);
    const size_t corners = (size_t)mesh->triangle_count * 3;
    s->origin = ARENA_ARRAY_RAW(scratch, uint32_t, most);
    s->corner = ARENA_ARRAY_RAW(scratch, uint32_t, corners);
    corner_tangent *tangent = ARENA_ARRAY_RAW(scratch, corner_tangent, most);
    if (!s->origin || !s->corner || !tangent)
        return arena_fail(scratch, err, "tangents");
    memcpy(s->corner, mesh->corner, corners * sizeof *s->corner);
    memcpy(tangent, s->tangent, s->count * sizeof *tangent);
    s->tangent = tangent;
    for (uint32_t v = 0; v < s->count; v++)
        s->origin[v] = v;
    return ZT_OK;
}

// Copies vertices for the tangents that differ from the first; equal ones share a copy.
static zt_result split_others(split *s, const mesh_source *mesh, const corner_tangent *wanted,
                              size_t others, arena *scratch, zt_error *err)
{
    hash_table table; // of vertices after splitting
    if (!hash_table_init(&table, scratch, others))
        return arena_fail(scratch, err, "tangents");
    for (size_t c = 0; c < (size_t)mesh->triangle_count * 3; c++) {
        const uint32_t v = mesh->corner[c];
        if (arena_cancelled_at(scratch, c))
            return arena_fail(scratch, err, "tangents");
        if (same_tangent(&s->tangent[v], &wanted[c]))
            continue;
        uint32_t *slot = hash_table_first(&table, hash_split(v, &wanted[c]));
        while (*slot != 0 &&
               !(s->origin[*slot - 1] == v && same_tangent(&s->tangent[*slot - 1], &wanted[c])))
            slot = hash_table_next(&table, slot);
        if (*slot == 0) {
            s->origin[s->count] = v;
            s->tangent[s->count] = wanted[c];
            *slot = ++s->count;
        }
        s->corner[c] = *slot - 1;
    }
    return ZT_OK;
}

static zt_result split_vertices(job_pool *pool, arena *scratch, const mesh_source *mesh,
                                const vertex_corners *corners, const corner_tangent *wanted,
                                split *s, zt_error *err)
{
    s->count = mesh->vertex_count;
    ZT_TRY(ARENA_TAKE_RAW(scratch, &s->tangent, s->count, "tangents", err));
    first_loop loop = {mesh, corners, wanted, s->tangent, 0};
    ZT_TRY(take_first(pool, scratch, &loop, err));
    if (loop.others == 0)
        return ZT_OK;
    ZT_TRY(grow(scratch, s, mesh, loop.others, err));
    return split_others(s, mesh, wanted, loop.others, scratch, err);
}

typedef struct apply_loop {
    const corner_tangent *tangent;
    vertex_attributes *attributes;
    float *w;
} apply_loop;

static void apply_range(void *user, size_t first, size_t count)
{
    const apply_loop *l = user;
    for (size_t v = first; v < first + count; v++) {
        const corner_tangent *t = &l->tangent[v];
        l->attributes[v].tx = t->t[0];
        l->attributes[v].ty = t->t[1];
        l->attributes[v].tz = t->t[2];
        l->w[v] = t->w;
    }
}

static zt_result apply_split(job_pool *pool, arena *scratch, const split *s, mesh_source *mesh,
                             zt_error *err)
{
    if (s->count > mesh->vertex_count) {
        ZT_TRY(mesh_source_gather(scratch, mesh, s->origin, s->count, err));
        mesh->corner = s->corner;
    }
    float *w;
    ZT_TRY(ARENA_TAKE_RAW(scratch, &w, s->count, "tangents", err));
    mesh->tangent_w = w;
    return job_pool_ranges(pool, scratch->budget, s->count, apply_range,
                           &(apply_loop){s->tangent, mesh->attributes, w}, err);
}

zt_result tangents_generate(job_pool *pool, arena *scratch, mesh_source *mesh, zt_error *err)
{
    tangent_triangle *triangles = NULL;
    corner_tangent *wanted = NULL;
    split s = {0};
    vertex_corners corners;
    ZT_TRY(tangents_triangles(pool, scratch, mesh, &triangles, err));
    ZT_TRY(tangents_connect(pool, scratch, mesh, triangles, &corners, err));
    ZT_TRY(tangents_group(pool, scratch, mesh, triangles, &corners, &wanted, err));
    ZT_TRY(split_vertices(pool, scratch, mesh, &corners, wanted, &s, err));
    return apply_split(pool, scratch, &s, mesh, err);
}
