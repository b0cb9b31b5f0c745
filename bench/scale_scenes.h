// SPDX-License-Identifier: MIT
/// The scenes of bench_scale: one for each point of each series.
#pragma once

#include <zoetrope/zoetrope.h>

enum { SCALE_MODELS_MAX = 1000 };

typedef struct scale_point {
    const char *series;
    double x;
    char path[512];         ///< a scene, or the model that is placed
    int32_t width, height;  ///< of the picture
    int32_t models, places; ///< > 0: how often the model is loaded, and how often each is placed
    int32_t lights;         ///< > 0: so many instead of the scene's
    int32_t frames;         ///< of the shot; 0 = as the scene says
    int32_t samples, threads;
    bool sequence; ///< rendered to files
} scale_point;

typedef struct scale_scene {
    zt_scene *scene;
    zt_model *model[SCALE_MODELS_MAX];
} scale_scene;

/// Writes the model that a point needs, unless it is there. False and a line on stderr on failure.
bool scale_point_make(const char *series, double x, scale_point *out);
zt_result scale_scene_load(const scale_point *p, scale_scene *out, zt_error *err);
