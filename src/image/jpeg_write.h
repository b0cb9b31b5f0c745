// SPDX-License-Identifier: MIT
/// A frame -> a JPEG file in memory.
#pragma once

#include "base/file.h"
#include "image/picture_planes.h"

/// A baseline JPEG by libjpeg: YCbCr 4:4:4 with the accurate integer DCT, so that every build of
/// a version gives the same bytes, at encoding->jpeg_quality. Alpha is put over black. The frame's
/// key is in a comment (file_key.h). `out` and memory come from `a`; libjpeg's own is charged.
/// ZT_ERR_ARGUMENT, ZT_ERR_LIMIT, ZT_ERR_MEMORY.
zt_result jpeg_encode(const picture_planes *frame, const zt_encode_def *encoding, arena *a,
                      file_bytes *out, zt_error *err);
/// A picture_writer.known. The size of the picture is part of the key.
bool jpeg_key_matches(file_bytes bytes, uint64_t key, int32_t width, int32_t height);
