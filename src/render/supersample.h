// SPDX-License-Identifier: MIT
/// Pictures drawn several times as large as they become.
#pragma once

#include "image/picture_planes.h"

/// The set of planes that the larger picture needs for `set`: what is nearest is known by depth.
uint32_t supersample_planes(uint32_t set);

/// Fills the planes of `out` from those of a picture `factor` times as wide and high. A pixel is
/// the mean of factor^2: of codes weighted by their alpha, as a viewer that reduces the file would
/// make it, and of linear light; planes of the nearest sample take the nearest of factor^2.
void supersample_reduce(const picture_planes *from, int32_t factor, const picture_planes *out);
