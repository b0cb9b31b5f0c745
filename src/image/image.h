// SPDX-License-Identifier: MIT
/// Validation of the zt_image of a caller: functions that read pixels call image_check() first.
#pragma once

#include "image/picture.h"

/// Checks that a picture has pixels, a valid size and a stride of at least one row.
zt_result image_check(const zt_image *image, zt_error *err);
zt_result image_check_size(int64_t width, int64_t height, zt_error *err);

/// True when pixel (x, y), which differs, looks like an antialiased edge in either picture.
bool image_antialiased(const zt_image *a, const zt_image *b, int32_t x, int32_t y);
