// SPDX-License-Identifier: MIT
/// Morph targets of a glTF mesh and their weights: glTF 2.0, section 3.7.2.2. Each target is read
/// as differences over the whole mesh, of which those other than 0 are kept. Names come from
/// extras.targetNames, where the exporters of Blender, Maya and others write them.

#include "gltf/gltf_reader.h"

#include <stdio.h>
#include <string.h>

enum { POSITION_FLOATS = 4, ATTRIBUTE_FLOATS = 8, EXTRA_FLOATS = 8, WIDEST = 4 };

/// Differences of one target over a mesh; zeros where it says nothing.
typedef struct target_arrays {
    size_t padded; ///< vertices
    float *position, *attributes, *extra;
    float *read; ///< what an accessor gives, [vertices of the largest primitive * WIDEST]
} target_arrays;

/// A primitive's vertices within the mesh.
typedef struct target_part {
    const gltf_primitive *primitive;
    size_t at;
} target_part;

static zt_result allocate(gltf_reader *g, const gltf_primitive *primitives, uint32_t count,
                          const model_mesh *mesh, target_arrays *out)
{
    uint32_t most = 0;
    for (uint32_t i = 0; i < count; i++)
        most = primitives[i].range_count > most ? primitives[i].range_count : most;
    out->padded = pad16(mesh->vertex_count);
    out->position = arena_alloc_raw(g->work, out->padded, POSITION_FLOATS * sizeof(float));
    out->attributes = arena_alloc_raw(g->work, out->padded, ATTRIBUTE_FLOATS * sizeof(float));
    out->extra =
        arena_alloc_raw(g->work, mesh->extra ? out->padded : 0, EXTRA_FLOATS * sizeof(float));
    out->read = arena_alloc_raw(g->work, most, WIDEST * sizeof(float));
    return out->position && out->attributes && out->extra && out->read
               ? ZT_OK
               : arena_fail(g->work, g->err, "morph targets");
}

/// Reads an attribute of a target, when it is there, into `out`: `width` floats a vertex, `stride`
/// apart.
static zt_result read_differences(gltf_reader *g, const json_place *target, const char *key,
                                  uint32_t width_min, uint32_t width_max, const target_part *part,
                                  float *read, float *out, size_t stride)
{
    const gltf_primitive *p = part->primitive;
    const json_place place = json_member(target, key);
    gltf_accessor a;
    bool found;
    ZT_TRY(gltf_open_attribute(g, &place, width_min, width_max, p->file_count, &a, &found));
    if (!found || !out)
        return ZT_OK;
    const size_t width = gltf_width(&a);
    ZT_TRY(gltf_read_floats(g, &place, &a, p->first, p->range_count, read, width));
    for (size_t i = 0; i < p->mesh.vertex_count; i++)
        memcpy(out + (part->at + i) * stride, read + p->mesh.origin[i] * width,
               width * sizeof *out);
    return ZT_OK;
}

/// Normals of a primitive that the file gives none for: those of the morphed triangles. (The
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
        gltf_flat_normal(p, n);
        for (size_t k = 0; k < 3; k++) {
            const uint32_t v = mesh->corner[3 * t + k];
            const float *base = &mesh->attributes[v].nx;
            float *out = arrays->attributes + (part->at + v) * ATTRIBUTE_FLOATS;
            for (int axis = 0; axis < 3; axis++)
                out[axis] = n[axis] - base[axis];
        }
    }
}

/// Where u and v stand, among the records of vertex.h.
enum { U_AT = 3, V_AT = 7, TANGENT_AT = 4, SECOND_UV_AT = 4 };

static zt_result read_part(gltf_reader *g, const json_place *target, const target_part *part,
                           const target_arrays *arrays)
{
    const mesh_source *mesh = &part->primitive->mesh;
    float *attributes = arrays->attributes, *extra = mesh->extra ? arrays->extra : NULL;
    ZT_TRY(read_differences(g, target, "POSITION", 3, 3, part, arrays->read, arrays->position,
                            POSITION_FLOATS));
    ZT_TRY(read_differences(g, target, "COLOR_0", 3, 4, part, arrays->read, extra, EXTRA_FLOATS));
    ZT_TRY(read_differences(g, target, "TEXCOORD_1", 2, 2, part, arrays->read,
                            extra ? extra + SECOND_UV_AT : NULL, EXTRA_FLOATS));
    // u and v stand apart: v goes through the place of the tangent, which is filled after it.
    ZT_TRY(read_differences(g, target, "TEXCOORD_0", 2, 2, part, arrays->read,
                            attributes + TANGENT_AT, ATTRIBUTE_FLOATS));
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
    ZT_TRY(read_differences(g, target, "NORMAL", 3, 3, part, arrays->read, attributes,
                            ATTRIBUTE_FLOATS));
    return read_differences(g, target, "TANGENT", 3, 3, part, arrays->read, attributes + TANGENT_AT,
                            ATTRIBUTE_FLOATS);
}

static zt_result read_target(gltf_reader *g, const json_place *array,
                             const gltf_primitive *primitives, uint32_t count, uint32_t target,
                             const model_mesh *mesh, const target_arrays *arrays, morph_shape *out)
{
    const size_t n = arrays->padded;
    memset(arrays->position, 0, n * POSITION_FLOATS * sizeof(float));
    memset(arrays->attributes, 0, n * ATTRIBUTE_FLOATS * sizeof(float));
    memset(arrays->extra, 0, (mesh->extra ? n : 0) * EXTRA_FLOATS * sizeof(float));
    target_part part = {0};
    for (uint32_t i = 0; i < count; i++) {
        json_place primitive, targets, place;
        uint32_t target_count;
        part.primitive = &primitives[i];
        if (primitives[i].mesh.triangle_count == 0)
            continue;
        ZT_TRY(gltf_entry(g, array, i, &primitive));
        ZT_TRY(gltf_array(g, &primitive, "targets", &targets, &target_count));
        ZT_TRY(gltf_entry(g, &targets, target, &place));
        ZT_TRY(read_part(g, &place, &part, arrays));
        part.at += primitives[i].mesh.vertex_count;
    }
    const uint32_t vertices = mesh->vertex_count;
    ZT_TRY(morph_part_build(g->keep, arrays->position, vertices, POSITION_FLOATS, &out->position,
                            g->err));
    ZT_TRY(morph_part_build(g->keep, arrays->attributes, vertices, ATTRIBUTE_FLOATS,
                            &out->attributes, g->err));
    return mesh->extra ? morph_part_build(g->keep, arrays->extra, vertices, EXTRA_FLOATS,
                                          &out->extra, g->err)
                       : ZT_OK;
}

/// `weights` of a mesh or node; out[] keeps its values where there are fewer.
static zt_result read_weights(gltf_reader *g, const json_place *object, uint32_t target_count,
                              float *out)
{
    json_place array;
    uint32_t count;
    ZT_TRY(gltf_array(g, object, "weights", &array, &count));
    if (count != target_count && count > 0)
        ZT_TRY(gltf_warn(g, &array, "has %u weights for %u morph targets", count, target_count));
    for (uint32_t i = 0; i < count && i < target_count; i++) {
        const json_t *value = json_array_get(array.value, i);
        const double weight = json_number_value(value);
        const json_place place = json_element(&array, i);
        if (!json_is_number(value) || !(weight >= -(double)MORPH_WEIGHT_MOST) ||
            !(weight <= (double)MORPH_WEIGHT_MOST))
            return gltf_fail(g, &place, ZT_ERR_FORMAT,
                             "is no weight (expected a number from -1e6 to 1e6)");
        out[i] = (float)weight;
    }
    return ZT_OK;
}

static zt_result name_target(gltf_reader *g, const json_t *names, uint32_t index, const char **out)
{
    const char *name = json_string_value(json_array_get(names, index));
    char number[16];
    snprintf(number, sizeof number, "%u", index);
    name = name && *name ? name : number;
    *out = arena_text(g->keep, name, strlen(name));
    return *out ? ZT_OK : arena_fail(g->keep, g->err, "a name");
}

/// How many targets the primitives have, which must agree.
static zt_result count_targets(gltf_reader *g, const json_place *array,
                               const gltf_primitive *primitives, uint32_t count, uint32_t *out)
{
    bool first = true;
    *out = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (primitives[i].mesh.triangle_count == 0)
            continue;
        if (!first && primitives[i].target_count != *out) {
            const json_place place = json_element(array, i);
            return gltf_fail(g, &place, ZT_ERR_FORMAT,
                             "has %u morph targets, but the primitive before it has %u",
                             primitives[i].target_count, *out);
        }
        *out = primitives[i].target_count;
        first = false;
    }
    return ZT_OK;
}

zt_result gltf_read_targets(gltf_reader *g, const json_place *mesh_place, const json_place *array,
                            const gltf_primitive *primitives, uint32_t count, model_mesh *out)
{
    uint32_t targets;
    target_arrays arrays;
    ZT_TRY(count_targets(g, array, primitives, count, &targets));
    if (targets == 0)
        return ZT_OK;
    g->morph_total += (uint64_t)targets * out->vertex_count;
    if (g->morph_total > MODEL_MORPH_LIMIT)
        return gltf_fail(g, mesh_place, ZT_ERR_LIMIT,
                         "vertices times morph targets are more than %u in all", MODEL_MORPH_LIMIT);
    model_morph *morphs = ARENA_ARRAY(g->keep, model_morph, targets);
    float *weights = ARENA_ARRAY(g->work, float, targets);
    if (!morphs)
        return arena_fail(g->keep, g->err, "morph targets");
    if (!weights)
        return arena_fail(g->work, g->err, "morph targets");
    ZT_TRY(read_weights(g, mesh_place, targets, weights));
    ZT_TRY(allocate(g, primitives, count, out, &arrays));
    const json_t *names =
        json_object_get(json_object_get(mesh_place->value, "extras"), "targetNames");
    for (uint32_t i = 0; i < targets; i++) {
        ZT_TRY(name_target(g, names, i, &morphs[i].name));
        morphs[i].weight = weights[i];
        ZT_TRY(read_target(g, array, primitives, count, i, out, &arrays, &morphs[i].shape));
    }
    out->morphs = morphs;
    out->morph_count = targets;
    return ZT_OK;
}

zt_result gltf_read_morph_weights(gltf_reader *g)
{
    for (uint32_t i = 0; i < g->node_count; i++) {
        model_node *node = &g->node[g->node_index[i]];
        json_place place;
        ZT_TRY(gltf_entry(g, &g->nodes, i, &place));
        const int32_t mesh = g->shown_mesh[g->node_index[i]];
        const uint32_t count = mesh >= 0 ? g->model->meshes[mesh].morph_count : 0;
        if (count == 0 || !json_object_get(place.value, "weights"))
            continue;
        float *weights = ARENA_ARRAY(g->keep, float, count);
        if (!weights)
            return arena_fail(g->keep, g->err, "morph weights");
        for (uint32_t k = 0; k < count; k++)
            weights[k] = g->model->meshes[mesh].morphs[k].weight;
        ZT_TRY(read_weights(g, &place, count, weights));
        node->morph_weights = weights;
    }
    for (uint32_t i = g->node_count; i < g->made_nodes; i++)
        g->node[i].morph_weights = g->node[g->node[i].placed_by - 1].morph_weights;
    return ZT_OK;
}
