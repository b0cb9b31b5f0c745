// SPDX-License-Identifier: MIT
#include "trace/trace_collect.h"

#include <math.h>
#include <string.h>

typedef struct collect_loop {
    const geometry_frame *frame;
    const uint8_t *surface_flags;
    trace_scene *scene;        ///< gets its space
    uint32_t *first;           ///< as in trace_posed
    trace_triangle *triangles; ///< by these numbers
    uint32_t met;              ///< how many of them rays can meet
    budget *work;
} collect_loop;

/// The world positions of a meshlet's triangles; NaN for those that no ray meets.
static void collect_meshlet(void *user, int64_t index, int32_t worker)
{
    const collect_loop *loop = user;
    const uint32_t number = (uint32_t)index, first = loop->first[number];
    const posed_meshlet *m = &loop->frame->meshlets[number];
    const bool met = surface_meets_light(loop->surface_flags[m->material], m->line);
    mat4 world;
    (void)worker;
    if (budget_cancelled(loop->work))
        return;
    if (m->world_from_position)
        memcpy(world, m->world_from_position->column, sizeof world);
    for (uint32_t i = 0; i < loop->first[number + 1] - first; i++) {
        trace_triangle *t = &loop->triangles[first + i];
        *t = (trace_triangle){{{NAN}}, primitive_id(number, i)};
        for (int k = 0; k < 3 && met; k++) {
            const vertex_position *p = &m->position[m->vertex[m->corner[k][i]]];
            float at[4] = {p->x, p->y, p->z};
            if (m->world_from_position)
                posed_place(world, p, at);
            memcpy(t->corner[k], at, sizeof t->corner[k]);
        }
    }
}

/// The bounds of the triangles that are finite. Returns how many these are.
static uint32_t find_bounds(const trace_triangle *triangles, uint32_t count, double low[3],
                            double high[3])
{
    uint32_t finite = 0;
    for (uint32_t i = 0; i < count; i++) {
        const float(*corner)[3] = triangles[i].corner;
        bool all = true;
        for (int c = 0; c < 9; c++)
            all = all && isfinite(corner[c / 3][c % 3]);
        for (int c = 0; c < 9 && all; c++) {
            const double at = (double)corner[c / 3][c % 3];
            low[c % 3] = at < low[c % 3] || (finite == 0 && c < 3) ? at : low[c % 3];
            high[c % 3] = at > high[c % 3] || (finite == 0 && c < 3) ? at : high[c % 3];
        }
        finite += all;
    }
    return finite;
}

static void to_space(void *user, size_t first, size_t count)
{
    const collect_loop *loop = user;
    for (size_t i = first; i < first + count; i++)
        for (int k = 0; k < 3; k++) {
            float *corner = loop->triangles[i].corner[k];
            const double world[3] = {(double)corner[0], (double)corner[1], (double)corner[2]};
            trace_space_point(loop->scene, world, corner);
        }
}

/// Numbers the triangles of the frame, and takes them to the space of the scene, which it sets.
static zt_result collect(collect_loop *loop, job_pool *pool, arena *scratch, zt_error *err)
{
    const geometry_frame *frame = loop->frame;
    double low[3] = {0.0, 0.0, 0.0}, high[3] = {0.0, 0.0, 0.0};
    ZT_TRY(ARENA_TAKE(scratch, &loop->first, (size_t)frame->meshlet_count + 1, "rays", err));
    for (uint32_t i = 0; i < frame->meshlet_count; i++) {
        const geometry_draw *draw = frame->meshlet_draw[i];
        loop->first[i + 1] =
            loop->first[i] + draw->mesh->meshlets[i - draw->first_meshlet].triangle_count;
    }
    const uint32_t count = loop->first[frame->meshlet_count];
    ZT_TRY(ARENA_TAKE_RAW(scratch, &loop->triangles, count, "rays", err));
    job_pool_run(pool, frame->meshlet_count, collect_meshlet, loop);
    if (budget_cancelled(loop->work))
        return cancel_fail(err);
    loop->met = find_bounds(loop->triangles, count, low, high);
    trace_space_init(loop->scene, low, high);
    return job_pool_ranges(pool, loop->work, count, to_space, loop, err);
}

/// True if the tree of an earlier frame has the same triangles, and was refitted.
static bool refitted(trace_posed *posed, const collect_loop *loop)
{
    const size_t bytes = ((size_t)loop->frame->meshlet_count + 1) * sizeof *loop->first;
    return posed->first && posed->meshlet_count == loop->frame->meshlet_count &&
           memcmp(posed->first, loop->first, bytes) == 0 &&
           posed->scene.triangle_count == loop->met &&
           trace_tree_refit(&posed->scene, loop->triangles, loop->first);
}

/// Builds a tree of the loop's triangles in `a`.
static zt_result build(trace_posed *posed, const collect_loop *loop, job_pool *pool, arena *a,
                       zt_error *err)
{
    const uint32_t meshlets = loop->frame->meshlet_count;
    uint32_t *first;
    ZT_TRY(ARENA_TAKE_RAW(a, &first, (size_t)meshlets + 1, "rays", err));
    memcpy(first, loop->first, ((size_t)meshlets + 1) * sizeof *first);
    posed->first = first;
    posed->meshlet_count = meshlets;
    return trace_tree_build(&posed->scene, loop->triangles, first[meshlets], (trace_build_def){0},
                            pool, a, err);
}

zt_result trace_follow(const geometry_frame *frame, const uint8_t *surface_flags, job_pool *pool,
                       arena *a, trace_posed *posed, zt_error *err)
{
    collect_loop loop = {frame, surface_flags, &posed->scene, .work = a->budget};
    arena scratch;
    arena_init(&scratch, a->budget);
    zt_result result = collect(&loop, pool, &scratch, err);
    if (result == ZT_OK && !refitted(posed, &loop)) {
        if (posed->first)
            arena_reset(a);
        result = build(posed, &loop, pool, a, err);
    }
    arena_finish(&scratch);
    posed->frame = frame;
    if (result != ZT_OK)
        *posed = (trace_posed){0};
    return result;
}

zt_result trace_collect(const geometry_frame *frame, const uint8_t *surface_flags, job_pool *pool,
                        arena *a, trace_posed *out, zt_error *err)
{
    *out = (trace_posed){0};
    return trace_follow(frame, surface_flags, pool, a, out, err);
}

trace_place trace_place_of(const trace_posed *posed, uint32_t id)
{
    const uint32_t number = primitive_meshlet(id);
    const geometry_draw *draw = posed->frame->meshlet_draw[number];
    return (trace_place){draw, posed->frame->meshlets[number].material,
                         posed->first[number] - posed->first[draw->first_meshlet] +
                             primitive_triangle(id)};
}
