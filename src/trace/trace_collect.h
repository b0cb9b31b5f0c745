// SPDX-License-Identifier: MIT
/// A posed frame -> the triangles that rays meet, and their tree.
#pragma once

#include "geometry/geometry.h"
#include "trace/trace_tree.h"

typedef struct trace_posed {
    const geometry_frame *frame;
    const uint32_t *first; ///< [meshlet_count + 1] triangles of the meshlets before
    uint32_t meshlet_count;
    trace_scene scene;
} trace_posed;

/// A triangle in the scene, by what its planes of ids show.
typedef struct trace_place {
    const geometry_draw *draw;
    uint32_t material; ///< of the frame
    uint32_t triangle; ///< in its mesh
} trace_place;

/// The tree over all triangles whose surfaces meet light, in world space, with primitive_id() as
/// their ids; triangles with a corner that is not finite are left out. The vertices are posed.
/// `surface_flags`: by material of the frame. ZT_ERR_MEMORY, ZT_ERR_LIMIT, ZT_ERR_CANCELLED.
zt_result trace_collect(const geometry_frame *frame, const uint8_t *surface_flags, job_pool *pool,
                        arena *a, trace_posed *out, zt_error *err);
/// Makes `posed`, of an earlier frame or zeros, that of `frame`, in an arena that has nothing else.
/// Where triangles have the ids of before, their tree is refitted (trace_tree_refit); else `a` is
/// reset. A failure leaves zeros, and the caller resets `a`.
zt_result trace_follow(const geometry_frame *frame, const uint8_t *surface_flags, job_pool *pool,
                       arena *a, trace_posed *posed, zt_error *err);

/// `id`: of a hit.
trace_place trace_place_of(const trace_posed *posed, uint32_t id);
