// SPDX-License-Identifier: MIT
/// EXT_mesh_gpu_instancing: a mesh shown once for each element of the node's instance attributes.
/// Each becomes a child of the node that carries the mesh, so everything after this stage sees
/// ordinary nodes.

#include "gltf/gltf_reader.h"

#include <string.h>

// A node takes some 300 bytes and a draw in every frame; a file can name one accessor many times.
enum { INSTANCE_LIMIT = 1000000 };

typedef struct instance_data {
    const char *key;
    uint32_t width;
    json_place place;
    gltf_accessor accessor;
    bool found;
    float *value; ///< [count * width]
} instance_data;

enum { TRANSLATION, ROTATION, SCALE, KINDS };

/// Opens what the extension of a node names. `*out_count` is 0 when it has none or shows no mesh.
static zt_result open_instances(gltf_reader *g, const json_place *node, json_extension *extension,
                                json_place *attributes, instance_data data[KINDS],
                                uint32_t *out_count)
{
    static const char *const keys[KINDS] = {"TRANSLATION", "ROTATION", "SCALE"};
    static const uint32_t widths[KINDS] = {3, 4, 3};
    *out_count = 0;
    ZT_TRY(gltf_extension(g, node, "EXT_mesh_gpu_instancing", extension));
    if (!extension->object.value || !json_object_get(node->value, "mesh"))
        return ZT_OK;
    ZT_TRY(gltf_object(g, &extension->object, "attributes", attributes));
    bool any = false;
    for (int k = 0; k < KINDS; k++) {
        data[k] = (instance_data){.key = keys[k], .width = widths[k]};
        data[k].place = json_member(attributes, keys[k]);
        ZT_TRY(gltf_open_attribute(g, &data[k].place, widths[k], widths[k], any ? *out_count : 0,
                                   &data[k].accessor, &data[k].found));
        if (data[k].found && (!any || data[k].accessor.count < *out_count))
            *out_count = data[k].accessor.count;
        any = any || data[k].found;
    }
    if (!any)
        return gltf_warn(g, &extension->object,
                         "has no TRANSLATION, ROTATION or SCALE; the mesh is shown once");
    return ZT_OK;
}

zt_result gltf_count_instances(gltf_reader *g, uint32_t *out_count)
{
    uint64_t total = 0;
    for (uint32_t i = 0; i < g->node_count; i++) {
        json_place node, attributes;
        json_extension extension;
        instance_data data[KINDS];
        uint32_t count;
        ZT_TRY(gltf_entry(g, &g->nodes, i, &node));
        ZT_TRY(open_instances(g, &node, &extension, &attributes, data, &count));
        total += count;
        if (total > INSTANCE_LIMIT)
            return gltf_fail(g, &node, ZT_ERR_LIMIT, "more than %d instances of meshes in all",
                             (int)INSTANCE_LIMIT);
    }
    *out_count = (uint32_t)total;
    return ZT_OK;
}

static trs instance_transform(const instance_data data[KINDS], uint32_t index)
{
    trs out = trs_identity();
    if (data[TRANSLATION].found)
        memcpy(out.t, data[TRANSLATION].value + 3 * (size_t)index, sizeof out.t);
    if (data[ROTATION].found)
        memcpy(out.r, data[ROTATION].value + 4 * (size_t)index, sizeof out.r);
    if (data[SCALE].found)
        memcpy(out.s, data[SCALE].value + 3 * (size_t)index, sizeof out.s);
    if (!quatf_normalize(out.r))
        memcpy(out.r, trs_identity().r, sizeof out.r);
    return out;
}

static zt_result place_instances(gltf_reader *g, uint32_t file_node)
{
    json_place place, attributes;
    json_extension extension;
    instance_data data[KINDS];
    uint32_t count;
    ZT_TRY(gltf_entry(g, &g->nodes, file_node, &place));
    ZT_TRY(open_instances(g, &place, &extension, &attributes, data, &count));
    if (!json_object_get(extension.object.value, "attributes") || count == 0)
        return ZT_OK;
    for (int k = 0; k < KINDS; k++) {
        if (!data[k].found)
            continue;
        data[k].value = ARENA_ARRAY_RAW(g->scratch, float, (size_t)count *data[k].width);
        if (!data[k].value)
            return arena_fail(g->scratch, g->err, "instances");
        ZT_TRY(gltf_read_floats(g, &data[k].place, &data[k].accessor, 0, count, data[k].value,
                                data[k].width));
    }
    const int32_t parent = g->node_index[file_node];
    model_node *node = &g->node[parent];
    g->shown_mesh[parent] = node->mesh;
    if (node->skin >= 0)
        ZT_TRY(gltf_unsupported(g, &place, "the skin of an instanced mesh is left out"));
    for (uint32_t i = 0; i < count; i++) {
        model_node *made = &g->node[g->made_nodes++];
        *made = (model_node){.name = "",
                             .parent = parent,
                             .mesh = node->mesh,
                             .skin = -1,
                             .camera = -1,
                             .light = -1,
                             .visible = node->visible,
                             .placed_by = (uint32_t)parent + 1u,
                             .rest = instance_transform(data, i)};
        glm_mat4_identity(made->matrix);
    }
    node->mesh = node->skin = -1;
    return ZT_OK;
}

zt_result gltf_place_instances(gltf_reader *g)
{
    g->made_nodes = g->node_count;
    g->shown_mesh = ARENA_ARRAY_RAW(g->scratch, int32_t, g->node_count);
    if (!g->shown_mesh)
        return arena_fail(g->scratch, g->err, "nodes");
    for (uint32_t i = 0; i < g->node_count; i++)
        g->shown_mesh[i] = g->node[i].mesh;
    for (uint32_t i = 0; i < g->node_count; i++)
        ZT_TRY(place_instances(g, i));
    return ZT_OK;
}
