// SPDX-License-Identifier: MIT
/// A camera as numbers: its axes, its matrices, where it sees a point.
#pragma once

#include "geometry/screen_view.h"

/// A camera in world space. `right`, `up`, `forward` are unit length and orthogonal.
typedef struct view_camera {
    double eye[3];
    double right[3], up[3], forward[3];
    bool orthographic;
    double focal;         ///< perspective: 1 / tan(fov_y / 2)
    double half_height;   ///< orthographic: metres
    double near_m, far_m; ///< far is used by orthographic views only
    double clip_m;        ///< what is farther does not show; 0: everything does
    double shift[2];      ///< of the picture to the right and up, in halves of its height
} view_camera;

/// Axes of a camera that goes around a point: azimuth 0 sees the front (+Z); counter-clockwise,
/// elevation upwards.
void view_orbit_axes(view_camera *camera, double azimuth_deg, double elevation_deg);

/// Points `camera` from `eye` at `target`. Along the line of sight `up` is replaced by +y or -z.
void view_look_at(view_camera *camera, const double eye[3], const double target[3],
                  const double up[3]);

/// The view of a camera, computed in double and rounded to float once.
void view_build(const view_camera *camera, int32_t width, int32_t height, screen_view *out);

/// Rows from the world to the space of the camera: x right, y up, the camera looks along -z.
void view_space_rows(const view_camera *camera, double out[3][4]);

/// view_camera.focal of a vertical field of view.
double view_focal(double fov_deg);

/// The pixel of a point in the world, as view_build() puts it into a matrix. False: the point is
/// behind the camera.
bool view_project(const view_camera *camera, int32_t width, int32_t height, const double world[3],
                  double out[2]);
