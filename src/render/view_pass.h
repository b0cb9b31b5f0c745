// SPDX-License-Identifier: MIT
/// One view of a frame: a camera, the planes that it fills, and the stages that lead from posed
/// vertices, which all views share, to those planes. A frame is a list of view passes.
///
///   posed vertices --view_pass_bin--> triangles by tile --view_pass_tile--> planes
#ifndef ZT_RENDER_VIEW_PASS_H
#define ZT_RENDER_VIEW_PASS_H

#include "film/film.h"
#include "geometry/geometry.h"
#include "image/picture_planes.h"
#include "kernels/kernels.h"
#include "render/frame_stats.h"
#include "render/frame_workers.h"

/// The inputs that all passes of a frame share.
typedef struct view_shared {
    const kernel_table *kernels;
    const geometry_frame *geometry; ///< posed vertices
    const uint8_t *surface_flags;   ///< [material of the frame], bits of surface_flag
    const film_srgb *srgb;
    arena *arena; ///< of the frame
    bool hash_stages;
} view_shared;

/// Texels of shade_shadow_map.veil_*; NULL: none.
typedef struct shadow_veil {
    float *near, *far, *share;
} shadow_veil;

typedef struct view_pass {
    const view_shared *shared;
    picture_planes target;             ///< without one of PICTURE_PLANES_SHADED nothing is shaded
    const behind_picture *behind;      ///< filled instead of the planes of the target, by opaque
                                       ///< surfaces, and by blended ones behind glass if
                                       ///< film.draws_behind; NULL: none
    const struct view_pass *same_view; ///< an earlier pass with the same camera, size and samples,
                                       ///< whose bins serve this one too; NULL: none
    int32_t sample_count;
    view view;
    shade_frame shade;                  ///< materials and lights, seen by this view
    film_settings film;                 ///< of the plane for colour
    const shade_shadow_map *shadow_map; ///< the pass fills its texels and no plane; or NULL
    float *shadow_texels;               ///< texel (0, 0) of it
    int32_t *shadow_filled;             ///< its `filled`; NULL: all texels are set
    shadow_veil shadow_veil;
    geometry_view geometry;
    bins *bins; ///< [run_count]: the triangles of each run of meshlets
    int32_t run_count;
    int32_t tile_columns, tile_rows;
    raster_tile saved;  ///< what view_pass_depth drew, tile by tile, which view_pass_tile takes;
                        ///< no ids: it draws on its own; no depths: nothing reads them later
    tile_hashes hashes; ///< if shared->hash_stages
} view_pass;

/// Prepares a pass for `camera` and `run_count` runs of meshlets. `shared`, `target`,
/// `sample_count`, `shade` (materials and lights) and `film` must be set.
zt_result view_pass_init(view_pass *pass, const view_camera *camera, int32_t run_count,
                         zt_error *err);

/// True when the pass has bins of its own, which view_pass_bin fills.
static inline bool view_pass_has_bins(const view_pass *pass)
{
    return !pass->same_view;
}

/// Bins the triangles of run `index` of run_count by tile. `a` belongs to the run. False when
/// memory ran out; a->failed says why.
bool view_pass_bin(view_pass *pass, int32_t index, arena *a);

static inline int64_t view_pass_tile_count(const view_pass *pass)
{
    return (int64_t)pass->tile_columns * pass->tile_rows;
}

/// The pixels of tile `index`.
tile_rect view_pass_rect(const view_pass *pass, int64_t index);

/// Gathers the triangles of tile `index` from all runs. Small ones are not copied: the tile has
/// pointers to their chunks. Allocates in `a`; false when it ran out.
bool view_pass_gather(const view_pass *pass, int64_t index, arena *a, tile_input *out);

/// Memory for `saved`, where that is worth it: pictures of one sample a pixel and common sizes.
/// `opaque`: no surface is blended or masked, so shading does not read depths.
zt_result view_pass_save_tiles(view_pass *pass, bool opaque, arena *a, zt_error *err);

/// Draws the depth of the opaque surfaces of tile `index`, with one sample a pixel: into `saved`,
/// or the buffers of the worker. `out_tile` has them. False when memory ran out or the work is
/// cancelled; worker->tile_arena.failed says why.
bool view_pass_depth(const view_pass *pass, int64_t index, render_worker *worker,
                     tile_buffers *out_tile, tile_rect *out_rect);

/// Fills the pixels of tile `index` in all planes of the target. False when memory ran out or
/// the work is cancelled; worker->tile_arena.failed says why.
bool view_pass_tile(view_pass *pass, int64_t index, render_worker *worker);

#endif
