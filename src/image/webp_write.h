// SPDX-License-Identifier: MIT
/// A frame -> a lossless WebP file in memory.
#pragma once

#include "base/file.h"
#include "image/picture_planes.h"

enum { WEBP_SIDE_LIMIT = 16383 }; ///< 14 bits

/// The pixels as they are, RGBA or RGB, by libwebp. The bytes depend on its version too. Has the
/// key of the frame in a chunk "ZOET" (file_key.h) behind the picture, in an extended container
/// (RFC 9649, 2.7). `out` comes from `a`; as much as libwebp allocates is charged meanwhile.
/// ZT_ERR_ARGUMENT, ZT_ERR_LIMIT, ZT_ERR_MEMORY, ZT_ERR_CANCELLED.
zt_result webp_encode(const picture_planes *frame, const zt_encode_def *encoding, arena *a,
                      file_bytes *out, zt_error *err);
/// A picture_writer.known. The size of the picture is part of the key.
bool webp_key_matches(file_bytes bytes, uint64_t key, int32_t width, int32_t height);
