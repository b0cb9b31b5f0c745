// SPDX-License-Identifier: MIT
/// Texels of a view -> points from which rays start, in the space of the tree.
#pragma once

#include "base/dvec3.h"
#include "render/ground.h"
#include "trace/trace_collect.h"

/// A triangle, or the ground, about the middle of a pixel. Sides are those that the eye sees.
typedef struct ray_surface {
    dvec3 corner, edge[2]; ///< from `corner` to the others; of the ground to the pixels beside
    dvec3 normal[3];       ///< unit, of the corners
    dvec3 plane;           ///< unit, of the triangle
    double at[2];          ///< barycentrics of corners 1 and 2
    double step[2][2];     ///< their steps to the next pixel along x and y
    bool endless;          ///< the ground: points may be outside of it
    dvec3 smooth;          ///< unit normal in the middle
    uint32_t id;           ///< of the triangle; TRACE_NONE: the ground
    const geometry_draw *draw;
    uint32_t material;
} ray_surface;

/// The triangle `id` at pixel position (x, y) of the view.
void ray_surface_of(const trace_posed *posed, const screen_view *view, uint32_t id, double x,
                    double y, ray_surface *out);

/// The ground there, and its depth as light_shares have it; false: it is not seen.
bool ray_surface_of_ground(const trace_posed *posed, const screen_view *view,
                           const frame_ground *ground, double x, double y, ray_surface *out,
                           float *out_depth);

/// A start of rays so many pixels from the middle. The surface is as smooth as its normals: points
/// are lifted from the triangle, else facets would shadow themselves along the terminator (Hanika,
/// "Hacking the Shadow Terminator", 2021), and by more than what their coordinates round.
void ray_surface_start(const ray_surface *s, double dx, double dy, float out[3]);
