// SPDX-License-Identifier: MIT
/// Triangles of a glTF primitive: indices are proven to be in range, strips and fans become lists
/// with the winding that the specification gives them (glTF 2.0, section 3.7.2.1), and flat normals
/// are made where a file has none.

#include "gltf/gltf_reader.h"

#include <math.h>
#include <stdatomic.h>
#include <string.h>

/// The smallest and the largest of some indices.
typedef struct index_span {
    uint32_t low, high;
} index_span;

typedef struct span_loop {
    const uint32_t *index;
    _Atomic uint32_t low, high;
} span_loop;

static void span_range(void *user, size_t first, size_t count)
{
    span_loop *l = user;
    index_span own = {UINT32_MAX, 0};
    for (size_t i = first; i < first + count; i++) {
        own.low = l->index[i] < own.low ? l->index[i] : own.low;
        own.high = l->index[i] > own.high ? l->index[i] : own.high;
    }
    for (uint32_t low = l->low; own.low < low;)
        if (atomic_compare_exchange_weak(&l->low, &low, own.low))
            break;
    for (uint32_t high = l->high; own.high > high;)
        if (atomic_compare_exchange_weak(&l->high, &high, own.high))
            break;
}

/// {UINT32_MAX, 0} of none.
static index_span span_of(gltf_reader *g, const uint32_t *index, size_t count)
{
    span_loop loop = {index, UINT32_MAX, 0};
    job_pool_ranges(g->pool, count, span_range, &loop);
    return (index_span){loop.low, loop.high};
}

/// The indices of a primitive, or 0, 1, 2... when it has none. Proves them to be below the limit.
static zt_result read_indices(gltf_reader *g, const json_place *place, uint32_t vertex_count,
                              uint32_t **out, uint32_t *out_count)
{
    const json_place member = json_member(place, "indices");
    int32_t index;
    gltf_accessor a;
    ZT_TRY(gltf_index(g, &member, g->accessor_count, "accessor", &index));
    if (index >= 0) {
        ZT_TRY(gltf_accessor_open(g, &member, index, &a));
        if (gltf_width(&a) != 1)
            return gltf_fail(g, &member, ZT_ERR_FORMAT, "accessor %d of indices must be SCALAR",
                             index);
    }
    *out_count = index < 0 ? vertex_count : a.count;
    *out = ARENA_ARRAY_RAW(g->work, uint32_t, *out_count);
    if (!*out)
        return arena_fail(g->work, g->err, "indices");
    if (index < 0) {
        for (uint32_t i = 0; i < vertex_count; i++)
            (*out)[i] = i;
        return ZT_OK;
    }
    ZT_TRY(gltf_read_uints(g, &member, &a, 0, a.count, *out));
    const uint32_t restart = a.base.component == GLTF_U8    ? UINT8_MAX
                             : a.base.component == GLTF_U16 ? UINT16_MAX
                                                            : UINT32_MAX;
    const index_span span = span_of(g, *out, a.count);
    if (span.high < vertex_count && span.high < restart)
        return ZT_OK;
    for (uint32_t i = 0; i < a.count; i++) {
        const uint32_t v = (*out)[i];
        if (v >= vertex_count)
            return gltf_fail(g, &member, ZT_ERR_FORMAT,
                             "index %u of accessor %d is %u, but there are %u vertices", i, index,
                             v, vertex_count);
        if (v == restart)
            return gltf_fail(g, &member, ZT_ERR_FORMAT,
                             "index %u of accessor %d is %u, which is reserved for primitive "
                             "restart",
                             i, index, v);
    }
    return ZT_OK;
}

static void fill_corners(int64_t mode, const uint32_t *index, uint32_t triangle_count,
                         uint32_t *corner)
{
    for (uint32_t t = 0; t < triangle_count; t++) {
        uint32_t *c = corner + 3 * (size_t)t;
        if (mode == GLTF_TRIANGLE_STRIP) {
            c[0] = index[t];
            c[1] = index[t + 1 + t % 2];
            c[2] = index[t + 2 - t % 2];
        } else { // fan
            c[0] = index[t + 1];
            c[1] = index[t + 2];
            c[2] = index[0];
        }
    }
}

/// Takes the smallest index off all, so that only the vertices between it and the largest are read:
/// many primitives may share one long accessor.
static void rebase(gltf_reader *g, uint32_t *corner, size_t count, uint32_t *out_first,
                   uint32_t *out_vertex_count)
{
    const index_span span = span_of(g, corner, count);
    for (size_t i = 0; span.low > 0 && i < count; i++)
        corner[i] -= span.low;
    *out_first = span.low;
    *out_vertex_count = span.high - span.low + 1;
}

zt_result gltf_read_triangles(gltf_reader *g, const json_place *place, uint32_t file_vertex_count,
                              mesh_source *out, uint32_t *out_first)
{
    int64_t mode;
    uint32_t *index = NULL, index_count = 0;
    ZT_TRY(gltf_member_integer(g, place, "mode", GLTF_TRIANGLES, &mode));
    if (g->packed) { // always a list, whatever the mode says
        mode = GLTF_TRIANGLES;
        index = g->packed->corner;
        index_count = 3 * g->packed->triangle_count;
    } else {
        ZT_TRY(read_indices(g, place, file_vertex_count, &index, &index_count));
    }
    const uint32_t left_over = mode == GLTF_TRIANGLES ? index_count % 3
                               : mode == GLTF_LINES   ? index_count % 2
                                                      : 0;
    if (left_over > 0)
        ZT_TRY(gltf_warn(g, place, "the last %u of %u corners make no %s", left_over, index_count,
                         mode == GLTF_LINES ? "line" : "triangle"));
    const uint32_t count = mode < GLTF_TRIANGLES    ? gltf_element_count(mode, index_count)
                           : mode == GLTF_TRIANGLES ? index_count / 3
                           : index_count < 3        ? 0
                                                    : index_count - 2;
    const uint64_t drawn = count * (uint64_t)(mode == GLTF_POINTS     ? GLTF_POINT_TRIANGLES
                                              : mode < GLTF_TRIANGLES ? GLTF_LINE_TRIANGLES
                                                                      : 1);
    if (drawn > MODEL_TRIANGLE_LIMIT - g->triangle_total)
        return gltf_fail(g, place, ZT_ERR_LIMIT, "more than %u triangles in all",
                         MODEL_TRIANGLE_LIMIT);
    g->triangle_total += (uint32_t)drawn;
    out->triangle_count = count;
    if (count == 0)
        return ZT_OK;
    uint32_t *corner = index;
    if (mode != GLTF_TRIANGLES) {
        corner = ARENA_ARRAY_RAW(g->work, uint32_t, 3 * (size_t)count);
        if (!corner)
            return arena_fail(g->work, g->err, "triangles");
        if (mode < GLTF_TRIANGLES)
            gltf_fill_elements(mode, index, index_count, corner);
        else
            fill_corners(mode, index, count, corner);
    }
    out->corner = corner;
    rebase(g, corner, 3 * (size_t)count, out_first, &out->vertex_count);
    return ZT_OK;
}

/// Copies elements so that corner i gets its own: to[i] = from[corner[i]].
static void *gather(arena *a, const void *from, size_t size, const uint32_t *corner, size_t count)
{
    uint8_t *to = arena_alloc_raw(a, count, size);
    for (size_t i = 0; to && i < count; i++)
        memcpy(to + i * size, (const uint8_t *)from + corner[i] * size, size);
    return to;
}

void gltf_flat_normal(const vertex_position p[3], float n[3])
{
    const float a[3] = {p[1].x - p[0].x, p[1].y - p[0].y, p[1].z - p[0].z};
    const float b[3] = {p[2].x - p[0].x, p[2].y - p[0].y, p[2].z - p[0].z};
    n[0] = a[1] * b[2] - a[2] * b[1];
    n[1] = a[2] * b[0] - a[0] * b[2];
    n[2] = a[0] * b[1] - a[1] * b[0];
    // Scaled by the largest component first: the square of a tiny area would vanish.
    float largest = 0.0f;
    for (int i = 0; i < 3; i++)
        largest = fabsf(n[i]) > largest ? fabsf(n[i]) : largest;
    if (largest > 0.0f && largest <= 3.4e38f) {
        for (int i = 0; i < 3; i++)
            n[i] = n[i] / largest;
        const float length = sqrtf(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
        for (int i = 0; i < 3; i++)
            n[i] = n[i] / length;
    } else { // no area: never drawn
        n[0] = n[1] = 0.0f;
        n[2] = 1.0f;
    }
}

static void set_flat_normals(mesh_source *mesh)
{
    for (size_t t = 0; t < mesh->triangle_count; t++) {
        float n[3];
        gltf_flat_normal(&mesh->position[3 * t], n);
        for (size_t k = 3 * t; k < 3 * t + 3; k++) {
            mesh->attributes[k].nx = n[0];
            mesh->attributes[k].ny = n[1];
            mesh->attributes[k].nz = n[2];
        }
    }
}

zt_result gltf_gather(gltf_reader *g, mesh_source *mesh, const uint32_t *from, size_t count)
{
    mesh->position = gather(g->work, mesh->position, sizeof *mesh->position, from, count);
    mesh->attributes = gather(g->work, mesh->attributes, sizeof *mesh->attributes, from, count);
    bool complete = mesh->position && mesh->attributes;
    if (mesh->extra) {
        mesh->extra = gather(g->work, mesh->extra, sizeof *mesh->extra, from, count);
        complete = complete && mesh->extra;
    }
    if (mesh->joints) {
        mesh->joints = gather(g->work, mesh->joints, sizeof *mesh->joints, from, count);
        mesh->weights = gather(g->work, mesh->weights, sizeof *mesh->weights, from, count);
        complete = complete && mesh->joints && mesh->weights;
    }
    if (mesh->joints_more) {
        mesh->joints_more = gather(g->work, mesh->joints_more, sizeof *mesh->joints, from, count);
        mesh->weights_more =
            gather(g->work, mesh->weights_more, sizeof *mesh->weights, from, count);
        complete = complete && mesh->joints_more && mesh->weights_more;
    }
    if (mesh->origin) {
        mesh->origin = gather(g->work, mesh->origin, sizeof *mesh->origin, from, count);
        complete = complete && mesh->origin;
    }
    if (!complete)
        return arena_fail(g->work, g->err, "vertices");
    mesh->vertex_count = (uint32_t)count;
    mesh->tangent_w = NULL;
    return ZT_OK;
}

zt_result gltf_flatten(gltf_reader *g, mesh_source *mesh)
{
    const size_t count = 3 * (size_t)mesh->triangle_count;
    uint32_t *corner = ARENA_ARRAY_RAW(g->work, uint32_t, count);
    if (!corner)
        return arena_fail(g->work, g->err, "flat normals");
    ZT_TRY(gltf_gather(g, mesh, mesh->corner, count));
    for (size_t i = 0; i < count; i++)
        corner[i] = (uint32_t)i;
    mesh->corner = corner;
    set_flat_normals(mesh);
    return ZT_OK;
}
