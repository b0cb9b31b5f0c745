// SPDX-License-Identifier: MIT
/// A camera as matrices: world space -> homogeneous pixels, and back to rays.
#ifndef ZT_GEOMETRY_VIEW_H
#define ZT_GEOMETRY_VIEW_H

#include "geometry/geometry_loops.h"

/// A camera in world space. `right`, `up`, `forward` are unit length and orthogonal.
typedef struct view_camera {
    double eye[3];
    double right[3], up[3], forward[3];
    bool orthographic;
    double focal;         ///< perspective: 1 / tan(fov_y / 2)
    double half_height;   ///< orthographic: metres
    double near_m, far_m; ///< far is used by orthographic views only
} view_camera;

/// The same camera for a picture of width x height pixels.
typedef struct view {
    view_transform transform;
    float origin[3], ray[3], ray_x[3], ray_y[3], forward[3];
    float depth_range; ///< orthographic: far - near
} view;

/// Fills `camera`'s axes so that it looks from `eye` at `target`. An `up` along the line of sight
/// is replaced by another axis.
void view_look_at(view_camera *camera, const double eye[3], const double target[3],
                  const double up[3]);

void view_build(const view_camera *camera, int32_t width, int32_t height, view *out);

#endif
