// SPDX-License-Identifier: MIT
/// Code that the files which read meshes share.
#pragma once

#include "gltf/gltf_accessor.h"

typedef struct gltf_meshes {
    arena *work;                 ///< reset from mesh to mesh
    uint32_t *joint_limit;       ///< [meshes] 1 + the largest joint that has weight
    const gltf_decoded *decoded; ///< the compressed data of the primitive being read, or NULL
    uint64_t vertex_total;
    uint32_t triangle_total; ///< with lines and points
    uint32_t line_total, point_total;
    uint64_t morph_total; ///< vertices times targets
    uint64_t morph_reads; ///< the same with vertices of the file that no triangle uses
    uint64_t reads;       ///< vertices of the file, again for each primitive that reads them
} gltf_meshes;
