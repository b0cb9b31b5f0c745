// SPDX-License-Identifier: MIT
/// See single_mesh.h.
#include "model/single_mesh.h"

#include "mesh/mesh_build.h"

#include <math.h>
#include <string.h>

static const float roughness = 0.6f;
const float single_mesh_plain[3] = {0.36f, 0.36f, 0.36f};

/// Places are known to a part in 2^24 of their distance from the origin: a mesh this many times its
/// size away would be seen to suffer.
static const float far_sizes = 256.0f;

/// The middle of a mesh that is far from its origin. False: it is not.
static bool find_far_middle(const mesh_source *mesh, float out[3])
{
    float low[3] = {0.0f}, high[3] = {0.0f}, size = 0.0f, distance = 0.0f;
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        const vertex_position *p = &mesh->position[v];
        const float at[3] = {p->x, p->y, p->z};
        for (int k = 0; k < 3; k++) {
            low[k] = v == 0 || at[k] < low[k] ? at[k] : low[k];
            high[k] = v == 0 || at[k] > high[k] ? at[k] : high[k];
        }
    }
    for (int k = 0; k < 3; k++) {
        out[k] = low[k] * 0.5f + high[k] * 0.5f;
        size = high[k] - low[k] > size ? high[k] - low[k] : size;
        distance = fabsf(out[k]) > distance ? fabsf(out[k]) : distance;
    }
    return distance > far_sizes * size && size > 0.0f;
}

/// Moves a mesh to the origin of its node.
static void subtract(mesh_source *mesh, const float middle[3])
{
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        vertex_position *p = &mesh->position[v];
        *p = (vertex_position){p->x - middle[0], p->y - middle[1], p->z - middle[2], 1.0f};
    }
}

/// From the space of a file to ours.
static dvec3 place_of(const model_axes *axes, const float p[3])
{
    const double x = (double)p[0], y = (double)p[1], z = (double)p[2], m = axes->unit_m;
    return axes->up == 'z' ? (dvec3){x * m, z * m, -y * m} : (dvec3){x * m, y * m, z * m};
}

static model_node make_node(const model_axes *axes)
{
    model_node node = {.name = "",
                       .parent = -1,
                       .mesh = 0,
                       .skin = -1,
                       .camera = -1,
                       .light = -1,
                       .in_scene = true,
                       .visible = true,
                       .shown = 1.0f,
                       .rest = trs_identity()};
    glm_mat4_identity(node.matrix);
    if (axes->up == 'z') { // by -90 degrees about x
        node.rest.r[0] = -(float)sqrt(0.5);
        node.rest.r[3] = (float)sqrt(0.5);
    }
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

zt_result single_mesh_build(const model_source *source, const single_mesh *one, job_pool *pool,
                            zt_model *model, arena *scratch, zt_error *err)
{
    arena *keep = &model->arena;
    mesh_source from = *one->mesh;
    float middle[3];
    model_mesh *mesh;
    model_node *node;
    model_material *material;
    uint32_t *numbers;
    ZT_TRY(ARENA_TAKE(keep, &mesh, 1, "mesh", err));
    ZT_TRY(ARENA_TAKE(keep, &node, 1, "nodes", err));
    ZT_TRY(ARENA_TAKE(keep, &material, 1, "materials", err));
    ZT_TRY(ARENA_TAKE(scratch, &numbers, from.triangle_count, "materials", err));
    from.material = numbers;
    from.name = arena_text(keep, from.name, strlen(from.name));
    model->path = arena_text(keep, source->path, strlen(source->path));
    if (!from.name || !model->path)
        return arena_fail(keep, err, "a name");
    *node = make_node(&one->axes);
    *material = one->material;
    model->nodes = node;
    model->materials = material;
    model->node_count = model->material_count = 1;
    if (from.triangle_count == 0) {
        node->mesh = -1;
        return ZT_OK;
    }
    if (source->at_origin && find_far_middle(&from, middle)) {
        subtract(&from, middle);
        model->origin = place_of(&one->axes, middle);
        memcpy(model->mesh_origin, middle, sizeof middle);
    }
    ZT_TRY(mesh_build(pool, keep, scratch, &from, mesh, err));
    model->meshes = mesh;
    model->mesh_count = 1;
    model->triangle_count = mesh->triangle_count - mesh->line_count - mesh->point_count;
    model->line_count = mesh->line_count;
    model->point_count = mesh->point_count;
    model->vertex_count = mesh->vertex_count;
    return ZT_OK;
}
