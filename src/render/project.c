// SPDX-License-Identifier: MIT
/// zt_renderer_project: where a bone is in the picture of a frame.
#include "render/frame_pose.h"
#include "render/renderer.h"
#include "scene/scene_names.h"

/// The world position of a bone, of the first model that has it; NULL: the origin of the world.
static zt_result find_point(const frame_pose *pose, const zt_scene *scene, const char *bone,
                            double out[3], zt_error *err)
{
    for (int k = 0; k < 3; k++)
        out[k] = -scene->origin[k];
    if (!bone)
        return ZT_OK;
    for (uint32_t i = 0; i < scene->instance_count; i++) {
        const int32_t node = scene_find_node(scene->instances[i].model, bone);
        if (node < 0)
            continue;
        for (int k = 0; k < 3; k++)
            out[k] = (double)pose->world_from_node[i][node][3][k];
        return ZT_OK;
    }
    return zt_fail(err, ZT_ERR_ARGUMENT, "no bone '%.80s' (expected one of a model)", bone);
}

static zt_result project(zt_renderer *r, const zt_scene *scene, int64_t number, const char *bone,
                         arena *a, double out[2], zt_error *err)
{
    frame_pose pose;
    camera_points points;
    view_camera camera;
    double world[3];
    ZT_TRY(renderer_prepare(r, scene, err));
    frame_time time = scene_frame_time(scene, number);
    time.trail = &r->trail;
    ZT_TRY(frame_pose_build(r->kernels->pose, scene, time, a, &pose, err));
    ZT_TRY(scene_camera_points(r->kernels->pose, scene, time, a->budget, &points, err));
    scene_camera_at(scene, &r->framing, time, &points, pose.world_from_node,
                    (const model_property_value *const *)pose.properties, &camera);
    ZT_TRY(find_point(&pose, scene, bone, world, err));
    if (!view_project(&camera, scene->width, scene->height, world, out))
        return zt_fail(err, ZT_ERR_ARGUMENT,
                       "the point is behind the camera (expected one in front of it)");
    return ZT_OK;
}

zt_result zt_renderer_project(zt_renderer *renderer, const zt_scene *scene, int64_t frame,
                              const char *bone, double out_pixel[2], zt_error *err)
{
    if (!renderer || !scene || !out_pixel)
        return zt_fail(err, ZT_ERR_ARGUMENT,
                       "zt_renderer_project: no renderer, no scene or no out_pixel");
    ZT_TRY(renderer_enter(renderer, err));
    arena a;
    arena_init(&a, &renderer->budget);
    const uint64_t saved = float_state_enter();
    const zt_result result = project(renderer, scene, frame, bone, &a, out_pixel, err);
    float_state_leave(saved);
    arena_finish(&a);
    renderer_leave(renderer);
    return result;
}
