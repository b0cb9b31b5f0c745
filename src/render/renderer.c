// SPDX-License-Identifier: MIT
// Making and unmaking a renderer; its statistics.
#include "render/renderer.h"

#include "base/handle.h"

enum { THREADS_LIMIT = 1024 };

zt_renderer_def zt_default_renderer_def(void)
{
    return (zt_renderer_def){.max_isa = ZT_ISA_BEST, .cookie_ = HANDLE_COOKIE};
}

static zt_result check_def(const zt_renderer_def *def, zt_error *err)
{
    if (!def || def->cookie_ != HANDLE_COOKIE)
        return zt_fail(err, ZT_ERR_ARGUMENT,
                       "zt_renderer_create: the def does not come from zt_default_renderer_def()");
    if (def->threads < 0 || def->threads > THREADS_LIMIT)
        return zt_fail(err, ZT_ERR_ARGUMENT, "%d threads (expected 0 to %d)", (int)def->threads,
                       (int)THREADS_LIMIT);
    if ((unsigned)def->max_isa > (unsigned)ZT_ISA_BEST)
        return zt_fail(err, ZT_ERR_ARGUMENT, "zt_renderer_create: no such instruction set");
    return ZT_OK;
}

static zt_result renderer_init(zt_renderer *r, const zt_renderer_def *def, zt_error *err)
{
    budget_init(&r->budget, def->max_memory, def->allocator);
    arena_init(&r->renderer_arena, &r->budget);
    arena_init(&r->frame_arena, &r->budget);
    r->kernels = kernels_best(def->max_isa);
    r->worker_count = def->threads > 0 ? def->threads : job_core_count();
    if (r->worker_count > THREADS_LIMIT)
        r->worker_count = THREADS_LIMIT;
    r->workers = ARENA_ARRAY(&r->renderer_arena, render_worker, (size_t)r->worker_count);
    r->srgb = ARENA_ARRAY(&r->renderer_arena, film_srgb, 1);
    if (!r->workers || !r->srgb) {
        r->worker_count = 0;
        return arena_fail(&r->renderer_arena, err, "renderer");
    }
    for (int32_t i = 0; i < r->worker_count; i++) {
        arena_init(&r->workers[i].bin_arena, &r->budget);
        arena_init(&r->workers[i].tile_arena, &r->budget);
        arena_init(&r->workers[i].keep_arena, &r->budget);
    }
    film_srgb_init(r->srgb);
    return job_pool_create(r->worker_count, &r->pool, err);
}

zt_result zt_renderer_create(const zt_renderer_def *def, zt_renderer **out_renderer, zt_error *err)
{
    if (!out_renderer)
        return zt_fail(err, ZT_ERR_ARGUMENT, "zt_renderer_create: no place for the renderer");
    *out_renderer = NULL;
    ZT_TRY(check_def(def, err));
    zt_renderer *r = handle_alloc(def->allocator, sizeof *r);
    if (!r)
        return zt_fail(err, ZT_ERR_MEMORY, "no memory for a renderer");
    const zt_result result = renderer_init(r, def, err);
    if (result != ZT_OK) {
        zt_renderer_destroy(r);
        return result;
    }
    *out_renderer = r;
    return ZT_OK;
}

void zt_renderer_destroy(zt_renderer *renderer)
{
    if (!renderer)
        return;
    job_pool_destroy(renderer->pool);
    for (int32_t i = 0; i < renderer->worker_count; i++) {
        arena_finish(&renderer->workers[i].bin_arena);
        arena_finish(&renderer->workers[i].tile_arena);
        arena_finish(&renderer->workers[i].keep_arena);
    }
    arena_finish(&renderer->frame_arena);
    arena_finish(&renderer->renderer_arena);
    handle_free(renderer->budget.allocator, renderer, sizeof *renderer);
}

void zt_renderer_cancel(zt_renderer *renderer)
{
    if (renderer)
        atomic_store_explicit(&renderer->cancelled, true, memory_order_relaxed);
}

zt_isa zt_renderer_isa(const zt_renderer *renderer)
{
    return renderer->kernels->isa;
}

void zt_renderer_stats(const zt_renderer *renderer, zt_stats *out_stats)
{
    *out_stats = renderer->stats;
}

void zt_renderer_hash_stages(zt_renderer *renderer, bool enable)
{
    renderer->hash_stages = enable;
}
