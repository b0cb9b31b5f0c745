// SPDX-License-Identifier: MIT
/// PNG encoding into memory.
#ifndef ZT_IMAGE_PNG_WRITE_H
#define ZT_IMAGE_PNG_WRITE_H

#include "image/png_bands.h"

/// Encodes `image` into `a` as an 8-bit PNG: RGB when every pixel is opaque and keep_alpha is not
/// set, RGBA otherwise, with an sRGB chunk and nothing that depends on time or machine. The bytes
/// depend on the pixels and the mode only, those of ZT_PNG_SMALL on the version of libdeflate too.
/// Fails with ZT_ERR_ARGUMENT, ZT_ERR_LIMIT or ZT_ERR_MEMORY. What it needs in between stays in `a`
/// too, so that an arena which is reset between pictures asks nothing of the system from the third
/// on.
zt_result png_encode(const zt_image *image, zt_png_mode mode, arena *a, file_bytes *out,
                     zt_error *err);

/// The file of a plan whose bands are all encoded: the same bytes as png_encode with ZT_PNG_FAST.
zt_result png_plan_finish(const png_plan *plan, arena *a, file_bytes *out, zt_error *err);

#endif
