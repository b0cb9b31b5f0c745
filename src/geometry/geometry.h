// SPDX-License-Identifier: MIT
/// From joint matrices to binned triangles: poses each vertex once per frame, then takes meshlets
/// through transform, clip, cull and setup into the tile lists of a view.
#pragma once

#include "geometry/bins.h"
#include "geometry/draw.h"
#include "geometry/point_line_quads.h"
#include "geometry/posed_meshlet.h"
#include "geometry/screen_view.h"

enum {
    SKIN_CHUNK = 1024,  ///< vertices per skinning job
    MESHLET_BATCH = 32, ///< meshlets per geometry job
};

/// All draws of a frame with the memory for their posed vertices.
typedef struct geometry_frame {
    uint32_t draw_count;
    geometry_draw *draws;
    uint32_t posed_mesh_count;
    geometry_draw *posed_meshes; ///< posed once in model space, shown by any number of draws
    uint32_t meshlet_count;
    const geometry_draw **meshlet_draw; ///< [meshlet_count]
    posed_meshlet *meshlets;            ///< [meshlet_count]
    int64_t skin_job_count;
    struct geometry_skin_range *skin_jobs;
    uint64_t vertex_count, triangle_count;
    uint64_t cloud; ///< points that are all there is of a bare model; 0: there is more
} geometry_frame;

/// Numbers the meshlets of the draws, allocates posed vertices of all that have none in `vertices`,
/// and lists the posed meshlets. The caller fills `out` with draws and posed meshes, their palettes
/// and flags, and zeroes otherwise. Fails with ZT_ERR_LIMIT (too many meshlets or triangles) or
/// ZT_ERR_MEMORY.
zt_result geometry_frame_init(geometry_frame *out, arena *vertices, arena *a, zt_error *err);

/// Before geometry_frame_init: the draws have positions alone, and outlines are their meshes.
void geometry_positions_only(geometry_frame *frame);

/// Like geometry_frame_init, for positions alone, in `a`: neither meshlets nor attributes, axes or
/// hulls of outlines.
zt_result geometry_positions_init(geometry_frame *out, arena *a, zt_error *err);

/// Job `index` of skin_job_count: poses a run of vertices. Jobs may run in any order.
void geometry_skin(const geometry_frame *frame, const geometry_loops *loops, int64_t index);

/// A view's screen-space results, by meshlet of the frame.
typedef struct geometry_view {
    const screen_view *view;
    int32_t width, height, sample_count;
    bool depth_only;          ///< a view of light: only surfaces with an alpha have ids
    point_line_widths widths; ///< unused in views of depth only, which points and lines are not in
    const uint8_t *surface_flags;      ///< surface_flag, by material of the frame
    homogeneous_vertices *homogeneous; ///< [meshlet_count], set for meshlets that may be visible
} geometry_view;

static inline int64_t geometry_batch_count(const geometry_frame *frame)
{
    return ((int64_t)frame->meshlet_count + MESHLET_BATCH - 1) / MESHLET_BATCH;
}

/// Adds the triangles of the meshlets of batch `index` to `into`, the bins of the calling worker.
/// False when memory ran out; into->arena then holds the reason.
bool geometry_draw_batch(const geometry_frame *frame, const geometry_view *gv,
                         const geometry_loops *loops, int64_t index, bins *into);
