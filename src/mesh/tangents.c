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

#include <string.h>

/// Vertices after splitting: the first [mesh->vertex_count] are the old ones, then come copies.
typedef struct split {
    uint32_t count;
    uint32_t *origin;        ///< [count] old vertex; if there are copies
    corner_tangent *tangent; ///< [count]
    uint32_t *corner; ///< [3 * triangle_count] new vertex of each corner, if there are copies
} split;

static uint64_t hash_split(uint32_t vertex, const corner_tangent *x)
{
    return hash_floats(hash_floats(vertex, x->t, 3), &x->w, 1);
}

typedef struct unused_loop {
    const mesh_source *mesh;
    corner_tangent *tangent;
} unused_loop;

static void fill_unused(void *user, size_t first, size_t count)
{
    const unused_loop *l = user;
    for (size_t v = first; v < first + count; v++) {
        const vertex_attributes *a = &l->mesh->attributes[v];
        if (l->tangent[v].w != 0.0f)
            continue;
        tangents_perpendicular((const float[3]){a->nx, a->ny, a->nz}, l->tangent[v].t);
        l->tangent[v].w = 1.0f; // no triangle uses it
    }
}

// Room for the vertices to come.
static zt_result grow(arena *scratch, split *s, const mesh_source *mesh, size_t others,
                      zt_error *err)
{
    const size_t limit = s->count + others;
    if (limit > UINT32_MAX)
        return zt_fail(err, ZT_ERR_LIMIT, "mesh '%s': too many vertices", mesh->name);
    const size_t corners = (size_t)mesh->triangle_count * 3;
    corner_tangent *tangent;
    ZT_TRY(ARENA_TAKE_RAW(scratch, &s->origin, limit, "tangents", err));
    ZT_TRY(ARENA_TAKE_RAW(scratch, &s->corner, corners, "tangents", err));
    ZT_TRY(ARENA_TAKE_RAW(scratch, &tangent, limit, "tangents", err));
    memcpy(s->corner, mesh->corner, corners * sizeof *s->corner);
    memcpy(tangent, s->tangent, s->count * sizeof *tangent);
    s->tangent = tangent;
    for (uint32_t v = 0; v < s->count; v++)
        s->origin[v] = v;
    return ZT_OK;
}

// Copies vertices for the tangents that differ from the first; equal ones share a copy.
static zt_result split_others(split *s, const mesh_source *mesh, const vertex_tangents *tangents,
                              arena *scratch, zt_error *err)
{
    const corner_tangent *wanted = tangents->wanted;
    hash_table table; // of vertices after splitting
    if (!hash_table_init(&table, scratch, tangents->others))
        return arena_fail(scratch, err, "tangents");
    for (size_t c = 0; c < (size_t)mesh->triangle_count * 3; c++) {
        const uint32_t v = mesh->corner[c];
        ZT_TRY(arena_go_on_at(scratch, c, "tangents", err));
        if (tangents->state[c] != TANGENT_OTHER)
            continue;
        uint32_t *slot = hash_table_first(&table, hash_split(v, &wanted[c]));
        while (*slot != 0 && !(s->origin[*slot - 1] == v &&
                               corner_tangents_equal(&s->tangent[*slot - 1], &wanted[c])))
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
                                const vertex_tangents *tangents, split *s, zt_error *err)
{
    unused_loop loop = {mesh, tangents->tangent};
    s->count = mesh->vertex_count;
    s->tangent = tangents->tangent;
    ZT_TRY(job_pool_ranges(pool, scratch->budget, s->count, fill_unused, &loop, err));
    if (tangents->others == 0)
        return ZT_OK;
    ZT_TRY(grow(scratch, s, mesh, tangents->others, err));
    return split_others(s, mesh, tangents, scratch, err);
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
        ZT_TRY(mesh_source_gather(pool, scratch, mesh, s->origin, s->count, err));
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
    tangent_triangles triangles;
    vertex_tangents tangents;
    corner_lists corners;
    split s = {0};
    ZT_TRY(tangents_triangles(pool, scratch, mesh, &triangles, err));
    ZT_TRY(corner_lists_build(pool, scratch, mesh->corner, mesh->triangle_count, triangles.weld,
                              mesh->vertex_count, &corners, err));
    ZT_TRY(tangents_connect(pool, scratch, triangles.triangle, &corners, err));
    ZT_TRY(tangents_group(pool, scratch, mesh, &triangles, &corners, &tangents, err));
    ZT_TRY(split_vertices(pool, scratch, mesh, &tangents, &s, err));
    return apply_split(pool, scratch, &s, mesh, err);
}
