// SPDX-License-Identifier: MIT
/// Nodes of a glTF file.
#pragma once

#include "gltf/gltf_file.h"
#include "model/model.h"

typedef struct gltf_nodes {
    model_node *node; ///< [count] those of the file, parents first, then those of instances
    uint32_t count;
    int32_t *node_index; ///< [nodes of the file] index in `node`
    int32_t *shown_mesh; ///< [nodes of the file] by index in `node`: its mesh, also where instances
                         ///< show it; -1 for none
} gltf_nodes;

zt_result gltf_read_nodes(gltf_file *file, gltf_nodes *nodes);
