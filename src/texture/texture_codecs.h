// SPDX-License-Identifier: MIT
/// The decoders of texture files (see image/picture_codecs.h), and of any picture file: its first
/// bytes decide the format, never the name.
#pragma once

#include "image/picture.h"

/// BMP of any depth, plain or run-length coded.
zt_result bmp_decode(arena *a, const char *name, file_bytes bytes, picture *out, zt_error *err);

/// TGA of any depth, plain or run-length coded.
zt_result tga_decode(arena *a, const char *name, file_bytes bytes, picture *out, zt_error *err);

/// DDS with all its mip levels; of an array or a cube map the first slice.
zt_result dds_decode(arena *a, const char *name, file_bytes bytes, picture *out, zt_error *err);

/// KTX2: starts at a smaller level as far as `need` allows; of arrays and cubes the first image.
zt_result ktx2_decode(arena *a, const char *name, file_bytes bytes, picture_need need, picture *out,
                      zt_error *err);

/// Decodes a picture into `a`, its format by the first bytes; `name` is for messages. As far as
/// picture_reduction() allows, it may be reduced, or out->skip says how many levels a chain may
/// leave out. ZT_ERR_FORMAT, ZT_ERR_LIMIT above PICTURE_SIDE_LIMIT, ZT_ERR_MEMORY.
zt_result picture_decode(arena *a, const char *name, file_bytes bytes, picture_need need,
                         picture *out, zt_error *err);

/// Reads size and codec from the header; out->level_count is 0. Returns false without a valid
/// header or when a side is out of range: picture_decode() then reports what is wrong.
bool picture_measure(file_bytes bytes, picture *out);
