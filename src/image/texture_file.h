// SPDX-License-Identifier: MIT
/// Textures in files: from the name in a model to a picture in memory.
#ifndef ZT_IMAGE_TEXTURE_FILE_H
#define ZT_IMAGE_TEXTURE_FILE_H

#include "base/messages.h"
#include "image/picture.h"

/// Finds and decodes the picture `name` that a file at `base_path` names: beside it, in textures/,
/// in `texture_dir`; without regard to case; .dds falls back to .png or .jpg of the same stem. Each
/// detour is noted in `sink`. ZT_ERR_INPUT when there is none. Decodes as texture_decode() does.
zt_result texture_find(arena *a, const char *base_path, const char *name, const char *texture_dir,
                       picture_need need, const message_sink *sink, picture *out, zt_error *err);
/// The same, but only reads the file.
zt_result texture_read(arena *a, const char *base_path, const char *name, const char *texture_dir,
                       const message_sink *sink, file_bytes *out, zt_error *err);
/// Size and codec of a picture from its header, without levels; false when there is no such header,
/// or a size out of range: decoding it then tells what is wrong.
bool texture_measure(file_bytes bytes, picture *out);
/// Decodes PNG, JPEG, WebP, KTX2 or DDS by content, or says by out->skip that mip chains may begin
/// at a smaller level, as picture_reduction() allows with `need`.
zt_result texture_decode(arena *a, const char *name, file_bytes bytes, picture_need need,
                         picture *out, zt_error *err);

zt_result dds_decode(arena *a, const char *name, file_bytes bytes, picture *out, zt_error *err);
/// KTX2; begins at a smaller mip level of the file as far as `need` allows.
zt_result ktx2_decode(arena *a, const char *name, file_bytes bytes, picture_need need, picture *out,
                      zt_error *err);
/// True when the first bytes are those of a KTX2.
bool ktx2_is(file_bytes bytes);

#endif
