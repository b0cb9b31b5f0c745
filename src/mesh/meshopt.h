// SPDX-License-Identifier: MIT
/// Bitstreams and filters of EXT_meshopt_compression and KHR_meshopt_compression, bytes to bytes.
/// Version 0 and indices are the library's (libmeshoptimizer 0.18, integers only); attributes of
/// version 1 and filters are ours. Reference: KHR_meshopt_compression, appendices A and B.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum meshopt_mode { MESHOPT_ATTRIBUTES, MESHOPT_TRIANGLES, MESHOPT_INDICES } meshopt_mode;

typedef enum meshopt_filter {
    MESHOPT_NONE,
    MESHOPT_OCTAHEDRAL,
    MESHOPT_QUATERNION,
    MESHOPT_EXPONENTIAL,
    MESHOPT_COLOR
} meshopt_filter;

/// `count` elements of `stride` bytes.
typedef struct meshopt_layout {
    meshopt_mode mode;
    meshopt_filter filter;
    size_t count, stride;
} meshopt_layout;

/// True when stride, count and filter are such as the extension allows together.
bool meshopt_layout_valid(const meshopt_layout *layout);
/// The size of the smallest stream for the elements: check it before allocating memory for them.
size_t meshopt_min_size(const meshopt_layout *layout);
/// Decodes a stream of a valid layout, without its filter, into count * stride bytes. False when it
/// is not such a stream, ends early or is too long.
bool meshopt_decode(const meshopt_layout *layout, const uint8_t *data, size_t size, void *out);
/// Applies the filter of a valid layout in place. Values that no encoder writes give any value.
void meshopt_unfilter(const meshopt_layout *layout, void *elements);

/// Attributes of version 1 (the header byte is 0xa1); meshopt_decode() distinguishes the versions.
bool meshopt_attributes_1(const uint8_t *data, size_t size, size_t count, size_t stride, void *out);
