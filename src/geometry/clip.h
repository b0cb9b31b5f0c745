// SPDX-License-Identifier: MIT
/// Clipping of the few triangles that cross the near plane or leave the guard band.
#pragma once

#include "geometry/geometry_loops.h"

/// A triangle cut by 5 planes has at most 3 + 5 corners.
enum { CLIP_CORNERS = 8 };

enum { CLIP_LINE_MARGIN = 64 };

/// A vertex in homogeneous pixels.
typedef struct clip_corner {
    float x, y, w, depth;
    int32_t source; ///< number of its vertex, -1: a new corner
} clip_corner;

/// Clips triangle (a, b, c) of `in` into the polygon `out`, wound the same. Returns its corners: 0,
/// or 3..CLIP_CORNERS. Corners inside keep their snapped positions; new ones are computed from the
/// inside end of an edge to the outside, so that triangles that share an edge agree.
uint32_t clip_triangle(const view_transform *view, const screen_vertices *in, uint32_t a,
                       uint32_t b, uint32_t c, screen_vertices *out);

/// Clips line (a, b) of `in`, and writes its ends to out[0] and out[1]. It stays CLIP_LINE_MARGIN
/// pixels within the guard band, in which it is drawn as a quad. False: nothing is left.
bool clip_line(const view_transform *view, const screen_vertices *in, uint32_t a, uint32_t b,
               clip_corner out[2]);

/// Nearest 1/256 pixel in the guard band, ties upwards, as the transform loop rounds.
int32_t clip_snap(float pixel);
