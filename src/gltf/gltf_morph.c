// SPDX-License-Identifier: MIT
/// Morph targets of a glTF mesh and their weights: glTF 2.0, section 3.7.2.2. Each target is read
/// as differences over the whole mesh, of which those other than 0 are kept. Names come from
/// extras.targetNames, where the exporters of Blender, Maya and others write them.
#include "gltf/gltf_parts.h"
#include "mesh/mesh_source.h"

#include <stdio.h>
#include <string.h>

enum { POSITION_FLOATS = 4, ATTRIBUTE_FLOATS = 8, EXTRA_FLOATS = 8, WIDEST = 4 };

/// Differences of one target over a mesh; zeros where it has none.
typedef struct target_arrays {
    size_t padded; ///< vertices
    float *position, *attributes, *extra;
    float *read; ///< what an accessor gives, [vertices of the largest primitive * WIDEST]
} target_arrays;

/// A primitive that has triangles.
typedef struct target_part {
    const gltf_primitive *primitive;
    uint32_t index; ///< among all primitives of the mesh
    size_t at;      ///< its vertices within the mesh
} target_part;

/// All primitives that have triangles: a mesh may list many without, for any number of targets.
typedef struct target_parts {
    target_part *part;
    uint32_t count;
    uint64_t range_total; ///< vertices of the file that each target reads
} target_parts;

static zt_result find_parts(gltf_log *log, arena *work, const gltf_primitive *primitives,
                            uint32_t count, target_parts *out)
{
    size_t at = 0;
    *out = (target_parts){ARENA_ARRAY_RAW(work, target_part, count), 0, 0};
    if (!out->part)
        return arena_fail(work, log->err, "morph targets");
    for (uint32_t i = 0; i < count; i++) {
        if (primitives[i].mesh.triangle_count == 0)
            continue;
        out->part[out->count++] = (target_part){&primitives[i], i, at};
        out->range_total += primitives[i].range_count;
        at += primitives[i].mesh.vertex_count;
    }
    return ZT_OK;
}

static zt_result allocate(gltf_log *log, arena *work, const target_parts *parts,
                          const model_mesh *mesh, target_arrays *out)
{
    uint32_t largest = 0;
    for (uint32_t i = 0; i < parts->count; i++) {
        const uint32_t range = parts->part[i].primitive->range_count;
        largest = range > largest ? range : largest;
    }
    out->padded = pad16(mesh->vertex_count);
    out->position = arena_alloc_raw(work, out->padded, POSITION_FLOATS * sizeof(float));
    out->attributes = arena_alloc_raw(work, out->padded, ATTRIBUTE_FLOATS * sizeof(float));
    out->extra = arena_alloc_raw(work, mesh->extra ? out->padded : 0, EXTRA_FLOATS * sizeof(float));
    out->read = arena_alloc_raw(work, largest, WIDEST * sizeof(float));
    return out->position && out->attributes && out->extra && out->read
               ? ZT_OK
               : arena_fail(work, log->err, "morph targets");
}

/// Reads a target's attribute, if any, into `out`: `width` floats a vertex, by `stride` floats.
static zt_result read_differences(gltf_file *file, const json_pointer *target, const char *key,
                                  uint32_t width_min, uint32_t width_max, const target_part *part,
                                  float *read, float *out, size_t stride)
{
    const gltf_primitive *p = part->primitive;
    const json_pointer json = json_member(target, key);
    gltf_accessor a;
    bool found;
    ZT_TRY(gltf_open_attribute(file, NULL, &json, width_min, width_max, p->file_count, &a, &found));
    if (!found || !out)
        return ZT_OK;
    const size_t width = gltf_width(&a);
    ZT_TRY(gltf_read_floats(file, &json, &a, p->first, p->range_count, read, width));
    for (size_t i = 0; i < p->mesh.vertex_count; i++)
        memcpy(out + (part->at + i) * stride, read + p->mesh.origin[i] * width,
               width * sizeof *out);
    return ZT_OK;
}

/// Normals of a primitive without normals in the file: those of the morphed triangles. (The
/// specification: "client implementations should calculate flat normals for each morph target".)
static void set_flat_differences(const target_part *part, const target_arrays *arrays)
{
    const mesh_source *mesh = &part->primitive->mesh;
    for (size_t t = 0; t < mesh->triangle_count; t++) {
        vertex_position p[3];
        float n[3];
        for (size_t k = 0; k < 3; k++) {
            const uint32_t v = mesh->corner[3 * t + k];
            const float *d = arrays->position + (part->at + v) * POSITION_FLOATS;
            const vertex_position *base = &mesh->position[v];
            p[k] = (vertex_position){base->x + d[0], base->y + d[1], base->z + d[2], 1.0f};
        }
        mesh_flat_normal(p, n);
        for (size_t k = 0; k < 3; k++) {
            const uint32_t v = mesh->corner[3 * t + k];
            const float *base = &mesh->attributes[v].nx;
            float *out = arrays->attributes + (part->at + v) * ATTRIBUTE_FLOATS;
            for (int axis = 0; axis < 3; axis++)
                out[axis] = n[axis] - base[axis];
        }
    }
}

/// Offsets in the records of vertex.h, in floats.
enum { U_AT = 3, V_AT = 7, TANGENT_AT = 4, SECOND_UV_AT = 4 };

static zt_result read_part(gltf_file *file, const json_pointer *target, const target_part *part,
                           const target_arrays *arrays)
{
    const mesh_source *mesh = &part->primitive->mesh;
    float *attributes = arrays->attributes, *extra = mesh->extra ? arrays->extra : NULL;
    ZT_TRY(read_differences(file, target, "POSITION", 3, 3, part, arrays->read, arrays->position,
                            POSITION_FLOATS));
    ZT_TRY(
        read_differences(file, target, "COLOR_0", 3, 4, part, arrays->read, extra, EXTRA_FLOATS));
    ZT_TRY(read_differences(file, target, gltf_uv_names[part->primitive->uv_from[1]], 2, 2, part,
                            arrays->read, extra ? extra + SECOND_UV_AT : NULL, EXTRA_FLOATS));
    // u and v are not neighbours: both are read to the tangent, which is filled later, and moved.
    ZT_TRY(read_differences(file, target, gltf_uv_names[part->primitive->uv_from[0]], 2, 2, part,
                            arrays->read, attributes + TANGENT_AT, ATTRIBUTE_FLOATS));
    for (size_t i = 0; i < mesh->vertex_count; i++) {
        float *at = attributes + (part->at + i) * ATTRIBUTE_FLOATS;
        at[U_AT] = at[TANGENT_AT];
        at[V_AT] = at[TANGENT_AT + 1];
        memset(at + TANGENT_AT, 0, 3 * sizeof *at);
    }
    if (part->primitive->flat) {
        set_flat_differences(part, arrays);
        return ZT_OK;
    }
    ZT_TRY(read_differences(file, target, "NORMAL", 3, 3, part, arrays->read, attributes,
                            ATTRIBUTE_FLOATS));
    return read_differences(file, target, "TANGENT", 3, 3, part, arrays->read,
                            attributes + TANGENT_AT, ATTRIBUTE_FLOATS);
}

static zt_result read_target(gltf_file *file, const json_pointer *array, const target_parts *parts,
                             uint32_t target, const model_mesh *mesh, const target_arrays *arrays,
                             morph_target *out)
{
    const size_t n = arrays->padded;
    memset(arrays->position, 0, n * POSITION_FLOATS * sizeof(float));
    memset(arrays->attributes, 0, n * ATTRIBUTE_FLOATS * sizeof(float));
    memset(arrays->extra, 0, (mesh->extra ? n : 0) * EXTRA_FLOATS * sizeof(float));
    for (uint32_t i = 0; i < parts->count; i++) {
        json_pointer primitive, targets, json;
        uint32_t target_count;
        ZT_TRY(gltf_entry(file->log, array, parts->part[i].index, &primitive));
        ZT_TRY(gltf_array(file->log, &primitive, "targets", &targets, &target_count));
        ZT_TRY(gltf_entry(file->log, &targets, target, &json));
        ZT_TRY(read_part(file, &json, &parts->part[i], arrays));
    }
    const uint32_t vertices = mesh->vertex_count;
    ZT_TRY(morph_part_build(file->keep, arrays->position, vertices, POSITION_FLOATS, &out->position,
                            file->log->err));
    ZT_TRY(morph_part_build(file->keep, arrays->attributes, vertices, ATTRIBUTE_FLOATS,
                            &out->attributes, file->log->err));
    return mesh->extra ? morph_part_build(file->keep, arrays->extra, vertices, EXTRA_FLOATS,
                                          &out->extra, file->log->err)
                       : ZT_OK;
}

/// `weights` of a mesh or node; out[] keeps its values where there are fewer.
static zt_result read_weights(gltf_log *log, const json_pointer *object, uint32_t target_count,
                              float *out)
{
    json_pointer array;
    uint32_t count;
    ZT_TRY(gltf_array(log, object, "weights", &array, &count));
    if (count != target_count && count > 0)
        ZT_TRY(gltf_warn(log, &array, "has %u weights for %u morph targets", count, target_count));
    for (uint32_t i = 0; i < count && i < target_count; i++) {
        const json_value *value = json_at(array.value, i);
        const double weight = json_number(value);
        const json_pointer json = json_element(&array, i);
        if (!json_is_numeric(value) || !(weight >= -(double)MORPH_WEIGHT_MAX) ||
            !(weight <= (double)MORPH_WEIGHT_MAX))
            return gltf_fail(log, &json, ZT_ERR_FORMAT,
                             "is not a weight (expected a number from -1e6 to 1e6)");
        out[i] = (float)weight;
    }
    return ZT_OK;
}

static zt_result name_target(gltf_file *file, const json_value *names, uint32_t index,
                             const char **out)
{
    const char *name = json_str(json_at(names, index));
    char number[16];
    snprintf(number, sizeof number, "%u", index);
    name = name && *name ? name : number;
    return ARENA_TEXT(file->keep, out, name, "a name", file->log->err);
}

/// The number of targets of the primitives, which must agree.
static zt_result count_targets(gltf_log *log, const json_pointer *array,
                               const gltf_primitive *primitives, uint32_t count, uint32_t *out)
{
    bool first = true;
    *out = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (primitives[i].mesh.triangle_count == 0)
            continue;
        if (!first && primitives[i].target_count != *out) {
            const json_pointer json = json_element(array, i);
            return gltf_fail(log, &json, ZT_ERR_FORMAT,
                             "has %u morph targets, but the primitive before it has %u",
                             primitives[i].target_count, *out);
        }
        *out = primitives[i].target_count;
        first = false;
    }
    return ZT_OK;
}

zt_result gltf_read_targets(gltf_file *file, gltf_meshes *meshes, const json_pointer *mesh_place,
                            const json_pointer *array, const gltf_primitive *primitives,
                            uint32_t count, model_mesh *out)
{
    uint32_t targets;
    target_parts parts;
    target_arrays arrays;
    ZT_TRY(count_targets(file->log, array, primitives, count, &targets));
    if (targets == 0)
        return ZT_OK;
    meshes->morph_total += (uint64_t)targets * out->vertex_count;
    if (meshes->morph_total > MODEL_MORPH_LIMIT)
        return gltf_fail(file->log, mesh_place, ZT_ERR_LIMIT,
                         "vertices times morph targets are more than %u in all", MODEL_MORPH_LIMIT);
    ZT_TRY(find_parts(file->log, meshes->work, primitives, count, &parts));
    meshes->morph_reads += targets * parts.range_total;
    if (meshes->morph_reads > MODEL_MORPH_READ_LIMIT)
        return gltf_fail(file->log, mesh_place, ZT_ERR_LIMIT,
                         "the vertices between the lowest and the highest index of each primitive, "
                         "times morph targets, are more than %u in all",
                         MODEL_MORPH_READ_LIMIT);
    model_morph *morphs = ARENA_ARRAY(file->keep, model_morph, targets);
    float *weights = ARENA_ARRAY(meshes->work, float, targets);
    if (!morphs)
        return arena_fail(file->keep, file->log->err, "morph targets");
    if (!weights)
        return arena_fail(meshes->work, file->log->err, "morph targets");
    ZT_TRY(read_weights(file->log, mesh_place, targets, weights));
    ZT_TRY(allocate(file->log, meshes->work, &parts, out, &arrays));
    const json_value *names = json_get(json_get(mesh_place->value, "extras"), "targetNames");
    for (uint32_t i = 0; i < targets; i++) {
        ZT_TRY(name_target(file, names, i, &morphs[i].name));
        morphs[i].weight = weights[i];
        ZT_TRY(read_target(file, array, &parts, i, out, &arrays, &morphs[i].target));
    }
    out->morphs = morphs;
    out->morph_count = targets;
    return ZT_OK;
}

zt_result gltf_read_morph_weights(gltf_file *file, gltf_nodes *nodes, const zt_model *model)
{
    const uint32_t node_count = file->list[GLTF_NODES].count;
    for (uint32_t i = 0; i < node_count; i++) {
        model_node *node = &nodes->node[nodes->node_index[i]];
        json_pointer json;
        ZT_TRY(gltf_list_entry(file, GLTF_NODES, i, &json));
        const int32_t mesh = nodes->shown_mesh[nodes->node_index[i]];
        const uint32_t count = mesh >= 0 ? model->meshes[mesh].morph_count : 0;
        if (count == 0 || !json_get(json.value, "weights"))
            continue;
        float *weights;
        ZT_TRY(ARENA_TAKE(file->keep, &weights, count, "morph weights", file->log->err));
        for (uint32_t k = 0; k < count; k++)
            weights[k] = model->meshes[mesh].morphs[k].weight;
        ZT_TRY(read_weights(file->log, &json, count, weights));
        node->morph_weights = weights;
    }
    for (uint32_t i = node_count; i < nodes->count; i++)
        nodes->node[i].morph_weights = nodes->node[nodes->node[i].instanced_by - 1].morph_weights;
    return ZT_OK;
}
