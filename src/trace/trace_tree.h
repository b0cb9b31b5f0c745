// SPDX-License-Identifier: MIT
/// Triangles -> the tree that rays search. What rays hit does not depend on how it is built.
#pragma once

#include "base/arena.h"
#include "base/jobs.h"
#include "trace/trace_loops.h"

typedef struct trace_triangle {
    float corner[3][3]; ///< in the space of the tree
    uint32_t id;        ///< not TRACE_NONE; no two are equal
} trace_triangle;

/// The building of a tree; zeros are the defaults. Others are for tests.
typedef struct trace_build_def {
    uint32_t leaf_size; ///< triangles of a leaf at most, 1 to TRACE_CHILDREN; 0: TRACE_CHILDREN
    bool middle;        ///< ranges are split at their middle, in the order of the triangles
} trace_build_def;

/// The space of a tree: the centre of these finite bounds, which floats hold, and a scale by which
/// no coordinate passes 2.
void trace_space_init(trace_scene *scene, const double low[3], const double high[3]);
/// A point of the world in the space of the tree.
void trace_space_point(const trace_scene *scene, const double world[3], float out[3]);

/// Nodes and blocks in `a`, 66 bytes a triangle, and the extent; the space is set. Triangles with a
/// coordinate that is NaN or beyond TRACE_FAR_AWAY are left out: nothing hits them. Ranges of
/// triangles are split by the surface area heuristic in bins (Wald, "On fast construction of
/// SAH-based bounding volume hierarchies", 2007) into eight at a time. Threads share the work by
/// index: the tree is always the same. `pool`: NULL: the caller does all. ZT_ERR_MEMORY,
/// ZT_ERR_LIMIT, ZT_ERR_CANCELLED.
zt_result trace_tree_build(trace_scene *scene, const trace_triangle *triangles, uint32_t count,
                           trace_build_def def, job_pool *pool, arena *a, zt_error *err);

/// Moves the triangles of a tree: as many as it has can be hit, by the ids that it was built of,
/// and the space is set. Of each, `triangles` has number first[primitive_meshlet(id)] +
/// primitive_triangle(id). False: the tree must be built anew, because other triangles can be hit,
/// or rays would pass 1.2 times the surface that they passed when it was built.
bool trace_tree_refit(trace_scene *scene, const trace_triangle *triangles, const uint32_t *first);
