// SPDX-License-Identifier: MIT
/// KHR_animation_pointer: what the pointers of animations lead to.
#pragma once

#include "base/hash.h"
#include "gltf/gltf_material.h"

/// The properties that clips move, each once.
typedef struct gltf_properties {
    model_property *property; ///< room for MODEL_PROPERTY_LIMIT once there is one, NULL before
    uint32_t *moved_by;       ///< 1 + the clip that last moved each
    uint32_t count;
    hash_table slots;
} gltf_properties;

/// The target of a channel of an animation: a node of the file, or properties of the model.
typedef struct gltf_target {
    int32_t node; ///< -1: none
    model_path path;
    uint32_t property_count, property[GLTF_MATERIAL_USES];
} gltf_target;

/// The target of KHR_animation_pointer; no node and no properties: not movable, as reported.
/// `node_index`: of the nodes of the file among those of the model.
zt_result gltf_read_pointer(gltf_file *file, const int32_t *node_index, gltf_materials *materials,
                            gltf_properties *properties, const json_pointer *target,
                            gltf_target *out);
