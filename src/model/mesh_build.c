// SPDX-License-Identifier: MIT
/// Cuts the triangles of a mesh into meshlets: greedily and in their order, which decides between
/// fragments of equal depth and must not change. A meshlet ends where the next triangle has another
/// material or tangent handedness, or where it would not fit.
///
/// Linear in triangles: a vertex remembers the last meshlet that took it and its number there. Two
/// passes, one that counts and one that writes.
#include "model/model.h"

#include <float.h>
#include <string.h>

typedef struct seen_vertex {
    uint32_t stamp; ///< of the last meshlet that took the vertex; 0 is none
    uint32_t local;
} seen_vertex;

/// Where the current meshlet stands; the pointers are NULL while counting.
typedef struct cutter {
    const mesh_source *source;
    seen_vertex *seen;
    uint32_t stamp;
    meshlet open;
    uint32_t meshlet_count;
    size_t vertex_total, corner_total; ///< of the meshlets that are closed; corners padded
    meshlet *meshlets;
    uint32_t *vertex;
    uint8_t *corner[3];
} cutter;

static bool is_left_handed(const mesh_source *source, const uint32_t *corner)
{
    if (!source->tangent_w)
        return false;
    int negative = 0;
    for (int k = 0; k < 3; k++)
        negative += source->tangent_w[corner[k]] < 0.0f;
    return negative >= 2;
}

static void meshlet_open(cutter *c, uint32_t material, bool left_handed)
{
    c->stamp++;
    c->open = (meshlet){.vertex_first = (uint32_t)c->vertex_total,
                        .triangle_first = (uint32_t)c->corner_total,
                        .material = material,
                        .left_handed = left_handed};
}

static void meshlet_close(cutter *c)
{
    if (c->open.triangle_count == 0)
        return;
    if (c->meshlets)
        c->meshlets[c->meshlet_count] = c->open;
    c->meshlet_count++;
    c->vertex_total += c->open.vertex_count;
    c->corner_total += pad16(c->open.triangle_count);
}

static uint32_t new_vertices(const cutter *c, const uint32_t *corner)
{
    uint32_t count = 0;
    for (int k = 0; k < 3; k++) {
        bool known = c->seen[corner[k]].stamp == c->stamp;
        for (int j = 0; j < k; j++)
            known = known || corner[j] == corner[k];
        count += !known;
    }
    return count;
}

static void take_triangle(cutter *c, const uint32_t *corner)
{
    const size_t triangle = c->open.triangle_first + (size_t)c->open.triangle_count;
    for (int k = 0; k < 3; k++) {
        seen_vertex *seen = &c->seen[corner[k]];
        if (seen->stamp != c->stamp) {
            seen->stamp = c->stamp;
            seen->local = c->open.vertex_count;
            if (c->vertex)
                c->vertex[c->open.vertex_first + seen->local] = corner[k];
            c->open.vertex_count++;
        }
        if (c->corner[k])
            c->corner[k][triangle] = (uint8_t)seen->local;
    }
    c->open.triangle_count++;
}

static void cut(cutter *c)
{
    const mesh_source *source = c->source;
    for (size_t t = 0; t < source->triangle_count; t++) {
        const uint32_t *corner = &source->corner[3 * t];
        const uint32_t material = source->material[t];
        const bool left_handed = is_left_handed(source, corner);
        const meshlet *open = &c->open;
        if (t == 0 || open->material != material || open->left_handed != left_handed ||
            open->triangle_count == MESHLET_TRIANGLES ||
            open->vertex_count + new_vertices(c, corner) > MESHLET_VERTICES) {
            meshlet_close(c);
            meshlet_open(c, material, left_handed);
        }
        take_triangle(c, corner);
    }
    meshlet_close(c);
}

static zt_result cut_meshlets(arena *keep, arena *scratch, const mesh_source *source,
                              model_mesh *out, zt_error *err)
{
    cutter counting = {.source = source};
    counting.seen = ARENA_ARRAY(scratch, seen_vertex, source->vertex_count);
    if (!counting.seen)
        return arena_fail(scratch, err, "meshlets");
    cut(&counting);
    if (counting.vertex_total > UINT32_MAX || counting.corner_total > UINT32_MAX)
        return zt_fail(err, ZT_ERR_LIMIT,
                       "mesh '%s': too many meshlets (the limit is 2^32 corners)", source->name);

    // The stamps go on from where counting left them: no vertex is taken for seen.
    cutter writing = {.source = source, .seen = counting.seen, .stamp = counting.stamp};
    writing.meshlets = ARENA_ARRAY(keep, meshlet, counting.meshlet_count);
    writing.vertex = ARENA_ARRAY(keep, uint32_t, counting.vertex_total);
    for (int k = 0; k < 3; k++)
        writing.corner[k] = ARENA_ARRAY(keep, uint8_t, counting.corner_total);
    if (!writing.meshlets || !writing.vertex || !writing.corner[0] || !writing.corner[1] ||
        !writing.corner[2])
        return arena_fail(keep, err, "meshlets");
    cut(&writing);
    out->meshlet_count = writing.meshlet_count;
    out->meshlets = writing.meshlets;
    out->meshlet_vertex = writing.vertex;
    for (int k = 0; k < 3; k++)
        out->meshlet_corner[k] = writing.corner[k];
    return ZT_OK;
}

// A copy padded to a multiple of 16 with the last element; NULL for no memory or no source.
static void *copy_padded(arena *keep, const void *source, size_t count, size_t size)
{
    if (!source)
        return NULL;
    char *copy = arena_alloc_raw(keep, pad16(count), size);
    if (!copy || count == 0)
        return copy;
    memcpy(copy, source, count * size);
    for (size_t i = count; i < pad16(count); i++)
        memcpy(copy + i * size, copy + (count - 1) * size, size);
    return copy;
}

static void find_bounds(const mesh_source *source, model_mesh *out)
{
    for (int k = 0; k < 3; k++) {
        out->bounds_min[k] = FLT_MAX;
        out->bounds_max[k] = -FLT_MAX;
    }
    for (size_t v = 0; v < source->vertex_count; v++) {
        const float p[3] = {source->position[v].x, source->position[v].y, source->position[v].z};
        for (int k = 0; k < 3; k++) {
            out->bounds_min[k] = p[k] < out->bounds_min[k] ? p[k] : out->bounds_min[k];
            out->bounds_max[k] = p[k] > out->bounds_max[k] ? p[k] : out->bounds_max[k];
        }
    }
}

zt_result mesh_build(arena *keep, arena *scratch, const mesh_source *source, model_mesh *out,
                     zt_error *err)
{
    const size_t count = source->vertex_count;
    *out = (model_mesh){.name = source->name,
                        .vertex_count = source->vertex_count,
                        .triangle_count = source->triangle_count};
    out->position = copy_padded(keep, source->position, count, sizeof *source->position);
    out->attributes = copy_padded(keep, source->attributes, count, sizeof *source->attributes);
    out->extra = copy_padded(keep, source->extra, count, sizeof *source->extra);
    out->joints = copy_padded(keep, source->joints, count, sizeof *source->joints);
    out->weights = copy_padded(keep, source->weights, count, sizeof *source->weights);
    out->joints_more = copy_padded(keep, source->joints_more, count, sizeof *source->joints_more);
    out->weights_more =
        copy_padded(keep, source->weights_more, count, sizeof *source->weights_more);
    if ((source->joints_more && !out->joints_more) || (source->weights_more && !out->weights_more))
        return arena_fail(keep, err, "vertices");
    if (!out->position || !out->attributes || (source->extra && !out->extra) ||
        (source->joints && !out->joints) || (source->weights && !out->weights))
        return arena_fail(keep, err, "vertices");
    find_bounds(source, out);
    return cut_meshlets(keep, scratch, source, out, err);
}
