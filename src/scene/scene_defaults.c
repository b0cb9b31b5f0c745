// SPDX-License-Identifier: MIT
/// What a scene is when nobody says otherwise: the bare-model shot, the studio light, the orbit.
#include "scene/frame_list.h"
#include "scene/scene_parts.h"

static bool constant(arena *a, track *out, uint32_t width, double x, double y, double z)
{
    const double value[4] = {x, y, z, 0.0};
    return track_constant(a, value, width, out);
}

zt_result scene_set_orbit(zt_scene *scene, double azimuth_deg, double elevation_deg, zt_error *err)
{
    arena *a = &scene->arena;
    scene_camera *camera = &scene->camera;
    camera->kind = SCENE_CAMERA_ORBIT;
    camera->target_auto = camera->distance_auto = true;
    const bool made = constant(a, &camera->target, 3, 0.0, 0.0, 0.0) &&
                      constant(a, &camera->azimuth_deg, 1, azimuth_deg, 0.0, 0.0) &&
                      constant(a, &camera->elevation_deg, 1, elevation_deg, 0.0, 0.0) &&
                      constant(a, &camera->distance, 1, 1.0, 0.0, 0.0);
    return made ? ZT_OK : arena_fail(a, err, "camera");
}

zt_result scene_set_defaults(zt_scene *scene, zt_error *err)
{
    arena *a = &scene->arena;
    scene->width = 1280;
    scene->height = 720;
    scene->samples = 4;
    scene->fps_numerator = 30;
    scene->fps_denominator = 1;
    scene->freeze_time_s = (double)NAN;
    scene->tone_map = ZT_TONE_MAP_NEUTRAL;
    double background[3];
    color_from_hex("#303338", background);
    for (int i = 0; i < 3; i++)
        scene->background[i] = (float)background[i];
    scene->camera = (scene_camera){.zoom = 1.0, .instance = -1, .node = -1};
    // 30 degrees to the side and a little from above shows depth and hides no face; 35 degrees is
    // the view of a short portrait lens.
    ZT_TRY(scene_set_orbit(scene, 30.0, 10.0, err));
    const bool made = constant(a, &scene->camera.position, 3, 0.0, 0.0, 1.0) &&
                      constant(a, &scene->camera.up, 3, 0.0, 1.0, 0.0) &&
                      constant(a, &scene->camera.fov_deg, 1, 35.0, 0.0, 0.0);
    if (!made)
        return arena_fail(a, err, "scene");
    ZT_TRY(frame_list_range(a, 0, 1, &scene->shot, err));
    scene->selected = scene->shot;
    return ZT_OK;
}

zt_result scene_set_studio(zt_scene *scene, zt_error *err)
{
    // Three-point lighting: a warm key from the upper front left, a cool fill at a quarter of it
    // from the right, a weak rim from high behind: nothing casts a shadow on it, so a strong one
    // would whiten silhouettes. Directions are the way the light travels.
    static const struct {
        double direction[3], color[3], lux;
    } lights[] = {
        {{0.55, -0.75, -0.8}, {1.0, 0.97, 0.92}, 2.6},
        {{-0.9, -0.25, -0.6}, {0.88, 0.94, 1.0}, 0.7},
        {{-0.5, -1.0, 0.7},   {1.0, 1.0, 1.0},   0.7},
    };
    enum { COUNT = sizeof lights / sizeof *lights };
    arena *a = &scene->arena;
    scene->lights = ARENA_ARRAY(a, scene_light, COUNT);
    if (!scene->lights)
        return arena_fail(a, err, "lights");
    for (int i = 0; i < COUNT; i++) {
        scene_light *light = &scene->lights[i];
        light->kind = MODEL_LIGHT_DIRECTIONAL;
        light->instance = light->node = -1;
        if (!track_constant(a, lights[i].direction, 3, &light->direction) ||
            !track_constant(a, lights[i].color, 3, &light->color) ||
            !track_constant(a, &lights[i].lux, 1, &light->intensity) ||
            !constant(a, &light->position, 3, 0.0, 0.0, 0.0))
            return arena_fail(a, err, "lights");
    }
    scene->light_count = COUNT;
    scene->ambient = (scene_ambient){
        .sky = {0.52f, 0.54f, 0.58f},
          .ground = {0.24f, 0.22f, 0.2f }
    };
    return ZT_OK;
}

zt_result scene_set_clip_shot(zt_scene *scene, zt_error *err)
{
    int64_t count = 1;
    for (uint32_t i = 0; i < scene->instance_count && scene->freeze_time_s != scene->freeze_time_s;
         i++) {
        const scene_instance *instance = &scene->instances[i];
        if (instance->layer_count == 0 || instance->layers[0].clip < 0)
            continue;
        const model_clip *clip = &instance->model->clips[instance->layers[0].clip];
        const double frames = (double)clip->end_s * scene->fps_numerator / scene->fps_denominator;
        if (frames > (double)FRAME_COUNT_LIMIT)
            return zt_fail(err, ZT_ERR_LIMIT, "%s: clip '%s' lasts %.9g s: more than %d frames",
                           instance->model->path, clip->name, (double)clip->end_s,
                           (int)FRAME_COUNT_LIMIT);
        count = (int64_t)frames;
        count += (double)count < frames ? 1 : 0; // ceil
        break;
    }
    return frame_list_range(&scene->arena, 0, count < 1 ? 1 : count, &scene->shot, err);
}
