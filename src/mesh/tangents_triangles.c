// SPDX-License-Identifier: MIT
/// First step of tangent generation. Equal vertices are welded, and for each triangle
/// the direction in which u grows is computed. With edges d1, d2 and texture edges (s1, t1), (s2,
/// t2) from corner 0, and the signed area a = s1 t2 - s2 t1, the derivative of position by u is (t2
/// d1 - t1 d2) / a.
#include "base/hash.h"
#include "mesh/tangents_parts.h"

#include <float.h>
#include <math.h>
#include <stdatomic.h>
#include <string.h>

static void vertex_key(const mesh_source *mesh, uint32_t v, float key[8])
{
    const vertex_position *p = &mesh->position[v];
    const vertex_attributes *a = &mesh->attributes[v];
    const float values[8] = {p->x, p->y, p->z, a->nx, a->ny, a->nz, a->u, a->v};
    for (int k = 0; k < 8; k++)
        key[k] = values[k] + 0.0f; // -0 becomes 0: they compare equal
}

typedef struct hash_loop {
    const mesh_source *mesh;
    uint64_t *hash; ///< [vertex_count]
} hash_loop;

static void hash_range(void *user, size_t first, size_t count)
{
    const hash_loop *l = user;
    for (size_t v = first; v < first + count; v++) {
        float key[8];
        vertex_key(l->mesh, (uint32_t)v, key);
        l->hash[v] = hash_floats(0, key, 8);
    }
}

/// Vertices whose slots of the table are on their way from memory.
enum { SLOTS_AHEAD = 16 };

// out[v] = the first vertex equal to v. [vertex_count].
static zt_result weld(job_pool *pool, arena *scratch, const mesh_source *mesh, uint32_t **out,
                      zt_error *err)
{
    hash_table table; // of vertices
    const uint32_t count = mesh->vertex_count;
    uint32_t *first = ARENA_ARRAY_RAW(scratch, uint32_t, count);
    uint64_t *hash = ARENA_ARRAY_RAW(scratch, uint64_t, count);
    if (!first || !hash || !hash_table_init(&table, scratch, count))
        return arena_fail(scratch, err, "tangents");
    ZT_TRY(
        job_pool_ranges(pool, scratch->budget, count, hash_range, &(hash_loop){mesh, hash}, err));
    for (uint32_t v = 0; v < count; v++) {
        float key[8], other[8];
        ZT_TRY(arena_go_on_at(scratch, v, "tangents", err));
        if (count - v > SLOTS_AHEAD)
            __builtin_prefetch(hash_table_first(&table, hash[v + SLOTS_AHEAD]), 1);
        uint32_t *slot = hash_table_first(&table, hash[v]);
        for (; *slot != 0; slot = hash_table_next(&table, slot)) {
            if (hash[*slot - 1] != hash[v])
                continue;
            vertex_key(mesh, v, key);
            vertex_key(mesh, *slot - 1, other);
            if (memcmp(key, other, sizeof key) == 0)
                break;
        }
        if (*slot == 0)
            *slot = v + 1;
        first[v] = *slot - 1;
    }
    *out = first;
    return ZT_OK;
}

static bool same_place(const vertex_position *a, const vertex_position *b)
{
    return a->x == b->x && a->y == b->y && a->z == b->z;
}

static bool is_zero(float x) { return !(fabsf(x) > FLT_MIN); }

static float length3(const float v[3]) { return sqrtf(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]); }

static void measure(const mesh_source *mesh, const uint32_t *corner, tangent_triangle *t)
{
    const vertex_position *p0 = &mesh->position[corner[0]], *p1 = &mesh->position[corner[1]],
                          *p2 = &mesh->position[corner[2]];
    const vertex_attributes *a0 = &mesh->attributes[corner[0]], *a1 = &mesh->attributes[corner[1]],
                            *a2 = &mesh->attributes[corner[2]];
    t->degenerate = same_place(p0, p1) || same_place(p1, p2) || same_place(p2, p0);
    const float d1[3] = {p1->x - p0->x, p1->y - p0->y, p1->z - p0->z};
    const float d2[3] = {p2->x - p0->x, p2->y - p0->y, p2->z - p0->z};
    // The second coordinate is 1 - v, so its differences change sign.
    const float s1 = a1->u - a0->u, t1 = a0->v - a1->v;
    const float s2 = a2->u - a0->u, t2 = a0->v - a2->v;
    const float area = s1 * t2 - s2 * t1;
    t->preserving = area > 0.0f;
    if (is_zero(area))
        return;
    float u[3], v[3];
    for (int k = 0; k < 3; k++) {
        u[k] = t2 * d1[k] - t1 * d2[k];
        v[k] = s1 * d2[k] - s2 * d1[k];
    }
    const float u_length = length3(u), v_length = length3(v);
    const float sign = t->preserving ? 1.0f : -1.0f;
    if (!is_zero(u_length))
        for (int k = 0; k < 3; k++)
            t->along_u[k] = u[k] * (sign / u_length);
    t->any = is_zero(u_length / fabsf(area)) || is_zero(v_length / fabsf(area));
}

typedef struct measure_loop {
    const mesh_source *mesh;
    const uint32_t *first;
    tangent_triangle *triangles;
    atomic_bool has_any;
} measure_loop;

static void measure_range(void *user, size_t first, size_t count)
{
    measure_loop *l = user;
    bool any = false;
    for (size_t i = first; i < first + count; i++) {
        tangent_triangle *t = &l->triangles[i];
        const uint32_t *corner = &l->mesh->corner[3 * i];
        *t = (tangent_triangle){.any = true};
        measure(l->mesh, corner, t);
        for (int k = 0; k < 3; k++) {
            t->vertex[k] = l->first[corner[k]];
            t->neighbour[k] = TANGENT_NONE;
        }
        any |= t->any;
    }
    if (any)
        l->has_any = true;
}

zt_result tangents_triangles(job_pool *pool, arena *scratch, const mesh_source *mesh,
                             tangent_triangles *out, zt_error *err)
{
    uint32_t *first = NULL;
    ZT_TRY(weld(pool, scratch, mesh, &first, err));
    tangent_triangle *triangles;
    ZT_TRY(ARENA_TAKE_RAW(scratch, &triangles, mesh->triangle_count, "tangents", err));
    measure_loop loop = {mesh, first, triangles, false};
    ZT_TRY(job_pool_ranges(pool, scratch->budget, mesh->triangle_count, measure_range, &loop, err));
    *out = (tangent_triangles){triangles, first, loop.has_any};
    return ZT_OK;
}
