// SPDX-License-Identifier: MIT
/// A zt_image, or a plane of numbers -> a PNG file in memory.
#pragma once

#include "image/picture_planes.h"
#include "image/png_bands.h"

/// png_encode() with the key of a frame, unless `key` is NULL (png_text.h).
zt_result png_encode_keyed(const zt_image *image, zt_png_mode mode, const uint64_t *key, arena *a,
                           file_bytes *out, zt_error *err);

/// Encodes `image` as an 8-bit PNG in memory of `a`: RGB when every pixel is opaque and keep_alpha
/// not set, else RGBA, with an sRGB chunk. Bytes depend on pixels and mode, those of ZT_PNG_SMALL
/// on libdeflate's version, too. Scratch memory comes from `a`: reset between pictures, it stops
/// allocating from the third on. ZT_ERR_ARGUMENT, ZT_ERR_LIMIT, ZT_ERR_MEMORY.
zt_result png_encode(const zt_image *image, zt_png_mode mode, arena *a, file_bytes *out,
                     zt_error *err);

/// The first plane of the frame that PNG files can hold; PLANE_COUNT: none.
picture_plane png_plane_of(const picture_planes *frame);
/// ZT_ERR_ARGUMENT when PNG files do not hold the plane, or not so; PLANE_COLOR stands for colours.
zt_result png_plane_check(picture_plane plane, const zt_encode_def *encoding, zt_error *err);
/// Display colours and light planes in sRGB or linear (gAMA, cHRM); data without a chunk of
/// colours: normals as half of 1 + n (nothing: 0), u and v in red and green, the rest grey, depth
/// in units (nothing: 0). Levels saturate, but numbers above 65535 are ZT_ERR_LIMIT.
zt_result png_plane_encode(const picture_planes *frame, picture_plane plane,
                           const zt_encode_def *encoding, arena *a, file_bytes *out, zt_error *err);

/// The file of a plan with all bands encoded: png_encode's by ZT_PNG_FAST, or _keyed's by its key.
zt_result png_plan_finish(const png_plan *plan, arena *a, file_bytes *out, zt_error *err);
