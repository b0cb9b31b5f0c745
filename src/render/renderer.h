// SPDX-License-Identifier: MIT
/// The renderer's state: threads, frame memory, and what is remembered between frames. Nothing that
/// is remembered can change a pixel.
#ifndef ZT_RENDER_RENDERER_H
#define ZT_RENDER_RENDERER_H

#include "base/jobs.h"
#include "geometry/geometry.h"
#include "render/camera.h"
#include "shade/tile_shade.h"

/// One thread's memory and counters.
typedef struct render_worker {
    arena bin_arena;  ///< set-up triangles and tile lists of the frame
    arena tile_arena; ///< reset for each tile
    arena keep_arena; ///< tile and shading buffers, kept while their sizes fit
    bins bins;
    tile_buffers tile;
    shade_buffers shade;
    int32_t buffers_samples; ///< what keep_arena's buffers were made for
    uint32_t buffers_materials;
    zt_result failed;
    uint64_t stage_ns[ZT_STAGE_COUNT];
    int64_t pixels_shaded;
} render_worker;

struct zt_renderer {
    budget budget;
    job_pool *pool;
    const kernel_table *kernels;
    int32_t worker_count;
    render_worker *workers; ///< [worker_count]
    arena renderer_arena;   ///< the renderer's own tables
    arena frame_arena;
    film_srgb *srgb;
    bool hash_stages;
    atomic_bool cancelled;
    zt_stats stats;

    /// Framing of the scene rendered last; valid while the scene is the same and unedited.
    const zt_scene *framed_scene;
    uint64_t framed_stamp;
    scene_framing framing;
};

#endif
