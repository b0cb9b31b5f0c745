// SPDX-License-Identifier: MIT
/// Meshes of a glTF file: the primitives of each are read on their own, put one after the other
/// and cut into meshlets. Mesh k of the model is mesh k of the file, even when it shows nothing.

#include "gltf/gltf_reader.h"

#include <string.h>

/// Sizes of a mesh, and which optional arrays at least one primitive has.
typedef struct mesh_extent {
    uint32_t vertex_count, triangle_count;
    bool tangent_w, extra, joints, more;
} mesh_extent;

static zt_result measure(gltf_reader *g, const json_place *place, const gltf_primitive *primitives,
                         uint32_t count, mesh_extent *out)
{
    uint64_t vertices = 0, triangles = 0;
    *out = (mesh_extent){0};
    for (uint32_t i = 0; i < count; i++) {
        const mesh_source *mesh = &primitives[i].mesh;
        if (mesh->triangle_count == 0)
            continue;
        vertices += mesh->vertex_count;
        triangles += mesh->triangle_count;
        out->tangent_w = out->tangent_w || mesh->tangent_w;
        out->extra = out->extra || mesh->extra;
        out->joints = out->joints || mesh->joints;
        out->more = out->more || mesh->joints_more;
    }
    if (g->vertex_total + vertices > 3 * (uint64_t)MODEL_TRIANGLE_LIMIT)
        return gltf_fail(g, place, ZT_ERR_LIMIT, "more than %llu vertices in all",
                         3 * (unsigned long long)MODEL_TRIANGLE_LIMIT);
    out->vertex_count = (uint32_t)vertices;
    out->triangle_count = (uint32_t)triangles;
    return ZT_OK;
}

/// Allocates the arrays of a mesh in g->work.
static zt_result allocate(gltf_reader *g, const mesh_extent *extent, mesh_source *out,
                          uint32_t **out_corner)
{
    const size_t n = extent->vertex_count;
    out->vertex_count = extent->vertex_count;
    out->triangle_count = extent->triangle_count;
    out->position = ARENA_ARRAY_RAW(g->work, vertex_position, n);
    out->attributes = ARENA_ARRAY_RAW(g->work, vertex_attributes, n);
    out->tangent_w = extent->tangent_w ? ARENA_ARRAY_RAW(g->work, float, n) : NULL;
    out->extra = extent->extra ? ARENA_ARRAY_RAW(g->work, vertex_extra, n) : NULL;
    out->joints = extent->joints ? ARENA_ARRAY_RAW(g->work, vertex_joints, n) : NULL;
    out->weights = extent->joints ? ARENA_ARRAY_RAW(g->work, vertex_weights, n) : NULL;
    out->joints_more = extent->more ? ARENA_ARRAY_RAW(g->work, vertex_joints, n) : NULL;
    out->weights_more = extent->more ? ARENA_ARRAY_RAW(g->work, vertex_weights, n) : NULL;
    *out_corner = ARENA_ARRAY_RAW(g->work, uint32_t, 3 * (size_t)extent->triangle_count);
    const bool complete = out->position && out->attributes && *out_corner &&
                          (out->tangent_w || !extent->tangent_w) &&
                          (out->extra || !extent->extra) && (out->weights || !extent->joints) &&
                          (out->joints || !extent->joints) && (out->joints_more || !extent->more) &&
                          (out->weights_more || !extent->more);
    return complete ? ZT_OK : arena_fail(g->work, g->err, "a mesh");
}

/// Copies the optional arrays of one primitive, or their defaults, behind vertex `at`.
static void append_optional(mesh_source *to, const mesh_source *from, size_t at)
{
    const size_t n = from->vertex_count;
    for (size_t i = 0; to->tangent_w && i < n; i++)
        to->tangent_w[at + i] = from->tangent_w ? from->tangent_w[i] : 1.0f;
    for (size_t i = 0; to->extra && i < n; i++)
        to->extra[at + i] = from->extra
                                ? from->extra[i]
                                : (vertex_extra){.r = 1.0f, .g = 1.0f, .b = 1.0f, .a = 1.0f};
    for (size_t i = 0; to->joints && i < n; i++) {
        to->joints[at + i] = from->joints ? from->joints[i]
                                          : (vertex_joints){
                                                {0, 0, 0, 0}
        };
        to->weights[at + i] = from->joints ? from->weights[i]
                                           : (vertex_weights){
                                                 {1.0f, 0.0f, 0.0f, 0.0f}
        };
    }
}

/// The same for influences 5 to 8.
static void append_more(mesh_source *to, const mesh_source *from, size_t at)
{
    const size_t bytes = from->vertex_count * sizeof *from->joints;
    if (!to->joints_more)
        return;
    if (from->joints_more) {
        memcpy(to->joints_more + at, from->joints_more, bytes);
        memcpy(to->weights_more + at, from->weights_more,
               from->vertex_count * sizeof *from->weights);
        return;
    }
    memset(to->joints_more + at, 0, bytes);
    memset(to->weights_more + at, 0, from->vertex_count * sizeof *from->weights);
}

static zt_result concatenate(gltf_reader *g, const gltf_primitive *primitives, uint32_t count,
                             const mesh_extent *extent, mesh_source *out)
{
    uint32_t *corner;
    ZT_TRY(allocate(g, extent, out, &corner));
    out->corner = corner;
    uint32_t vertex = 0;
    for (uint32_t i = 0; i < count; i++) {
        const mesh_source *from = &primitives[i].mesh;
        if (from->triangle_count == 0)
            continue;
        memcpy(out->position + vertex, from->position, from->vertex_count * sizeof *from->position);
        memcpy(out->attributes + vertex, from->attributes,
               from->vertex_count * sizeof *from->attributes);
        append_optional(out, from, vertex);
        append_more(out, from, vertex);
        for (size_t k = 0; k < 3 * (size_t)from->triangle_count; k++)
            *corner++ = from->corner[k] + vertex;
        vertex += from->vertex_count;
    }
    return ZT_OK;
}

/// The material of each triangle.
static zt_result fill_materials(gltf_reader *g, const gltf_primitive *primitives, uint32_t count,
                                mesh_source *out)
{
    uint32_t *material = ARENA_ARRAY_RAW(g->work, uint32_t, out->triangle_count);
    if (!material)
        return arena_fail(g->work, g->err, "a mesh");
    out->material = material;
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t t = 0; t < primitives[i].mesh.triangle_count; t++)
            *material++ = primitives[i].material;
    return ZT_OK;
}

/// Reads the primitives of a mesh; a skinned mesh whose other primitives have no weights is noted.
static zt_result read_primitives(gltf_reader *g, const json_place *array, uint32_t count,
                                 gltf_primitive *out, uint32_t *out_joint_limit)
{
    bool skinned = false, rigid = false;
    for (uint32_t i = 0; i < count; i++) {
        json_place place;
        ZT_TRY(gltf_entry(g, array, i, &place));
        ZT_TRY(gltf_read_primitive(g, &place, &out[i]));
        if (out[i].mesh.triangle_count == 0)
            continue;
        skinned = skinned || out[i].joint_limit > 0;
        rigid = rigid || out[i].joint_limit == 0;
        if (out[i].joint_limit > *out_joint_limit)
            *out_joint_limit = out[i].joint_limit;
    }
    if (skinned && rigid)
        ZT_TRY(gltf_warn(g, array, "some primitives have no weights and follow joint 0"));
    return ZT_OK;
}

static zt_result read_mesh(gltf_reader *g, uint32_t index, model_mesh *out)
{
    json_place place, array;
    uint32_t count;
    mesh_extent extent;
    mesh_source mesh = {0};
    const char *name;
    ZT_TRY(gltf_entry(g, &g->meshes, index, &place));
    ZT_TRY(gltf_name(g, &place, &name));
    out->name = name;
    ZT_TRY(gltf_array(g, &place, "primitives", &array, &count));
    gltf_primitive *primitives = ARENA_ARRAY(g->work, gltf_primitive, count);
    if (!primitives)
        return arena_fail(g->work, g->err, "primitives");
    ZT_TRY(read_primitives(g, &array, count, primitives, &g->mesh_joint_limit[index]));
    ZT_TRY(measure(g, &place, primitives, count, &extent));
    if (extent.triangle_count == 0)
        return ZT_OK;
    if (count == 1)
        mesh = primitives[0].mesh;
    else
        ZT_TRY(concatenate(g, primitives, count, &extent, &mesh));
    mesh.name = name;
    ZT_TRY(fill_materials(g, primitives, count, &mesh));
    ZT_TRY(mesh_build(g->pool, g->keep, g->work, &mesh, out, g->err));
    g->packed = NULL; // targets are not compressed
    ZT_TRY(gltf_read_targets(g, &place, &array, primitives, count, out));
    g->vertex_total += out->vertex_count;
    return ZT_OK;
}

/// Meshes that were read, by their positions: exporters write a mesh anew for each material that it
/// is shown in, over the same accessors.
typedef struct mesh_twins {
    int32_t *first; ///< [accessor_count] the last mesh of one primitive with these positions, or -1
    int32_t *next;  ///< [mesh_count] the one before it
} mesh_twins;

enum { TWINS_LIMIT = 16 }; // looked at for each mesh

/// The only primitive of a mesh that others may share, and its positions; NULL for any other mesh.
static const json_t *shared_primitive(const gltf_reader *g, uint32_t index, uint32_t *out_position)
{
    const json_t *primitives =
        json_object_get(json_array_get(g->meshes.value, index), "primitives");
    const json_t *primitive = json_array_get(primitives, 0);
    const json_t *attributes = json_object_get(primitive, "attributes");
    const json_t *position = json_object_get(attributes, "POSITION");
    if (json_array_size(primitives) != 1 || json_object_get(primitive, "extensions") ||
        json_object_get(primitive, "targets") || !json_is_integer(position) ||
        json_integer_value(position) < 0 || json_integer_value(position) >= g->accessor_count)
        return NULL;
    *out_position = (uint32_t)json_integer_value(position);
    return primitive;
}

static bool equal_members(const json_t *a, const json_t *b, const char *key)
{
    json_t *x = json_object_get(a, key), *y = json_object_get(b, key);
    return x == y || (x && y && json_equal(x, y));
}

/// Whether both materials ask the same of the vertices.
static bool equal_needs(const model_material *a, const model_material *b)
{
    return (a->normal_map.texture >= 0) == (b->normal_map.texture >= 0) &&
           !gltf_uses_second_uv(a) && !gltf_uses_second_uv(b);
}

/// The material that the primitive shows. False when it is broken, of which its reading tells.
static bool find_material(gltf_reader *g, const json_t *primitive, uint32_t *out)
{
    const json_t *material = json_object_get(primitive, "material");
    const bool colored =
        json_object_get(json_object_get(primitive, "attributes"), "COLOR_0") != NULL;
    if (material && (!json_is_integer(material) || json_integer_value(material) < 0 ||
                     json_integer_value(material) >= g->material_count))
        return false;
    *out = gltf_material_for(g, material ? (int32_t)json_integer_value(material) : -1, colored);
    return true;
}

/// The mesh of a twin in another material: the same arrays, meshlets of its own.
static zt_result share(gltf_reader *g, uint32_t index, uint32_t material, uint32_t twin,
                       const model_mesh *meshes, model_mesh *out)
{
    const model_mesh *from = &meshes[twin];
    json_place place;
    ZT_TRY(gltf_entry(g, &g->meshes, index, &place));
    if (from->triangle_count > MODEL_TRIANGLE_LIMIT - g->triangle_total)
        return gltf_fail(g, &place, ZT_ERR_LIMIT, "more than %u triangles in all",
                         MODEL_TRIANGLE_LIMIT);
    meshlet *meshlets = ARENA_ARRAY_RAW(g->keep, meshlet, from->meshlet_count);
    if (!meshlets)
        return arena_fail(g->keep, g->err, "meshlets");
    *out = *from;
    ZT_TRY(gltf_name(g, &place, &out->name));
    for (uint32_t i = 0; i < from->meshlet_count; i++) {
        meshlets[i] = from->meshlets[i];
        meshlets[i].material = material;
    }
    out->meshlets = meshlets;
    g->mesh_joint_limit[index] = g->mesh_joint_limit[twin];
    g->vertex_total += out->vertex_count;
    g->triangle_total += out->triangle_count;
    return ZT_OK;
}

/// Takes the mesh over from one that was read and differs in its material alone.
static zt_result share_mesh(gltf_reader *g, uint32_t index, mesh_twins *twins,
                            const model_mesh *meshes, model_mesh *out, bool *out_shared)
{
    uint32_t position, material, other;
    const json_t *primitive = shared_primitive(g, index, &position);
    *out_shared = false;
    if (!primitive || !find_material(g, primitive, &material))
        return ZT_OK;
    int32_t twin = twins->first[position];
    for (int looked = 0; twin >= 0 && looked < TWINS_LIMIT; looked++, twin = twins->next[twin]) {
        const json_t *theirs = shared_primitive(g, (uint32_t)twin, &other);
        if (meshes[twin].triangle_count > 0 && equal_members(primitive, theirs, "attributes") &&
            equal_members(primitive, theirs, "indices") &&
            equal_members(primitive, theirs, "mode") && find_material(g, theirs, &other) &&
            equal_needs(&g->material[material], &g->material[other])) {
            *out_shared = true;
            return share(g, index, material, (uint32_t)twin, meshes, out);
        }
    }
    twins->next[index] = twins->first[position];
    twins->first[position] = (int32_t)index;
    return ZT_OK;
}

static zt_result begin_twins(gltf_reader *g, mesh_twins *out)
{
    out->first = ARENA_ARRAY_RAW(g->scratch, int32_t, g->accessor_count);
    out->next = ARENA_ARRAY_RAW(g->scratch, int32_t, g->mesh_count);
    if (!out->first || !out->next)
        return arena_fail(g->scratch, g->err, "meshes");
    for (uint32_t i = 0; i < g->accessor_count; i++)
        out->first[i] = -1;
    return ZT_OK;
}

zt_result gltf_read_meshes(gltf_reader *g)
{
    mesh_twins twins;
    ZT_TRY(begin_twins(g, &twins));
    model_mesh *meshes = ARENA_ARRAY(g->keep, model_mesh, g->mesh_count);
    g->mesh_joint_limit = ARENA_ARRAY(g->scratch, uint32_t, g->mesh_count);
    if (!meshes)
        return arena_fail(g->keep, g->err, "meshes");
    if (!g->mesh_joint_limit)
        return arena_fail(g->scratch, g->err, "meshes");
    arena work;
    zt_result result = ZT_OK;
    arena_init(&work, g->scratch->budget);
    g->work = &work;
    for (uint32_t i = 0; i < g->mesh_count && result == ZT_OK; i++) {
        bool shared;
        arena_reset(&work);
        result = share_mesh(g, i, &twins, meshes, &meshes[i], &shared);
        if (result == ZT_OK && !shared)
            result = read_mesh(g, i, &meshes[i]);
    }
    arena_finish(&work);
    g->work = NULL;
    g->model->meshes = meshes;
    g->model->mesh_count = g->mesh_count;
    return result;
}
