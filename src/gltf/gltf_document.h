// SPDX-License-Identifier: MIT
/// The parts of a glTF file as they are: JSON, buffers and images, for writing it again.
#pragma once

#include "json/json.h"
#include "model/model.h"
#include "model/model_source.h"
#include "texture/texture_file.h"

typedef struct gltf_document_image {
    file_bytes bytes; ///< data NULL: it is missing
    const char *name; ///< without folders and extension
} gltf_document_image;

typedef struct gltf_document {
    json_value *json;
    uint32_t buffer_count, image_count;
    file_bytes *buffers; ///< [buffer_count] byteLength bytes; data NULL: a fallback without data
    gltf_document_image *images; ///< [image_count]
} gltf_document;

/// Opens .gltf or .glb bytes; everything is allocated in `a`. The source's sink gets
/// a note for each image that was found elsewhere, and a warning for each that is missing.
zt_result gltf_document_open(const model_source *source, arena *a, gltf_document *out,
                             zt_error *err);
