// SPDX-License-Identifier: MIT
/// Bytes of buffer views, plain or compressed by meshopt, and of images.
#pragma once

#include "gltf/gltf_file.h"

/// The bytes of a buffer view, decoded once if compressed, and its byteStride (0: it gives none).
zt_result gltf_view_bytes(gltf_file *file, int32_t view, file_bytes *out, int64_t *out_stride);
/// The bytes of an image, or in `out_path` the name of its file; `image` is its object.
zt_result gltf_image_bytes(gltf_file *file, const json_pointer *json, const char **out_path,
                           file_bytes *out);
