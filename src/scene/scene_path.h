// SPDX-License-Identifier: MIT
/// `path` of a transform: a curve through points, along which a model goes.
#pragma once

#include "base/dvec3.h"
#include "scene/scene.h"

enum { SCENE_PATH_POINT_LIMIT = 1024 };

/// A Catmull-Rom spline, by its length.
struct scene_path {
    uint32_t count;
    const dvec3 *point;      ///< [count], at least 2, neighbours apart
    bool closed;             ///< from the last point back to the first
    bool turns;              ///< the model's +z points along it, about y
    double start_m;          ///< where it is on the curve when nothing has moved it
    track speed;             ///< metres a second; without keys: as far as root motion goes along +z
    const double *speed_sum; ///< result of track_sums()
    const double *length;    ///< [SCENE_PATH_PARTS * segments + 1] from the first point
};

/// Parts of a segment whose lengths are kept; between them lengths are integrated.
enum { SCENE_PATH_PARTS = 8 };

/// Fills `length` in `a`; false: no memory.
bool scene_path_measure(arena *a, struct scene_path *path);
double scene_path_length(const struct scene_path *path);
/// The way that its own speed leads along the curve from shot time 0.
double scene_path_driven(const struct scene_path *path, double time_s);
/// The point at a distance from the first one, and the unit tangent there. Beyond the ends of an
/// open path: the ends; a closed one begins again.
void scene_path_at(const struct scene_path *path, double distance, dvec3 *out_point,
                   dvec3 *out_tangent);
