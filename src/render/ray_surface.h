// SPDX-License-Identifier: MIT
/// Texels of a view -> points from which rays start, in the space of the tree.
#pragma once

#include "base/dvec3.h"
#include "trace/trace_collect.h"

/// A triangle about the middle of a pixel. Sides are those that the eye sees.
typedef struct ray_surface {
    uint32_t id, material;
    const geometry_draw *draw;
    bool endless;           ///< points may be outside of the triangle
    dvec3 corner, edge[2];  ///< from `corner` to the others
    dvec3 normal[3], plane; ///< unit, of the corners and of the triangle
    dvec3 smooth;           ///< unit normal in the middle
    double at[3];           ///< barycentrics of corners 1 and 2, and the distance from the eye, as
                            ///< screen_view has w; orthographic: from the near plane, metres
    double step[2][2];      ///< if asked for: those of barycentrics to the next pixel along x, y
} ray_surface;

/// The triangle `id` at pixel position (x, y) of the view; false: the line of sight misses its
/// plane. `out`: of id 0, or of another pixel of the view.
bool ray_surface_of(const trace_posed *posed, const screen_view *view, uint32_t id, bool endless,
                    bool steps, double x, double y, ray_surface *out);

/// A start of rays so many pixels from the middle. The surface is as smooth as its normals: points
/// are lifted from the triangle, else facets would shadow themselves along the terminator (Hanika,
/// "Hacking the Shadow Terminator", 2021), and by more than what their coordinates round.
void ray_surface_start(const ray_surface *s, double dx, double dy, float out[3]);
