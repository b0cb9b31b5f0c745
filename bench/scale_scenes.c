// SPDX-License-Identifier: MIT
#include "scale_scenes.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/// A ball of about `triangles` triangles, written once; its real number is that of the statistics.
static bool ball_file(double triangles, char *path, size_t size)
{
    char command[1400];
    const int down = (int)(sqrt(triangles / 4.0) + 1.5), around = 2 * (down - 1);
    snprintf(path, size, "%s/ball_%.0f.glb", ZT_BENCH_SCENES, triangles);
    if (access(path, R_OK) == 0)
        return true;
    snprintf(command, sizeof command, "'%s' '%s' ball_%.0f.glb %d %d", ZT_BENCH_MODELS,
             ZT_BENCH_SCENES, triangles, around, down);
    if (system(command) == 0)
        return true;
    fprintf(stderr, "bench_scale: %s failed\n", command);
    return false;
}

/// The character's scene under n lights, all of the same kind from all around.
static bool lights_file(int32_t lights, char *path, size_t size)
{
    snprintf(path, size, "%s/lights_%d.yaml", ZT_BENCH_SCENES, (int)lights);
    FILE *file = fopen(path, "w");
    if (!file)
        return false;
    fprintf(file, "format: 1\n"
                  "models:\n"
                  "  - { file: character.glb, animation: { clip: dance } }\n"
                  "camera: { look_at: { position: [0.45, 1.25, 3.6], target: [0, 0.93, 0] }, "
                  "fov: 28.05 }\n"
                  "environment: { color: [0.3, 0.3, 0.3] }\n"
                  "lights:\n");
    for (int32_t i = 0; i < lights; i++)
        fprintf(file, "  - { directional: { direction: [%.3f, -1, %.3f], lux: %.3f } }\n",
                sin(2.4 * i), cos(2.4 * i), 4.0 / lights);
    return fclose(file) == 0;
}

bool scale_point_make(const char *series, double x, scale_point *out)
{
    *out = (scale_point){.series = series, .x = x, .width = 1920, .height = 1080, .samples = 1};
    snprintf(out->path, sizeof out->path, "%s/character.yaml", ZT_BENCH_SCENES);
    if (strcmp(series, "triangles_mesh") == 0) {
        out->models = out->places = 1;
        return ball_file(x, out->path, sizeof out->path);
    }
    if (strcmp(series, "triangles_instances") == 0) {
        out->models = 1;
        out->places = (int32_t)(x / 1e3);
        return ball_file(1e3, out->path, sizeof out->path);
    }
    if (strcmp(series, "models") == 0) {
        out->models = (int32_t)x;
        out->places = 1;
        return ball_file(1e3, out->path, sizeof out->path);
    }
    if (strcmp(series, "lights") == 0)
        return lights_file((int32_t)x, out->path, sizeof out->path);
    if (strcmp(series, "pixels") == 0) {
        const bool square = x <= 1024.0 * 1024.0;
        out->width = (int32_t)(square ? sqrt(x) : sqrt(x * 16.0 / 9.0) + 0.5);
        out->height = (int32_t)(x / out->width + 0.5);
    } else if (strcmp(series, "frames") == 0) {
        out->width = out->height = 64;
        out->frames = (int32_t)x;
        out->sequence = true;
    } else if (strcmp(series, "threads_one_frame") == 0) {
        out->threads = (int32_t)x;
        out->samples = 4;
    } else if (strcmp(series, "threads_sequence") == 0) {
        out->threads = (int32_t)x;
        out->samples = 4;
        out->frames = 32;
        out->sequence = true;
    }
    return true;
}

/// Places `count` balls, from the `first` on, in a square of `total` that fills the picture.
static zt_result place(zt_scene *scene, const zt_model *model, int32_t first, int32_t count,
                       int32_t total, zt_error *err)
{
    const int32_t side = (int32_t)ceil(sqrt((double)total));
    for (int32_t i = first; i < first + count; i++) {
        const float at[3] = {2.0f * (float)(i % side), 2.0f * (float)(i / side), 0.0f};
        zt_instance_def def = zt_default_instance_def();
        def.model = model;
        for (int k = 0; k < 12; k++)
            def.world_from_model[k] = k % 4 == 3 ? at[k / 4] : k % 5 == 0 ? 1.0f : 0.0f;
        const zt_result result = zt_scene_add_instance(scene, &def, err);
        if (result != ZT_OK)
            return result;
    }
    return ZT_OK;
}

static zt_result load_models(const scale_point *p, scale_scene *out, zt_error *err)
{
    const zt_load_def load = zt_default_load_def();
    zt_result result = zt_scene_create(&load, &out->scene, err);
    for (int32_t i = 0; i < p->models && result == ZT_OK; i++) {
        result = zt_model_load(p->path, &load, &out->model[i], err);
        if (result == ZT_OK)
            result = place(out->scene, out->model[i], i * p->places, p->places,
                           p->models * p->places, err);
    }
    return result;
}

zt_result scale_scene_load(const scale_point *p, scale_scene *out, zt_error *err)
{
    const zt_load_def load = zt_default_load_def();
    zt_shot_def shot = zt_default_shot_def();
    zt_result result =
        p->models > 0 ? load_models(p, out, err) : zt_scene_load(p->path, &load, &out->scene, err);
    shot.width = p->width;
    shot.height = p->height;
    shot.samples = p->samples;
    if (p->models > 0) {
        shot.azimuth_deg = 0.0;
        shot.elevation_deg = 0.0;
    }
    if (p->frames > 0)
        shot.turntable_count = p->frames; // as many frames as asked for, whatever the clip lasts
    if (result == ZT_OK)
        result = zt_scene_apply(out->scene, &shot, err);
    return result;
}
