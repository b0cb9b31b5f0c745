// SPDX-License-Identifier: MIT
#include "model/single_mesh.h"

#include "mesh/mesh_build.h"
#include "model/model_node.h"

#include <math.h>
#include <string.h>

static const float roughness = 0.6f;
const float single_mesh_plain[3] = {0.36f, 0.36f, 0.36f};

/// Times the size.
static const double far_sizes = 256.0;

typedef struct extent {
    double low[3], high[3];
    bool any;
} extent;

static void add_point(extent *e, const double p[3])
{
    for (int k = 0; k < 3; k++) {
        e->low[k] = !e->any || p[k] < e->low[k] ? p[k] : e->low[k];
        e->high[k] = !e->any || p[k] > e->high[k] ? p[k] : e->high[k];
    }
    e->any = true;
}

static void far_middle(const extent *e, double out[3])
{
    double size = 0.0, distance = 0.0, middle[3];
    for (int k = 0; k < 3; k++) {
        middle[k] = e->low[k] * 0.5 + e->high[k] * 0.5;
        size = e->high[k] - e->low[k] > size ? e->high[k] - e->low[k] : size;
        distance = fabs(middle[k]) > distance ? fabs(middle[k]) : distance;
    }
    const bool is_far = distance > far_sizes * size && size > 0.0;
    for (int k = 0; k < 3; k++)
        out[k] = is_far ? (double)(float)middle[k] : 0.0;
}

void single_mesh_far_middle(const double (*point)[3], uint32_t count, double out[3])
{
    extent e = {.any = false};
    for (uint32_t i = 0; i < count; i++)
        if (!isnan(point[i][0]))
            add_point(&e, point[i]);
    far_middle(&e, out);
}

static void mesh_far_middle(const mesh_source *mesh, double out[3])
{
    extent e = {.any = false};
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        const vertex_position *p = &mesh->position[v];
        add_point(&e, (const double[]){(double)p->x, (double)p->y, (double)p->z});
    }
    far_middle(&e, out);
}

/// Moves a mesh to the origin of its node.
static void subtract(mesh_source *mesh, const double middle[3])
{
    const float x = (float)middle[0], y = (float)middle[1], z = (float)middle[2];
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        vertex_position *p = &mesh->position[v];
        *p = (vertex_position){p->x - x, p->y - y, p->z - z, 1.0f};
    }
}

/// From the space of a file to ours.
static dvec3 place_of(const model_axes *axes, const double p[3])
{
    return dvec3_scale(dmat3_transform(&up_axis_rotation[axes->up], dvec3_load(p)), axes->unit_m);
}

/// The format's, unless the caller says others.
static model_axes choose_axes(const model_source *source, model_axes axes)
{
    return (model_axes){.up = source->up ? source->up : axes.up,
                        .unit_m =
                            source->unit_um > 0 ? (double)source->unit_um * 1e-6 : axes.unit_m};
}

static model_node make_node(const model_axes *axes)
{
    model_node node = model_node_default("");
    node.mesh = 0;
    up_axis_turn(axes->up, &node.rest);
    for (int k = 0; k < 3; k++)
        node.rest.s[k] = (float)axes->unit_m;
    return node;
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

zt_result single_mesh_build(const model_source *source, const single_mesh *one, zt_model *model,
                            arena *scratch, zt_error *err)
{
    arena *keep = &model->arena;
    const model_axes axes = choose_axes(source, one->axes);
    mesh_source from = *one->mesh;
    double middle[3];
    model_mesh *mesh;
    model_node *node;
    model_material *material;
    ZT_TRY(ARENA_TAKE(keep, &mesh, 1, "mesh", err));
    ZT_TRY(ARENA_TAKE(keep, &node, 1, "nodes", err));
    ZT_TRY(ARENA_TAKE(keep, &material, one->material_count, "materials", err));
    memcpy(material, one->materials, one->material_count * sizeof *material);
    ZT_TRY(ARENA_TEXT(keep, &from.name, from.name, "a name", err));
    *node = make_node(&axes);
    model->up = axes.up;
    model->nodes = node;
    model->materials = material;
    model->node_count = 1;
    model->material_count = one->material_count;
    if (from.triangle_count == 0) {
        node->mesh = -1;
        return ZT_OK;
    }
    if (source->at_origin) {
        mesh_far_middle(&from, middle);
        subtract(&from, middle);
        for (int k = 0; k < 3; k++) {
            middle[k] += one->middle[k];
            model->mesh_origin[k] = (float)middle[k];
        }
        model->origin = place_of(&axes, middle);
    }
    ZT_TRY(mesh_build(source->pool, keep, scratch, &from, mesh, err));
    model->meshes = mesh;
    model->mesh_count = 1;
    model->triangle_count = mesh->triangle_count - mesh->line_count - mesh->point_count;
    model->line_count = mesh->line_count;
    model->point_count = mesh->point_count;
    model->vertex_count = mesh->vertex_count;
    return ZT_OK;
}
