// SPDX-License-Identifier: MIT
/// The planes of a finished frame: what writers of pictures are given.
#ifndef ZT_IMAGE_PICTURE_PLANES_H
#define ZT_IMAGE_PICTURE_PLANES_H

#include <zoetrope/zoetrope.h>

/// Bits of picture_writer.planes. A renderer makes the planes that the writer takes.
enum picture_plane {
    PICTURE_PLANE_COLOR8 = 1 << 0, ///< 8-bit sRGB with straight alpha
};

/// One frame, row 0 on top. A plane that the writer does not take may be NULL.
typedef struct picture_planes {
    const zt_image *color8; ///< PICTURE_PLANE_COLOR8
} picture_planes;

/// What a stream says before its first frame.
typedef struct picture_stream {
    int32_t width, height; ///< pixels
    int32_t fps_numerator, fps_denominator;
} picture_stream;

#endif
