// SPDX-License-Identifier: MIT
/// Builds a glTF file from a zt_model: JSON values, accessors and images are added one by one, then
/// gltf_package_write() writes the file. The calls that add JSON do not return an error: a failure,
/// which can only be a lack of memory, is kept in package.values for one check at the end.
#pragma once

#include "convert/gltf_package.h"

typedef struct gltf_builder {
    convert_job *job;
    const zt_model *model;
    gltf_package package;
    gltf_document_image *images; ///< in the order of the "images" array of the JSON
    uint32_t image_count;
} gltf_builder;

/// Component types and buffer view targets of glTF (specification, sections 3.6.2.2 and 5.11).
enum {
    GLTF_UNSIGNED_SHORT = 5123,
    GLTF_UNSIGNED_INT = 5125,
    GLTF_FLOAT = 5126,
    GLTF_NO_TARGET = 0,
    GLTF_ARRAY_BUFFER = 34962,
    GLTF_ELEMENT_ARRAY_BUFFER = 34963,
};

/// An array in memory that becomes an accessor with a buffer view of its own.
typedef struct accessor_data {
    const void *data; ///< lives until the file is written
    uint32_t count;
    const char *type; ///< "VEC3"
    uint32_t width;   ///< components of one element
    int component;    ///< GLTF_FLOAT and the like
    int target;
    bool has_bounds; ///< write min and max (floats only)
} accessor_data;

/// Members of an object: an array of floats, and an object with the single member `inner`.
void gltf_builder_put_floats(gltf_builder *builder, json_value *object, const char *key,
                             const float *values, uint32_t count);
void gltf_builder_put_index(gltf_builder *builder, json_value *object, const char *key,
                            const char *inner, int64_t index);
/// Lists an extension as used, once.
void gltf_builder_use_extension(gltf_builder *builder, const char *name);
/// A new object at the end of the array `key` at the root, which is created when it is absent.
json_value *gltf_builder_entry(gltf_builder *builder, const char *key);
/// Adds a buffer view and an accessor; `out` is the index of the accessor.
zt_result gltf_builder_add_accessor(gltf_builder *builder, const accessor_data *array,
                                    int64_t *out);
