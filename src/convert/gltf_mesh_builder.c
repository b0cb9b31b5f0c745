// SPDX-License-Identifier: MIT
/// Meshes of a zt_model -> glTF: a primitive for each run of triangles, lines or points of one
/// material, over shared vertices. A tangent's handedness belongs to a meshlet in the model and to
/// a vertex in glTF, so a vertex that meshlets of both kinds use becomes two.
#include "base/dvec3.h"
#include "convert/gltf_model_parts.h"

#include <string.h>

#define NO_VERTEX UINT32_MAX

typedef struct mesh_builder {
    gltf_builder *builder;
    const model_mesh *mesh;
    uint32_t *copy[2]; ///< vertex of the mesh -> of the file, for right- and left-handed tangents
    uint32_t vertex_count;       ///< of the file
    uint32_t *vertex;            ///< vertex of the file -> of the mesh
    bool *left_handed;           ///< [vertex_count]
    uint32_t *corner;            ///< [3 * triangle_count] vertices of the file
    json_value *attributes;      ///< all primitives share them
    json_value *bare_attributes; ///< without normals and tangents, of lines and points without any
    json_value *targets;         ///< NULL: none
} mesh_builder;

static zt_result number_vertices(mesh_builder *m)
{
    const model_mesh *mesh = m->mesh;
    arena *a = m->builder->job->a;
    const size_t count = mesh->vertex_count;
    m->copy[0] = ARENA_ARRAY_RAW(a, uint32_t, count);
    m->copy[1] = ARENA_ARRAY_RAW(a, uint32_t, count);
    m->vertex = ARENA_ARRAY_RAW(a, uint32_t, 2 * count);
    m->left_handed = ARENA_ARRAY_RAW(a, bool, 2 * count);
    m->corner = ARENA_ARRAY_RAW(a, uint32_t, 3 * (size_t)mesh->triangle_count);
    if (!m->copy[0] || !m->copy[1] || !m->vertex || !m->left_handed || !m->corner)
        return arena_fail(a, m->builder->job->err, "a mesh");
    for (size_t v = 0; v < count; v++)
        m->copy[0][v] = m->copy[1][v] = NO_VERTEX;
    size_t corner = 0;
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
                    m->left_handed[*copy] = let->left_handed;
                }
                m->corner[corner++] = *copy;
            }
    }
    return ZT_OK;
}

static zt_result add_attribute(mesh_builder *m, json_value *attributes, const char *name,
                               const void *data, const char *type, uint32_t width, int component)
{
    const accessor_data array = {.data = data,
                                 .count = m->vertex_count,
                                 .type = type,
                                 .width = width,
                                 .component = component,
                                 .target = GLTF_ARRAY_BUFFER,
                                 .has_bounds = strcmp(name, "POSITION") == 0};
    int64_t accessor;
    ZT_TRY(gltf_builder_add_accessor(m->builder, &array, &accessor));
    json_put_int(&m->builder->package.values, attributes, name, accessor);
    return ZT_OK;
}

/// An attribute of primitives with normals and without.
static zt_result add_shared(mesh_builder *m, const char *name, const void *data, const char *type,
                            uint32_t width, int component)
{
    ZT_TRY(add_attribute(m, m->attributes, name, data, type, width, component));
    json_put(&m->builder->package.values, m->bare_attributes, name, json_get(m->attributes, name));
    return ZT_OK;
}

/// Any unit vector across the normal for a vertex of triangles that have no direction of u, which
/// glTF does not allow to be zero.
static void tangent_of(const vertex_attributes *v, bool left_handed, float out[4])
{
    dvec3 t = {(double)v->tx, (double)v->ty, (double)v->tz};
    if (v->tx == 0.0f && v->ty == 0.0f && v->tz == 0.0f)
        t = dvec3_perpendicular((dvec3){(double)v->nx, (double)v->ny, (double)v->nz},
                                (dvec3){1.0, 0.0, 0.0});
    dvec3_to_floats(t, out);
    out[3] = left_handed ? -1.0f : 1.0f;
}

/// Any unit vector for a point or line without a normal: glTF allows none of length 0.
static void normal_of(const vertex_attributes *v, float out[3])
{
    const bool is_zero = v->nx == 0.0f && v->ny == 0.0f && v->nz == 0.0f;
    const float normal[3] = {v->nx, v->ny, is_zero ? 1.0f : v->nz};
    memcpy(out, normal, sizeof normal);
}

/// True when one of the vertices in the file has a normal (of lines and points none may have), or a
/// tangent (that a material needs).
static bool has_directions(const mesh_builder *m, bool tangents)
{
    for (uint32_t i = 0; i < m->vertex_count; i++) {
        const vertex_attributes *v = &m->mesh->attributes[m->vertex[i]];
        const float *d = tangents ? &v->tx : &v->nx;
        if (d[0] != 0.0f || d[1] != 0.0f || d[2] != 0.0f)
            return true;
    }
    return false;
}

static zt_result add_surface(mesh_builder *m)
{
    arena *a = m->builder->job->a;
    const size_t count = m->vertex_count;
    float *position, *normal, *tangent, *uv;
    ZT_TRY(ARENA_TAKE_RAW(a, &position, 3 * count, "vertices", m->builder->job->err));
    ZT_TRY(ARENA_TAKE_RAW(a, &normal, 3 * count, "vertices", m->builder->job->err));
    ZT_TRY(ARENA_TAKE_RAW(a, &tangent, 4 * count, "vertices", m->builder->job->err));
    ZT_TRY(ARENA_TAKE_RAW(a, &uv, 2 * count, "vertices", m->builder->job->err));
    for (size_t i = 0; i < count; i++) {
        const vertex_position *p = &m->mesh->position[m->vertex[i]];
        const vertex_attributes *v = &m->mesh->attributes[m->vertex[i]];
        memcpy(&position[3 * i], (const float[]){p->x, p->y, p->z}, 3 * sizeof(float));
        normal_of(v, &normal[3 * i]);
        tangent_of(v, m->left_handed[i], &tangent[4 * i]);
        memcpy(&uv[2 * i], (const float[]){v->u, v->v}, 2 * sizeof(float));
    }
    ZT_TRY(add_shared(m, "POSITION", position, "VEC3", 3, GLTF_FLOAT));
    if (has_directions(m, false))
        ZT_TRY(add_attribute(m, m->attributes, "NORMAL", normal, "VEC3", 3, GLTF_FLOAT));
    if (has_directions(m, true))
        ZT_TRY(add_attribute(m, m->attributes, "TANGENT", tangent, "VEC4", 4, GLTF_FLOAT));
    return add_shared(m, "TEXCOORD_0", uv, "VEC2", 2, GLTF_FLOAT);
}

/// Vertex colours and second texture coordinates.
static zt_result add_extra(mesh_builder *m)
{
    arena *a = m->builder->job->a;
    float *color = ARENA_ARRAY_RAW(a, float, 4 * (size_t)m->vertex_count);
    float *uv = ARENA_ARRAY_RAW(a, float, 2 * (size_t)m->vertex_count);
    if (!color || !uv)
        return arena_fail(a, m->builder->job->err, "vertices");
    for (size_t i = 0; i < m->vertex_count; i++) {
        const vertex_extra *e = &m->mesh->extra[m->vertex[i]];
        memcpy(&color[4 * i], (const float[]){e->r, e->g, e->b, e->a}, 4 * sizeof(float));
        memcpy(&uv[2 * i], (const float[]){e->u1, e->v1}, 2 * sizeof(float));
    }
    ZT_TRY(add_shared(m, "COLOR_0", color, "VEC4", 4, GLTF_FLOAT));
    return add_shared(m, "TEXCOORD_1", uv, "VEC2", 2, GLTF_FLOAT);
}

/// Four influences of each vertex, as set `number`.
static zt_result add_influences(mesh_builder *m, const vertex_joints *from_joints,
                                const vertex_weights *from_weights, int number)
{
    static const char *const names[2][2] = {{"JOINTS_0", "WEIGHTS_0"}, {"JOINTS_1", "WEIGHTS_1"}};
    arena *a = m->builder->job->a;
    vertex_joints *joints = ARENA_ARRAY_RAW(a, vertex_joints, m->vertex_count);
    vertex_weights *weights = ARENA_ARRAY_RAW(a, vertex_weights, m->vertex_count);
    if (!joints || !weights)
        return arena_fail(a, m->builder->job->err, "vertex weights");
    for (size_t i = 0; i < m->vertex_count; i++) {
        joints[i] = from_joints[m->vertex[i]];
        weights[i] = from_weights[m->vertex[i]];
    }
    ZT_TRY(add_shared(m, names[number][0], joints, "VEC4", 4, GLTF_UNSIGNED_SHORT));
    return add_shared(m, names[number][1], weights, "VEC4", 4, GLTF_FLOAT);
}

/// Three of the `width` floats from `first` on of a part of a morph target, for each vertex.
static zt_result add_differences(mesh_builder *m, const morph_part *part, size_t width,
                                 size_t first, const char *name, json_value *target)
{
    arena *a = m->builder->job->a;
    float *values = ARENA_ARRAY(a, float, 3 * (size_t)m->vertex_count);
    if (!values)
        return arena_fail(a, m->builder->job->err, "morph targets");
    for (size_t i = 0; i < m->vertex_count; i++) {
        const uint32_t group = m->vertex[i] / MORPH_GROUP, at = morph_find_group(part, group);
        const float *delta =
            part->delta + (MORPH_GROUP * (size_t)at + m->vertex[i] % MORPH_GROUP) * width;
        if (at < part->group_count && part->group[at] == group)
            memcpy(&values[3 * i], delta + first, 3 * sizeof *values);
    }
    return add_attribute(m, target, name, values, "VEC3", 3, GLTF_FLOAT);
}

static zt_result add_target(mesh_builder *m, const morph_target *from, json_value *target)
{
    ZT_TRY(add_differences(m, &from->position, 4, 0, "POSITION", target));
    if (from->attributes.group_count > 0)
        ZT_TRY(add_differences(m, &from->attributes, 8, 0, "NORMAL", target));
    if (from->attributes.group_count > 0 && has_directions(m, true))
        ZT_TRY(add_differences(m, &from->attributes, 8, 4, "TANGENT", target));
    return ZT_OK;
}

/// Morph targets, which all primitives share; weights and names are of the mesh.
static zt_result add_targets(mesh_builder *m, json_value *mesh)
{
    gltf_builder *builder = m->builder;
    json_builder *b = &builder->package.values;
    json_value *weights = json_new(b, JSON_KIND_ARRAY), *names = json_new(b, JSON_KIND_ARRAY);
    json_value *extras = json_new(b, JSON_KIND_OBJECT);
    if (m->mesh->morph_count == 0)
        return ZT_OK;
    m->targets = json_new(b, JSON_KIND_ARRAY);
    for (uint32_t i = 0; i < m->mesh->morph_count; i++) {
        const model_morph *morph = &m->mesh->morphs[i];
        json_value *target = json_new(b, JSON_KIND_OBJECT);
        ZT_TRY(add_target(m, &morph->target, target));
        json_append(b, m->targets, target);
        json_append(b, weights, json_new_real(b, (double)morph->weight));
        json_append(b, names, json_new_text(b, morph->name));
    }
    json_put(b, mesh, "weights", weights);
    json_put(b, extras, "targetNames", names);
    json_put(b, mesh, "extras", extras);
    return ZT_OK;
}

/// Triangles, lines or points of one material: corners [3 * first, 3 * end) of the mesh.
typedef struct primitive_run {
    uint32_t material;
    primitive_kind kind;
    size_t first, end;
} primitive_run;

/// Indices of the run in place: of a line corners 0 and 1 count, of a point corner 0.
static uint32_t run_indices(const mesh_builder *m, const primitive_run *run)
{
    static const uint32_t counts[] = {
        [PRIMITIVE_TRIANGLE] = 3, [PRIMITIVE_LINE] = 2, [PRIMITIVE_POINT] = 1};
    const uint32_t width = counts[run->kind], count = (uint32_t)(run->end - run->first);
    uint32_t *corner = m->corner + 3 * run->first;
    for (uint32_t i = 0; i < count * width; i++)
        corner[i] = corner[i / width * 3 + i % width];
    return count * width;
}

static zt_result add_primitive(mesh_builder *m, json_value *primitives, const primitive_run *run)
{
    static const int modes[] = {
        [PRIMITIVE_TRIANGLE] = 4, [PRIMITIVE_LINE] = 1, [PRIMITIVE_POINT] = 0};
    int64_t accessor;
    if (run->first == run->end)
        return ZT_OK;
    const bool bare = m->builder->model->materials[run->material].without_normals;
    const accessor_data array = {.data = m->corner + 3 * run->first,
                                 .count = run_indices(m, run),
                                 .type = "SCALAR",
                                 .width = 1,
                                 .component = GLTF_UNSIGNED_INT,
                                 .target = GLTF_ELEMENT_ARRAY_BUFFER};
    ZT_TRY(gltf_builder_add_accessor(m->builder, &array, &accessor));
    json_builder *b = &m->builder->package.values;
    json_value *primitive = json_new(b, JSON_KIND_OBJECT);
    json_put(b, primitive, "attributes", bare ? m->bare_attributes : m->attributes);
    json_put_int(b, primitive, "indices", accessor);
    json_put_int(b, primitive, "material", run->material);
    if (m->targets)
        json_put(b, primitive, "targets", m->targets);
    if (run->kind != PRIMITIVE_TRIANGLE)
        json_put_int(b, primitive, "mode", modes[run->kind]);
    json_append(b, primitives, primitive);
    return ZT_OK;
}

static zt_result add_primitives(mesh_builder *m, json_value *primitives)
{
    primitive_run run = {0};
    for (uint32_t i = 0; i < m->mesh->meshlet_count; i++) {
        const meshlet *let = &m->mesh->meshlets[i];
        if (let->material != run.material || let->kind != run.kind) {
            ZT_TRY(add_primitive(m, primitives, &run));
            run = (primitive_run){let->material, (primitive_kind)let->kind, run.end, run.end};
        }
        run.end += let->triangle_count;
    }
    return add_primitive(m, primitives, &run);
}

static zt_result add_mesh(mesh_builder *m)
{
    json_builder *b = &m->builder->package.values;
    json_value *primitives = json_new(b, JSON_KIND_ARRAY);
    m->attributes = json_new(b, JSON_KIND_OBJECT);
    m->bare_attributes = json_new(b, JSON_KIND_OBJECT);
    ZT_TRY(number_vertices(m));
    ZT_TRY(add_surface(m));
    if (m->mesh->extra)
        ZT_TRY(add_extra(m));
    if (m->mesh->joints)
        ZT_TRY(add_influences(m, m->mesh->joints, m->mesh->weights, 0));
    if (m->mesh->joints_more)
        ZT_TRY(add_influences(m, m->mesh->joints_more, m->mesh->weights_more, 1));
    json_value *entry = gltf_builder_entry(m->builder, "meshes");
    json_put_text(b, entry, "name", m->mesh->name);
    ZT_TRY(add_targets(m, entry));
    ZT_TRY(add_primitives(m, primitives));
    json_put(b, entry, "primitives", primitives);
    return ZT_OK;
}

zt_result gltf_build_meshes(gltf_builder *builder)
{
    for (uint32_t i = 0; i < builder->model->mesh_count; i++) {
        mesh_builder m = {.builder = builder, .mesh = &builder->model->meshes[i]};
        if (m.mesh->triangle_count > 0)
            ZT_TRY(add_mesh(&m));
    }
    return ZT_OK;
}
