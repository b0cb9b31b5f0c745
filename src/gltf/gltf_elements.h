// SPDX-License-Identifier: MIT
/// Elements of an accessor in memory, and the loops that turn them into floats and integers.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum gltf_component {
    GLTF_I8 = 5120,
    GLTF_U8 = 5121,
    GLTF_I16 = 5122,
    GLTF_U16 = 5123,
    GLTF_U32 = 5125,
    GLTF_F32 = 5126,
} gltf_component;

/// Elements in memory, all of them proven to lie inside their buffer.
typedef struct gltf_elements {
    const uint8_t *data; ///< NULL: zeros
    size_t stride;       ///< bytes from an element to the next
    gltf_component component;
    bool normalized;
    uint32_t rows, columns; ///< a vector has one column
    uint32_t column_stride; ///< bytes: columns of matrices start at multiples of 4
} gltf_elements;

/// Bytes of a component.
uint32_t gltf_component_size(gltf_component component);

/// No checks. Component c of element i goes to out[i * stride + c].
void gltf_convert_floats(const gltf_elements *e, size_t first, size_t count, float *out,
                         size_t stride);
/// The same for unsigned components, without gaps.
void gltf_convert_uints(const gltf_elements *e, size_t first, size_t count, uint32_t *out);
