// SPDX-License-Identifier: MIT
/// Textures of models that name files -> the bytes of picture files.
#pragma once

#include "convert/convert_job.h"
#include "image/picture.h"
#include "model/model.h"

/// The file of a texture as it is; a PNG of one that is made of channels of two files, or is in a
/// format that models of ours do not refer to.
zt_result convert_texture_read(convert_job *job, const model_texture *texture, file_bytes *out);
/// Encodes level 0 of a picture as a PNG; a two-channel normal map gets its z.
zt_result convert_texture_png(convert_job *job, const picture *source, file_bytes *out);

enum { DDS_HEADER_SIZE = 128 }; ///< bytes before the pixels of level 0

/// A picture in memory -> an uncompressed DDS file: 8 bits a channel, R, G, B, A in this order,
/// with the mip levels of the picture. Nothing is lost except the low bits of 16-bit channels.
/// Allocates the file from `a`. Fails with ZT_ERR_MEMORY or ZT_ERR_LIMIT of the budget.
zt_result dds_write(arena *a, const picture *source, file_bytes *out, zt_error *err);
