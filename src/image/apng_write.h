// SPDX-License-Identifier: MIT
/// Frames as PNG files -> one animated PNG that plays for ever. Each frame replaces the one before
/// as a whole (dispose none, blend source), so that a player shows the pixels of the PNG.
#pragma once

#include "base/file.h"
#include "image/picture_planes.h"

/// The functions of a picture_writer. A frame is a PNG of the stream's size, with alpha or without.
zt_result apng_begin(const picture_stream *stream, arena *a, file_bytes *out, zt_error *err);
zt_result apng_join(picture_stream *stream, file_bytes frame, arena *a, file_bytes *out,
                    zt_error *err);
zt_result apng_end(const picture_stream *stream, arena *a, file_bytes *out, zt_error *err);
