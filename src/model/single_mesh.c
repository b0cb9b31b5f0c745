// SPDX-License-Identifier: MIT
#include "model/single_mesh.h"

#include "mesh/far_points.h"
#include "mesh/mesh_build.h"
#include "model/model_node.h"
#include "model/model_origin.h"

#include <string.h>

static const float roughness = 0.6f;
const float single_mesh_plain[3] = {0.36f, 0.36f, 0.36f};

/// The format's, unless the caller says others.
static model_axes choose_axes(const model_source *source, model_axes axes)
{
    return (model_axes){.up = source->up ? source->up : axes.up,
                        .unit_m =
                            source->unit_um > 0 ? (double)source->unit_um * 1e-6 : axes.unit_m};
}

model_material single_mesh_material(const float color[3], bool vertex_color)
{
    model_material m = model_material_default();
    m.name = "";
    m.metallic = 0.0f;
    m.roughness = roughness;
    m.double_sided = true;
    m.vertex_color = vertex_color;
    for (int k = 0; k < 3; k++)
        m.base_color[k] = vertex_color ? 1.0f : color[k];
    return m;
}

model_material single_mesh_no_material(bool vertex_color)
{
    model_material m = single_mesh_material(single_mesh_plain, vertex_color);
    m.plain = true;
    return m;
}

bool single_mesh_blends(mesh_source *mesh)
{
    bool clear = false, solid = false;
    for (uint32_t v = 0; mesh->extra && v < mesh->vertex_count; v++) {
        clear = clear || mesh->extra[v].a < 1.0f;
        solid = solid || mesh->extra[v].a > 0.0f;
    }
    for (uint32_t v = 0; clear && !solid && v < mesh->vertex_count; v++)
        mesh->extra[v].a = 1.0f;
    return clear && solid;
}

zt_result single_mesh_set(job_pool *pool, const mesh_source *from, zt_model *model, arena *scratch,
                          zt_error *err)
{
    model_mesh *mesh;
    ZT_TRY(ARENA_TAKE(&model->arena, &mesh, 1, "mesh", err));
    ZT_TRY(mesh_build(pool, &model->arena, scratch, from, mesh, err));
    model->meshes = mesh;
    model->mesh_count = 1;
    model->triangle_count = mesh->triangle_count - mesh->line_count - mesh->point_count;
    model->line_count = mesh->line_count;
    model->point_count = mesh->point_count;
    model->vertex_count = mesh->vertex_count;
    return ZT_OK;
}

zt_result single_mesh_build(const model_source *source, const single_mesh *one, zt_model *model,
                            arena *scratch, zt_error *err)
{
    arena *keep = &model->arena;
    const model_axes axes = choose_axes(source, one->axes);
    mesh_source from = *one->mesh;
    dvec3 more = {0.0, 0.0, 0.0}; // of what is read as floats
    model_node *node;
    model_material *material;
    ZT_TRY(ARENA_TAKE(keep, &node, 1, "nodes", err));
    ZT_TRY(ARENA_TAKE(keep, &material, one->material_count, "materials", err));
    memcpy(material, one->materials, one->material_count * sizeof *material);
    ZT_TRY(ARENA_TEXT(keep, &from.name, from.name, "a name", err));
    *node = model_node_default("");
    node->mesh = 0;
    const dmat3 turn = up_axis_set(axes.up, axes.unit_m, &node->rest);
    model->up = axes.up;
    model->nodes = node;
    model->materials = material;
    model->node_count = 1;
    model->material_count = one->material_count;
    if (from.triangle_count == 0) {
        node->mesh = -1;
        return ZT_OK;
    }
    if (source->at_origin)
        far_points_load(NULL, from.vertex_count, from.position, &more);
    from.middle = dvec3_add(from.middle, more);
    if (dvec3_length(from.middle) > 0.0) {
        ZT_TRY(ARENA_TAKE(scratch, &model->exact, 1, "nodes", err));
        model_place_middle(dmat3_transform(&turn, from.middle), node, model->exact);
    }
    return single_mesh_set(source->pool, &from, model, scratch, err);
}
