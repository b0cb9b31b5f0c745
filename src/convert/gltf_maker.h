// SPDX-License-Identifier: MIT
/// A glTF made out of a model: the inside of convert_m3d_to_gltf.
#ifndef ZT_CONVERT_GLTF_MAKER_H
#define ZT_CONVERT_GLTF_MAKER_H

#include "convert/gltf_package.h"

typedef struct gltf_maker {
    convert_job *job;
    const zt_model *model;
    gltf_package package;
    gltf_document_image *images; ///< in the order of json.images
    uint32_t image_count;
    bool failed; ///< JSON ran out of memory
} gltf_maker;

/// An array of the file, to be turned into an accessor.
typedef struct maker_array {
    const void *data;
    uint32_t count;
    const char *type; ///< "VEC3"
    uint32_t width;   ///< its components
    int component;    ///< 5126: float, 5125: uint32, 5123: uint16
    int target;       ///< 34962: vertices, 34963: indices, 0: neither
    bool bounds;      ///< min and max are wanted (floats)
} maker_array;

/// These take `value` over; a failure is kept in maker->failed.
void maker_put(gltf_maker *maker, json_t *object, const char *key, json_t *value);
void maker_append(gltf_maker *maker, json_t *array, json_t *value);
/// A text, also when it is no UTF-8.
json_t *maker_text(const char *text);
json_t *maker_floats(const float *values, uint32_t count);
/// The array `key` of the file, made when it is absent.
json_t *maker_list(gltf_maker *maker, const char *key);
zt_result maker_accessor(gltf_maker *maker, const maker_array *array, json_int_t *out);

zt_result maker_meshes(gltf_maker *maker);    // gltf_maker_mesh.c
zt_result maker_materials(gltf_maker *maker); // gltf_maker_material.c

#endif
