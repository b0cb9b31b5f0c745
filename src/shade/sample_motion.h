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

typedef double double_pair __attribute__((vector_size(16)));

/// A triangle of a mesh at each time.
typedef struct moving_triangle {
    uint32_t id;                                ///< primitive number + 1; 0: none yet
    uint32_t vertex[3];                         ///< of its mesh
    const struct geometry_draw *draw;           ///< of the frame
    const vertex_position *place[MOTION_TIMES]; ///< vertices of its mesh; NULL: it does not show
    bool same_place[MOTION_TIMES];              ///< it is that of the time before in this list
    int32_t like[MOTION_TIMES];                 ///< the first time with the same picture
    /// Columns of shade_motion.rows from those vertices; the last number of each is padding.
    double_pair column[MOTION_TIMES][4][2];
} moving_triangle;

/// The pixels of a row of a tile that show something, and their nearest samples.
typedef struct shown_pixels {
    uint32_t count;
    uint32_t x[TILE_SIZE], sample[TILE_SIZE]; ///< [count]; numbers among the tile's visible samples
    float depth[TILE_SIZE + 1];               ///< [count] of the raster, if it is asked for
} shown_pixels;

/// Fills PLANE_MOTION or PLANE_VECTOR of pixels of a row, all zeros before, from the barycentrics
/// in `planes`: the same point of the same triangle at each time, in the picture of that time.
/// Numbers are double up to the difference. `last`: the triangle of the pixel before, then of the
/// last one of these.
void sample_motion_row(const visible_samples *visible, const shown_pixels *row,
                       const shade_frame *frame, const shade_planes *planes, picture_plane plane,
                       moving_triangle *last, float *out);
