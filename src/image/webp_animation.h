// SPDX-License-Identifier: MIT
/// Frames as lossless WebP files -> one animated WebP that plays for ever. Each frame replaces the
/// one before as a whole (not blended, not disposed), so that a player shows its pixels.
#pragma once

#include "base/file.h"
#include "image/picture_planes.h"

/// The functions of a picture_writer. The beginning holds the size of the file, stream->size. A
/// frame is a file of webp_encode without a key. Durations are whole milliseconds: those of all
/// frames up to one are rounded together, so that they do not drift.
zt_result webp_animation_begin(const picture_stream *stream, arena *a, file_bytes *out,
                               zt_error *err);
zt_result webp_animation_join(picture_stream *stream, file_bytes frame, arena *a, file_bytes *out,
                              zt_error *err);
