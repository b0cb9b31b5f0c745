// SPDX-License-Identifier: MIT
/// Morph targets as a model stores them and the kernels read them: differences from the mesh, and
/// of these only the groups of four neighbouring vertices in which something differs from 0.
#pragma once

#include "base/arena.h"
#include "mesh/vertex.h"

enum { MORPH_GROUP = 4 };

/// Differences in one array of a mesh's vertices; bind space.
typedef struct morph_part {
    uint32_t group_count;
    const uint32_t *group; ///< [group_count] vertices 4 group .. 4 group + 3, rising
    const float *delta;    ///< [group_count][4 vertices][floats of a vertex], 64-byte aligned
} morph_part;

typedef struct morph_target {
    morph_part position;   ///< 4 floats a vertex, as vertex_position; the fourth is 0
    morph_part attributes; ///< 8, as vertex_attributes: of the target's unit normals and tangents
    morph_part extra;      ///< 8, as vertex_extra
} morph_target;

/// Weights beyond this, which no picture needs, are refused or limited.
#define MORPH_WEIGHT_MAX 1e6f

/// A target with its weight, which may be any real number.
typedef struct morph_use {
    const morph_target *target;
    float weight;
} morph_use;

/// The first of the groups that is not below `group`: for the part of a run of vertices.
static inline uint32_t morph_find_group(const morph_part *part, uint32_t group)
{
    uint32_t low = 0, high = part->group_count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (part->group[middle] < group)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/// Keeps the groups of vertices in which something differs from 0. `dense` holds `width` floats for
/// each of pad16(vertex_count) vertices, zeros after the last.
zt_result morph_part_build(arena *keep, const float *dense, uint32_t vertex_count, size_t width,
                           morph_part *out, zt_error *err);
