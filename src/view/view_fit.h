// SPDX-License-Identifier: MIT
/// The fit of a view to a box, or to what poses reach.
#pragma once

#include "view/view_camera.h"

enum { VIEW_FIT_SIDES = 4 }; ///< right, left, up, down

/// A camera that goes around a target, and what may fill its picture. A point at offset c from the
/// target is inside at distance d if |x| focal / fill_x <= d + z (likewise y), z along the line of
/// sight: d is at least the dot product of c with each of four directions. Orthographic: d is the
/// half height.
typedef struct view_fit {
    view_camera axes;               ///< focal 1 in orthographic views
    double fill_x, fill_y;          ///< what may be filled right and up, in half heights
    double side[VIEW_FIT_SIDES][3]; ///< the four directions
} view_fit;

/// `margin`: of the picture, on each side of what is framed.
view_fit view_fit_of(const view_camera *axes, int32_t width, int32_t height, double margin);
/// The distance that a side wants. `support`: the largest dot product of a point with its
/// direction.
double view_fit_reach(const view_fit *fit, int side, double support, const double target[3]);
/// The steps right and up that bring the target to the centre of what reaches so far.
void view_fit_centre(const view_fit *fit, const double reach[VIEW_FIT_SIDES], double *out_right,
                     double *out_up);

/// The depth from the eye to the farthest corner of a box, at least 0.
double view_bounds_farthest(const view_camera *camera, const float box_min[3],
                            const float box_max[3]);
/// The nearest and the farthest corner of a box along a view, metres; at least 0 and 1 more.
void view_bounds_depths(const screen_view *v, const float box_min[3], const float box_max[3],
                        float *out_near, float *out_far);
