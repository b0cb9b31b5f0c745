// SPDX-License-Identifier: MIT
/// Where objects of a glTF file name others by index, except scenes, nodes, skins and animations.
#pragma once

#include "json/json.h"

typedef enum gltf_index_kind {
    GLTF_INDEX_ACCESSOR,
    GLTF_INDEX_VIEW,
    GLTF_INDEX_BUFFER,
    GLTF_INDEX_TEXTURE,
    GLTF_INDEX_SAMPLER,
    GLTF_INDEX_IMAGE,
    GLTF_INDEX_MATERIAL,
    GLTF_INDEX_VARIANT,
    GLTF_INDEX_KINDS
} gltf_index_kind;

typedef void gltf_index_visit(void *user, gltf_index_kind kind, json_value *index);

/// Calls `visit` for each number that is an index.
void gltf_each_index(json_value *root, gltf_index_visit *visit, void *user);
/// The same below the entries of "meshes".
void gltf_each_mesh_index(json_value *root, gltf_index_visit *visit, void *user);
/// The same of buffer views alone.
void gltf_each_view_index(json_value *root, gltf_index_visit *visit, void *user);
/// Gives an index another value.
void gltf_index_set(json_value *index, int64_t value);
