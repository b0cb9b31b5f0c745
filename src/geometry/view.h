// SPDX-License-Identifier: MIT
/// A camera as matrices: world space -> homogeneous pixels, and pixels -> rays.
#pragma once

#include "geometry/geometry_loops.h"

/// A camera in world space. `right`, `up`, `forward` are unit length and orthogonal.
typedef struct view_camera {
    double eye[3];
    double right[3], up[3], forward[3];
    bool orthographic;
    double focal;         ///< perspective: 1 / tan(fov_y / 2)
    double half_height;   ///< orthographic: metres
    double near_m, far_m; ///< far is used by orthographic views only
    double clip_m;        ///< what is farther does not show; 0: everything does
} view_camera;

/// The same camera for a picture of width x height pixels. World space.
typedef struct screen_view {
    view_transform transform;
    float origin[3];          ///< perspective: the eye; orthographic: centre of the near plane
    float ray[3];             ///< origin -> top left corner of the picture: in perspective at
                              ///< distance 1, else on the near plane
    float ray_x[3], ray_y[3]; ///< steps of `ray` per pixel
    float forward[3];
    float depth_range; ///< orthographic: far - near
    float near_m;      ///< orthographic: from the eye to the near plane
    float farthest;    ///< depth beyond which nothing shows; 0: everything does
} screen_view;

/// Points `camera` from `eye` at `target`. Along the line of sight `up` is replaced by +y or -z.
void view_look_at(view_camera *camera, const double eye[3], const double target[3],
                  const double up[3]);

/// The view of a camera, computed in double and rounded to float once.
void view_build(const view_camera *camera, int32_t width, int32_t height, screen_view *out);
