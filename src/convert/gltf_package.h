// SPDX-License-Identifier: MIT
/// A glTF file in the making: JSON, one buffer that is put together of pieces, and images.
#ifndef ZT_CONVERT_GLTF_PACKAGE_H
#define ZT_CONVERT_GLTF_PACKAGE_H

#include "convert/convert.h"

typedef struct package_piece {
    const uint8_t *data;
    size_t size;
    uint64_t offset; ///< in the buffer
} package_piece;

typedef struct gltf_package {
    json_t *json; ///< borrowed; "buffers" holds buffer 0, whose byteLength is filled in
    package_piece *pieces;
    uint32_t piece_count, piece_capacity;
    uint64_t bin_size;
} gltf_package;

/// Appends bytes, which must live until the package is written, at an offset that leaves
/// `remainder` when it is divided by 8.
zt_result package_append(convert_job *job, gltf_package *p, const void *data, size_t size,
                         uint32_t remainder, uint64_t *out_offset);
/// Appends a buffer view and gives its index; `target` 0: none.
zt_result package_view(convert_job *job, gltf_package *p, const void *data, size_t size, int target,
                       json_int_t *out_view);
/// Gives each of json.images its place, in the buffer or beside the file, and writes all files.
/// Images without bytes keep what they say.
zt_result package_write(convert_job *job, gltf_package *p, const gltf_document_image *images,
                        uint32_t image_count);

#endif
