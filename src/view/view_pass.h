// SPDX-License-Identifier: MIT
/// One view of a frame: a camera and the triangles that it sees, tile by tile. Shadow maps and the
/// picture are views; what they do with a tile is theirs.
///
///   posed vertices --view_pass_bin--> triangles by tile --view_pass_gather--> those of a tile
#pragma once

#include "geometry/geometry.h"
#include "raster/tile.h"
#include "view/view_camera.h"

/// The inputs that views of a frame share.
typedef struct view_shared {
    const geometry_frame *geometry; ///< posed vertices
    const geometry_loops *geometry_loops;
    const raster_loops *raster_loops;
    const uint8_t *surface_flags; ///< [material of the frame], bits of surface_flag
    arena *arena;                 ///< memory of the frame
} view_shared;

typedef struct view_pass {
    const view_shared *shared;
    int32_t width, height; ///< pixels
    int32_t sample_count;
    bool depth_only;                   ///< see geometry_view
    const struct view_pass *same_view; ///< an earlier pass with the same camera, size and samples,
                                       ///< whose bins serve this one too; NULL: none
    screen_view view;
    geometry_view geometry;
    bins *bins; ///< [run_count]: the triangles of each run of meshlets
    int32_t run_count;
    int32_t tile_columns, tile_rows;
    /// Tiles that view_pass_depth has drawn, for the colour of the same tiles. Without ids the
    /// tiles are drawn again; without depths nothing reads them.
    raster_tile saved;
    bool depth_ids; ///< view_pass_depth draws ids as well
} view_pass;

/// Prepares a pass for `camera` and `run_count` runs. `shared` to `same_view` must be set.
zt_result view_pass_init(view_pass *pass, const view_camera *camera, int32_t run_count,
                         zt_error *err);

/// True when the pass has bins of its own, which view_pass_bin fills.
static inline bool view_pass_has_bins(const view_pass *pass) { return !pass->same_view; }

/// Bins the triangles of run `index` by tile, in the run's memory `a`. False: a->failed says why.
bool view_pass_bin(view_pass *pass, int32_t index, arena *a);

static inline int64_t view_pass_tile_count(const view_pass *pass)
{
    return (int64_t)pass->tile_columns * pass->tile_rows;
}

/// The pixels of tile `index`.
tile_rect view_pass_rect(const view_pass *pass, int64_t index);

/// Gathers the triangles of tile `index` from all runs, with blended ones if `layers`. Small ones
/// are not copied: the tile points to their chunks. Allocates in `a`; false when it ran out.
bool view_pass_gather(const view_pass *pass, int64_t index, bool layers, arena *a, tile_input *out);

/// Memory for `saved`, where it pays: one sample, common sizes. `depth`: also of depths.
zt_result view_pass_save_tiles(view_pass *pass, bool depth, arena *a, zt_error *err);
/// Where the visibility of a tile is drawn: into the saved ones, or `own`.
raster_tile view_pass_visibility(const view_pass *pass, int64_t index, raster_tile own);

/// Draws the depth of the opaque surfaces of tile `index`, with one sample a pixel: into `saved`,
/// or the buffers that `tile` has. Allocates in `a`, the memory of the tile. False when it ran out
/// or the work is cancelled; a->failed says why.
bool view_pass_depth(const view_pass *pass, int64_t index, raster_alpha_test alpha_test,
                     tile_buffers *tile, arena *a, tile_rect *out_rect);
