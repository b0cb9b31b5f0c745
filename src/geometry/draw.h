// SPDX-License-Identifier: MIT
/// One mesh in a frame, and its posed vertices: bind space -> world space by morph targets, then
/// skin. A posed mesh that several draws show is a draw as well, in the space of its model.
#pragma once

#include "base/arena.h"
#include "geometry/geometry_loops.h"
#include "model/model.h"

/// p' = ((c0 x + c1 y) + c2 z) + c3, as skinning has it.
static inline void posed_place(mat4 m, const vertex_position *p, float at[4])
{
    for (int row = 0; row < 4; row++)
        at[row] = ((m[0][row] * p->x + m[1][row] * p->y) + m[2][row] * p->z) + m[3][row];
}

/// The hull that a draw is instead of its mesh: its vertices along their normals, its back alone.
typedef struct draw_outline {
    /// By vertex, metres; below 0: minus a share of the height of the picture. NULL: not yet known.
    const float *width;
    float eye[3], forward[3];              ///< unit
    float height_at_eye, height_per_metre; ///< metres that the picture is high at the eye, and more
                                           ///< for each metre of depth
} draw_outline;

#define DRAW_NO_INSTANCE UINT32_MAX

typedef struct geometry_draw geometry_draw;
struct geometry_draw {
    const model_mesh *mesh;
    uint32_t instance;      ///< index in the scene; DRAW_NO_INSTANCE: the ground
    uint32_t node;          ///< index in the instance's model
    const model_skin *skin; ///< NULL: one matrix moves the mesh
    /// NULL: the draw has posed vertices of its own. Else those of this posed mesh of the frame, in
    /// model space; `palette` and `normals` are then one matrix each, world_from_model.
    const geometry_draw *posed_mesh;
    const skin_matrix *palette; ///< world_from_bind; one matrix when the mesh is not skinned
    const skin_matrix *normals; ///< the same, or the matrices for normals
    uint32_t matrix_count;      ///< entries of `palette` and `normals`
    const skin_dual *duals;     ///< NULL: linear skinning, else [matrix_count]
    const skin_matrix *stretch, *stretch_normals; ///< before the duals; NULL: no joint stretches
    const morph_use *morphs;                      ///< morph targets whose weight is not 0
    uint32_t morph_count;
    draw_outline *outline; ///< NULL: none
    bool skinned;
    bool posed;                ///< its vertices are those of an earlier frame
    bool positions_only;       ///< nothing else is posed
    bool bind_attributes;      ///< `attributes` are the mesh's: shading poses those that it needs
    bool mirrored;             ///< its transform makes front faces back faces
    uint32_t first_meshlet;    ///< meshlets are numbered through the frame in scene order
    uint32_t first_material;   ///< index of its model's first material in the frame's table
    vertex_position *position; ///< posed, world space; filled by geometry_draw_pose
    vertex_attributes *posed_attributes; ///< world space; NULL: bind_attributes or positions_only
    const vertex_attributes *attributes; ///< these, or the mesh's
    vertex_position *morphed_position;   ///< bind space, after morph, before skin; NULL: no morphs
    vertex_attributes *morphed_attributes;
    vertex_extra *morphed_extra;     ///< NULL: the mesh's own
    bool needs_axes;                 ///< a material has normals in object space
    bool mirrored_axes;              ///< +z of these normals is -z of the mesh
    vertex_attributes *bind_axes[2]; ///< before skin: [0] +x in n*, +y in t*; [1] +z in n*
    vertex_attributes *axes[2];      ///< the same, posed
};

/// Gives `draw` the posed vertices of an equal draw without morphs.
void geometry_draw_share(geometry_draw *draw, const geometry_draw *from);

/// True for a draw with one matrix and nothing else that moves its vertices.
bool geometry_draw_is_rigid(const geometry_draw *draw);

/// The node of the joint that moves a vertex most, the first of several; -1: none does.
int32_t geometry_draw_bone(const geometry_draw *draw, uint32_t vertex);

/// Allocates a draw's posed vertices in `a`, and morphed ones and axes it has; its flags are set.
zt_result geometry_draw_allocate(geometry_draw *draw, arena *a, zt_error *err);

/// Skinning of vertices [first, first + count) of a draw from these positions and attributes (NULL:
/// positions only) to its posed vertices. No other function fills a skin_job.
skin_job geometry_skin_job(const geometry_draw *draw, const vertex_position *position,
                           const vertex_attributes *attributes, size_t first, size_t count);

/// Poses vertices [first, first + count): morphs, axes, skin. `first`: by 16; `count`: MORPH_CHUNK.
void geometry_draw_pose(const geometry_draw *draw, const geometry_loops *loops, size_t first,
                        size_t count);
