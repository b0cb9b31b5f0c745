// SPDX-License-Identifier: MIT
// zt_render and zt_render_planes: one frame with all workers of the renderer.
#include "render/renderer.h"

zt_result renderer_draw(zt_renderer *r, const zt_scene *scene, int64_t number,
                        const picture_planes *target, zt_error *err)
{
    const frame_time time = scene_frame_time(scene, number);
    ZT_TRY(renderer_prepare(r, scene, err));
    frame_stats stats = {0};
    frame_workers workers = renderer_workers(r);
    zt_result result = frame_draw(r, &workers, scene, time, target, &stats, err);
    if (result == ZT_ERR_LIMIT && workers.worker_count > 1) {
        // Each worker needs memory. Whether a frame fits must not depend on their number.
        renderer_release(r);
        workers = renderer_single_worker(r, 0);
        result = frame_draw(r, &workers, scene, time, target, &stats, err);
    }
    renderer_begin_sequence(r);
    if (result == ZT_OK)
        renderer_add_stats(r, &stats, 0);
    return result;
}

void renderer_progress_begin(zt_renderer *r, int32_t pass, int32_t pass_count, int64_t tiles)
{
    if (!r->progress.on)
        return;
    r->progress.pass = pass;
    r->progress.pass_count = pass_count;
    r->progress.tiles = tiles;
    atomic_store_explicit(&r->progress.done, 0, memory_order_relaxed);
}

void renderer_progress_tile(zt_renderer *r, const render_worker *worker)
{
    frame_progress *p = &r->progress;
    if (!p->on)
        return;
    const int64_t done = atomic_fetch_add_explicit(&p->done, 1, memory_order_relaxed) + 1;
    if (worker == r->workers) // the caller's thread
        p->report(p->user, (p->pass + (double)done / (double)p->tiles) / p->pass_count);
}

static zt_result render_alone(zt_renderer *renderer, const zt_scene *scene, int64_t frame,
                              const picture_planes *planes, zt_error *err)
{
    ZT_TRY(renderer_enter(renderer, err));
    renderer->progress.on = renderer->progress.report != NULL;
    const zt_result result = renderer_draw(renderer, scene, frame, planes, err);
    if (renderer->progress.on && result == ZT_OK)
        renderer->progress.report(renderer->progress.user, 1.0);
    renderer->progress.on = false;
    renderer_leave(renderer);
    return result;
}

zt_result zt_render(zt_renderer *renderer, const zt_scene *scene, int64_t number,
                    const zt_image *target, zt_error *err)
{
    if (!renderer || !scene)
        return zt_fail(err, ZT_ERR_ARGUMENT, "zt_render: no renderer or no scene");
    if (!target || !target->rgba8 || target->width != scene->width ||
        target->height != scene->height || target->stride < (size_t)target->width * 4)
        return zt_fail(err, ZT_ERR_ARGUMENT, "the target picture is not %dx%d RGBA8",
                       (int)scene->width, (int)scene->height);
    const picture_planes planes = {
        .width = target->width, .height = target->height, .color8 = *target};
    return render_alone(renderer, scene, number, &planes, err);
}

zt_result zt_render_planes(zt_renderer *renderer, const zt_scene *scene, int64_t frame,
                           const zt_planes *target, zt_error *err)
{
    if (!renderer || !scene)
        return zt_fail(err, ZT_ERR_ARGUMENT, "zt_render_planes: no renderer or no scene");
    if (!target || target->width != scene->width || target->height != scene->height)
        return zt_fail(err, ZT_ERR_ARGUMENT, "the target planes are not %dx%d", (int)scene->width,
                       (int)scene->height);
    if (!target->color && !target->depth)
        return zt_fail(err, ZT_ERR_ARGUMENT, "zt_render_planes: neither colour nor depth");
    const size_t row = (size_t)target->width * sizeof(float);
    const picture_planes planes = {
        .width = target->width,
        .height = target->height,
        .plane = {[PLANE_COLOR] = {target->color, 4 * row}, [PLANE_DEPTH] = {target->depth, row}}};
    return render_alone(renderer, scene, frame, &planes, err);
}
