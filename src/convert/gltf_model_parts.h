// SPDX-License-Identifier: MIT
/// Parts of a zt_model -> parts of a glTF file. Materials and meshes are those of an .m3d, nodes
/// and clips those of any model. Materials come first: they decide the order of the images.
#pragma once

#include "convert/gltf_builder.h"
#include "model/model.h"

/// Textures, images and materials (gltf_material_builder.c).
zt_result gltf_build_materials(gltf_builder *builder);
/// One of them, without the extensions that `material` keeps in .extensions but its clear coat.
json_value *gltf_build_material(gltf_builder *builder, const model_material *material);
/// Meshes (gltf_mesh_builder.c).
zt_result gltf_build_meshes(gltf_builder *builder);

/// Cameras, and lights (gltf_light_builder.c).
void gltf_build_cameras(gltf_builder *builder);
void gltf_build_lights(gltf_builder *builder);
/// The list of lights of the file, which is created when it is absent.
json_value *gltf_builder_lights(gltf_builder *builder);
/// Members of a light but its name.
void gltf_put_light(gltf_builder *builder, const model_light *light, json_value *out);

/// Where the objects of a model begin in the file that is built.
typedef struct gltf_firsts {
    int64_t node, mesh, skin, camera, light;
} gltf_firsts;

/// T R S of a node, but for what is the identity (gltf_node_builder.c).
void gltf_build_transform(gltf_builder *builder, const trs *transform, json_value *node);
/// Adds the nodes of builder->model, without hidden meshes and lights. Returns the roots.
json_value *gltf_build_nodes(gltf_builder *builder, const gltf_firsts *firsts);
/// Inverse bind matrices: out_accessor[skin_count].
zt_result gltf_build_bind_matrices(gltf_builder *builder, int64_t *out_accessor);
/// Skins, with their joints from node `first_node` on. A joint that a skin has twice, which glTF
/// does not allow, is a new node at the same place the second time.
zt_result gltf_build_skins(gltf_builder *builder, int64_t first_node, const int64_t *bind_accessor);

/// A clip while it is built (gltf_clip_builder.c).
typedef struct gltf_clip {
    json_value *samplers, *channels;
    /// Arrays of key times that are accessors already. Channels may share them.
    struct gltf_times *times;
} gltf_clip;

/// Keys of a node, or with `pointer` of what that JSON pointer leads to.
typedef struct gltf_keys {
    int64_t node;
    const char *path;    ///< "translation"
    const char *pointer; ///< NULL, or for KHR_animation_pointer
    const char *curve;   ///< "STEP"; "CUBICSPLINE", with three values a key; NULL: linear
    uint32_t count;      ///< of keys
    uint32_t width;      ///< floats of a key: 3 or 4; of weights their number; of pointers 1 to 4
    const float *time_s; ///< [count], and values: these live until the file is written
    const float *value;
} gltf_keys;

/// Begins a clip. With the `times` of another one it shares its arrays.
gltf_clip gltf_clip_begin(gltf_builder *builder, struct gltf_times *times);
/// Adds a channel.
zt_result gltf_clip_add(gltf_builder *builder, gltf_clip *clip, const gltf_keys *keys);
/// Adds the clip to the file.
void gltf_clip_end(gltf_builder *builder, gltf_clip *clip, const char *name);
