// SPDX-License-Identifier: MIT
/// Validation of a zt_image that a caller passes to the public API: every function that reads
/// pixels calls image_check() first.
#ifndef ZT_IMAGE_IMAGE_CHECK_H
#define ZT_IMAGE_IMAGE_CHECK_H

#include "image/picture.h"

/// ZT_ERR_ARGUMENT below 1 pixel a side, ZT_ERR_LIMIT above PICTURE_SIDE_LIMIT.
zt_result image_check_size(int64_t width, int64_t height, zt_error *err);
/// Checks that a picture has pixels, a valid size and a stride of at least one row.
zt_result image_check(const zt_image *image, zt_error *err);

/// True when pixel (x, y), which differs, looks like an antialiased edge in either picture. They
/// have the same size.
bool image_antialiased(const zt_image *a, const zt_image *b, int32_t x, int32_t y);

#endif
