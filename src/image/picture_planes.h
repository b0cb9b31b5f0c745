// SPDX-License-Identifier: MIT
/// The planes of a frame: the film writes and pictures' writers read them; unasked ones are absent.
#pragma once

#include "base/arena.h"

#include <zoetrope/zoetrope.h>

/// Bits that name planes.
enum picture_plane {
    PICTURE_PLANE_COLOR8 = 1 << 0, ///< 8-bit sRGB with straight alpha
    PICTURE_PLANE_DEPTH = 1 << 1,  ///< 32-bit float of the nearest sample, see zt_planes.depth
    PICTURE_PLANE_COLOR = 1 << 2,  ///< four 32-bit floats of linear light, see zt_planes.color
    /// Those that need materials and lights.
    PICTURE_PLANES_SHADED = PICTURE_PLANE_COLOR8 | PICTURE_PLANE_COLOR,
};

/// One frame, row 0 on top.
typedef struct picture_planes {
    int32_t width, height; ///< pixels
    zt_image color8;       ///< rgba8 NULL: absent
    float *color;          ///< [height][width][4], zt_planes.color; NULL: absent
    float *depth;          ///< [height][width], zt_planes.depth; NULL: absent
} picture_planes;

/// Bits of the planes that are present.
static inline uint32_t picture_planes_present(const picture_planes *planes)
{
    return (planes->color8.rgba8 ? (uint32_t)PICTURE_PLANE_COLOR8 : 0u) |
           (planes->depth ? (uint32_t)PICTURE_PLANE_DEPTH : 0u) |
           (planes->color ? (uint32_t)PICTURE_PLANE_COLOR : 0u);
}
/// zt_image_hash of the 8-bit colour; 0 when it is absent.
static inline uint64_t picture_planes_hash(const picture_planes *planes)
{
    return planes->color8.rgba8 ? zt_image_hash(&planes->color8) : 0;
}
/// Memory in `a` for the planes named in `wanted`, uninitialised. ZT_ERR_MEMORY, ZT_ERR_LIMIT.
static inline zt_result picture_planes_init(picture_planes *planes, uint32_t wanted, int32_t width,
                                            int32_t height, arena *a, zt_error *err)
{
    const size_t pixels = (size_t)width * (size_t)height;
    *planes = (picture_planes){.width = width, .height = height};
    planes->color8 = (zt_image){.width = width, .height = height, .stride = (size_t)width * 4};
    if (wanted & PICTURE_PLANE_COLOR8)
        planes->color8.rgba8 = arena_alloc_raw(a, pixels, 4);
    if (wanted & PICTURE_PLANE_DEPTH)
        planes->depth = arena_alloc_raw(a, pixels, sizeof *planes->depth);
    if (wanted & PICTURE_PLANE_COLOR)
        planes->color = arena_alloc_raw(a, pixels, 4 * sizeof *planes->color);
    return picture_planes_present(planes) == wanted ? ZT_OK : arena_fail(a, err, "a picture");
}

/// The properties of a stream of frames, and how far it is made.
typedef struct picture_stream {
    int32_t width, height; ///< pixels
    int32_t fps_numerator, fps_denominator;
    bool alpha;          ///< frames have an alpha channel
    int64_t frame_count; ///< of the whole stream
    int64_t joined;      ///< frames that are in it so far
    uint32_t chunks;     ///< numbered chunks so far (APNG)
    uint64_t size;       ///< bytes so far
} picture_stream;
