// SPDX-License-Identifier: MIT
// zt_render: one frame with all workers of the renderer.
#include "render/renderer.h"

zt_result renderer_draw(zt_renderer *r, const zt_scene *scene, int64_t number,
                        const picture_planes *target, zt_error *err)
{
    const frame_time time = scene_frame_time(scene, number);
    ZT_TRY(renderer_prepare(r, scene, err));
    zt_stats stats = {0};
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
    ZT_TRY(renderer_enter(renderer, err));
    const zt_result result = renderer_draw(renderer, scene, number, &planes, err);
    renderer_leave(renderer);
    return result;
}
