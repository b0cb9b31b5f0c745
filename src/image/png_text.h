// SPDX-License-Identifier: MIT
/// Texts of PNG files: tEXt chunks of keyword and Latin-1 letters (PNG, second edition, 11.3.4.3).
#pragma once

#include "base/file.h"

/// The text by which the file of a frame proves itself: XMP of an even length, whose property
/// zoetrope:picture is JSON: version, scene (a hash, as in the key of a frame), frame, time (of the
/// shot in seconds), pixels (hash_pixel_rows), planes (names with commas; NULL: colours of 8 bits);
/// with settings also those. NULL: a def that zt_scene_frame_origin() has not filled.
zt_result picture_xmp_make(uint64_t pixels, const char *planes, const zt_encode_def *def, arena *a,
                           const char **out, zt_error *err);
/// Adds it to a PNG file that this library wrote, and the texts of the def. `png` then lives in
/// `a`.
zt_result png_texts_add(uint64_t pixels, const char *plane, const zt_encode_def *def, arena *a,
                        file_bytes *png, zt_error *err);
/// Puts texts in front of the pixels of a PNG file that this library wrote. `out` lives in `a`.
/// ZT_ERR_ARGUMENT for a keyword that is not of 1 to 79 bytes, ZT_ERR_MEMORY, ZT_ERR_LIMIT.
zt_result png_text_insert(file_bytes png, const zt_picture_text *texts, int32_t count, arena *a,
                          file_bytes *out, zt_error *err);

/// A frame's key in its PNG, by which a later run knows it: the text "Zoetrope", 16 hex digits.
enum { PNG_KEY_CHUNK_BYTES = 12 + 9 + 16 };

/// Writes the chunk; returns its end.
uint8_t *png_key_write(uint64_t key, uint8_t *out);

/// True when `bytes` are a whole PNG (all its chunks with right checksums, to the end) of this size
/// with this key. The compressed pixels are covered by the checksums and not read.
bool png_key_matches(file_bytes bytes, uint64_t key, int32_t width, int32_t height);
