// SPDX-License-Identifier: MIT
/// Indices of a glTF primitive are proven to be in range, strips and fans become lists with the
/// winding that the specification gives them (glTF 2.0, section 3.7.2.1).
#include "gltf/gltf_triangles.h"

#include "gltf/gltf_material.h"
#include "mesh/point_line_mesh.h"

#include <stdatomic.h>

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
static zt_result span_of(const gltf_file *file, const uint32_t *index, size_t count,
                         index_span *out)
{
    span_loop loop = {index, UINT32_MAX, 0};
    ZT_TRY(gltf_run_ranges(file, count, span_range, &loop));
    *out = (index_span){loop.low, loop.high};
    return ZT_OK;
}

/// The indices of a primitive, or 0, 1, 2... when it has none. Proves them to be below the limit.
static zt_result read_indices(gltf_file *file, arena *work, const json_pointer *json,
                              uint32_t vertex_count, uint32_t **out, uint32_t *out_count)
{
    const json_pointer member = json_member(json, "indices");
    int32_t index;
    gltf_accessor a;
    ZT_TRY(gltf_index(file, &member, GLTF_ACCESSORS, &index));
    if (index >= 0) {
        ZT_TRY(gltf_accessor_open(file, &member, index, &a));
        if (gltf_width(&a) != 1)
            return gltf_fail(file->log, &member, ZT_ERR_FORMAT,
                             "accessor %d of indices must be SCALAR", index);
    }
    *out_count = index < 0 ? vertex_count : a.count;
    ZT_TRY(ARENA_TAKE_RAW(work, out, *out_count, "indices", file->log->err));
    if (index < 0) {
        for (uint32_t i = 0; i < vertex_count; i++)
            (*out)[i] = i;
        return ZT_OK;
    }
    ZT_TRY(gltf_read_uints(file, &member, &a, 0, a.count, *out));
    const uint32_t restart = a.base.component == GLTF_U8    ? UINT8_MAX
                             : a.base.component == GLTF_U16 ? UINT16_MAX
                                                            : UINT32_MAX;
    index_span span;
    ZT_TRY(span_of(file, *out, a.count, &span));
    if (span.high < vertex_count && span.high < restart)
        return ZT_OK;
    for (uint32_t i = 0; i < a.count; i++) {
        const uint32_t v = (*out)[i];
        if (v == restart)
            return gltf_fail(file->log, &member, ZT_ERR_UNSUPPORTED,
                             "index %u of accessor %d is %u, which restarts primitives (expected "
                             "indices of vertices: that is not read)",
                             i, index, v);
        if (v >= vertex_count)
            return gltf_fail(file->log, &member, ZT_ERR_FORMAT,
                             "index %u of accessor %d is %u, but there are %u vertices", i, index,
                             v, vertex_count);
    }
    return ZT_OK;
}

/// Points or lines that so many indices make in a mode below GLTF_TRIANGLES.
static uint32_t element_count(int64_t mode, uint32_t index_count)
{
    switch (mode) {
    case GLTF_POINTS: return index_count;
    case GLTF_LINES: return index_count / 2;
    case GLTF_LINE_LOOP: return index_count < 2 ? 0 : index_count;
    case GLTF_LINE_STRIP: return index_count < 2 ? 0 : index_count - 1;
    default: return 0;
    }
}

/// Each point or line as three corners: its first vertex, and its last one twice.
static void fill_elements(int64_t mode, const uint32_t *index, uint32_t index_count,
                          uint32_t *corner)
{
    const uint32_t count = element_count(mode, index_count);
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t first = mode == GLTF_LINES ? 2 * i : i;
        const uint32_t second = mode == GLTF_POINTS       ? first
                                : first + 1 < index_count ? first + 1
                                                          : 0; // a loop closes
        uint32_t *c = corner + 3 * (size_t)i;
        c[0] = index[first];
        c[1] = c[2] = index[second];
    }
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

/// Subtracts the smallest index from all: only vertices up to the largest are read of an accessor.
static zt_result rebase(const gltf_file *file, uint32_t *corner, size_t count, uint32_t *out_first,
                        uint32_t *out_vertex_count)
{
    index_span span;
    ZT_TRY(span_of(file, corner, count, &span));
    for (size_t i = 0; span.low > 0 && i < count; i++)
        corner[i] -= span.low;
    *out_first = span.low;
    *out_vertex_count = span.high - span.low + 1;
    return ZT_OK;
}

zt_result gltf_read_triangles(gltf_file *file, gltf_meshes *meshes, const json_pointer *json,
                              uint32_t file_vertex_count, mesh_source *out, uint32_t *out_first)
{
    int64_t mode;
    uint32_t *index = NULL, index_count = 0;
    ZT_TRY(gltf_member_integer(file->log, json, "mode", GLTF_TRIANGLES, &mode));
    if (meshes->decoded) { // always a list; the mode is ignored
        mode = GLTF_TRIANGLES;
        index = meshes->decoded->corner;
        index_count = 3 * meshes->decoded->triangle_count;
    } else {
        ZT_TRY(read_indices(file, meshes->work, json, file_vertex_count, &index, &index_count));
    }
    const uint32_t left_over = mode == GLTF_TRIANGLES ? index_count % 3
                               : mode == GLTF_LINES   ? index_count % 2
                                                      : 0;
    if (left_over > 0)
        ZT_TRY(gltf_warn(file->log, json, "the last %u of %u corners make no %s", left_over,
                         index_count, mode == GLTF_LINES ? "line" : "triangle"));
    const uint32_t count = mode < GLTF_TRIANGLES    ? element_count(mode, index_count)
                           : mode == GLTF_TRIANGLES ? index_count / 3
                           : index_count < 3        ? 0
                                                    : index_count - 2;
    const bool kept = mode >= GLTF_TRIANGLES || !gltf_draws_triangles(file, json->value);
    uint64_t drawn = count;
    if (!kept)
        drawn *= (uint64_t)(mode == GLTF_POINTS ? POINT_TRIANGLES : LINE_TRIANGLES);
    const uint32_t limit = (uint32_t)file->keep->budget->limits->triangles;
    if (drawn > limit - meshes->triangle_total)
        return gltf_fail(file->log, json, ZT_ERR_LIMIT, "more than %u triangles in all", limit);
    meshes->triangle_total += (uint32_t)drawn;
    out->triangle_count = count;
    if (count == 0)
        return ZT_OK;
    uint32_t *corner = index;
    if (mode != GLTF_TRIANGLES) {
        ZT_TRY(
            ARENA_TAKE_RAW(meshes->work, &corner, 3 * (size_t)count, "triangles", file->log->err));
        if (mode < GLTF_TRIANGLES)
            fill_elements(mode, index, index_count, corner);
        else
            fill_corners(mode, index, count, corner);
    }
    out->corner = corner;
    return rebase(file, corner, 3 * (size_t)count, out_first, &out->vertex_count);
}
