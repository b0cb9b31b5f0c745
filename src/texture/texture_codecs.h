// SPDX-License-Identifier: MIT
/// The decoders of texture files; see image/picture_codecs.h.
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
