// SPDX-License-Identifier: MIT
/// See smooth_normals.h. Points do not depend on each other: a first pass joins the triangles
/// around each, counts the vertices that it becomes, and makes the normal where that is one; a
/// second one, which knows the numbers of vertices, makes them.
#include "mesh/smooth_normals.h"

#include "base/dvec3.h"
#include "mesh/corner_lists.h"

#include <string.h>

static const double crease_cosine = 0.86602540378443865; // of SMOOTH_CREASE_DEG

/// Corners at a point that are walked around; on most surfaces there are six.
enum { WALKED = 16 };

/// The corners at a point while they are joined. Arrays have room for all of them.
typedef struct fan {
    uint32_t point, count;
    const uint32_t *corner; ///< [count]
    uint64_t *key;          ///< [2 * count]: another point of the triangle, and the corner's place
    uint32_t *joined;       ///< [count] the place of a corner that it is joined with, or its own
    uint32_t *vertex;       ///< [count] of the point's new vertices
    dvec3 *sum;             ///< [count] of what is joined, at its first place
} fan;

typedef struct smoothing {
    const mesh_source *mesh;
    const smooth_rule *rule;
    const corner_lists *lists;
    float (*normal)[3];       ///< [triangle_count] unit, or 0
    uint32_t *first;          ///< [point_count + 1] the first new vertex of each point
    float (*point_normal)[3]; ///< [point_count] of points that become one vertex
    uint32_t *corner;   ///< [3 * triangle_count] new vertices; after the first pass joined places
    uint32_t *from;     ///< [new vertices] the old one of each; NULL in the first pass
    float (*smooth)[3]; ///< [new vertices]
    bool makes_attributes; ///< the mesh had none
} smoothing;

static uint32_t point_at(const smoothing *s, uint32_t corner)
{
    const uint32_t vertex = s->mesh->corner[corner];
    return s->rule->point ? s->rule->point[vertex] : vertex;
}

static uint32_t after(uint32_t corner) { return corner % 3 == 2 ? corner - 2 : corner + 1; }

static dvec3 edge(const smoothing *s, uint32_t from_vertex, uint32_t to_vertex)
{
    const vertex_position *a = &s->mesh->position[from_vertex], *b = &s->mesh->position[to_vertex];
    return dvec3_sub(dvec3_from_floats(&b->x), dvec3_from_floats(&a->x));
}

static void face_normals(void *user, size_t first, size_t count)
{
    const smoothing *s = user;
    for (size_t t = first; t < first + count; t++) {
        const uint32_t *vertex = &s->mesh->corner[3 * t];
        dvec3 n = dvec3_cross(edge(s, vertex[0], vertex[1]), edge(s, vertex[0], vertex[2]));
        if (!dvec3_normalize(&n, 0.0))
            n = (dvec3){0.0, 0.0, 0.0};
        dvec3_to_floats(n, s->normal[t]);
    }
}

static bool belong_together(const smoothing *s, uint32_t a, uint32_t b)
{
    const float *m = s->normal[a], *n = s->normal[b];
    if (s->rule->part && s->rule->part[a] != s->rule->part[b])
        return false;
    if (s->rule->parts_alone)
        return true;
    return (double)(m[0] * n[0] + m[1] * n[1] + m[2] * n[2]) >= crease_cosine;
}

/// The first place of what a corner is joined with. Halves the way there.
static uint32_t root_of(uint32_t *joined, uint32_t place)
{
    while (joined[place] != place) {
        joined[place] = joined[joined[place]];
        place = joined[place];
    }
    return place;
}

/// The corners at a point, by their places, for a walk around it.
typedef struct walk {
    uint32_t triangle[WALKED];
    uint32_t side[WALKED];               ///< the vertex after each corner
    uint32_t begin[WALKED], end[WALKED]; ///< the points after and before it
    uint8_t next[WALKED];                ///< the place of the corner whose triangle is next
} walk;

static void begin_walk(const smoothing *s, const fan *f, walk *w)
{
    for (uint32_t i = 0; i < f->count; i++) {
        const uint32_t corner = f->corner[i], triangle = corner / 3, k = corner - 3 * triangle;
        const uint32_t *vertex = &s->mesh->corner[3 * (size_t)triangle];
        const uint32_t last = vertex[k == 0 ? 2 : k - 1];
        w->triangle[i] = triangle;
        w->side[i] = vertex[k == 2 ? 0 : k + 1];
        w->begin[i] = s->rule->point ? s->rule->point[w->side[i]] : w->side[i];
        w->end[i] = s->rule->point ? s->rule->point[last] : last;
    }
}

/// True when a walk over smooth edges, from each triangle to the one that begins where it ends,
/// passes all corners and comes back: no edge has a third triangle then.
static bool walk_around(const smoothing *s, const fan *f, walk *w)
{
    uint32_t at = 0;
    begin_walk(s, f, w);
    for (uint32_t step = 1; step <= f->count; step++) {
        const uint32_t end = w->end[at];
        uint32_t to = WALKED;
        for (uint32_t i = 0; i < f->count; i++)
            to = w->begin[i] == end ? i : to;
        if (to == WALKED || !belong_together(s, w->triangle[at], w->triangle[to]))
            return false;
        w->next[at] = (uint8_t)to;
        at = to;
        if (at == 0)
            return step == f->count;
    }
    return false;
}

/// Joins corners whose triangles share an edge at the point. Afterwards `joined` has first places.
static void join_corners(const smoothing *s, fan *f)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < f->count; i++) {
        const uint32_t next = after(f->corner[i]);
        f->joined[i] = i;
        f->key[count++] = (uint64_t)point_at(s, next) << 32 | i;
        f->key[count++] = (uint64_t)point_at(s, after(next)) << 32 | i;
    }
    corner_keys_sort(f->key, count);
    for (uint32_t i = 0; i + 1 < count; i++) {
        const uint32_t a = (uint32_t)f->key[i], b = (uint32_t)f->key[i + 1];
        if (f->key[i] >> 32 != f->key[i + 1] >> 32 || a == b ||
            !belong_together(s, f->corner[a] / 3, f->corner[b] / 3))
            continue;
        const uint32_t x = root_of(f->joined, a), y = root_of(f->joined, b);
        f->joined[x > y ? x : y] = x < y ? x : y;
    }
    for (uint32_t i = 0; i < f->count; i++)
        f->joined[i] = f->joined[f->joined[i]]; // of smaller places it is known
}

/// Numbers the new vertices of a point: a corner's is that of the first corner which is joined with
/// it and has the same old vertex. Where there are many corners, each has its own, which takes no
/// search. Returns their number.
static uint32_t number_vertices(const smoothing *s, fan *f)
{
    const bool is_small = f->count <= CORNERS_OF_SMALL_FAN;
    uint32_t count = 0;
    for (uint32_t i = 0; i < f->count; i++)
        f->key[i] = (uint64_t)f->joined[i] << 32 | s->mesh->corner[f->corner[i]];
    for (uint32_t i = 0; i < f->count; i++) {
        uint32_t k = is_small ? f->joined[i] : i;
        while (f->key[k] != f->key[i])
            k++;
        f->vertex[i] = k == i ? count++ : f->vertex[k];
    }
    return count;
}

/// The part of a triangle in the normal: its cross product over the squares of the corner's edges.
static dvec3 add_cross(dvec3 sum, dvec3 n, double squares)
{
    return dvec3_add(sum, dvec3_scale(n, squares > 0.0 ? 1.0 / squares : 0.0));
}

static dvec3 add_weighted(const smoothing *s, dvec3 sum, uint32_t corner)
{
    const uint32_t *vertex = s->mesh->corner, next = after(corner);
    const dvec3 a = edge(s, vertex[corner], vertex[next]);
    const dvec3 b = edge(s, vertex[corner], vertex[after(next)]);
    return add_cross(sum, dvec3_cross(a, b), dvec3_dot(a, a) * dvec3_dot(b, b));
}

static void set_normal(dvec3 sum, float out[3])
{
    if (!dvec3_normalize(&sum, 0.0))
        sum = (dvec3){0.0, 0.0, 1.0};
    dvec3_to_floats(sum, out);
}

/// Makes the new vertices of a point.
static void make_vertices(const smoothing *s, const fan *f)
{
    const uint32_t first = s->first[f->point];
    uint32_t count = 0;
    memset(f->sum, 0, f->count * sizeof *f->sum);
    for (uint32_t i = 0; i < f->count; i++)
        f->sum[f->joined[i]] = add_weighted(s, f->sum[f->joined[i]], f->corner[i]);
    for (uint32_t i = 0; i < f->count; i++) {
        const uint32_t v = first + f->vertex[i];
        s->corner[f->corner[i]] = v;
        if (f->vertex[i] < count)
            continue;
        s->from[v] = s->mesh->corner[f->corner[i]];
        set_normal(f->sum[f->joined[i]], s->smooth[v]);
        count++;
    }
}

/// True when all corners have one vertex.
static bool is_vertex(const smoothing *s, const fan *f)
{
    const uint32_t *corner = s->mesh->corner, first = corner[f->corner[0]];
    bool is_one = true;
    if (s->rule->point)
        for (uint32_t i = 1; i < f->count; i++)
            is_one = is_one && corner[f->corner[i]] == first;
    return is_one;
}

/// The sum over the corners of a walk, each of whose edges is of two triangles.
static dvec3 sum_around(const smoothing *s, const fan *f, const walk *w)
{
    const uint32_t own = s->mesh->corner[f->corner[0]];
    dvec3 side[WALKED], sum = {0.0, 0.0, 0.0};
    double square[WALKED];
    for (uint32_t i = 0; i < f->count; i++) {
        side[i] = edge(s, own, w->side[i]);
        square[i] = dvec3_dot(side[i], side[i]);
    }
    for (uint32_t i = 0; i < f->count; i++) {
        const uint32_t next = w->next[i];
        sum = add_cross(sum, dvec3_cross(side[i], side[next]), square[i] * square[next]);
    }
    return sum;
}

/// The first pass over a point. Returns the number of its new vertices.
static uint32_t join_point(const smoothing *s, uint32_t point, fan *f)
{
    walk w;
    dvec3 sum = {0.0, 0.0, 0.0};
    if (f->count > 0 && f->count <= WALKED && is_vertex(s, f) && walk_around(s, f, &w)) {
        set_normal(sum_around(s, f, &w), s->point_normal[point]);
        return 1;
    }
    join_corners(s, f);
    const uint32_t count = number_vertices(s, f);
    for (uint32_t i = 0; i < f->count; i++) {
        s->corner[f->corner[i]] = f->joined[i];
        if (count == 1)
            sum = add_weighted(s, sum, f->corner[i]);
    }
    if (count == 1)
        set_normal(sum, s->point_normal[point]);
    return count;
}

/// The second pass, which has from the first which corners are joined.
static void split_point(const smoothing *s, uint32_t point, fan *f)
{
    const uint32_t first = s->first[point];
    if (s->first[point + 1] - first == 1) {
        s->from[first] = s->mesh->corner[f->corner[0]];
        memcpy(s->smooth[first], s->point_normal[point], sizeof *s->smooth);
        for (uint32_t i = 0; i < f->count; i++)
            s->corner[f->corner[i]] = first;
        return;
    }
    for (uint32_t i = 0; i < f->count; i++)
        f->joined[i] = s->corner[f->corner[i]];
    (void)number_vertices(s, f);
    make_vertices(s, f);
}

static void visit(const smoothing *s, uint32_t point, fan *f)
{
    f->point = point;
    f->corner = s->lists->corner + s->lists->start[point];
    f->count = corner_lists_size(s->lists, point);
    if (s->from)
        split_point(s, point, f);
    else
        s->first[point + 1] = join_point(s, point, f);
}

static void visit_range(void *user, size_t first, size_t count)
{
    const smoothing *s = user;
    uint64_t key[2 * CORNERS_OF_SMALL_FAN];
    uint32_t joined[CORNERS_OF_SMALL_FAN], vertex[CORNERS_OF_SMALL_FAN];
    dvec3 sum[CORNERS_OF_SMALL_FAN];
    fan f = {.key = key, .joined = joined, .vertex = vertex, .sum = sum};
    for (size_t p = first; p < first + count; p++)
        if (corner_lists_size(s->lists, p) <= CORNERS_OF_SMALL_FAN)
            visit(s, (uint32_t)p, &f);
}

static zt_result visit_all(job_pool *pool, arena *a, smoothing *s, zt_error *err)
{
    const uint32_t largest = s->lists->largest;
    fan f = {0};
    ZT_TRY(job_pool_ranges(pool, a->budget, s->lists->point_count, visit_range, s, err));
    if (largest <= CORNERS_OF_SMALL_FAN)
        return ZT_OK;
    ZT_TRY(ARENA_TAKE_RAW(a, &f.key, 2 * (size_t)largest, "normals", err));
    ZT_TRY(ARENA_TAKE_RAW(a, &f.joined, largest, "normals", err));
    ZT_TRY(ARENA_TAKE_RAW(a, &f.vertex, largest, "normals", err));
    ZT_TRY(ARENA_TAKE_RAW(a, &f.sum, largest, "normals", err));
    for (uint32_t p = 0; p < s->lists->point_count; p++) {
        if (corner_lists_size(s->lists, p) <= CORNERS_OF_SMALL_FAN)
            continue;
        ZT_TRY(arena_go_on(a, "normals", err));
        visit(s, p, &f);
    }
    return ZT_OK;
}

/// True when the new vertices are the old ones.
static bool are_equal(const smoothing *s, uint32_t count)
{
    for (uint32_t v = 0; v < count; v++)
        if (s->from[v] != v)
            return false;
    return count == s->mesh->vertex_count;
}

static void put_normals(void *user, size_t first, size_t count)
{
    const smoothing *s = user;
    for (size_t v = first; v < first + count; v++) {
        vertex_attributes *to = &s->mesh->attributes[v];
        if (s->makes_attributes)
            *to = (vertex_attributes){.nx = 0.0f};
        to->nx = s->smooth[v][0];
        to->ny = s->smooth[v][1];
        to->nz = s->smooth[v][2];
    }
}

static zt_result make_mesh(job_pool *pool, arena *a, smoothing *s, uint32_t count,
                           mesh_source *mesh, zt_error *err)
{
    if (mesh->keep || !are_equal(s, count))
        ZT_TRY(mesh_source_gather(pool, a, mesh, s->from, count, err));
    s->makes_attributes = !mesh->attributes;
    if (s->makes_attributes)
        ZT_TRY(ARENA_TAKE_RAW(mesh->keep ? mesh->keep : a, &mesh->attributes, pad16(count),
                              "normals", err));
    mesh->corner = s->corner;
    return job_pool_ranges(pool, a->budget, count, put_normals, s, err);
}

/// Joins the corners at each point, and counts vertices.
static zt_result join(job_pool *pool, arena *work, smoothing *s, zt_error *err)
{
    arena faces;
    arena_init(&faces, work->budget);
    s->normal = arena_alloc_raw(&faces, s->mesh->triangle_count, sizeof *s->normal);
    zt_result result = s->normal ? ZT_OK : arena_fail(&faces, err, "normals");
    if (result == ZT_OK)
        result = job_pool_ranges(pool, work->budget, s->mesh->triangle_count, face_normals, s, err);
    if (result == ZT_OK)
        result = visit_all(pool, work, s, err);
    arena_finish(&faces);
    return result;
}

/// `work`: for what is dropped afterwards.
static zt_result smooth(job_pool *pool, arena *a, arena *work, mesh_source *mesh,
                        const smooth_rule *rule, zt_error *err)
{
    corner_lists lists;
    smoothing s = {.mesh = mesh, .rule = rule, .lists = &lists};
    ZT_TRY(corner_lists_build(pool, work, mesh->corner, mesh->triangle_count, rule->point,
                              rule->point_count, &lists, err));
    ZT_TRY(ARENA_TAKE(work, &s.first, (size_t)rule->point_count + 1, "normals", err));
    ZT_TRY(ARENA_TAKE_RAW(work, &s.point_normal, rule->point_count, "normals", err));
    ZT_TRY(ARENA_TAKE_RAW(a, &s.corner, 3 * (size_t)mesh->triangle_count, "normals", err));
    ZT_TRY(join(pool, work, &s, err));
    uint64_t count = 0;
    for (uint32_t p = 0; p < rule->point_count; p++) {
        count += s.first[p + 1];
        s.first[p + 1] = (uint32_t)count;
    }
    if (count > UINT32_MAX)
        return zt_fail(err, ZT_ERR_LIMIT, "mesh '%s': too many vertices", mesh->name);
    ZT_TRY(ARENA_TAKE_RAW(work, &s.smooth, count, "normals", err));
    ZT_TRY(ARENA_TAKE_RAW(work, &s.from, count, "normals", err));
    ZT_TRY(visit_all(pool, work, &s, err));
    return make_mesh(pool, a, &s, (uint32_t)count, mesh, err);
}

zt_result mesh_smooth_normals(job_pool *pool, arena *a, mesh_source *mesh, const smooth_rule *rule,
                              zt_error *err)
{
    arena work;
    arena_init(&work, a->budget);
    const zt_result result = smooth(pool, a, &work, mesh, rule, err);
    arena_finish(&work);
    return result;
}
