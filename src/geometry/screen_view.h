// SPDX-License-Identifier: MIT
/// A camera as matrices: world space -> homogeneous pixels, and pixels -> rays.
#pragma once

#include "geometry/geometry_loops.h"

/// The view of a camera in a picture of width x height pixels (view/view_camera.h). World space.
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
