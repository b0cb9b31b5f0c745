// SPDX-License-Identifier: MIT
/// The decoders of picture files, one format each. All decode from memory into `a`, row 0 on top;
/// `name` is for messages. They fail with ZT_ERR_FORMAT, with ZT_ERR_LIMIT above
/// PICTURE_SIDE_LIMIT, and with ZT_ERR_MEMORY or ZT_ERR_LIMIT when the budget of the arena is
/// spent.
#pragma once

#include "image/picture.h"

/// PNG: every colour type and depth, without gamma.
zt_result png_decode(arena *a, const char *name, file_bytes bytes, picture *out, zt_error *err);

/// The same as 8-bit RGBA in a picture of its own within `whole`, for zt_image_finish.
zt_result png_decode_image(arena *a, const char *name, file_bytes bytes, zt_budget *whole,
                           zt_image *out_image, zt_error *err);

/// JPEG: grey, YCbCr, RGB, CMYK; accurate integer IDCT and fancy upsampling, so that every build
/// gives the same bytes. Decodes at a half, a quarter or an eighth of the size as far as
/// picture_reduction() allows and both sides can be divided; out->skip is the rest of the
/// reduction.
zt_result jpeg_decode(arena *a, const char *name, file_bytes bytes, picture_need need, picture *out,
                      zt_error *err);

/// WebP: lossy and lossless, never animated; always at full size.
zt_result webp_decode(arena *a, const char *name, file_bytes bytes, picture *out, zt_error *err);
