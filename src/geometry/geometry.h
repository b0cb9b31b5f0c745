// SPDX-License-Identifier: MIT
/// From posed matrices to binned triangles: skins each vertex once per frame, then takes meshlets
/// through transform, clip, cull and setup into the tile lists of a view.
#ifndef ZT_GEOMETRY_GEOMETRY_H
#define ZT_GEOMETRY_GEOMETRY_H

#include "geometry/bins.h"
#include "geometry/geometry_loops.h"
#include "geometry/view.h"
#include "geometry/view_meshlet.h"
#include "model/model.h"

enum {
    SKIN_CHUNK = 1024,  ///< vertices per skinning job
    MESHLET_BATCH = 32, ///< meshlets per geometry job
};

/// One mesh placed in the frame.
typedef struct geometry_draw geometry_draw;
struct geometry_draw {
    const model_mesh *mesh;
    /// Whose posed vertices it shows: a shape of the frame, in the space of its model. `palette`
    /// and `normals` are then the one matrix that places it, world_from_model. NULL: its own.
    const geometry_draw *posed_mesh;
    const skin_matrix *palette; ///< world_from_bind; one matrix when the mesh is not skinned
    const skin_matrix *normals; ///< the same, or the matrices for normals
    uint32_t matrix_count;      ///< of `palette` and `normals`
    const skin_dual *duals;     ///< NULL: linear skinning, else [matrix_count]
    const skin_matrix *stretch, *stretch_normals; ///< before the duals; NULL: none stretches
    const morph_use *morphs;                      ///< targets that have weight
    uint32_t morph_count;
    bool skinned;
    bool mirrored;                 ///< its transform turns fronts into backs
    uint32_t first_meshlet;        ///< meshlets are numbered through the frame in scene order
    uint32_t first_material;       ///< of its model, in the frame's table
    vertex_position *position;     ///< posed, world space; filled by geometry_skin
    vertex_attributes *attributes; ///< posed
    vertex_position
        *morphed_position; ///< morphed, bind space, before skinning; NULL: the mesh's own
    vertex_attributes *morphed_attributes;
    vertex_extra *morphed_extra;     ///< NULL: the mesh's own
    bool needs_axes;                 ///< some material has normals in object space
    bool mirrored_axes;              ///< +z of those is -z of the mesh
    vertex_attributes *bind_axes[2]; ///< +x and +y as normal and tangent, +z as normal; axes.h
    vertex_attributes *axes[2];      ///< the same, posed
};

/// All draws of a frame with the memory for their posed vertices.
typedef struct geometry_frame {
    uint32_t draw_count;
    geometry_draw *draws;
    uint32_t posed_mesh_count;
    geometry_draw *posed_meshes; ///< posed once, drawn where draws place them
    uint32_t meshlet_count;
    const geometry_draw **meshlet_draw; ///< [meshlet_count]
    int64_t skin_job_count;
    struct geometry_skin_range *skin_jobs;
    uint64_t vertex_count, triangle_count;
} geometry_frame;

/// Numbers the meshlets of the draws and allocates posed vertices of all in `a`. The caller fills
/// `out` with draws and shapes, their palettes and flags, and zeroes otherwise.
zt_result geometry_frame_init(geometry_frame *out, arena *a, zt_error *err);

/// Skins vertices [first, first + count) of a draw from these positions and attributes (NULL:
/// positions only) into its own: the one place that fills a skin_job.
skin_job geometry_skin_job(const geometry_draw *draw, const vertex_position *position,
                           const vertex_attributes *attributes, size_t first, size_t count);

/// Job `index` of skin_job_count: poses a run of vertices.
void geometry_skin(const geometry_frame *frame, const geometry_loops *loops, int64_t index);

/// A view's screen-space results, by meshlet of the frame.
typedef struct geometry_view {
    const view *view;
    int32_t width, height, sample_count;
    const uint8_t *surface_flags; ///< surface_flag, by material of the frame
    view_meshlet *meshlets;       ///< [meshlet_count], filled for meshlets that may be seen
    bind_axes *axes;              ///< likewise; NULL: no draw wants axes
} geometry_view;

static inline int64_t geometry_batch_count(const geometry_frame *frame)
{
    return ((int64_t)frame->meshlet_count + MESHLET_BATCH - 1) / MESHLET_BATCH;
}

/// Batch `index`: its meshlets' triangles into `into` (the calling worker's). False when memory ran
/// out; into->arena then holds the reason.
bool geometry_draw_batch(const geometry_frame *frame, const geometry_view *gv,
                         const geometry_loops *loops, int64_t index, bins *into);

#endif
