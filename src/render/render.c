// SPDX-License-Identifier: MIT
// zt_render and zt_render_planes: one frame with all workers of the renderer.
#include "base/handle.h"
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

static zt_result render_alone(zt_renderer *renderer, const zt_scene *scene, int64_t frame,
                              const picture_planes *planes, zt_error *err)
{
    ZT_TRY(renderer_enter(renderer, err));
    renderer->progress.on = renderer->progress.report != NULL;
    renderer->progress.shown = 0.0;
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
    zt_planes planes = zt_default_planes();
    zt_scene_size(scene, &planes.width, &planes.height);
    planes.image = target;
    return zt_render_planes(renderer, scene, number, &planes, err);
}

const zt_plane_kind *zt_plane_at(int32_t index)
{
    int32_t at = 0;
    for (int p = 0; p < PLANE_COUNT; p++)
        if (picture_plane_table[p].listed && at++ == index)
            return &picture_plane_table[p].kind;
    return NULL;
}

zt_planes zt_default_planes(void) { return (zt_planes){.cookie_ = HANDLE_COOKIE}; }

zt_result zt_render_planes(zt_renderer *renderer, const zt_scene *scene, int64_t frame,
                           const zt_planes *target, zt_error *err)
{
    if (!renderer || !scene)
        return zt_fail(err, ZT_ERR_ARGUMENT, "rendering: no renderer or no scene");
    picture_planes planes;
    ZT_TRY(picture_planes_take(target, &planes, err));
    if (target->width != scene->width || target->height != scene->height)
        return zt_fail(err, ZT_ERR_ARGUMENT, "the target planes are not %dx%d", (int)scene->width,
                       (int)scene->height);
    const zt_image *image = &planes.color8;
    if (target->image &&
        (!image->rgba8 || image->width != planes.width || image->height != planes.height ||
         image->stride < (size_t)image->width * 4))
        return zt_fail(err, ZT_ERR_ARGUMENT, "the target picture is not %dx%d RGBA8",
                       (int)scene->width, (int)scene->height);
    return render_alone(renderer, scene, frame, &planes, err);
}
