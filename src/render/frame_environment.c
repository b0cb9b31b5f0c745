// SPDX-License-Identifier: MIT
// The environment of a scene: made once, and seen by each frame with its rotation and intensity.
#include "base/hash.h"
#include "base/maths.h"
#include "environment/environment_cache.h"
#include "environment/studio.h"
#include "render/frame_pose.h"
#include "render/renderer.h"

#include <math.h>

static studio_kind studio_of(scene_environment_kind kind)
{
    return kind == SCENE_ENVIRONMENT_NEUTRAL   ? STUDIO_NEUTRAL
           : kind == SCENE_ENVIRONMENT_PRODUCT ? STUDIO_PRODUCT
                                               : STUDIO_SOFT_BOXES;
}

/// The picture of light that is not made by code.
static const hdr_picture *picture_of(const zt_scene *scene)
{
    return scene->lighting.environment == SCENE_ENVIRONMENT_FILE ? &scene->file_environment->picture
                                                                 : &scene->own_environment.picture;
}

static zt_result make_environment(const zt_renderer *r, const zt_scene *scene,
                                  kept_environment *out, zt_error *err)
{
    const scene_environment_kind kind = scene->lighting.environment;
    if (scene_is_studio(kind))
        return studio_environment(studio_of(kind), &out->arena, &out->made, err);
    const model_environment *file = kind == SCENE_ENVIRONMENT_FILE ? scene->file_environment : NULL;
    const hdr_picture *from = picture_of(scene);
    const environment_sizes sizes = environment_sizes_for(from->height);
    light_harmonics irradiance = {0};
    if (file)
        irradiance = (light_harmonics){file->harmonics, file->rotation, (double)file->intensity};
    // Harmonics of files are not part of the cache.
    const char *folder = file ? NULL : r->cache_folder;
    const uint64_t hash = scene->own_environment.hash;
    if (folder && environment_cache_load(folder, hash, &sizes, &out->arena, &out->made))
        return ZT_OK;
    ZT_TRY(environment_build(r->kernels->environment, from, file ? &irradiance : NULL, &sizes,
                             r->pool, &out->arena, &out->made, err));
    if (folder)
        environment_cache_store(folder, hash, &sizes, &out->arena, &out->made);
    return ZT_OK;
}

/// A number that differs for environments of different files.
static uint64_t hash_source(const zt_scene *scene)
{
    const model_environment *file = scene->file_environment;
    if (scene->lighting.environment == SCENE_ENVIRONMENT_IMAGE)
        return scene->own_environment.hash;
    if (scene->lighting.environment != SCENE_ENVIRONMENT_FILE)
        return 0;
    const size_t pixels = (size_t)file->picture.width * (size_t)file->picture.height;
    uint64_t hash = hash_bytes(HASH_START, file->harmonics, sizeof file->harmonics);
    return hash_words(hash, file->picture.rgb, pixels * 3 * sizeof *file->picture.rgb);
}

zt_result renderer_prepare_environment(zt_renderer *r, const zt_scene *scene, uint64_t *out_ns,
                                       zt_error *err)
{
    kept_environment *kept = &r->environment;
    const scene_environment_kind kind = scene->lighting.environment;
    const uint64_t hash = hash_source(scene);
    *out_ns = 0;
    if (kind == SCENE_ENVIRONMENT_AMBIENT || (kept->kind == kind && kept->hash == hash))
        return ZT_OK;
    const uint64_t start = job_clock_ns(), saved = float_state_enter();
    kept->kind = SCENE_ENVIRONMENT_AMBIENT;
    arena_reset(&kept->arena);
    radiance_keep_clear(&kept->radiance);
    const zt_result result = make_environment(r, scene, kept, err);
    float_state_leave(saved);
    if (result != ZT_OK)
        return result;
    kept->kind = kind;
    kept->hash = hash;
    *out_ns = job_clock_ns() - start;
    return ZT_OK;
}

zt_result renderer_radiance_map(zt_renderer *r, const zt_scene *scene, radiance_map *out,
                                zt_error *err)
{
    const scene_environment_kind kind = scene->lighting.environment;
    radiance_source source = {.studio = studio_of(kind)};
    *out = (radiance_map){0};
    if (kind == SCENE_ENVIRONMENT_AMBIENT)
        return ZT_OK;
    if (!scene_is_studio(kind))
        source.picture = *picture_of(scene);
    const uint64_t float_state = float_state_enter();
    const zt_result result = radiance_map_ask(&r->environment.radiance, &source, out, err);
    float_state_leave(float_state);
    return result;
}

zt_result frame_environment(const zt_scene *scene, const environment *made, frame_time time,
                            double turn_deg, arena *a, shade_frame *out, zt_error *err)
{
    const scene_lighting *lighting = &scene->lighting;
    if (lighting->environment == SCENE_ENVIRONMENT_AMBIENT)
        return ZT_OK;
    environment_view *seen;
    ZT_TRY(ARENA_TAKE(a, &seen, 1, "the environment of a frame", err));
    double rotation_deg[4] = {0.0};
    double intensity = scene->light_count == 0    ? lighting->studio
                       : scene_joins_lamps(scene) ? lighting->studio_with_lamps
                                                  : lighting->studio_with_lights;
    if (lighting->environment == SCENE_ENVIRONMENT_IMAGE) {
        track_evaluate(&scene->own_environment.rotation_deg, time.shot_s, rotation_deg);
        intensity = scene->own_environment.intensity;
    }
    if (lighting->environment == SCENE_ENVIRONMENT_FILE)
        intensity = 1.0; // the file's is part of it
    environment_view_build(made, rotation_deg[0] + turn_deg, intensity, seen);
    if (scene_is_studio(lighting->environment) && !scene->background_environment)
        seen->wall = (float)(STUDIO_WALL * intensity);
    out->environment = seen;
    return ZT_OK;
}

/// The angle of a pixel in the middle of the picture.
static double pixel_angle(const shade_frame *shade, int32_t width, int32_t height)
{
    double across = 0.0, along = 0.0;
    for (int i = 0; i < 3; i++) {
        const double x = (double)shade->view.ray_x[i], y = (double)shade->view.ray_y[i];
        const double middle = (double)shade->view.ray[i] + 0.5 * (x * width + y * height);
        across += y * y;
        along += middle * middle;
    }
    return along > 0.0 ? sqrt(across / along) : 0.0;
}

zt_result frame_backdrop(const zt_scene *scene, const shade_frame *shade, int32_t width,
                         int32_t height, arena *a, film_settings *out, zt_error *err)
{
    if (!scene->background_environment)
        return ZT_OK;
    film_backdrop *backdrop;
    ZT_TRY(ARENA_TAKE(a, &backdrop, 1, "the background of a frame", err));
    out->backdrop = backdrop;
    const scene_environment_kind kind = scene->lighting.environment;
    const bool drawn = kind == SCENE_ENVIRONMENT_IMAGE || kind == SCENE_ENVIRONMENT_FILE;
    const hdr_picture *source = drawn ? picture_of(scene) : NULL;
    // A lobe is 2.6 alpha wide at half of its height. Pixels wider than those of the picture see it
    // through a lobe as wide as they are, or it would flicker.
    const double pixel =
        shade->view.transform.orthographic ? 0.0 : pixel_angle(shade, width, height);
    const double narrowest = sqrt(pixel / 2.6);
    // A studio is soft: its texels, magnified, would show.
    const double studio_blur = 0.25;
    double blur = source ? 0.0 : studio_blur;
    if (kind == SCENE_ENVIRONMENT_IMAGE)
        blur = scene->own_environment.blur;
    backdrop->roughness = (float)(blur > narrowest ? blur : narrowest);
    if (!source || blur > 0.0 || pixel * source->height > 1.5 * MATHS_PI)
        return ZT_OK;
    backdrop->rgb = source->rgb;
    backdrop->width = source->width;
    backdrop->height = source->height;
    return ZT_OK;
}
