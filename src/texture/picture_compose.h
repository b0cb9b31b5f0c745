// SPDX-License-Identifier: MIT
/// One picture of the channels of others.
#pragma once

#include "image/picture.h"

/// Where a channel comes from.
typedef struct picture_channel {
    const picture *from; ///< NULL: it is 1 everywhere
    int channel;         ///< 0 to 3: red, green, blue, alpha
} picture_channel;

/// True when a pixel of a picture is not opaque.
bool picture_is_clear(const picture *p);

/// Makes a picture of 8 bits in `a`, as wide as the widest and as high as the highest of those that
/// its channels come from, of which smaller ones are magnified without a filter. At least one has
/// a picture.
zt_result picture_compose(arena *a, const picture_channel channels[4], picture *out, zt_error *err);
