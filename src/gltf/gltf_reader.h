// SPDX-License-Identifier: MIT
/// The inside of the glTF reader, shared by the gltf_*.c files and by nobody else.
///
/// The file's JSON is walked through json_place values: a value together with the way to it, kept
/// on the stack, so that a message can name the JSON pointer without any text being built before
/// there is a message. Reference: Khronos glTF 2.0 specification (ISO/IEC 12113:2022).
#ifndef ZT_GLTF_GLTF_READER_H
#define ZT_GLTF_GLTF_READER_H

#include "base/hash.h"
#include "image/texture_file.h"
#include "mesh/mesh.h"
#include "model/model.h"
#include "model/model_source.h"

#include <jansson.h>
#include <stdarg.h>

#define GLTF_JSON_DEPTH_LIMIT 512  // contract
#define GLTF_NOTE_LIMIT       256u // further notes are counted, not kept

/// A JSON value and where it stands. `value` is NULL when it is absent.
typedef struct json_place {
    const json_t *value;
    const struct json_place *parent; ///< NULL for the root
    const char *key;                 ///< NULL for an element of an array
    size_t index;
} json_place;

/// An extension's object and the `extensions` that holds it; not to be moved, since one points to
/// the other.
typedef struct json_extension {
    json_place holder, object;
} json_extension;

typedef struct gltf_buffer {
    file_bytes bytes; ///< at least the declared byteLength
    bool loaded;
} gltf_buffer;

typedef struct gltf_sampler_modes {
    model_filter mag, min;
    model_mip_filter mip;
    mipmap_wrap wrap_u, wrap_v;
} gltf_sampler_modes;

/// A texture to be made: an image seen through a sampler, for one kind of data.
typedef struct gltf_texture {
    uint32_t image;
    gltf_sampler_modes modes;
    mipmap_content content;
    bool shaded; ///< a map that is shaded shows it; else it is only measured
    const char *name;
    int32_t fallback; ///< the image that stands in when this one is missing or broken, -1 for none
    int32_t next;     ///< the next one of the same image, -1 for none
    int32_t final;    ///< index in the model once built, -1 when its image is missing or broken
    model_texture made;
} gltf_texture;

/// How the primitives of the file use a material.
typedef struct gltf_material_use {
    bool plain, colored;
    int32_t colored_index; ///< entry for primitives with colours; the material itself when no
                           ///< plain one uses it
} gltf_material_use;

/// The ways that values of keys are converted.
typedef enum gltf_value_kind {
    GLTF_VALUE_NUMBER,         ///< 1 float each
    GLTF_VALUE_PAIR,           ///< 2 floats each
    GLTF_VALUE_VECTOR,         ///< 3 floats each
    GLTF_VALUE_FOUR,           ///< 4 floats each
    GLTF_VALUE_ROTATION,       ///< 4 floats each, unit length
    GLTF_VALUE_ROTATION_CUBIC, ///< in-tangent, rotation of unit length, out-tangent
    GLTF_VALUE_KINDS
} gltf_value_kind;

/// Animation data that several samplers share, converted once per accessor.
typedef struct gltf_key_cache {
    const float *time;    ///< as scalars, rising strictly
    uint32_t time_count;  ///< keys that were kept
    uint32_t file_count;  ///< keys in the file
    const uint32_t *kept; ///< indices of the kept keys in the file, NULL when all were
    const float *value[GLTF_VALUE_KINDS];
    uint32_t value_count; ///< elements of the accessor
} gltf_key_cache;

typedef struct gltf_reader {
    const model_source *source;
    zt_model *model;
    arena *keep, *scratch;
    arena *work;    ///< reset from mesh to mesh
    job_pool *pool; ///< for loops over vertices and images; NULL: this thread alone
    zt_error *err;  ///< never NULL
    json_t *json;
    json_place root;
    file_bytes chunk; ///< BIN chunk of a GLB
    bool has_chunk, is_glb;

    // The top-level arrays; absent ones are empty.
    json_place accessors, views, buffers, nodes, meshes, skins, animations, materials, textures,
        samplers, images, cameras, scenes, lights;
    json_extension light_extension; ///< where the lights stand
    uint32_t accessor_count, view_count, buffer_count, node_count, mesh_count, skin_count,
        animation_count, material_count, texture_count, sampler_count, image_count, camera_count,
        scene_count, light_count;

    file_bytes *unpacked_view; ///< [view_count] once one was compressed; data NULL: not yet decoded
    gltf_buffer *buffer;       ///< [buffer_count], loaded when first used
    int32_t *node_index;       ///< [node_count] ours from the file's
    model_node *node;          ///< [made_nodes] ours
    bool *hidden;              ///< [node_count] ours: by KHR_node_visibility, parents included
    gltf_material_use *use;    ///< [material_count + 1], the last is the default material
    model_material *material;  ///< [2 * (material_count + 1)]
    int32_t *shown_mesh;       ///< [node_count] of a node, though it be placed many times; or -1
    uint32_t made_nodes;       ///< those of the file and those that stand for instances
    uint32_t made_materials;
    bool skip_textures;    ///< no primitive shows the material that is being read
    bool measure_textures; ///< nothing shades the map that is being read
    gltf_texture *texture;
    uint32_t made_textures, texture_capacity;
    int32_t *image_first;       ///< [image_count] head of the chain of its textures
    uint32_t *mesh_joint_limit; ///< [mesh_count] 1 + the largest joint that has weight
    gltf_key_cache *keys;       ///< [accessor_count]
    uint32_t *animated_by; ///< [4 * node_count] 1 + the clip that last animated T, R, S or weights
    model_property *property; ///< [property_count], room for MODEL_PROPERTY_LIMIT once there is one
    hash_table property_slots;
    uint32_t *property_moved_by; ///< 1 + the clip that last moved each
    uint32_t property_count;
    uint32_t variant_count;
    int32_t variant;            ///< of KHR_materials_variants, -1: the materials as they are
    struct gltf_packed *packed; ///< the compressed data of the primitive being read, NULL for none
    uint64_t vertex_total, sparse_reads;
    uint64_t zero_elements; ///< of accessors without data, each time one is opened
    uint64_t morph_total;   ///< vertices times targets
    uint32_t triangle_total;

    const char **note;
    uint32_t note_count;
} gltf_reader;

// ---- The file (gltf.c) --------------------------------------------------------------------------

/// Fills what leads to the data: the JSON, the BIN chunk and the top-level arrays.
zt_result gltf_open(gltf_reader *g);

// ---- JSON (gltf_json.c) -------------------------------------------------------------------------

/// Parses JSON text of at most GLTF_JSON_DEPTH_LIMIT levels into g->json and g->root.
zt_result gltf_json_parse(gltf_reader *g, file_bytes text);
json_place json_member(const json_place *object, const char *key);
json_place json_element(const json_place *array, size_t index);
/// "FILE:/pointer: ..." as an error.
zt_result gltf_fail(gltf_reader *g, const json_place *place, zt_result code, const char *format,
                    ...) ZT_PRINTF(4, 5);
/// The same as a warning, kept among the model's notes.
zt_result gltf_warn(gltf_reader *g, const json_place *place, const char *format, ...)
    ZT_PRINTF(3, 4);
/// A feature that is ignored or approximated: a warning and a note of the model, or under
/// `strict` ZT_ERR_UNSUPPORTED.
zt_result gltf_unsupported(gltf_reader *g, const json_place *place, const char *format, ...)
    ZT_PRINTF(3, 4);
/// The path of `place` as a JSON pointer (RFC 6901); "" for the root.
enum { JSON_POINTER_SIZE = 256 };
void json_pointer(const json_place *place, char out[JSON_POINTER_SIZE]);

// Typed getters: an absent value gives the default, a value of another type is an error.
zt_result gltf_object(gltf_reader *g, const json_place *object, const char *key, json_place *out);
zt_result gltf_array(gltf_reader *g, const json_place *object, const char *key, json_place *out,
                     uint32_t *out_count);
/// The element of an array that must be an object.
zt_result gltf_entry(gltf_reader *g, const json_place *array, size_t index, json_place *out);
/// An integer in [0, 2^53].
zt_result gltf_integer(gltf_reader *g, const json_place *value, int64_t fallback, int64_t *out);
zt_result gltf_member_integer(gltf_reader *g, const json_place *object, const char *key,
                              int64_t fallback, int64_t *out);
/// An index below `count` of the file's `what` ("node"), or -1 when it is absent.
zt_result gltf_index(gltf_reader *g, const json_place *value, uint32_t count, const char *what,
                     int32_t *out);
zt_result gltf_member_index(gltf_reader *g, const json_place *object, const char *key,
                            uint32_t count, const char *what, int32_t *out);
zt_result gltf_float(gltf_reader *g, const json_place *object, const char *key, float fallback,
                     float *out);
/// `count` floats; `out` keeps its values when the member is absent.
zt_result gltf_floats(gltf_reader *g, const json_place *object, const char *key, uint32_t count,
                      float *out);
zt_result gltf_flag(gltf_reader *g, const json_place *object, const char *key, bool fallback,
                    bool *out);
/// A string, or NULL when absent.
zt_result gltf_text(gltf_reader *g, const json_place *object, const char *key, const char **out);
/// The `name` of an object copied into the model's arena, or "".
zt_result gltf_name(gltf_reader *g, const json_place *object, const char **out);
/// Looks up `extensions`/`name`; out->object.value is NULL when there is none.
zt_result gltf_extension(gltf_reader *g, const json_place *object, const char *name,
                         json_extension *out);

// ---- Extensions (gltf_extension.c) --------------------------------------------------------------

/// Reports what extensionsUsed and extensionsRequired name and we do not show.
zt_result gltf_check_extensions(gltf_reader *g);
bool gltf_requires(const gltf_reader *g, const char *extension);

// ---- Bytes (gltf_buffer.c, gltf_uri.c) ----------------------------------------------------------

/// The bytes of a buffer view, and its byteStride (0 when it gives none).
zt_result gltf_view_bytes(gltf_reader *g, int32_t view, file_bytes *out, int64_t *out_stride);
/// The bytes that `buffer`, `byteOffset` and `byteLength` of an object name.
zt_result gltf_buffer_range(gltf_reader *g, const json_place *place, file_bytes *out);
/// The bytes of a view whose data is compressed (gltf_meshopt.c); `out_found` is false when they
/// are not.
zt_result gltf_meshopt_view(gltf_reader *g, int32_t index, const json_place *view, file_bytes *out,
                            bool *out_found);
/// The bytes of a buffer, at least its byteLength.
zt_result gltf_buffer_bytes(gltf_reader *g, uint32_t index, file_bytes *out);
/// Whether an accessor, by its number in the JSON, lies in a buffer without uri: glTF 2.0 (3.6.1.2)
/// allows one and leaves open what is in it. The first one of a GLB is its BIN chunk instead, and
/// a GLB that has none is cut short.
bool gltf_lacks_data(const gltf_reader *g, const json_t *accessor);
/// The bytes of an image, or in `out_path` the name of its file; `image` is its object.
zt_result gltf_image_bytes(gltf_reader *g, const json_place *image, const char **out_path,
                           file_bytes *out);
/// True for "data:" URIs.
bool gltf_uri_is_data(const char *uri);
/// Decodes a base64 data URI; `slack` bytes of zero follow the data.
zt_result gltf_uri_decode(gltf_reader *g, const json_place *place, const char *uri,
                          file_bytes *out);
/// A relative URI as a path: %xx decoded. NULL with a reason for absolute ones.
zt_result gltf_uri_path(gltf_reader *g, const json_place *place, const char *uri,
                        const char **out_path);

// ---- Accessors (gltf_accessor.c, gltf_convert.c) ------------------------------------------------

typedef enum gltf_component {
    GLTF_I8 = 5120,
    GLTF_U8 = 5121,
    GLTF_I16 = 5122,
    GLTF_U16 = 5123,
    GLTF_U32 = 5125,
    GLTF_F32 = 5126,
} gltf_component;

/// Elements in memory, all of them proven to lie inside the buffer.
typedef struct gltf_elements {
    const uint8_t *data; ///< NULL: zeros
    size_t stride;       ///< bytes from an element to the next
    gltf_component component;
    bool normalized;
    uint32_t rows, columns; ///< a vector has one column
    uint32_t column_stride; ///< bytes: columns of matrices start at multiples of 4
} gltf_elements;

typedef struct gltf_accessor {
    int32_t index; ///< for messages
    uint32_t count;
    gltf_elements base;
    uint32_t sparse_count;
    gltf_elements sparse_index, sparse_value;
} gltf_accessor;

/// An attribute that was compressed with its primitive.
typedef struct gltf_packed_attribute {
    const char *name; ///< "POSITION"
    gltf_elements elements;
} gltf_packed_attribute;

/// A primitive whose triangles and attributes lie in memory, not in its accessors.
typedef struct gltf_packed {
    uint32_t vertex_count, triangle_count, attribute_count;
    uint32_t *corner; ///< [3 * triangle_count], below vertex_count
    gltf_packed_attribute *attribute;
} gltf_packed;

/// Decodes the compressed data of a primitive into g->packed, which is NULL when it has none
/// (gltf_draco.c). `out_skip` when nothing of it can be shown.
zt_result gltf_unpack(gltf_reader *g, const json_place *primitive, bool *out_skip);
/// Whether an attribute of the primitive comes out of g->packed.
bool gltf_is_packed(const gltf_reader *g, const json_place *attribute, const gltf_elements **out);

uint32_t gltf_component_size(gltf_component component);
/// Type, count and normalisation of an accessor, without its data.
zt_result gltf_accessor_shape(gltf_reader *g, const json_place *place, int32_t index,
                              gltf_accessor *out);
/// Resolves an accessor with all its checks; `place` is what refers to it, for messages.
zt_result gltf_accessor_open(gltf_reader *g, const json_place *place, int32_t index,
                             gltf_accessor *out);
static inline uint32_t gltf_width(const gltf_accessor *a)
{
    return a->base.rows * a->base.columns;
}
/// Elements [first, first + count) as floats (normalised integers as the specification says),
/// `stride` floats apart. Non-finite values become 0 with one warning.
zt_result gltf_read_floats(gltf_reader *g, const json_place *place, const gltf_accessor *a,
                           uint32_t first, uint32_t count, float *out, size_t stride);
/// The same for unsigned integers, which must be U8, U16 or U32; packed.
zt_result gltf_read_uints(gltf_reader *g, const json_place *place, const gltf_accessor *a,
                          uint32_t first, uint32_t count, uint32_t *out);

/// The loops: no checks, no sparse data. Component c of element i goes to out[i * stride + c].
void gltf_convert_floats(const gltf_elements *e, size_t first, size_t count, float *out,
                         size_t stride);
void gltf_convert_uints(const gltf_elements *e, size_t first, size_t count, uint32_t *out);

// ---- Stages, in this order ----------------------------------------------------------------------

zt_result gltf_read_extras(gltf_reader *g, model_about *about); // gltf_extras.c, part of:
zt_result gltf_read_about(gltf_reader *g);                      // gltf_about.c
zt_result gltf_read_nodes(gltf_reader *g);                      // gltf_node.c
zt_result gltf_read_cameras(gltf_reader *g);                    // gltf_camera.c
zt_result gltf_read_lights(gltf_reader *g);                     // gltf_camera.c
zt_result gltf_read_materials(gltf_reader *g);                  // gltf_material.c
zt_result gltf_build_textures(gltf_reader *g);                  // gltf_image.c
zt_result gltf_read_meshes(gltf_reader *g);                     // gltf_mesh.c
zt_result gltf_read_morph_weights(gltf_reader *g);              // of nodes, gltf_morph.c
zt_result gltf_read_skins(gltf_reader *g);                      // gltf_skin.c
zt_result gltf_read_clips(gltf_reader *g);                      // gltf_animation.c

/// What a channel of an animation moves: a node of the file, or properties of the model.
typedef struct gltf_target {
    int32_t node; ///< -1: none
    model_path path;
    uint32_t property_count, property[2];
} gltf_target;

/// The target that KHR_animation_pointer names (gltf_pointer.c); neither node nor properties when
/// we cannot move it, which has been said.
zt_result gltf_read_pointer(gltf_reader *g, const json_place *target, gltf_target *out);
/// How many nodes gltf_place_instances() will add (gltf_instancing.c).
zt_result gltf_count_instances(gltf_reader *g, uint32_t *out_count);
/// Adds a child for each instance of a node's mesh, once all nodes are read.
zt_result gltf_place_instances(gltf_reader *g);
/// The material that a primitive shows, -1 for the default one (gltf_variant.c).
zt_result gltf_primitive_material(gltf_reader *g, const json_place *primitive, int32_t *out);
/// Finds the variant of materials that the caller asks for.
zt_result gltf_choose_variant(gltf_reader *g);

/// The extensions of a material's reflectance (gltf_reflectance.c).
zt_result gltf_read_reflectance(gltf_reader *g, const json_place *place, model_material *m);
/// The extensions over and inside a material's surface (gltf_layers.c).
zt_result gltf_read_layers(gltf_reader *g, const json_place *material, model_layers *out);
/// One line for each kind of layer that shown materials have.
zt_result gltf_report_layers(gltf_reader *g);
/// Clamps a factor to 0..largest, with a warning that calls it `what` when it was outside.
zt_result gltf_clamp_factor(gltf_reader *g, const json_place *place, const char *what,
                            float largest, float *value);
zt_result gltf_clamp_color(gltf_reader *g, const json_place *place, const char *what, int count,
                           float largest, float *color);

/// Registers the texture that a textureInfo names; slot->texture stays -1 when it has no image.
/// gltf_build_textures later makes it, or drops it from every material.
zt_result gltf_slot(gltf_reader *g, const json_place *material, const char *key,
                    mipmap_content content, model_slot *out, json_place *out_info);
/// The model's material for a primitive with material `index` (-1: the default material).
uint32_t gltf_material_for(gltf_reader *g, int32_t index, bool colored);

/// One primitive as triangles; the arrays lie in g->work.
typedef struct gltf_primitive {
    mesh_source mesh;     ///< without its material array
    uint32_t material;    ///< of the model
    int64_t mode;         ///< GLTF_TRIANGLES and its like
    uint32_t joint_limit; ///< 1 + the largest joint that has weight, 0 without skin
    // For morph targets, read once the mesh is built:
    uint32_t target_count;
    uint32_t file_count; ///< vertices of the accessors
    uint32_t first;      ///< the file's vertices [first, first + range_count) are used
    uint32_t range_count;
    bool flat; ///< its normals are those of its triangles, also when it is morphed
} gltf_primitive;

/// Whether a map of the material lies on the second texture coordinates.
bool gltf_uses_second_uv(const model_material *m);
/// Reads meshes/M/primitives/P (gltf_primitive.c). One that shows nothing has no triangles.
zt_result gltf_read_primitive(gltf_reader *g, const json_place *place, gltf_primitive *out);
/// Opens the accessor of an attribute, which must have `width` components and as many elements as
/// there are vertices. `out_found` is false when the primitive lacks it.
zt_result gltf_open_attribute(gltf_reader *g, const json_place *place, uint32_t width_min,
                              uint32_t width_max, uint32_t vertex_count, gltf_accessor *out,
                              bool *out_found);
/// Corners of a primitive's triangles from its indices (gltf_triangles.c): into `file_vertex_count`
/// vertices. Fills corner and triangle_count; `out_first` is the smallest index and is taken off,
/// vertex_count what lies between it and the largest.
zt_result gltf_read_triangles(gltf_reader *g, const json_place *place, uint32_t file_vertex_count,
                              mesh_source *out, uint32_t *out_first);
/// The values of a primitive's mode.
enum {
    GLTF_POINTS,
    GLTF_LINES,
    GLTF_LINE_LOOP,
    GLTF_LINE_STRIP,
    GLTF_TRIANGLES,
    GLTF_TRIANGLE_STRIP,
    GLTF_TRIANGLE_FAN
};

// Points and lines (gltf_solid.c).
enum { GLTF_POINT_TRIANGLES = 8, GLTF_LINE_TRIANGLES = 12 };
/// Points or lines that so many indices make in a mode below GLTF_TRIANGLES.
uint32_t gltf_element_count(int64_t mode, uint32_t index_count);
/// Each point or line as three corners: its first vertex, and its last one twice.
void gltf_fill_elements(int64_t mode, const uint32_t *index, uint32_t index_count,
                        uint32_t *corner);
/// Turns such corners into octahedra (`points`) or bars with vertices of their own.
zt_result gltf_make_solid(gltf_reader *g, bool points, mesh_source *mesh);

/// Gives a mesh `count` vertices: vertex i is a copy of vertex from[i]. Tangents' signs are
/// dropped; the corners are the caller's to mend.
zt_result gltf_gather(gltf_reader *g, mesh_source *mesh, const uint32_t *from, size_t count);
/// The unit normal of a triangle; +z when it has no area.
void gltf_flat_normal(const vertex_position p[3], float n[3]);
/// Flat normals: gives every corner its own vertex (gltf_triangles.c).
zt_result gltf_flatten(gltf_reader *g, mesh_source *mesh);
/// Morph targets of a mesh that has been built from `primitives` (gltf_morph.c).
zt_result gltf_read_targets(gltf_reader *g, const json_place *mesh, const json_place *array,
                            const gltf_primitive *primitives, uint32_t count, model_mesh *out);
/// Joints and weights for `p`, whose first vertex is the file's `first` (gltf_weights.c).
zt_result gltf_read_influences(gltf_reader *g, const json_place *attributes, uint32_t first,
                               uint32_t file_vertex_count, gltf_primitive *p);

#endif
