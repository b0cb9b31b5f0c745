// SPDX-License-Identifier: MIT
/// A frame -> a lossless WebP, a JPEG, an OpenEXR or a NumPy file, in memory. `out` comes from
/// `a`; as much as the library allocates is charged meanwhile. ZT_ERR_ARGUMENT, ZT_ERR_LIMIT,
/// ZT_ERR_MEMORY. Files have the key of their frame (file_key.h).
#pragma once

#include "base/file.h"
#include "image/picture_planes.h"

enum { WEBP_SIDE_LIMIT = 16383 }; ///< 14 bits

/// The pixels as they are, RGBA or RGB, by libwebp. The bytes depend on its version too. The key is
/// in a chunk "ZOET" behind the picture, in an extended container (RFC 9649, 2.7).
/// ZT_ERR_CANCELLED.
zt_result webp_encode(const picture_planes *frame, const zt_encode_def *encoding, arena *a,
                      file_bytes *out, zt_error *err);

/// A baseline JPEG by libjpeg: YCbCr 4:4:4 with the accurate integer DCT, so that every build of
/// a version gives the same bytes, at encoding->jpeg_quality. Alpha is put over black. The key is
/// in a comment.
zt_result jpeg_encode(const picture_planes *frame, const zt_encode_def *encoding, arena *a,
                      file_bytes *out, zt_error *err);

/// All planes whose channels have names: half for light, UINT for whole numbers, else float. What
/// exceeds a half becomes 65504. The key and encoding->texts are attributes. ZT_ERR_CANCELLED.
zt_result exr_planes_encode(const picture_planes *frame, const zt_encode_def *encoding, arena *a,
                            file_bytes *out, zt_error *err);

/// All planes, each an array [height][width][channels] of 32-bit numbers, and colours of 8 bits, of
/// bytes. No key, no text. ZT_ERR_CANCELLED.
zt_result npz_encode(const picture_planes *frame, const zt_encode_def *encoding, arena *a,
                     file_bytes *out, zt_error *err);

/// Each a picture_writer.known. The size of the picture is part of the key.
bool webp_key_matches(file_bytes bytes, uint64_t key, int32_t width, int32_t height);
bool exr_key_matches(file_bytes bytes, uint64_t key, int32_t width, int32_t height);
bool jpeg_key_matches(file_bytes bytes, uint64_t key, int32_t width, int32_t height);
