// SPDX-License-Identifier: MIT
/// Points and lines on the screen: quads of a fixed width in pixels, made a few at a time between
/// the transform of a meshlet and the setup of its triangles, so that a million points take no more
/// memory. Everything after setup sees triangles; both of a quad have the id of the point or line,
/// whose vertices shading reads (surface/surface_screen.inl).
#pragma once

#include "geometry/screen_view.h"

enum {
    QUADS = 16,                ///< made at a time: their corners fill a screen_vertices
    QUAD_TRIANGLES = 2 * QUADS ///< quad i has triangles i and i + QUADS
};

/// Widths for one view. A quad faces the camera and lies in front of its point or line by half its
/// width, like a ball or a rod of that width: lines on a surface are not cut by it.
typedef struct point_line_widths {
    int32_t point_half;              ///< fx8
    float line_half;                 ///< pixels
    float point_scale, line_scale;   ///< factors of depth in perspective; 1 otherwise
    float point_nearer, line_nearer; ///< added to depths in orthographic views; 0 otherwise
} point_line_widths;

/// The widths in a picture, which docs/formats.md states. `cloud`: so many points are all there is;
/// 0: there is more.
point_line_widths point_line_widths_of(const screen_view *v, int32_t width, int32_t height,
                                       uint64_t cloud);

/// Points (or `lines`) first to first + count - 1 of a meshlet, at most QUADS, as quads: quad i has
/// the vertices 4 i to 4 i + 3 of `out`, around it. Those that are not drawn, and the quads after
/// `count`, have OUTCODE_INVALID. `corner`: of the meshlet's primitives.
void point_line_quads(const view_transform *transform, const point_line_widths *widths, bool lines,
                      const screen_vertices *in, const uint8_t *const corner[3], uint32_t first,
                      uint32_t count, screen_vertices *out);

enum { QUAD_CACHE = 512 }; ///< a power of two

/// Opaque quads that are drawn, some of them.
typedef struct quad_cache {
    struct drawn_quad {
        int32_t x[4], y[4];
        float depth[2]; ///< depths of vertices 0 and 2; 0: the entry is free
    } entry[QUAD_CACHE];
} quad_cache;

/// Drops quads that cover the same samples as one in the cache and are nowhere nearer, and adds the
/// others. Ties go to the lower id, so quads come in the order of their ids. No sample changes:
/// this bounds the memory of files that draw the same point a million times.
void quad_cache_drop(quad_cache *cache, screen_vertices *quads);

/// Corners of the triangles of the quads, for a setup_job of QUAD_TRIANGLES.
extern const uint8_t quad_corner[3][QUAD_TRIANGLES];
