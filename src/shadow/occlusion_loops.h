// SPDX-License-Identifier: MIT
/// Ambient occlusion from the depth of a view: which part of the light from all directions reaches
/// a point past the surfaces that the camera sees around it. Its planes, and the jobs of its loops:
///
///   tiles --distance--> plane of distances --search--> visibility --smooth--> smoothed visibility
///   --join--> quads of it
///
/// The search finds horizons along lines through a texel and integrates the cosine-weighted light
/// between (Jimenez, Wu, Pesce & Jarabo, "Practical real-time strategies for accurate indirect
/// occlusion", 2016), divided by that of a point without occluders: a plane is exactly 1.
///
/// Planes have one texel for `step` x `step` pixels: that of their first pixel, at its centre. The
/// texels of a plane are row by row, with a border of texels that see nothing.
#pragma once

#include "raster/raster_loops.h"

enum {
    OCCLUSION_BORDER_ROWS = 2,     ///< above and below a plane
    OCCLUSION_BORDER_COLUMNS = 16, ///< on its left, and on the right of the padded rows
    OCCLUSION_BAND = 8,            ///< rows of texels in a job
};

/// Distance of texels that show nothing, metres.
#define OCCLUSION_NOTHING 1e15f

/// Texels to points, in the axes of the camera: x right, y down, z forward.
typedef struct occlusion_view {
    bool orthographic;
    int32_t step;          ///< pixels
    int32_t width, height; ///< texels
    int32_t stride;        ///< texels between two rows of all planes
    float x, y;            ///< perspective: the point of texel (i, j) at distance w is (x + i dx,
    float dx, dy;          ///< y + j dy, 1) w. Orthographic: dx, dy are metres, x and y are 0
    float depth_range;     ///< orthographic: metres from the near to the far plane
    float radius;          ///< metres: farther occluders do not count
    float reach;           ///< texels: nor those farther along the screen
    float intensity;       ///< factor of the light that is blocked
    float tolerance;       ///< metres: surfaces so far apart do not share their visibility
} occlusion_view;

/// The planes; each points to texel (0, 0).
typedef struct occlusion_planes {
    occlusion_view view;
    float *distance; ///< metres from the eye (orthographic: from the near plane) along the line of
                     ///< sight, or OCCLUSION_NOTHING
    /// Bits of the depth, its lowest 8 replaced by the visibility in 1/255; 0: nothing. The depth
    /// is linear along planes: 1 / distance, orthographic 2 - distance / depth_range.
    uint32_t *found, *smoothed;
    /// Visibilities of the texels (0, 0), (1, 0), (0, 1) and (1, 1) from a texel on, 8 bits each
    /// from the lowest on, where these continue one surface; otherwise 0.
    uint32_t *quads;
} occlusion_planes;

/// Depths of a tile -> distances. Only texels of the picture are written.
typedef struct occlusion_distance_job {
    const occlusion_planes *planes;
    const float *depth;          ///< raster_tile.depth, one sample a pixel; NULL: an empty tile
    int32_t x, y, width, height; ///< the tile's pixels inside the picture
} occlusion_distance_job;

/// Rows [first, end) of texels: distances -> `found`, `found` -> `smoothed`, `smoothed` -> `quads`.
typedef struct occlusion_rows_job {
    const occlusion_planes *planes;
    int32_t first, end;
} occlusion_rows_job;
