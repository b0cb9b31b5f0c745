// SPDX-License-Identifier: MIT
#include "trace/trace_collect.h"

#include <math.h>
#include <string.h>

typedef struct collect_loop {
    const trace_posed *posed;
    const uint8_t *surface_flags;
    trace_triangle *triangles; ///< by the numbers of posed->first
    budget *work;
} collect_loop;

/// The world positions of a meshlet's triangles; TRACE_NONE for those that no ray meets.
static void collect_meshlet(const collect_loop *loop, uint32_t number)
{
    const geometry_frame *frame = loop->posed->frame;
    const posed_meshlet *m = &frame->meshlets[number];
    const geometry_draw *draw = frame->meshlet_draw[number];
    const uint32_t count = draw->mesh->meshlets[number - draw->first_meshlet].triangle_count;
    const bool met = surface_meets_light(loop->surface_flags[m->material], m->line);
    mat4 world;
    if (m->world_from_position)
        memcpy(world, m->world_from_position->column, sizeof world);
    for (uint32_t i = 0; i < count; i++) {
        trace_triangle *t = &loop->triangles[loop->posed->first[number] + i];
        bool finite = met;
        for (int k = 0; k < 3 && met; k++) {
            const vertex_position *p = &m->position[m->vertex[m->corner[k][i]]];
            float at[4] = {p->x, p->y, p->z};
            if (m->world_from_position)
                posed_place(world, p, at);
            memcpy(t->corner[k], at, sizeof t->corner[k]);
            finite = finite && isfinite(at[0]) && isfinite(at[1]) && isfinite(at[2]);
        }
        t->id = finite ? primitive_id(number, i) : TRACE_NONE;
    }
}

static void collect_batch(void *user, int64_t index, int32_t worker)
{
    const collect_loop *loop = user;
    const int64_t first = index * MESHLET_BATCH;
    (void)worker;
    if (budget_cancelled(loop->work))
        return;
    for (int64_t i = first; i < first + MESHLET_BATCH && i < loop->posed->frame->meshlet_count; i++)
        collect_meshlet(loop, (uint32_t)i);
}

/// Drops triangles without an id, and finds the bounds of the others. Returns how many are left.
static uint32_t drop_unmet(trace_triangle *triangles, uint32_t count, double low[3], double high[3])
{
    uint32_t left = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (triangles[i].id == TRACE_NONE)
            continue;
        for (int c = 0; c < 9; c++) {
            const double at = (double)triangles[i].corner[c / 3][c % 3];
            low[c % 3] = at < low[c % 3] || (left == 0 && c < 3) ? at : low[c % 3];
            high[c % 3] = at > high[c % 3] || (left == 0 && c < 3) ? at : high[c % 3];
        }
        triangles[left++] = triangles[i];
    }
    return left;
}

static void to_space(void *user, size_t first, size_t count)
{
    const collect_loop *loop = user;
    for (size_t i = first; i < first + count; i++)
        for (int k = 0; k < 3; k++) {
            float *corner = loop->triangles[i].corner[k];
            const double world[3] = {(double)corner[0], (double)corner[1], (double)corner[2]};
            trace_space_point(&loop->posed->scene, world, corner);
        }
}

/// Fills posed->scene by triangles in `scratch`.
static zt_result collect(trace_posed *posed, const uint8_t *surface_flags, job_pool *pool,
                         arena *scratch, arena *a, zt_error *err)
{
    const geometry_frame *frame = posed->frame;
    double low[3] = {0.0, 0.0, 0.0}, high[3] = {0.0, 0.0, 0.0};
    collect_loop loop = {posed, surface_flags, NULL, a->budget};
    ZT_TRY(ARENA_TAKE_RAW(scratch, &loop.triangles, frame->triangle_count, "rays", err));
    job_pool_run(pool, geometry_batch_count(frame), collect_batch, &loop);
    if (budget_cancelled(a->budget))
        return cancel_fail(err);
    const uint32_t count = drop_unmet(loop.triangles, (uint32_t)frame->triangle_count, low, high);
    trace_space_init(&posed->scene, low, high);
    ZT_TRY(job_pool_ranges(pool, a->budget, count, to_space, &loop, err));
    return trace_tree_build(&posed->scene, loop.triangles, count, (trace_build_def){0}, pool, a,
                            err);
}

zt_result trace_collect(const geometry_frame *frame, const uint8_t *surface_flags, job_pool *pool,
                        arena *a, trace_posed *out, zt_error *err)
{
    arena scratch;
    uint32_t *first, count = 0;
    ZT_TRY(ARENA_TAKE_RAW(a, &first, frame->meshlet_count, "rays", err));
    for (uint32_t i = 0; i < frame->meshlet_count; i++) {
        const geometry_draw *draw = frame->meshlet_draw[i];
        first[i] = count;
        count += draw->mesh->meshlets[i - draw->first_meshlet].triangle_count;
    }
    *out = (trace_posed){.frame = frame, .first = first};
    arena_init(&scratch, a->budget);
    const zt_result result = collect(out, surface_flags, pool, &scratch, a, err);
    arena_finish(&scratch);
    return result;
}

trace_place trace_place_of(const trace_posed *posed, uint32_t id)
{
    const uint32_t number = primitive_meshlet(id);
    const geometry_draw *draw = posed->frame->meshlet_draw[number];
    return (trace_place){draw, posed->frame->meshlets[number].material,
                         posed->first[number] - posed->first[draw->first_meshlet] +
                             primitive_triangle(id)};
}
