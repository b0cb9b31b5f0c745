// SPDX-License-Identifier: MIT
/// The parts of the reader of glTF files, each read after those before it; see gltf.c for the
/// order.
#pragma once

#include "gltf/gltf_accessor.h"
#include "gltf/gltf_file.h"
#include "gltf/gltf_material.h"
#include "gltf/gltf_texture.h"
#include "mesh/mesh_source.h"
#include "model/model.h"

// gltf_view.c
/// The bytes of a buffer view, decoded once if compressed, and its byteStride (0: it gives none).
zt_result gltf_view_bytes(gltf_file *file, int32_t view, file_bytes *out, int64_t *out_stride);
/// The bytes of an image, or in `out_path` the name of its file; `image` is its object.
zt_result gltf_image_bytes(gltf_file *file, const json_pointer *json, const char **out_path,
                           file_bytes *out);

// gltf_buffer.c
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

// gltf_asset.c
/// Reports the extensions that the file uses or requires and that are not shown.
zt_result gltf_check_extensions(gltf_file *file);
/// Fills model->asset_info, for inspect.
zt_result gltf_read_asset_info(gltf_file *file, zt_model *model);

// gltf_image.c
/// Decodes the images of all registered textures, builds these into the model and sets their final
/// numbers in the materials.
/// With source->no_textures it leaves the indices, which say which meshes need tangents, until
/// gltf_keep_textures().
zt_result gltf_build_textures(gltf_file *file, gltf_textures *textures, gltf_materials *materials,
                              zt_model *model);

/// Numbers the textures that were made, in the order in which materials named them, and drops all
/// others from the materials.
zt_result gltf_keep_textures(gltf_file *file, gltf_textures *textures, gltf_materials *materials,
                             zt_model *model);

// gltf_material_extensions.c
/// Index of refraction, specular weight and tint, or the older specular-glossiness model.
zt_result gltf_read_reflectance(gltf_file *file, gltf_textures *textures,
                                const json_pointer *material, model_material *out);
/// The extensions over and inside a material's surface.
zt_result gltf_read_extensions(gltf_file *file, gltf_textures *textures,
                               const json_pointer *material, material_extensions *out);
/// Clamps a factor to 0..max, with a warning that calls it `what` when it was outside.
zt_result gltf_clamp_factor(gltf_log *log, const json_pointer *json, const char *what, float max,
                            float *value);
zt_result gltf_clamp_color(gltf_log *log, const json_pointer *json, const char *what, int count,
                           float max, float *color);

// gltf_meshes.c
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

// gltf_primitive.c
/// A primitive as triangles; the arrays lie in gltf_meshes.work.
typedef struct gltf_primitive {
    mesh_source mesh;  ///< without its material array
    uint32_t material; ///< of the model
    int64_t mode;      ///< GLTF_TRIANGLES and its like
    primitive_kind kind;
    uint32_t joint_limit; ///< 1 + the largest joint that has weight, 0 without skin
    // For morph targets, read once the mesh is built:
    uint8_t uv_from[2]; ///< of its material
    uint32_t target_count;
    uint32_t file_count; ///< vertices of the accessors
    uint32_t first;      ///< the file's vertices [first, first + range_count) are used
    uint32_t range_count;
    bool flat; ///< its normals are those of its triangles, also when it is morphed
} gltf_primitive;

/// Reads meshes/M/primitives/P. One that shows nothing has no triangles.
zt_result gltf_read_primitive(gltf_file *file, const gltf_materials *materials, gltf_meshes *meshes,
                              const json_pointer *primitive, gltf_primitive *out);

// gltf_influences.c
/// Reads the joints and weights of `mesh`, whose first vertex is the file's `first`.
/// `out_joint_limit`: 1 + the largest joint that has weight; unchanged when there are none.
zt_result gltf_read_influences(gltf_file *file, const gltf_meshes *meshes,
                               const json_pointer *attributes, uint32_t first,
                               uint32_t file_vertex_count, mesh_source *mesh,
                               uint32_t *out_joint_limit);

// gltf_draco.c
/// Decodes the Draco data of a primitive into meshes->decoded, which is NULL when it has none.
/// `out_skip`: it cannot be shown, which was reported.
zt_result gltf_draco_decode(gltf_file *file, gltf_meshes *meshes, const json_pointer *primitive,
                            bool *out_skip);

// gltf_mesh.c
/// Mesh k of the model is mesh k of the file, also when it shows nothing.
zt_result gltf_read_meshes(gltf_file *file, const gltf_materials *materials, gltf_meshes *meshes,
                           zt_model *model);

// gltf_node.c
typedef struct gltf_nodes {
    model_node *node; ///< [count] those of the file, parents first, then those of instances
    uint32_t count;
    int32_t *node_index; ///< [nodes of the file] index in `node`
    int32_t *shown_mesh; ///< [nodes of the file] by index in `node`: its mesh, also where instances
                         ///< show it; -1 for none
} gltf_nodes;

zt_result gltf_read_nodes(gltf_file *file, gltf_nodes *nodes);

// gltf_origin.c
/// Fills model->exact of a model that has a node far from its parent.
zt_result gltf_read_exact(gltf_file *file, const gltf_nodes *nodes, zt_model *model);

// gltf_morph.c
/// The morph targets of a mesh that has been built from the `count` primitives of `array`.
zt_result gltf_read_targets(gltf_file *file, gltf_meshes *meshes, const json_pointer *mesh,
                            const json_pointer *array, const gltf_primitive *primitives,
                            uint32_t count, model_mesh *out);
/// The weights that nodes give to the targets of their meshes, which have been read.
zt_result gltf_read_morph_weights(gltf_file *file, gltf_nodes *nodes, const zt_model *model);

// gltf_expressions.c
/// Sets model->expressions; its meshes and morph targets are known.
zt_result gltf_read_expressions(gltf_file *file, gltf_materials *materials, const gltf_nodes *nodes,
                                zt_model *model);

// gltf_vrm_animation.c
/// Expressions that a VRM animation moves, by name, and its look_node; before its clips.
zt_result gltf_read_moved_expressions(gltf_file *file, const gltf_nodes *nodes, zt_model *model);
/// Its clips move the expressions for which nodes stand.
zt_result gltf_move_expressions(gltf_file *file, const gltf_nodes *nodes, zt_model *model);

// gltf_avatar.c
/// Sets model->gaze and model->constraints.
zt_result gltf_read_avatar(gltf_file *file, const gltf_nodes *nodes, zt_model *model);

// gltf_first_person.c
/// Hides what a VRM file shows to others alone, or to its person alone; skins have been read.
zt_result gltf_read_first_person(gltf_file *file, gltf_nodes *nodes, zt_model *model);

// gltf_skin.c
/// Also checks that the skin of each node has all joints that the node's mesh refers to.
zt_result gltf_read_skins(gltf_file *file, gltf_nodes *nodes, const gltf_meshes *meshes,
                          zt_model *model);

// gltf_toon_vrm0.c
/// True when material `index` of a VRM 0 file has toon shading.
bool gltf_is_toon_vrm0(const gltf_file *file, uint32_t index);
/// Reads it; `m` has what its glTF material says.
zt_result gltf_read_toon_vrm0(gltf_file *file, gltf_textures *textures, uint32_t index,
                              model_material *m);

// gltf_humanoid.c
/// Sets model->human_bones from VRMC_vrm, otherwise from VRM; none when the file has neither.
zt_result gltf_read_humanoid(gltf_file *file, const gltf_nodes *nodes, zt_model *model);

// gltf_springs.c
/// Sets model->springs; NULL when the file has none.
zt_result gltf_read_springs(gltf_file *file, const gltf_nodes *nodes, zt_model *model);

// gltf_camera.c
zt_result gltf_read_cameras(gltf_file *file, zt_model *model);
/// A light of an unknown type is taken off the nodes that have it.
zt_result gltf_read_lights(gltf_file *file, gltf_nodes *nodes, zt_model *model);

// gltf_environment.c
/// Sets model->environment from EXT_lights_image_based of the shown scene; NULL when it has none.
/// Images that are missing or broken leave the environment out, with a warning.
zt_result gltf_read_environment(gltf_file *file, zt_model *model);

// gltf_animation.c
/// Reads all clips. Materials get moved texture transforms; animated nodes lose their matrix.
zt_result gltf_read_clips(gltf_file *file, gltf_materials *materials, gltf_nodes *nodes,
                          zt_model *model);
