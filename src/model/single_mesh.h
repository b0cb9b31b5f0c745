// SPDX-License-Identifier: MIT
/// Models of formats that have triangles and no scene.
#pragma once

#include "mesh/mesh_source.h"
#include "model/model.h"
#include "model/model_format.h"

/// The space of a file.
typedef struct model_axes {
    model_up up;
    double unit_m; ///< metres of its unit
} model_axes;

typedef struct single_mesh {
    const mesh_source *mesh; ///< without materials
    model_axes axes;
    const model_material *materials; ///< [material_count]; copied
    uint32_t material_count;
} single_mesh;

/// A material of one linear colour, neither a mirror nor chalk, that both sides of triangles show.
/// `vertex_color`: the mesh has colours instead.
model_material single_mesh_material(const float color[3], bool vertex_color);
/// The grey one of what has none in its file.
model_material single_mesh_no_material(bool vertex_color);
/// The colour of what has none in a file.
extern const float single_mesh_plain[3];
/// True when colours of vertices blend, because some are not opaque. All of alpha 0 is a field that
/// nobody filled: they become opaque.
bool single_mesh_blends(mesh_source *mesh);

/// Builds the only mesh of a model.
zt_result single_mesh_set(job_pool *pool, const mesh_source *from, zt_model *model, arena *scratch,
                          zt_error *err);
/// A model of one node, which turns the file's axes into ours and scales its unit, with the mesh in
/// the file's space and its materials. Positions of the mesh may change.
zt_result single_mesh_build(const model_source *source, const single_mesh *one, zt_model *model,
                            arena *scratch, zt_error *err);
