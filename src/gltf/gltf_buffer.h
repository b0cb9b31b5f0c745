// SPDX-License-Identifier: MIT
/// Bytes of the buffers of a glTF file, and of URIs; loaded when something refers to them.
#pragma once

#include "gltf/gltf_file.h"

/// The bytes of a buffer: its byteLength.
zt_result gltf_buffer_bytes(gltf_file *file, uint32_t index, file_bytes *out);
/// The bytes that `buffer`, `byteOffset` and `byteLength` of an object name.
zt_result gltf_buffer_range(gltf_file *file, const json_pointer *object, file_bytes *out);

/// True for "data:" URIs.
bool gltf_uri_is_data(const char *uri);
/// Decodes a base64 data URI into file->scratch; a zero follows the data.
zt_result gltf_uri_decode(gltf_file *file, const json_pointer *json, const char *uri,
                          file_bytes *out);
/// A relative URI as a path, %xx decoded. Fails for absolute ones.
zt_result gltf_uri_path(gltf_file *file, const json_pointer *json, const char *uri,
                        const char **out_path);
