// SPDX-License-Identifier: MIT
#include "mesh/mesh_source.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

/// An array of vertices that is copied by their numbers.
typedef struct gather_loop {
    uint8_t *to;
    const uint8_t *from;
    size_t size; ///< of an element
    const uint32_t *index;
} gather_loop;

static void gather_range(void *user, size_t first, size_t count)
{
    const gather_loop *l = user;
    for (size_t i = first; i < first + count; i++)
        memcpy(l->to + i * l->size, l->from + l->index[i] * l->size, l->size);
}

zt_result mesh_source_gather(job_pool *pool, arena *a, mesh_source *mesh, const uint32_t *from,
                             size_t count, zt_error *err)
{
#define ARRAY(member) offsetof(mesh_source, member), sizeof *mesh->member
    static const struct {
        size_t offset, size;
        bool stays; ///< in mesh->keep
    } arrays[] = {
        {ARRAY(position), true},      {ARRAY(attributes), true}, {ARRAY(extra), false},
        {ARRAY(joints), false},       {ARRAY(weights), false},   {ARRAY(joints_more), false},
        {ARRAY(weights_more), false}, {ARRAY(origin), false},
    };
#undef ARRAY
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) {
        uint8_t *member = (uint8_t *)mesh + arrays[i].offset;
        gather_loop loop = {.size = arrays[i].size, .index = from};
        memcpy(&loop.from, member, sizeof loop.from);
        if (!loop.from)
            continue;
        arena *to = arrays[i].stays && mesh->keep ? mesh->keep : a;
        loop.to = arena_alloc_raw(to, pad16(count), loop.size);
        if (!loop.to)
            return arena_fail(to, err, "vertices");
        memcpy(member, &loop.to, sizeof loop.to);
        ZT_TRY(job_pool_ranges(pool, a->budget, count, gather_range, &loop, err));
    }
    mesh->vertex_count = (uint32_t)count;
    mesh->tangent_w = NULL;
    return ZT_OK;
}

void mesh_flat_normal(const vertex_position p[3], float n[3])
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

/// False: the work is cancelled.
static bool set_flat_normals(arena *a, mesh_source *mesh)
{
    for (size_t t = 0; t < mesh->triangle_count; t++) {
        float n[3];
        if (arena_cancelled_at(a, t))
            return false;
        mesh_flat_normal(&mesh->position[3 * t], n);
        for (size_t k = 3 * t; k < 3 * t + 3; k++) {
            mesh->attributes[k].nx = n[0];
            mesh->attributes[k].ny = n[1];
            mesh->attributes[k].nz = n[2];
        }
    }
    return true;
}

zt_result mesh_source_flatten(arena *a, mesh_source *mesh, zt_error *err)
{
    const size_t count = 3 * (size_t)mesh->triangle_count;
    uint32_t *corner;
    ZT_TRY(ARENA_TAKE_RAW(a, &corner, count, "flat normals", err));
    ZT_TRY(mesh_source_gather(NULL, a, mesh, mesh->corner, count, err));
    for (size_t i = 0; i < count; i++) {
        ZT_TRY(arena_go_on_at(a, i, "flat normals", err));
        corner[i] = (uint32_t)i;
    }
    mesh->corner = corner;
    return set_flat_normals(a, mesh) ? ZT_OK : arena_fail(a, err, "flat normals");
}

/// Sizes of a joined mesh, and which optional arrays at least one part has.
typedef struct mesh_extent {
    uint32_t vertex_count, triangle_count;
    bool tangent_w, extra, joints, more;
} mesh_extent;

static mesh_extent measure(const mesh_source *const *parts, uint32_t count)
{
    mesh_extent out = {0};
    for (uint32_t i = 0; i < count; i++) {
        out.vertex_count += parts[i]->vertex_count;
        out.triangle_count += parts[i]->triangle_count;
        out.tangent_w = out.tangent_w || parts[i]->tangent_w;
        out.extra = out.extra || parts[i]->extra;
        out.joints = out.joints || parts[i]->joints;
        out.more = out.more || parts[i]->joints_more;
    }
    return out;
}

/// False: no memory.
static bool allocate(arena *a, const mesh_extent *extent, mesh_source *out, uint32_t **out_corner)
{
    const size_t n = extent->vertex_count;
    *out = (mesh_source){.vertex_count = extent->vertex_count,
                         .triangle_count = extent->triangle_count};
    out->position = ARENA_ARRAY_RAW(a, vertex_position, n);
    out->attributes = ARENA_ARRAY_RAW(a, vertex_attributes, n);
    out->tangent_w = extent->tangent_w ? ARENA_ARRAY_RAW(a, float, n) : NULL;
    out->extra = extent->extra ? ARENA_ARRAY_RAW(a, vertex_extra, n) : NULL;
    out->joints = extent->joints ? ARENA_ARRAY_RAW(a, vertex_joints, n) : NULL;
    out->weights = extent->joints ? ARENA_ARRAY_RAW(a, vertex_weights, n) : NULL;
    out->joints_more = extent->more ? ARENA_ARRAY_RAW(a, vertex_joints, n) : NULL;
    out->weights_more = extent->more ? ARENA_ARRAY_RAW(a, vertex_weights, n) : NULL;
    out->corner = *out_corner = ARENA_ARRAY_RAW(a, uint32_t, 3 * (size_t)extent->triangle_count);
    return out->position && out->attributes && *out_corner &&
           (out->tangent_w || !extent->tangent_w) && (out->extra || !extent->extra) &&
           (out->weights || !extent->joints) && (out->joints || !extent->joints) &&
           (out->joints_more || !extent->more) && (out->weights_more || !extent->more);
}

/// Copies the optional arrays of one part, or their defaults, from vertex `at`.
static void append_optional(mesh_source *to, const mesh_source *from, size_t at)
{
    const size_t n = from->vertex_count;
    for (size_t i = 0; to->tangent_w && i < n; i++)
        to->tangent_w[at + i] = from->tangent_w ? from->tangent_w[i] : 1.0f;
    for (size_t i = 0; to->extra && i < n; i++)
        to->extra[at + i] = from->extra
                                ? from->extra[i]
                                : (vertex_extra){.r = 1.0f, .g = 1.0f, .b = 1.0f, .a = 1.0f};
    for (size_t i = 0; to->joints && i < n; i++) {
        to->joints[at + i] = from->joints ? from->joints[i] : (vertex_joints){{0, 0, 0, 0}};
        to->weights[at + i] =
            from->joints ? from->weights[i] : (vertex_weights){{1.0f, 0.0f, 0.0f, 0.0f}};
    }
}

/// The same for influences 5 to 8.
static void append_more(mesh_source *to, const mesh_source *from, size_t at)
{
    const size_t bytes = from->vertex_count * sizeof *from->joints;
    if (!to->joints_more)
        return;
    if (from->joints_more) {
        memcpy(to->joints_more + at, from->joints_more, bytes);
        memcpy(to->weights_more + at, from->weights_more,
               from->vertex_count * sizeof *from->weights);
        return;
    }
    memset(to->joints_more + at, 0, bytes);
    memset(to->weights_more + at, 0, from->vertex_count * sizeof *from->weights);
}

zt_result mesh_source_join(arena *a, const mesh_source *const *parts, uint32_t count,
                           mesh_source *out, zt_error *err)
{
    const mesh_extent extent = measure(parts, count);
    uint32_t *corner, vertex = 0;
    if (!allocate(a, &extent, out, &corner))
        return arena_fail(a, err, "a mesh");
    for (uint32_t i = 0; i < count; i++) {
        const mesh_source *from = parts[i];
        const size_t n = from->vertex_count;
        memcpy(out->position + vertex, from->position, n * sizeof *from->position);
        memcpy(out->attributes + vertex, from->attributes, n * sizeof *from->attributes);
        append_optional(out, from, vertex);
        append_more(out, from, vertex);
        for (size_t k = 0; k < 3 * (size_t)from->triangle_count; k++)
            *corner++ = from->corner[k] + vertex;
        vertex += from->vertex_count;
    }
    return ZT_OK;
}
