// SPDX-License-Identifier: MIT
/// Cuts the triangles of a mesh into meshlets: greedily and in their order, which decides between
/// fragments of equal depth and must not change. A meshlet ends where the next triangle has another
/// material, kind or tangent handedness, or where it would not fit.
///
/// Linear in triangles: a vertex remembers the last meshlet that took it. One thread finds where
/// meshlets end, since each cut depends on the one before, while the others copy vertices; all
/// threads number the corners of meshlets.
#include "mesh/mesh_build.h"

#include "base/dvec3.h"

#include <float.h>
#include <stdatomic.h>
#include <string.h>

enum {
    CUTS_IN_BLOCK = 1024,
    MESHLETS_IN_JOB = 64,
    PLACES_LOOKED_AT = 1 << 16, ///< vertices: the areas of larger meshes would take 4 ms a million
    VERTEX_SLOTS = 256,         // of a table for MESHLET_VERTICES: a power of two, sparse
};

/// A meshlet and where its triangles begin in the source.
typedef struct meshlet_cut {
    meshlet m;
    uint32_t source_first;
} meshlet_cut;

typedef struct cut_block {
    struct cut_block *next;
    uint32_t count;
    meshlet_cut cut[CUTS_IN_BLOCK];
} cut_block;

/// The state of cutting.
typedef struct cutter {
    const mesh_source *source;
    arena *scratch;
    uint32_t *seen; ///< by vertex: the last meshlet that took it, from 1 on
    uint32_t stamp;
    meshlet_cut open;
    cut_block *first, *last;
    uint32_t meshlet_count;
    size_t vertex_total, corner_total; ///< of the meshlets that are closed; corners padded
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

static uint32_t material_of(const mesh_source *source, uint32_t triangle)
{
    return source->material ? source->material[triangle] : 0;
}

static uint8_t kind_of(const mesh_source *source, uint32_t triangle)
{
    return source->kind ? source->kind[triangle] : (uint8_t)PRIMITIVE_TRIANGLE;
}

static void meshlet_open(cutter *c, uint32_t triangle, uint32_t material, bool left_handed)
{
    c->stamp++;
    c->open = (meshlet_cut){{.vertex_first = (uint32_t)c->vertex_total,
                             .triangle_first = (uint32_t)c->corner_total,
                             .material = material,
                             .kind = kind_of(c->source, triangle),
                             .left_handed = left_handed},
                            triangle};
}

/// False when there is no memory.
static bool meshlet_close(cutter *c)
{
    if (c->open.m.triangle_count == 0)
        return true;
    if (!c->last || c->last->count == CUTS_IN_BLOCK) {
        cut_block *block = ARENA_ARRAY_RAW(c->scratch, cut_block, 1);
        if (!block)
            return false;
        block->next = NULL;
        block->count = 0;
        *(c->last ? &c->last->next : &c->first) = block;
        c->last = block;
    }
    c->last->cut[c->last->count++] = c->open;
    c->meshlet_count++;
    c->vertex_total += c->open.m.vertex_count;
    c->corner_total += pad16(c->open.m.triangle_count);
    return true;
}

/// Vertices of the triangle that the open meshlet has not.
static uint32_t new_vertices(const cutter *c, const uint32_t *corner)
{
    const uint32_t x = corner[0], y = corner[1], z = corner[2];
    const bool new_x = c->seen[x] != c->stamp, new_y = c->seen[y] != c->stamp && y != x;
    const bool new_z = c->seen[z] != c->stamp && z != x && z != y;
    return (uint32_t)new_x + new_y + new_z;
}

/// Finds the cuts. False when there is no memory, or the work is cancelled.
static bool cut(cutter *c)
{
    const mesh_source *source = c->source;
    for (uint32_t t = 0; t < source->triangle_count; t++) {
        if (arena_cancelled_at(c->scratch, t))
            return false;
        const uint32_t *corner = &source->corner[3 * (size_t)t];
        const uint32_t material = material_of(source, t);
        const bool left_handed = is_left_handed(source, corner);
        const meshlet *open = &c->open.m;
        uint32_t added = new_vertices(c, corner);
        if (t == 0 || open->material != material || open->left_handed != left_handed ||
            open->kind != kind_of(source, t) || open->triangle_count == MESHLET_TRIANGLES ||
            open->vertex_count + added > MESHLET_VERTICES) {
            if (!meshlet_close(c))
                return false;
            meshlet_open(c, t, material, left_handed);
            added = new_vertices(c, corner);
        }
        for (int k = 0; k < 3; k++)
            c->seen[corner[k]] = c->stamp;
        c->open.m.vertex_count = (uint16_t)(c->open.m.vertex_count + added);
        c->open.m.triangle_count++;
    }
    return meshlet_close(c);
}

/// The state that the numbering of corners reads and writes.
typedef struct numbering {
    const mesh_source *source;
    const meshlet *meshlets;
    const uint32_t *source_first; ///< by meshlet
    uint32_t meshlet_count;
    uint32_t *vertex;
    uint8_t *corner[3];
    _Atomic uint8_t *seen; ///< by vertex: a triangle with an area has it
    bool by_number;        ///< of a triangle the numbers of its vertices count, not their places
    budget *work;
} numbering;

/// The numbers that the vertices of one meshlet have in it. Not a hash_table: this one is cleared
/// for each meshlet, so it lies on the stack, keeps its keys and clears 256 bytes instead of 1024.
typedef struct vertex_table {
    uint32_t vertex[VERTEX_SLOTS];
    uint8_t number[VERTEX_SLOTS]; ///< plus one; 0: the slot is free
} vertex_table;

static uint32_t slot_of(const vertex_table *table, uint32_t vertex)
{
    uint32_t slot = (vertex * 2654435761u) >> 24; // Knuth: 2^32 by the golden ratio
    while (table->number[slot] != 0 && table->vertex[slot] != vertex)
        slot = (slot + 1) % VERTEX_SLOTS;
    return slot;
}

/// False for a vertex twice, and for a triangle whose height is no millionth of its edges: no
/// picture that frames the edges shows it. Skins and morph targets may open those.
static bool has_area(const numbering *n, const uint32_t *corner)
{
    const vertex_position *p = n->source->position;
    const bool twice = corner[0] == corner[1] || corner[1] == corner[2] || corner[2] == corner[0];
    if (twice || n->by_number)
        return !twice;
    const dvec3 at = dvec3_from_floats(&p[corner[0]].x);
    const dvec3 a = dvec3_sub(dvec3_from_floats(&p[corner[1]].x), at);
    const dvec3 b = dvec3_sub(dvec3_from_floats(&p[corner[2]].x), at);
    const dvec3 cross = dvec3_cross(a, b);
    return dvec3_dot(cross, cross) > 1e-12 * dvec3_dot(a, a) * dvec3_dot(b, b);
}

/// Notes the vertices of triangles with an area.
static void note_seen(const numbering *n, const meshlet *m, const uint32_t *corner)
{
    const uint32_t *vertex = &n->vertex[m->vertex_first];
    const bool all = m->kind != PRIMITIVE_TRIANGLE;
    uint64_t seen = 0; // by vertex of the meshlet
    for (uint32_t t = 0; t < m->triangle_count; t++) {
        uint64_t own = 0;
        for (uint32_t k = 0; k < 3; k++)
            own |= UINT64_C(1) << n->corner[k][m->triangle_first + t];
        seen |= all || has_area(n, &corner[3 * t]) ? own : 0;
    }
    for (uint32_t i = 0; i < m->vertex_count; i++)
        if (seen >> i & 1)
            atomic_store_explicit(&n->seen[vertex[i]], 1, memory_order_relaxed);
}

_Static_assert((int)MESHLET_VERTICES <= 64, "note_seen() has a bit for each");

static void number_corners(const numbering *n, uint32_t index)
{
    const meshlet *m = &n->meshlets[index];
    const uint32_t *corner = &n->source->corner[3 * (size_t)n->source_first[index]];
    uint32_t count = 0;
    vertex_table table;
    memset(table.number, 0, sizeof table.number);
    for (uint32_t t = 0; t < m->triangle_count; t++)
        for (uint32_t k = 0; k < 3; k++) {
            const uint32_t vertex = corner[3 * t + k], slot = slot_of(&table, vertex);
            if (table.number[slot] == 0) {
                table.vertex[slot] = vertex;
                n->vertex[m->vertex_first + count] = vertex;
                table.number[slot] = (uint8_t)++count;
            }
            n->corner[k][m->triangle_first + t] = (uint8_t)(table.number[slot] - 1);
        }
    ZT_ASSERT(count == m->vertex_count);
    note_seen(n, m, corner);
}

static void number_job(void *user, int64_t index, int32_t worker)
{
    const numbering *n = user;
    const uint32_t first = (uint32_t)index * MESHLETS_IN_JOB, rest = n->meshlet_count - first;
    (void)worker;
    if (budget_cancelled(n->work))
        return;
    for (uint32_t i = 0; i < rest && i < MESHLETS_IN_JOB; i++)
        number_corners(n, first + i);
}

/// The cuts as arrays.
static zt_result lay_out(const cutter *c, arena *keep, arena *scratch, model_mesh *out,
                         uint32_t **out_source_first, zt_error *err)
{
    meshlet *meshlets = ARENA_ARRAY_RAW(keep, meshlet, c->meshlet_count);
    uint32_t *source_first = ARENA_ARRAY_RAW(scratch, uint32_t, c->meshlet_count), i = 0;
    if (!meshlets)
        return arena_fail(keep, err, "meshlets");
    if (!source_first)
        return arena_fail(scratch, err, "meshlets");
    for (const cut_block *block = c->first; block; block = block->next)
        for (uint32_t k = 0; k < block->count; k++, i++) {
            meshlets[i] = block->cut[k].m;
            source_first[i] = block->cut[k].source_first;
        }
    out->meshlet_count = c->meshlet_count;
    out->meshlets = meshlets;
    *out_source_first = source_first;
    return ZT_OK;
}

/// Lists the vertices that are seen, when some are not. False: no memory.
static bool list_seen(const numbering *n, arena *keep, model_mesh *out)
{
    const uint8_t *seen = (const uint8_t *)(uintptr_t)n->seen; // by now no job writes it
    uint32_t count = 0, *list;
    if (!memchr(seen, 0, out->vertex_count))
        return true;
    for (uint32_t v = 0; v < out->vertex_count; v++)
        count += seen[v];
    if (!(list = ARENA_ARRAY_RAW(keep, uint32_t, count)))
        return false;
    out->seen_vertex = list;
    out->seen_count = count;
    for (uint32_t v = 0; v < out->vertex_count; v++)
        if (seen[v])
            *list++ = v;
    return true;
}

static zt_result number_meshlets(job_pool *pool, arena *keep, arena *scratch, const cutter *c,
                                 model_mesh *out, zt_error *err)
{
    const mesh_source *source = c->source;
    uint32_t *source_first = NULL;
    if (c->vertex_total > UINT32_MAX || c->corner_total > UINT32_MAX)
        return zt_fail(err, ZT_ERR_LIMIT,
                       "mesh '%s': too many meshlets (the limit is 2^32 corners)", source->name);
    ZT_TRY(lay_out(c, keep, scratch, out, &source_first, err));
    numbering n = {.source = source,
                   .meshlets = out->meshlets,
                   .source_first = source_first,
                   .meshlet_count = out->meshlet_count,
                   .vertex = ARENA_ARRAY_RAW(keep, uint32_t, c->vertex_total),
                   .seen = ARENA_ARRAY(scratch, _Atomic uint8_t, source->vertex_count),
                   .by_number =
                       source->joints || source->morphs || source->vertex_count > PLACES_LOOKED_AT,
                   .work = keep->budget};
    for (int k = 0; k < 3; k++)
        out->meshlet_corner[k] = n.corner[k] = ARENA_ARRAY(keep, uint8_t, c->corner_total);
    if (!n.vertex || !n.corner[0] || !n.corner[1] || !n.corner[2])
        return arena_fail(keep, err, "meshlets");
    if (!n.seen)
        return arena_fail(scratch, err, "meshlets");
    out->meshlet_vertex = n.vertex;
    const uint32_t jobs = (n.meshlet_count + MESHLETS_IN_JOB - 1) / MESHLETS_IN_JOB;
    job_pool_run(jobs > 1 ? pool : NULL, jobs, number_job, &n);
    if (budget_cancelled(n.work)) // some were left out
        return cancel_fail(err);
    return list_seen(&n, keep, out) ? ZT_OK : arena_fail(keep, err, "meshlets");
}

/// An array of the vertices that is copied.
typedef struct vertex_copy {
    char *to; ///< padded to a multiple of 16 with the last element
    const char *from;
    size_t size; ///< of an element
} vertex_copy;

enum { VERTEX_ARRAYS = 7 };

/// The cutter, and the vertices that are copied meanwhile.
typedef struct build_loop {
    cutter cutter;
    bool cut; ///< without a failure
    vertex_copy copy[VERTEX_ARRAYS];
    int copy_count;
    budget *work;
} build_loop;

/// Room for a copy; NULL: there is no source, or no memory.
static void *plan_copy(build_loop *loop, arena *keep, const void *source, size_t size)
{
    char *to =
        source ? arena_alloc_raw(keep, pad16(loop->cutter.source->vertex_count), size) : NULL;
    if (to)
        loop->copy[loop->copy_count++] = (vertex_copy){to, source, size};
    return to;
}

/// The same for positions and attributes, which may be where they stay.
static void *plan_surface(build_loop *loop, arena *keep, void *source, size_t size)
{
    if (loop->cutter.source->keep != keep)
        return plan_copy(loop, keep, source, size);
    loop->copy[loop->copy_count++] = (vertex_copy){source, source, size};
    return source;
}

/// The first index cuts; each other one copies a range of all arrays.
static void cut_or_copy(void *user, int64_t index, int32_t worker)
{
    build_loop *loop = user;
    const size_t first = (size_t)(index - 1) * JOB_RANGE;
    (void)worker;
    if (index == 0) {
        loop->cut = cut(&loop->cutter);
        return;
    }
    const size_t left = loop->cutter.source->vertex_count - first;
    const size_t count = left < JOB_RANGE ? left : JOB_RANGE;
    for (int i = 0; i < loop->copy_count && !budget_cancelled(loop->work); i++) {
        const vertex_copy *c = &loop->copy[i];
        if (c->to != c->from)
            memcpy(c->to + first * c->size, c->from + first * c->size, count * c->size);
    }
}

static void pad_copies(const build_loop *loop)
{
    const size_t count = loop->cutter.source->vertex_count;
    if (count == 0)
        return;
    for (int i = 0; i < loop->copy_count; i++)
        for (size_t k = count; k < pad16(count); k++)
            memcpy(loop->copy[i].to + k * loop->copy[i].size,
                   loop->copy[i].to + (count - 1) * loop->copy[i].size, loop->copy[i].size);
}

/// The arrays of `out` that are copies; filled by cut_or_copy(). False: no memory.
static bool plan_copies(build_loop *loop, arena *keep, model_mesh *out)
{
    const mesh_source *source = loop->cutter.source;
    out->position = plan_surface(loop, keep, source->position, sizeof *source->position);
    out->attributes = plan_surface(loop, keep, source->attributes, sizeof *source->attributes);
    out->extra = plan_copy(loop, keep, source->extra, sizeof *source->extra);
    out->joints = plan_copy(loop, keep, source->joints, sizeof *source->joints);
    out->weights = plan_copy(loop, keep, source->weights, sizeof *source->weights);
    out->joints_more = plan_copy(loop, keep, source->joints_more, sizeof *source->joints_more);
    out->weights_more = plan_copy(loop, keep, source->weights_more, sizeof *source->weights_more);
    return out->position && out->attributes && !source->extra == !out->extra &&
           !source->joints == !out->joints && !source->weights == !out->weights &&
           !source->joints_more == !out->joints_more && !source->weights_more == !out->weights_more;
}

static zt_result cut_and_copy(job_pool *pool, build_loop *loop, arena *keep, arena *scratch,
                              model_mesh *out, zt_error *err)
{
    const size_t count = loop->cutter.source->vertex_count;
    if (!plan_copies(loop, keep, out))
        return arena_fail(keep, err, "vertices");
    ZT_TRY(ARENA_TAKE(scratch, &loop->cutter.seen, count, "meshlets", err));
    const int64_t jobs = 1 + (int64_t)((count + JOB_RANGE - 1) / JOB_RANGE);
    job_pool_run(jobs > 2 ? pool : NULL, jobs, cut_or_copy, loop);
    if (budget_cancelled(loop->work)) // something was left out
        return cancel_fail(err);
    if (!loop->cut)
        return arena_fail(scratch, err, "meshlets");
    pad_copies(loop);
    return ZT_OK;
}

static void count_kinds(model_mesh *mesh)
{
    for (uint32_t i = 0; i < mesh->meshlet_count; i++) {
        const meshlet *m = &mesh->meshlets[i];
        mesh->line_count += m->kind == PRIMITIVE_LINE ? m->triangle_count : 0;
        mesh->point_count += m->kind == PRIMITIVE_POINT ? m->triangle_count : 0;
    }
}

static void add_position(model_mesh *out, const vertex_position *at)
{
    const float p[3] = {at->x, at->y, at->z};
    for (int k = 0; k < 3; k++) {
        out->bounds_min[k] = p[k] < out->bounds_min[k] ? p[k] : out->bounds_min[k];
        out->bounds_max[k] = p[k] > out->bounds_max[k] ? p[k] : out->bounds_max[k];
    }
}

/// False: the work is cancelled.
static bool measure_bounds(arena *scratch, const mesh_source *source, model_mesh *out)
{
    model_mesh box = *out; // a copy: the compiler then knows that positions do not alias it
    for (int k = 0; k < 3; k++) {
        box.bounds_min[k] = FLT_MAX;
        box.bounds_max[k] = -FLT_MAX;
    }
    if (!out->seen_vertex)
        for (uint32_t i = 0; i < out->vertex_count; i++) {
            if (arena_cancelled_at(scratch, i))
                return false;
            add_position(&box, &source->position[i]);
        }
    for (uint32_t i = 0; i < out->seen_count; i++)
        add_position(&box, &source->position[out->seen_vertex[i]]);
    *out = box;
    return true;
}

zt_result mesh_build(job_pool *pool, arena *keep, arena *scratch, const mesh_source *source,
                     model_mesh *out, zt_error *err)
{
    build_loop loop = {.cutter = {.source = source, .scratch = scratch}, .work = keep->budget};
    *out = (model_mesh){.name = source->name,
                        .middle = source->middle,
                        .vertex_count = source->vertex_count,
                        .triangle_count = source->triangle_count};
    ZT_TRY(cut_and_copy(pool, &loop, keep, scratch, out, err));
    ZT_TRY(number_meshlets(pool, keep, scratch, &loop.cutter, out, err));
    if (!measure_bounds(scratch, source, out))
        return arena_fail(scratch, err, "bounds");
    count_kinds(out);
    return ZT_OK;
}
