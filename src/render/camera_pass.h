// SPDX-License-Identifier: MIT
/// The view of a camera and the planes that it fills: those of the picture, or the picture behind
/// glass.
///
///   triangles of a tile --raster--> samples, fragments --shade, film--> planes
#pragma once

#include "kernels/kernels.h"
#include "render/frame_stats.h"
#include "render/frame_workers.h"
#include "render/ground.h"
#include "view/view_pass.h"

/// State that the passes of a camera share.
typedef struct camera_shared {
    const kernel_table *kernels;
    const film_srgb *srgb;
    bool hash_stages;
    bool even_samples; ///< see tile_buffers
} camera_shared;

typedef struct camera_pass {
    view_pass view;
    const camera_shared *shared;
    picture_planes target;        ///< without a plane that needs materials nothing is shaded
    const behind_picture *behind; ///< filled instead of the planes of the target, by opaque
                                  ///< surfaces, and by blended ones behind glass if
                                  ///< film.draws_behind; NULL: none
    bool in_camera;               ///< positions and normals are in the space of the camera, by
    double space_rows[3][4];      ///< these rows
    shade_frame shade;            ///< materials and lights, seen by this view
    film_settings film;           ///< settings of the plane for colour
    const frame_ground *ground;   ///< that is black; NULL: none
    uint32_t ground_id;           ///< id of its first triangle; no other one has a higher id
    tile_hashes hashes;           ///< if shared->hash_stages
} camera_pass;

/// Prepares a pass; all but view.bins and what belongs to the camera must be set.
zt_result camera_pass_init(camera_pass *pass, const view_camera *camera, int32_t run_count,
                           zt_error *err);

/// Draws tile `index`'s depth for occlusion into `out_tile`. False: worker->tile_arena.failed.
bool camera_pass_depth(const camera_pass *pass, int64_t index, render_worker *worker,
                       tile_buffers *out_tile, tile_rect *out_rect);

/// Fills tile `index` in all planes of the target. False: worker->tile_arena.failed says why.
bool camera_pass_tile(camera_pass *pass, int64_t index, render_worker *worker);
