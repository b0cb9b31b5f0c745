// SPDX-License-Identifier: MIT
/// Uncompressed video for encoders: YUV4MPEG2 and plain RGBA.
#pragma once

#include "base/file.h"
#include "image/picture_planes.h"

/// The header line of a YUV4MPEG2 stream: size, frame rate, progressive, square pixels, 4:4:4,
/// limited range (ffmpeg's XCOLORRANGE; there is no field for the matrix).
zt_result y4m_begin(const picture_stream *stream, arena *a, file_bytes *out, zt_error *err);
/// A frame over black as limited-range Y'CbCr planes of ITU-R BT.709.
zt_result y4m_encode(const picture_planes *frame, const zt_encode_def *encoding, arena *a,
                     file_bytes *out, zt_error *err);
/// The pixels, 4 bytes each, headerless; contiguous rows are not copied: `out` points to them.
zt_result rgba_encode(const picture_planes *frame, const zt_encode_def *encoding, arena *a,
                      file_bytes *out, zt_error *err);
