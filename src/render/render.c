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

const zt_plane_kind *zt_plane_at(int32_t index)
{
    int32_t at = 0;
    for (int p = 0; p < PLANE_COUNT; p++)
        if (picture_plane_table[p].listed && at++ == index)
            return &picture_plane_table[p].kind;
    return NULL;
}

zt_planes zt_default_planes(void) { return (zt_planes){.cookie_ = HANDLE_COOKIE}; }

/// The memory of one plane of the caller's list.
static zt_result take_plane(const zt_plane *plane, picture_planes *out, zt_error *err)
{
    picture_plane p = PLANE_COUNT;
    ZT_TRY(picture_plane_find(plane->name, &p, err));
    const size_t row =
        (size_t)out->width * (size_t)picture_plane_table[p].kind.channels * sizeof(float);
    if (!plane->pixels || out->plane[p].data)
        return zt_fail(err, ZT_ERR_ARGUMENT, "plane '%s' %s", plane->name,
                       plane->pixels ? "twice (expected once)" : "without pixels");
    if ((uintptr_t)plane->pixels % sizeof(float) != 0)
        return zt_fail(err, ZT_ERR_ARGUMENT, "plane '%s' at an address of no float", plane->name);
    if (plane->stride != 0 && (plane->stride < row || plane->stride % sizeof(float) != 0))
        return zt_fail(err, ZT_ERR_ARGUMENT,
                       "plane '%s' with stride %zu (expected 0, or whole floats from %zu bytes on)",
                       plane->name, plane->stride, row);
    out->plane[p] = (plane_memory){plane->pixels, plane->stride ? plane->stride : row};
    return ZT_OK;
}

zt_result zt_render_planes(zt_renderer *renderer, const zt_scene *scene, int64_t frame,
                           const zt_planes *target, zt_error *err)
{
    if (!renderer || !scene)
        return zt_fail(err, ZT_ERR_ARGUMENT, "zt_render_planes: no renderer or no scene");
    if (!target || target->cookie_ != HANDLE_COOKIE)
        return zt_fail(err, ZT_ERR_ARGUMENT,
                       "zt_render_planes: the planes do not come from zt_default_planes()");
    if (target->width != scene->width || target->height != scene->height)
        return zt_fail(err, ZT_ERR_ARGUMENT, "the target planes are not %dx%d", (int)scene->width,
                       (int)scene->height);
    if (!target->list || target->count < 1)
        return zt_fail(err, ZT_ERR_ARGUMENT, "zt_render_planes: no planes");
    picture_planes planes = {.width = target->width, .height = target->height};
    for (int32_t i = 0; i < target->count; i++)
        ZT_TRY(take_plane(&target->list[i], &planes, err));
    return render_alone(renderer, scene, frame, &planes, err);
}
