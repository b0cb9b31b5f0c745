// SPDX-License-Identifier: MIT
/// Builds a glTF file from a zt_model: JSON values, accessors and images are added one by one, then
/// gltf_package_write() writes the file. The calls that add JSON do not return an error: a failure,
/// which can only be a lack of memory, is kept in builder->failed for one check at the end.
#ifndef ZT_CONVERT_GLTF_BUILDER_H
#define ZT_CONVERT_GLTF_BUILDER_H

#include "convert/gltf_package.h"

typedef struct gltf_builder {
    convert_job *job;
    const zt_model *model;
    gltf_package package;
    gltf_document_image *images; ///< in the order of the "images" array of the JSON
    uint32_t image_count;
    bool failed; ///< a JSON value could not be allocated
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

/// Both take ownership of `value`; NULL counts as a failure.
void gltf_builder_put(gltf_builder *builder, json_t *object, const char *key, json_t *value);
void gltf_builder_append(gltf_builder *builder, json_t *array, json_t *value);
/// A JSON string; bytes that are not UTF-8 become '?'.
json_t *gltf_builder_text(const char *text);
json_t *gltf_builder_floats(const float *values, uint32_t count);
/// The array `key` at the root of the JSON, created when it is absent.
json_t *gltf_builder_root_array(gltf_builder *builder, const char *key);
/// Adds a buffer view and an accessor; `out` is the index of the accessor.
zt_result gltf_builder_add_accessor(gltf_builder *builder, const accessor_data *array,
                                    json_int_t *out);

#endif
