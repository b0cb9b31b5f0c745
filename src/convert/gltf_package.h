// SPDX-License-Identifier: MIT
/// JSON, pieces of one buffer and images -> a .glb file, or a .gltf file with side files. Pieces
/// are not copied: their bytes must live until gltf_package_write().
#pragma once

#include "convert/convert_job.h"
#include "gltf/gltf_document.h"

typedef struct package_piece {
    const uint8_t *data;
    size_t size;
    uint64_t offset; ///< in the buffer
} package_piece;

typedef struct gltf_package {
    json_value *json;    ///< borrowed; the byteLength of buffer 0 is filled in when it is written
    json_builder values; ///< of what is added to it
    package_piece *pieces;
    uint32_t piece_count, piece_capacity;
    uint64_t bin_size; ///< of buffer 0
} gltf_package;

/// Appends bytes to buffer 0 at an offset that is `remainder` modulo 8.
zt_result gltf_package_append(convert_job *job, gltf_package *p, const void *data, size_t size,
                              uint32_t remainder, uint64_t *out_offset);
/// The array `key` at the root of the JSON, created when it is absent.
json_value *gltf_package_array(gltf_package *p, const char *key);
/// Appends bytes and a buffer view of them; `out_view` is its index. `target` 0: none.
zt_result gltf_package_add_view(convert_job *job, gltf_package *p, const void *data, size_t size,
                                int target, int64_t *out_view);
/// Stores images in the buffer (.glb) or side files (.gltf) and writes all; others keep their JSON.
zt_result gltf_package_write(convert_job *job, gltf_package *p, const gltf_document_image *images,
                             uint32_t image_count);

// gltf_to_gltf.c
/// Appends what the buffer views of a file cover to buffer 0 of the package, whose JSON becomes
/// that of the document: its views refer to that buffer, and those of images are gone. Buffers
/// without data come after it. `drop_unused`: so are views that nothing refers to.
zt_result gltf_repack(convert_job *job, const gltf_document *document, bool drop_unused,
                      gltf_package *package);
