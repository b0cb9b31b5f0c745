// SPDX-License-Identifier: MIT
/// A glTF file of model files: of each all but scenes, nodes, skins and animations, which the
/// caller builds. A glTF file is copied but for data of only those; other models are written anew.
#pragma once

#include "convert/gltf_model_parts.h"

typedef struct gltf_assembly {
    gltf_builder builder; ///< of the file; its model is that of the part that is looked at
    uint32_t image_capacity;
    uint32_t part_count;
    json_value *used, *required; ///< names of extensions of the parts
    json_value *copyrights;
} gltf_assembly;

/// A model file in it.
typedef struct gltf_part {
    const zt_model *model;
    gltf_firsts firsts; ///< -1 where it has none; without nodes and skins
    int64_t first_material;
    const int64_t *bind_accessor; ///< [skin_count]
} gltf_part;

zt_result gltf_assembly_begin(gltf_assembly *assembly, convert_job *job);
/// Adds the parts of a model. `source`: its file, with bytes; job->source becomes it.
zt_result gltf_assembly_add(gltf_assembly *assembly, const model_source *source,
                            const zt_model *model, gltf_part *out);
/// Names an extension that the caller uses.
void gltf_assembly_use(gltf_assembly *assembly, const char *extension);
/// Writes the files.
zt_result gltf_assembly_write(gltf_assembly *assembly);
