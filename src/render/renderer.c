// SPDX-License-Identifier: MIT
// Creating and destroying a renderer; its workers' memory, framing and statistics.
#include "render/renderer.h"

#include "base/handle.h"
#include "pose/pose_springs.h"
#include "render/frame_occlusion.h"
#include "render/frame_pose.h"

#include <string.h>

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
    ZT_TRY(handle_check(def->allocator, def->threads, THREADS_LIMIT, err));
    if (def->max_isa < ZT_ISA_BEST || def->max_isa >= ZT_ISA_COUNT)
        return zt_fail(err, ZT_ERR_ARGUMENT, "zt_renderer_create: no such instruction set");
    return ZT_OK;
}

static render_totals *totals_create(const zt_allocator *allocator)
{
    render_totals *totals = handle_alloc(allocator, sizeof *totals);
    if (totals && pthread_mutex_init(&totals->mutex, NULL) == 0)
        return totals;
    handle_free(allocator, totals, sizeof *totals);
    return NULL;
}

static zt_result renderer_init(zt_renderer *r, const zt_renderer_def *def, zt_error *err)
{
    budget_init_within(&r->budget, def->budget, def->max_memory, def->allocator);
    cancel_init(&r->budget.cancel, def->cancel);
    r->progress.report = def->progress;
    r->progress.user = def->progress_user;
    r->kernels = kernels_tune(kernels_best(def->max_isa), &r->kernel_mix);
    const int32_t threads = job_threads_within(&r->budget, def->threads);
    r->workers = handle_alloc(def->allocator, (size_t)threads * sizeof *r->workers);
    r->runs = handle_alloc(def->allocator, (size_t)threads * RUNS_PER_WORKER * sizeof *r->runs);
    r->srgb = handle_alloc(def->allocator, sizeof *r->srgb);
    r->worker_count = threads;
    r->totals = totals_create(def->allocator);
    if (!r->totals || !r->workers || !r->runs || !r->srgb)
        return zt_fail(err, ZT_ERR_MEMORY, "no memory for a renderer");
    for (int32_t i = 0; i < threads; i++) {
        r->workers[i].trace = r->budget.trace;
        arena_init(&r->workers[i].frame_arena, &r->budget);
        arena_init(&r->workers[i].blur_arena, &r->budget);
        arena_init(&r->workers[i].tile_arena, &r->budget);
        arena_init(&r->workers[i].keep_arena, &r->budget);
        arena_init(&r->workers[i].still.arena, &r->budget);
        arena_init(&r->workers[i].still.tree_arena, &r->budget);
    }
    for (int32_t i = 0; i < threads * RUNS_PER_WORKER; i++)
        arena_init(&r->runs[i].arena, &r->budget);
    arena_init(&r->environment.arena, &r->budget);
    arena_init(&r->rays.arena, &r->budget);
    ZT_TRY(radiance_keep_init(&r->environment.radiance, &r->budget, err));
    arena_init(&r->trail_arena, &r->budget);
    if (def->cache_folder && def->cache_folder[0]) {
        const size_t size = strlen(def->cache_folder) + 1;
        r->cache_folder = handle_alloc(def->allocator, size);
        if (!r->cache_folder)
            return zt_fail(err, ZT_ERR_MEMORY, "no memory for a renderer");
        memcpy(r->cache_folder, def->cache_folder, size);
    }
    film_srgb_init(r->srgb);
    return job_pool_create(threads, &r->pool, err);
}

zt_result zt_renderer_create(const zt_renderer_def *def, zt_renderer **out_renderer, zt_error *err)
{
    if (!out_renderer)
        return zt_fail(err, ZT_ERR_ARGUMENT, "zt_renderer_create: out_renderer is NULL");
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
    const zt_allocator *allocator = renderer->budget.allocator;
    const size_t threads = (size_t)renderer->worker_count;
    job_pool_destroy(renderer->pool);
    renderer_release(renderer);
    arena_finish(&renderer->environment.arena);
    radiance_keep_finish(&renderer->environment.radiance);
    arena_finish(&renderer->trail_arena);
    if (renderer->cache_folder)
        handle_free(allocator, renderer->cache_folder, strlen(renderer->cache_folder) + 1);
    if (renderer->totals)
        pthread_mutex_destroy(&renderer->totals->mutex);
    handle_free(allocator, renderer->totals, sizeof *renderer->totals);
    handle_free(allocator, renderer->workers, threads * sizeof *renderer->workers);
    handle_free(allocator, renderer->runs, threads * RUNS_PER_WORKER * sizeof *renderer->runs);
    handle_free(allocator, renderer->srgb, sizeof *renderer->srgb);
    handle_free(allocator, renderer, sizeof *renderer);
}

zt_result renderer_enter(zt_renderer *r, zt_error *err)
{
    if (atomic_exchange_explicit(&r->busy, true, memory_order_acquire))
        return zt_fail(err, ZT_ERR_ARGUMENT,
                       "the renderer is in use (expected one call at a time; a renderer for each "
                       "thread)");
    return ZT_OK;
}

void renderer_leave(zt_renderer *r)
{
    r->progress.sequence = NULL;
    atomic_store_explicit(&r->busy, false, memory_order_release);
}

frame_workers renderer_workers(zt_renderer *r)
{
    const bool alone = r->worker_count == 1;
    return (frame_workers){.pool = alone ? NULL : r->pool,
                           .workers = r->workers,
                           .runs = r->runs,
                           .worker_count = r->worker_count,
                           .run_count = alone ? 1 : r->worker_count * RUNS_PER_WORKER};
}

frame_workers renderer_single_worker(zt_renderer *r, int32_t worker)
{
    return (frame_workers){.workers = &r->workers[worker],
                           .runs = &r->runs[worker],
                           .worker_count = 1,
                           .run_count = 1};
}

void renderer_forget_rays(zt_renderer *r)
{
    r->rays.scene = NULL;
    arena_finish(&r->rays.arena);
}

void renderer_release(zt_renderer *r)
{
    renderer_forget_rays(r);
    for (int32_t i = 0; i < r->worker_count && r->workers; i++) {
        render_worker *w = &r->workers[i];
        arena_finish(&w->frame_arena);
        arena_finish(&w->blur_arena);
        arena_finish(&w->tile_arena);
        arena_finish(&w->keep_arena);
        still_draws_clear(&w->still);
        arena_finish(&w->still.arena);
        arena_finish(&w->still.tree_arena);
        w->still.tree = (trace_posed){0};
        w->buffers_samples = 0;
    }
    for (int32_t i = 0; i < r->worker_count * RUNS_PER_WORKER && r->runs; i++)
        arena_finish(&r->runs[i].arena);
}

void renderer_even_out(zt_renderer *r)
{
    size_t frame = 0, tile = 0, run = 0;
    for (int32_t i = 0; i < r->worker_count; i++) {
        arena_reset(&r->workers[i].frame_arena);
        arena_reset(&r->workers[i].tile_arena);
        arena_reset(&r->runs[i].arena);
        const size_t capacity[] = {arena_capacity(&r->workers[i].frame_arena),
                                   arena_capacity(&r->workers[i].tile_arena),
                                   arena_capacity(&r->runs[i].arena)};
        frame = capacity[0] > frame ? capacity[0] : frame;
        tile = capacity[1] > tile ? capacity[1] : tile;
        run = capacity[2] > run ? capacity[2] : run;
    }
    for (int32_t i = 0; i < r->worker_count; i++) {
        arena_reserve(&r->workers[i].frame_arena, frame);
        arena_reserve(&r->workers[i].tile_arena, tile);
        arena_reserve(&r->runs[i].arena, run);
    }
}

static zt_result find_framing(zt_renderer *r, const zt_scene *scene, zt_error *err)
{
    const uint64_t saved = float_state_enter();
    const int32_t workers = r->worker_count;
    zt_result result = scene_framing_find(r->kernels, scene, &r->trail, r->pool, workers,
                                          &r->budget, &r->framing, err);
    if (result == ZT_ERR_LIMIT && workers > 1) { // as in renderer_draw
        renderer_release(r);
        result = scene_framing_find(r->kernels, scene, &r->trail, r->pool, 1, &r->budget,
                                    &r->framing, err);
    }
    float_state_leave(saved);
    return result;
}

static bool needs_framing(const zt_scene *scene)
{
    return scene_camera_needs_framing(scene) || scene->lighting.ground != SCENE_FLOOR_NONE ||
           scene_has_shadows(scene) || occlusion_needs_framing(scene) ||
           frame_may_have_emitters(scene) || scene->look == SCENE_LOOK_DEPTH;
}

/// The states of springs up to the last frame that will be posed.
static zt_result prepare_springs(zt_renderer *r, const zt_scene *scene, zt_error *err)
{
    const scene_frames *frames = needs_framing(scene) ? &scene->shot : &scene->selected;
    const uint64_t saved = float_state_enter();
    arena_reset(&r->trail_arena);
    r->trail = (spring_trail){0};
    const zt_result result =
        frames->count == 0
            ? ZT_OK
            : spring_trail_build(r->kernels->pose, scene,
                                 scene_frame_time(scene, frames->frame[frames->count - 1]).shot_s,
                                 &r->trail_arena, &r->trail, err);
    float_state_leave(saved);
    return result;
}

zt_result renderer_prepare_framing(zt_renderer *r, const zt_scene *scene, zt_error *err)
{
    if (r->framed_scene == scene && r->framed_stamp == scene->edit_stamp)
        return ZT_OK;
    const uint64_t start = job_clock_ns();
    r->framed_scene = NULL;
    r->framing = (scene_framing){0};
    for (int32_t i = 0; i < r->worker_count; i++)
        still_draws_clear(&r->workers[i].still);
    ZT_TRY(prepare_springs(r, scene, err));
    if (needs_framing(scene))
        ZT_TRY(find_framing(r, scene, err));
    r->framed_scene = scene;
    r->framed_stamp = scene->edit_stamp;
    const uint64_t end = job_clock_ns();
    const frame_stats took = {.stage_ns[STAGE_FRAMING] = end - start};
    trace_add(r->budget.trace, "framing", start, end);
    renderer_add_stats(r, &took, -1);
    return ZT_OK;
}

zt_result renderer_prepare(zt_renderer *r, const zt_scene *scene, zt_error *err)
{
    renderer_forget_rays(r); // not within the memory of frames
    ZT_TRY(renderer_prepare_framing(r, scene, err));
    frame_stats took = {0};
    const uint64_t start = job_clock_ns();
    ZT_TRY(renderer_prepare_environment(r, scene, &took.stage_ns[STAGE_LIGHT], err));
    trace_add(r->budget.trace, "light", start, job_clock_ns());
    renderer_add_stats(r, &took, -1);
    return ZT_OK;
}

void zt_renderer_cancel(zt_renderer *renderer)
{
    if (renderer)
        cancel_raise(&renderer->budget.cancel);
}

zt_isa zt_renderer_isa(const zt_renderer *renderer)
{
    return renderer ? renderer->kernels->isa : ZT_ISA_SCALAR;
}

void renderer_add_stats(zt_renderer *r, const frame_stats *frame, int64_t sequence_index)
{
    render_totals *totals = r->totals;
    zt_stats *sums = &totals->stats.sums;
    pthread_mutex_lock(&totals->mutex);
    sums->frames += frame->sums.frames;
    sums->vertices += frame->sums.vertices;
    sums->triangles += frame->sums.triangles;
    sums->triangles_drawn += frame->sums.triangles_drawn;
    sums->pixels_shaded += frame->sums.pixels_shaded;
    sums->model_pixels += frame->sums.model_pixels;
    for (int s = 0; s < STAGE_COUNT; s++)
        totals->stats.stage_ns[s] += frame->stage_ns[s];
    if (frame->sums.frame_memory > sums->frame_memory)
        sums->frame_memory = frame->sums.frame_memory;
    if (sequence_index >= totals->hashed_index) {
        memcpy(totals->stats.hash, frame->hash, sizeof frame->hash);
        totals->hashed_index = sequence_index;
    }
    pthread_mutex_unlock(&totals->mutex);
}

void renderer_begin_sequence(zt_renderer *r) { r->totals->hashed_index = 0; }

static frame_stats stats_of(const zt_renderer *renderer)
{
    frame_stats stats = {0};
    if (!renderer)
        return stats;
    pthread_mutex_lock(&renderer->totals->mutex);
    stats = renderer->totals->stats;
    pthread_mutex_unlock(&renderer->totals->mutex);
    return stats;
}

void zt_renderer_stats(const zt_renderer *renderer, zt_stats *out_stats)
{
    if (out_stats)
        *out_stats = stats_of(renderer).sums;
}

const char *zt_renderer_stage(const zt_renderer *renderer, int32_t index, uint64_t *out_ns)
{
    const bool is_stage = index >= 0 && index < STAGE_COUNT;
    if (out_ns)
        *out_ns = is_stage ? stats_of(renderer).stage_ns[index] : 0;
    return is_stage ? frame_stage_name((frame_stage)index) : NULL;
}

const char *zt_renderer_product(const zt_renderer *renderer, int32_t index, uint64_t *out_hash)
{
    const bool is_product = index >= 0 && index < PRODUCT_COUNT;
    if (out_hash)
        *out_hash = is_product ? stats_of(renderer).hash[index] : 0;
    return is_product ? frame_product_name((frame_product)index) : NULL;
}

void zt_renderer_hash_stages(zt_renderer *renderer, bool enable)
{
    if (renderer)
        renderer->hash_stages = enable;
}
