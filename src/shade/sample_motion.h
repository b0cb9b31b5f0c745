// SPDX-License-Identifier: MIT
/// Visible samples -> how far the picture of their surface points moves from frame to frame.
#pragma once

#include "shade/shade_loops.h"

enum { MOTION_NOW, MOTION_AFTER, MOTION_BEFORE, MOTION_TIMES };

/// The surfaces of a frame and its camera, at the time of the frame and of its neighbours.
struct shade_motion {
    const struct geometry_draw *draws; ///< all of the frame
    /// [draw of the frame] its mesh at that time; NULL: it does not show. NULL: there is no frame.
    const struct geometry_draw **then[MOTION_TIMES];
    /// From the world to x, y and z, whose x / -z and y / -z are pixels of the final picture: right
    /// and up from its middle.
    double rows[MOTION_TIMES][3][4];
};

/// Fills PLANE_MOTION and PLANE_VECTOR of visible samples from their barycentrics: the same point
/// of the same triangle at each time, in the picture of that time. Numbers are double up to the
/// difference.
void sample_motion_fill(const visible_samples *visible, uint32_t count, const shade_frame *frame,
                        const shade_planes *planes);
