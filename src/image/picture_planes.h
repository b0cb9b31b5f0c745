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
uint32_t picture_planes_present(const picture_planes *planes);
/// zt_image_hash of the 8-bit colour; 0 when it is absent.
uint64_t picture_planes_hash(const picture_planes *planes);
/// Memory in `a` for the planes named in `wanted`, uninitialised. ZT_ERR_MEMORY, ZT_ERR_LIMIT.
zt_result picture_planes_init(picture_planes *planes, uint32_t wanted, int32_t width,
                              int32_t height, arena *a, zt_error *err);

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
