// SPDX-License-Identifier: MIT
/// The primitives of each mesh are read on their own, joined and cut into meshlets.
#include "gltf/gltf_parts.h"
#include "mesh/mesh_build.h"

#include <string.h>

/// Joins the primitives that have triangles. `*out_parts` is the number of these.
static zt_result join_primitives(gltf_log *log, const gltf_meshes *meshes, const json_pointer *json,
                                 const gltf_primitive *primitives, uint32_t count, mesh_source *out,
                                 uint32_t *out_parts)
{
    const mesh_source **part;
    uint64_t vertices = meshes->vertex_total;
    uint32_t parts = 0;
    ZT_TRY(ARENA_TAKE_RAW(meshes->work, &part, count, "primitives", log->err));
    for (uint32_t i = 0; i < count; i++)
        if (primitives[i].mesh.triangle_count > 0) {
            part[parts++] = &primitives[i].mesh;
            vertices += primitives[i].mesh.vertex_count;
        }
    const uint64_t limit = 3 * (uint64_t)meshes->work->budget->limits->triangles;
    if (vertices > limit)
        return gltf_fail(log, json, ZT_ERR_LIMIT, "more than %llu vertices in all",
                         (unsigned long long)limit);
    *out_parts = parts;
    if (parts > 1)
        return mesh_source_join(meshes->work, part, parts, out, log->err);
    if (parts == 1)
        *out = *part[0];
    return ZT_OK;
}

/// The material and kind of each triangle.
static zt_result fill_materials(gltf_log *log, arena *work, const gltf_primitive *primitives,
                                uint32_t count, mesh_source *out)
{
    bool only_triangles = true;
    for (uint32_t i = 0; i < count; i++)
        only_triangles = only_triangles && primitives[i].kind == PRIMITIVE_TRIANGLE;
    const uint32_t kinds = only_triangles ? 0 : out->triangle_count;
    uint32_t *material = ARENA_ARRAY_RAW(work, uint32_t, out->triangle_count);
    uint8_t *kind = ARENA_ARRAY_RAW(work, uint8_t, kinds);
    if (!material || !kind)
        return arena_fail(work, log->err, "a mesh");
    out->material = material;
    out->kind = only_triangles ? NULL : kind;
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t t = 0; t < primitives[i].mesh.triangle_count; t++) {
            *material++ = primitives[i].material;
            if (!only_triangles)
                *kind++ = (uint8_t)primitives[i].kind;
        }
    return ZT_OK;
}

/// Reads the primitives of a mesh; a skinned mesh whose other primitives have no weights is noted.
static zt_result read_primitives(gltf_file *file, const gltf_materials *materials,
                                 gltf_meshes *meshes, const json_pointer *array, uint32_t count,
                                 gltf_primitive *out, uint32_t *out_joint_limit)
{
    bool skinned = false, rigid = false;
    for (uint32_t i = 0; i < count; i++) {
        json_pointer json;
        ZT_TRY(gltf_entry(file->log, array, i, &json));
        ZT_TRY(gltf_read_primitive(file, materials, meshes, &json, &out[i]));
        if (out[i].mesh.triangle_count == 0)
            continue;
        skinned = skinned || out[i].joint_limit > 0;
        rigid = rigid || out[i].joint_limit == 0;
        if (out[i].joint_limit > *out_joint_limit)
            *out_joint_limit = out[i].joint_limit;
    }
    if (skinned && rigid)
        ZT_TRY(gltf_warn(file->log, array, "some primitives have no weights and follow joint 0"));
    return ZT_OK;
}

static zt_result read_mesh(gltf_file *file, const gltf_materials *materials, gltf_meshes *meshes,
                           uint32_t index, model_mesh *out)
{
    json_pointer json, array;
    uint32_t count, parts = 0;
    mesh_source mesh = {0};
    const char *name;
    ZT_TRY(gltf_list_entry(file, GLTF_MESHES, index, &json));
    ZT_TRY(gltf_name(file->log, &json, &name));
    out->name = name;
    ZT_TRY(gltf_array(file->log, &json, "primitives", &array, &count));
    gltf_primitive *primitives;
    ZT_TRY(ARENA_TAKE(meshes->work, &primitives, count, "primitives", file->log->err));
    ZT_TRY(read_primitives(file, materials, meshes, &array, count, primitives,
                           &meshes->joint_limit[index]));
    ZT_TRY(join_primitives(file->log, meshes, &json, primitives, count, &mesh, &parts));
    if (parts == 0)
        return ZT_OK;
    mesh.name = name;
    for (uint32_t i = 0; i < count; i++)
        mesh.morphs = mesh.morphs || primitives[i].target_count > 0;
    ZT_TRY(fill_materials(file->log, meshes->work, primitives, count, &mesh));
    ZT_TRY(mesh_build(file->pool, file->keep, meshes->work, &mesh, out, file->log->err));
    ZT_TRY(gltf_read_targets(file, meshes, &json, &array, primitives, count, out));
    meshes->vertex_total += out->vertex_count;
    meshes->line_total += out->line_count;
    meshes->point_total += out->point_count;
    return ZT_OK;
}

/// Meshes read, by their positions: exporters write a mesh per material over the same accessors.
typedef struct mesh_twins {
    int32_t *first; ///< [accessor_count] the last mesh of one primitive with these positions, or -1
    int32_t *next;  ///< [mesh_count] the one before it
} mesh_twins;

enum { TWINS_LIMIT = 16 }; // looked at for each mesh

/// The only primitive of a mesh that others may share, and its positions; NULL for any other mesh.
static const json_value *shared_primitive(const gltf_file *file, uint32_t index,
                                          uint32_t *out_position)
{
    const json_value *primitives =
        json_get(json_at(file->list[GLTF_MESHES].json.value, index), "primitives");
    const json_value *primitive = json_at(primitives, 0);
    const json_value *attributes = json_get(primitive, "attributes");
    const json_value *position = json_get(attributes, "POSITION");
    if (json_length(primitives) != 1 || json_get(primitive, "extensions") ||
        json_get(primitive, "targets") || !json_is(position, JSON_KIND_INTEGER) ||
        json_int(position) < 0 || json_int(position) >= file->list[GLTF_ACCESSORS].count)
        return NULL;
    *out_position = (uint32_t)json_int(position);
    return primitive;
}

static bool equal_members(const json_value *a, const json_value *b, const char *key)
{
    json_value *x = json_get(a, key), *y = json_get(b, key);
    return json_same(x, y);
}

/// True when both materials need the same data of the vertices.
static bool equal_needs(const model_material *a, const model_material *b)
{
    return model_tangent_uv_set(a) == model_tangent_uv_set(b) && !gltf_uses_second_uv(a) &&
           !gltf_uses_second_uv(b) && memcmp(a->uv_from, b->uv_from, sizeof a->uv_from) == 0;
}

/// The material that the primitive shows. False: broken, which reading it reports.
static bool find_material(gltf_file *file, const gltf_materials *materials,
                          const json_value *primitive, uint32_t *out)
{
    const json_value *material = json_get(primitive, "material");
    if (material && (!json_is(material, JSON_KIND_INTEGER) || json_int(material) < 0 ||
                     json_int(material) >= file->list[GLTF_MATERIALS].count))
        return false;
    *out = gltf_material_index(materials, material ? (int32_t)json_int(material) : -1,
                               gltf_primitive_use(file, primitive));
    return true;
}

/// The mesh of a twin in another material: the same arrays, other meshlets.
static zt_result share(gltf_file *file, gltf_meshes *meshes, uint32_t index, uint32_t material,
                       uint32_t twin, const model_mesh *made, model_mesh *out)
{
    const model_mesh *from = &made[twin];
    json_pointer json;
    ZT_TRY(gltf_list_entry(file, GLTF_MESHES, index, &json));
    const uint32_t limit = (uint32_t)file->keep->budget->limits->triangles;
    if (from->triangle_count > limit - meshes->triangle_total)
        return gltf_fail(file->log, &json, ZT_ERR_LIMIT, "more than %u triangles in all", limit);
    meshlet *meshlets;
    ZT_TRY(ARENA_TAKE_RAW(file->keep, &meshlets, from->meshlet_count, "meshlets", file->log->err));
    *out = *from;
    ZT_TRY(gltf_name(file->log, &json, &out->name));
    for (uint32_t i = 0; i < from->meshlet_count; i++) {
        meshlets[i] = from->meshlets[i];
        meshlets[i].material = material;
    }
    out->meshlets = meshlets;
    meshes->joint_limit[index] = meshes->joint_limit[twin];
    meshes->vertex_total += out->vertex_count;
    meshes->triangle_total += out->triangle_count;
    meshes->line_total += out->line_count;
    meshes->point_total += out->point_count;
    return ZT_OK;
}

/// Shares the arrays of a mesh that was read and differs only in its material.
static zt_result share_mesh(gltf_file *file, const gltf_materials *materials, gltf_meshes *meshes,
                            uint32_t index, mesh_twins *twins, const model_mesh *made,
                            model_mesh *out, bool *out_shared)
{
    uint32_t position, material, other;
    const json_value *primitive = shared_primitive(file, index, &position);
    *out_shared = false;
    if (!primitive || !find_material(file, materials, primitive, &material))
        return ZT_OK;
    int32_t twin = twins->first[position];
    for (int looked = 0; twin >= 0 && looked < TWINS_LIMIT; looked++, twin = twins->next[twin]) {
        const json_value *theirs = shared_primitive(file, (uint32_t)twin, &other);
        if (made[twin].triangle_count > 0 && equal_members(primitive, theirs, "attributes") &&
            equal_members(primitive, theirs, "indices") &&
            equal_members(primitive, theirs, "mode") &&
            find_material(file, materials, theirs, &other) &&
            equal_needs(&materials->material[material], &materials->material[other])) {
            *out_shared = true;
            return share(file, meshes, index, material, (uint32_t)twin, made, out);
        }
    }
    twins->next[index] = twins->first[position];
    twins->first[position] = (int32_t)index;
    return ZT_OK;
}

static zt_result begin_twins(gltf_file *file, mesh_twins *out)
{
    const uint32_t accessor_count = file->list[GLTF_ACCESSORS].count;
    ZT_TRY(ARENA_TAKE_RAW(file->scratch, &out->first, accessor_count, "meshes", file->log->err));
    ZT_TRY(ARENA_TAKE_RAW(file->scratch, &out->next, file->list[GLTF_MESHES].count, "meshes",
                          file->log->err));
    for (uint32_t i = 0; i < accessor_count; i++)
        out->first[i] = -1;
    return ZT_OK;
}

zt_result gltf_read_meshes(gltf_file *file, const gltf_materials *materials, gltf_meshes *meshes,
                           zt_model *model)
{
    const uint32_t mesh_count = file->list[GLTF_MESHES].count;
    mesh_twins twins;
    ZT_TRY(begin_twins(file, &twins));
    model_mesh *made = ARENA_ARRAY(file->keep, model_mesh, mesh_count);
    meshes->joint_limit = ARENA_ARRAY(file->scratch, uint32_t, mesh_count);
    if (!made)
        return arena_fail(file->keep, file->log->err, "meshes");
    if (!meshes->joint_limit)
        return arena_fail(file->scratch, file->log->err, "meshes");
    arena work;
    zt_result result = ZT_OK;
    arena_init(&work, file->scratch->budget);
    meshes->work = &work;
    for (uint32_t i = 0; i < mesh_count && result == ZT_OK; i++) {
        bool shared;
        arena_reset(&work);
        result = share_mesh(file, materials, meshes, i, &twins, made, &made[i], &shared);
        if (result == ZT_OK && !shared)
            result = read_mesh(file, materials, meshes, i, &made[i]);
    }
    arena_finish(&work);
    meshes->work = NULL;
    model->meshes = made;
    model->mesh_count = mesh_count;
    return result;
}
