// SPDX-License-Identifier: MIT
/// A Radiance picture (.hdr, .pic) -> linear RGB floats, finite and not negative, to be summed.
#pragma once

#include "image/hdr_picture.h"

/// Decodes RGBE or XYZE into `a`: plain, old or new run lengths, any of the eight orientations;
/// `name` is for messages. m with exponent e is m * 2^(e - 136). GAMMA is undone, then EXPOSURE and
/// COLORCORR. ZT_ERR_FORMAT with the byte's offset; ZT_ERR_LIMIT above PICTURE_SIDE_LIMIT.
zt_result hdr_decode(arena *a, const char *name, file_bytes bytes, hdr_picture *out, zt_error *err);

/// True when the first bytes are those of a Radiance picture.
bool hdr_is(file_bytes bytes);
