// SPDX-License-Identifier: MIT
/// Checks of what callers pass as a zt_image, shared by the functions of the public picture API.
#ifndef ZT_IMAGE_IMAGE_CHECK_H
#define ZT_IMAGE_IMAGE_CHECK_H

#include "image/picture.h"

/// ZT_ERR_ARGUMENT below 1 pixel a side, ZT_ERR_LIMIT above PICTURE_SIDE_LIMIT.
zt_result image_check_size(int64_t width, int64_t height, zt_error *err);
/// The same for a whole picture: it has pixels, a size in range and rows that do not overlap.
zt_result image_check(const zt_image *image, zt_error *err);

#endif
