// SPDX-License-Identifier: MIT
/// Pictures drawn several times as large as they become.
#pragma once

#include "film/film_loops.h"
#include "image/picture_planes.h"

/// The set of planes that the larger picture needs for `set`: what is nearest is known by depth.
uint32_t supersample_planes(uint32_t set);

/// Fills the planes of `out` from those of a picture `factor` times as wide and high. A pixel is
/// the mean of factor^2, as that of so many more samples: of light, 8-bit colours weighted by their
/// alpha; planes of the nearest sample take the nearest of factor^2. `srgb`: of 8-bit colours.
void supersample_reduce(const picture_planes *from, int32_t factor, const film_loops *loops,
                        const film_srgb *srgb, const picture_planes *out);
