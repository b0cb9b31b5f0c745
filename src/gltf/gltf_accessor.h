// SPDX-License-Identifier: MIT
/// Accessors of a glTF file: opened with all checks, then read as floats or integers.
#pragma once

#include "gltf/gltf_elements.h"
#include "gltf/gltf_file.h"

typedef struct gltf_accessor {
    int32_t index; ///< for messages
    uint32_t count;
    gltf_elements base;
    uint32_t sparse_count;
    gltf_elements sparse_index, sparse_value;
} gltf_accessor;

/// An attribute that was compressed with its primitive.
typedef struct gltf_decoded_attribute {
    const char *name; ///< "POSITION"
    gltf_elements elements;
} gltf_decoded_attribute;

/// A decoded primitive: its triangles and attributes replace those of its accessors.
typedef struct gltf_decoded {
    uint32_t vertex_count, triangle_count, attribute_count;
    uint32_t *corner; ///< [3 * triangle_count], below vertex_count
    gltf_decoded_attribute *attribute;
} gltf_decoded;

/// Numbers of an element.
static inline uint32_t gltf_width(const gltf_accessor *a) { return a->base.rows * a->base.columns; }

/// An accessor's type, count and normalisation. `json`: what refers to it, for messages.
zt_result gltf_accessor_describe(gltf_file *file, const json_pointer *json, int32_t index,
                                 gltf_accessor *out);
/// Opens an accessor with all its checks.
zt_result gltf_accessor_open(gltf_file *file, const json_pointer *json, int32_t index,
                             gltf_accessor *out);
/// Opens the accessor of an attribute, which must have `width_min` to `width_max` components and at
/// least `vertex_count` elements (0: any number). `out_found` is false when the primitive does not
/// have it. `decoded` is its primitive's data where that is compressed, or NULL.
zt_result gltf_open_attribute(gltf_file *file, const gltf_decoded *decoded,
                              const json_pointer *json, uint32_t width_min, uint32_t width_max,
                              uint32_t vertex_count, gltf_accessor *out, bool *out_found);
/// True when an accessor, by its number in the JSON, lies in a buffer without uri: glTF 2.0
/// (3.6.1.2) allows one and leaves its content undefined. The first buffer of a GLB is its BIN
/// chunk instead, and a GLB that has none is cut short.
bool gltf_accessor_undefined(const gltf_file *file, const json_value *accessor);

/// Elements [first, first + count) as floats (normalised integers as the specification says),
/// `stride` floats apart. Non-finite values become 0 with one warning.
zt_result gltf_read_floats(gltf_file *file, const json_pointer *json, const gltf_accessor *a,
                           uint32_t first, uint32_t count, float *out, size_t stride);
/// The same for unsigned integers, which must be U8, U16 or U32; without gaps.
zt_result gltf_read_uints(gltf_file *file, const json_pointer *json, const gltf_accessor *a,
                          uint32_t first, uint32_t count, uint32_t *out);
