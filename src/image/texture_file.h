// SPDX-License-Identifier: MIT
/// The name of a texture in a model file -> the file on this disk -> a picture. Names come from
/// other machines, so folder, case and format may differ.
#ifndef ZT_IMAGE_TEXTURE_FILE_H
#define ZT_IMAGE_TEXTURE_FILE_H

#include "base/messages.h"
#include "image/picture_decode.h"

/// Finds the file that `name` in a file at `base_path` refers to, and reads it into `a`. Searches
/// the folder of `base_path`, its subfolder textures/ and `texture_dir` (NULL: none), with the
/// exact name first, then ignoring case; a missing .dds may be a .png or .jpg. `sink` gets a note
/// when the file is not exactly the one named. Fails with ZT_ERR_INPUT when there is none.
zt_result texture_read(arena *a, const char *base_path, const char *name, const char *texture_dir,
                       const message_sink *sink, file_bytes *out, zt_error *err);

/// texture_read(), then picture_decode().
zt_result texture_load(arena *a, const char *base_path, const char *name, const char *texture_dir,
                       picture_need need, const message_sink *sink, picture *out, zt_error *err);

#endif
