// SPDX-License-Identifier: MIT
/// See meshopt.h: what is allowed, and which decoder reads it.
#include "mesh/meshopt.h"

#include <meshoptimizer.h>

// Of a stream: header and the smallest tail. Attributes take at least 2 bits for 4 x 256 values of
// a block (version 1; a whole element of a block then takes a quarter of its bytes), triangles and
// indices a byte each.
enum { BLOCK_ELEMENTS = 256, ATTRIBUTE_STRIDE_LIMIT = 256 };

static bool filter_fits(const meshopt_layout *l)
{
    switch (l->filter) {
    case MESHOPT_NONE:
        return true;
    case MESHOPT_OCTAHEDRAL:
    case MESHOPT_COLOR:
        return l->stride == 4 || l->stride == 8;
    case MESHOPT_QUATERNION:
        return l->stride == 8;
    case MESHOPT_EXPONENTIAL:
        return l->stride % 4 == 0;
    }
    return false;
}

bool meshopt_layout_valid(const meshopt_layout *l)
{
    if (l->mode == MESHOPT_ATTRIBUTES)
        return l->stride >= 4 && l->stride <= ATTRIBUTE_STRIDE_LIMIT && l->stride % 4 == 0 &&
               filter_fits(l);
    return (l->stride == 2 || l->stride == 4) && l->filter == MESHOPT_NONE &&
           (l->mode != MESHOPT_TRIANGLES || l->count % 3 == 0);
}

size_t meshopt_least_size(const meshopt_layout *l)
{
    if (l->mode == MESHOPT_ATTRIBUTES)
        return 1 + l->count / BLOCK_ELEMENTS * (l->stride / 4) + l->stride;
    return l->mode == MESHOPT_TRIANGLES ? 1 + l->count / 3 + 16 : 1 + l->count + 4;
}

bool meshopt_decode(const meshopt_layout *l, const uint8_t *data, size_t size, void *out)
{
    if (size < meshopt_least_size(l))
        return false;
    switch (l->mode) {
    case MESHOPT_ATTRIBUTES:
        return data[0] == 0xa1
                   ? meshopt_attributes_1(data, size, l->count, l->stride, out)
                   : meshopt_decodeVertexBuffer(out, l->count, l->stride, data, size) == 0;
    case MESHOPT_TRIANGLES:
        return meshopt_decodeIndexBuffer(out, l->count, l->stride, data, size) == 0;
    case MESHOPT_INDICES:
        return meshopt_decodeIndexSequence(out, l->count, l->stride, data, size) == 0;
    }
    return false;
}
