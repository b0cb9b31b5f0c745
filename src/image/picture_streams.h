// SPDX-License-Identifier: MIT
/// Frames -> animations and video in memory, the functions of picture_writers. APNG: a frame is a
/// PNG of the stream's size, with alpha or without. WebP: a frame is a file of webp_encode without
/// a key. Both play for ever, and each frame replaces the one before as a whole (not blended, not
/// disposed), so that a player shows its pixels. Uncompressed, for encoders: YUV4MPEG2, plain RGBA.
#pragma once

#include "base/file.h"
#include "image/picture_planes.h"

zt_result apng_begin(const picture_stream *stream, arena *a, file_bytes *out, zt_error *err);
zt_result apng_join(picture_stream *stream, file_bytes frame, arena *a, file_bytes *out,
                    zt_error *err);
zt_result apng_end(const picture_stream *stream, arena *a, file_bytes *out, zt_error *err);

/// The beginning holds the size of the file, stream->size. Durations are whole milliseconds: those
/// of all frames up to one are rounded together, so that they do not drift.
zt_result webp_animation_begin(const picture_stream *stream, arena *a, file_bytes *out,
                               zt_error *err);
zt_result webp_animation_join(picture_stream *stream, file_bytes frame, arena *a, file_bytes *out,
                              zt_error *err);

/// GIF, by giflib: pictures are kept until the end, when all colours are known. Alpha below 128 is
/// transparent, other pixels show over encoding->matte. Delays are rounded as those of WebP are.
zt_result gif_encode(const picture_planes *frame, const zt_encode_def *encoding, arena *a,
                     file_bytes *out, zt_error *err);
zt_result gif_join(picture_stream *stream, file_bytes frame, arena *a, file_bytes *out,
                   zt_error *err);
zt_result gif_end(const picture_stream *stream, arena *a, file_bytes *out, zt_error *err);

/// The header line of a YUV4MPEG2 stream: size, frame rate, progressive, square pixels, 4:4:4,
/// limited range (ffmpeg's XCOLORRANGE; there is no field for the matrix).
zt_result y4m_begin(const picture_stream *stream, arena *a, file_bytes *out, zt_error *err);
/// A frame over black as limited-range Y'CbCr planes of ITU-R BT.709.
zt_result y4m_encode(const picture_planes *frame, const zt_encode_def *encoding, arena *a,
                     file_bytes *out, zt_error *err);
/// The pixels, 4 bytes each, headerless; contiguous rows are not copied: `out` points to them.
zt_result rgba_encode(const picture_planes *frame, const zt_encode_def *encoding, arena *a,
                      file_bytes *out, zt_error *err);
