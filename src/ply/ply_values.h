// SPDX-License-Identifier: MIT
/// The values of a PLY file, whatever their encoding.
#pragma once

#include "ply/ply_header.h"

typedef struct ply_values {
    text_scan text; ///< at the next value; of binary files its `at` is a byte
    ply_encoding encoding;
    const char *line_end; ///< text: of the line of the instance that is read
    uint64_t long_lines;  ///< text: instances with more values than their element has
} ply_values;

/// Begins an instance of an element: in text the next line that is not empty.
zt_result ply_begin_instance(ply_values *v, const ply_element *element);
/// Ends it: in text, values that are left on the line are counted and not read.
void ply_end_instance(ply_values *v);
/// The next value; in text NaN for one that is not finite.
zt_result ply_read(ply_values *v, ply_type type, double *out);
/// The number of values of a list, which the file is long enough for.
zt_result ply_read_length(ply_values *v, const ply_property *property, uint32_t *out);
/// Moves over a property.
zt_result ply_skip(ply_values *v, const ply_property *property);
/// Moves over all instances of an element that nothing is read of.
zt_result ply_skip_element(ply_values *v, const ply_element *element, arena *a);
/// Fails when the file is too short for the instances that an element says it has.
zt_result ply_check_room(const ply_values *v, const ply_element *element);
