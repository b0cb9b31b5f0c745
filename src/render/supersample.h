// SPDX-License-Identifier: MIT
/// Pictures drawn several times as large as they become.
#pragma once

#include "image/picture_planes.h"

/// Fills the planes of `out` from those of a picture `factor` times as wide and high. A pixel is
/// the mean of factor^2: of codes weighted by their alpha, as a viewer that reduces the file would
/// make it, and of linear light; its depth is the nearest.
void supersample_reduce(const picture_planes *from, int32_t factor, const picture_planes *out);
