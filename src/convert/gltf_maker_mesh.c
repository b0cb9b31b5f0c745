// SPDX-License-Identifier: MIT
/// The mesh of a model as glTF: one primitive for each run of triangles of a material, in their
/// order, all over the same vertices. The handedness of a tangent is a property of a meshlet in a
/// model and of a vertex in glTF: a vertex that is used with both becomes two.
#include "convert/gltf_maker.h"

#include <string.h>

#define NO_VERTEX UINT32_MAX

typedef struct mesh_maker {
    gltf_maker *maker;
    const model_mesh *mesh;
    uint32_t *copy[2]; ///< [vertex_count] of a vertex in the file, right- and left-handed
    uint32_t vertex_count;
    uint32_t *vertex; ///< [vertex_count] of the mesh
    bool *left;       ///< [vertex_count]
    uint32_t *corner; ///< [3 * triangle_count] in the file
} mesh_maker;

static zt_result number_vertices(mesh_maker *m)
{
    const model_mesh *mesh = m->mesh;
    arena *a = m->maker->job->a;
    const size_t count = mesh->vertex_count;
    m->copy[0] = ARENA_ARRAY_RAW(a, uint32_t, count);
    m->copy[1] = ARENA_ARRAY_RAW(a, uint32_t, count);
    m->vertex = ARENA_ARRAY_RAW(a, uint32_t, 2 * count);
    m->left = ARENA_ARRAY_RAW(a, bool, 2 * count);
    m->corner = ARENA_ARRAY_RAW(a, uint32_t, 3 * (size_t)mesh->triangle_count);
    if (!m->copy[0] || !m->copy[1] || !m->vertex || !m->left || !m->corner)
        return arena_fail(a, m->maker->job->err, "a mesh");
    for (size_t v = 0; v < count; v++)
        m->copy[0][v] = m->copy[1][v] = NO_VERTEX;
    size_t at = 0;
    for (uint32_t i = 0; i < mesh->meshlet_count; i++) {
        const meshlet *let = &mesh->meshlets[i];
        for (uint32_t t = 0; t < let->triangle_count; t++)
            for (int k = 0; k < 3; k++) {
                const uint32_t local = mesh->meshlet_corner[k][let->triangle_first + t];
                const uint32_t v = mesh->meshlet_vertex[let->vertex_first + local];
                uint32_t *copy = &m->copy[let->left_handed][v];
                if (*copy == NO_VERTEX) {
                    *copy = m->vertex_count++;
                    m->vertex[*copy] = v;
                    m->left[*copy] = let->left_handed;
                }
                m->corner[at++] = *copy;
            }
    }
    return ZT_OK;
}

static zt_result add_attribute(mesh_maker *m, json_t *attributes, const char *name,
                               const void *data, const char *type, uint32_t width, int component)
{
    const maker_array array = {.data = data,
                               .count = m->vertex_count,
                               .type = type,
                               .width = width,
                               .component = component,
                               .target = 34962,
                               .bounds = strcmp(name, "POSITION") == 0};
    json_int_t accessor;
    ZT_TRY(maker_accessor(m->maker, &array, &accessor));
    maker_put(m->maker, attributes, name, json_integer(accessor));
    return ZT_OK;
}

static zt_result add_surface(mesh_maker *m, json_t *attributes)
{
    arena *a = m->maker->job->a;
    const size_t count = m->vertex_count;
    float *position = ARENA_ARRAY_RAW(a, float, 3 * count);
    float *normal = ARENA_ARRAY_RAW(a, float, 3 * count);
    float *tangent = ARENA_ARRAY_RAW(a, float, 4 * count);
    float *uv = ARENA_ARRAY_RAW(a, float, 2 * count);
    if (!position || !normal || !tangent || !uv)
        return arena_fail(a, m->maker->job->err, "vertices");
    for (size_t i = 0; i < count; i++) {
        const vertex_position *p = &m->mesh->position[m->vertex[i]];
        const vertex_attributes *v = &m->mesh->attributes[m->vertex[i]];
        memcpy(&position[3 * i], (const float[]){p->x, p->y, p->z}, 3 * sizeof(float));
        memcpy(&normal[3 * i], (const float[]){v->nx, v->ny, v->nz}, 3 * sizeof(float));
        memcpy(&tangent[4 * i], (const float[]){v->tx, v->ty, v->tz, m->left[i] ? -1.0f : 1.0f},
               4 * sizeof(float));
        memcpy(&uv[2 * i], (const float[]){v->u, v->v}, 2 * sizeof(float));
    }
    ZT_TRY(add_attribute(m, attributes, "POSITION", position, "VEC3", 3, 5126));
    ZT_TRY(add_attribute(m, attributes, "NORMAL", normal, "VEC3", 3, 5126));
    ZT_TRY(add_attribute(m, attributes, "TANGENT", tangent, "VEC4", 4, 5126));
    return add_attribute(m, attributes, "TEXCOORD_0", uv, "VEC2", 2, 5126);
}

static zt_result add_influences(mesh_maker *m, json_t *attributes)
{
    arena *a = m->maker->job->a;
    vertex_joints *joints = ARENA_ARRAY_RAW(a, vertex_joints, m->vertex_count);
    vertex_weights *weights = ARENA_ARRAY_RAW(a, vertex_weights, m->vertex_count);
    if (!joints || !weights)
        return arena_fail(a, m->maker->job->err, "vertex weights");
    for (size_t i = 0; i < m->vertex_count; i++) {
        joints[i] = m->mesh->joints[m->vertex[i]];
        weights[i] = m->mesh->weights[m->vertex[i]];
    }
    ZT_TRY(add_attribute(m, attributes, "JOINTS_0", joints, "VEC4", 4, 5123));
    return add_attribute(m, attributes, "WEIGHTS_0", weights, "VEC4", 4, 5126);
}

/// A primitive of triangles [first, end).
static zt_result add_primitive(mesh_maker *m, json_t *primitives, json_t *attributes,
                               uint32_t material, size_t first, size_t end)
{
    const maker_array array = {.data = m->corner + 3 * first,
                               .count = (uint32_t)(3 * (end - first)),
                               .type = "SCALAR",
                               .width = 1,
                               .component = 5125,
                               .target = 34963};
    json_int_t accessor;
    if (first == end)
        return ZT_OK;
    ZT_TRY(maker_accessor(m->maker, &array, &accessor));
    maker_append(m->maker, primitives,
                 json_pack("{s:O,s:I,s:I}", "attributes", attributes, "indices", accessor,
                           "material", (json_int_t)material));
    return ZT_OK;
}

static zt_result add_primitives(mesh_maker *m, json_t *primitives, json_t *attributes)
{
    size_t first = 0, at = 0;
    uint32_t material = 0;
    for (uint32_t i = 0; i < m->mesh->meshlet_count; i++) {
        const meshlet *let = &m->mesh->meshlets[i];
        if (let->material != material)
            ZT_TRY(add_primitive(m, primitives, attributes, material, first, at));
        first = let->material != material ? at : first;
        material = let->material;
        at += let->triangle_count;
    }
    return add_primitive(m, primitives, attributes, material, first, at);
}

static zt_result make_mesh(mesh_maker *m)
{
    json_t *attributes = json_object(), *primitives = json_array();
    zt_result result = number_vertices(m);
    if (result == ZT_OK)
        result = add_surface(m, attributes);
    if (result == ZT_OK && m->mesh->joints)
        result = add_influences(m, attributes);
    if (result == ZT_OK)
        result = add_primitives(m, primitives, attributes);
    json_decref(attributes);
    maker_append(
        m->maker, maker_list(m->maker, "meshes"),
        json_pack("{s:o,s:o}", "name", maker_text(m->mesh->name), "primitives", primitives));
    return result;
}

zt_result maker_meshes(gltf_maker *maker)
{
    for (uint32_t i = 0; i < maker->model->mesh_count; i++) {
        mesh_maker m = {.maker = maker, .mesh = &maker->model->meshes[i]};
        if (m.mesh->triangle_count > 0)
            ZT_TRY(make_mesh(&m));
    }
    return ZT_OK;
}
