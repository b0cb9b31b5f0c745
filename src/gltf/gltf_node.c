// SPDX-License-Identifier: MIT
/// Nodes of a glTF file: the hierarchy is proven to be a forest, parents are moved before their
/// children, matrices become translation, rotation and scale where that loses nothing. Nothing here
/// recurses: chains may be as long as the file.
///
/// EXT_mesh_gpu_instancing shows a mesh once per element of the node's instance attributes. Each
/// becomes a child of the node with the mesh: everything later sees ordinary nodes.
#include "gltf/gltf_accessor.h"
#include "gltf/gltf_parts.h"

#include <math.h>
#include <string.h>

// A matrix is T R S when their product equals it within this part of its largest entry: ten times
// the rounding of a float product of three, and far below what a picture shows.
#define RECOMPOSE_TOLERANCE 1e-5f

typedef struct node_links {
    int32_t *parent; // [node_count] in the file's numbers, -1 for roots
    uint32_t *order; // [node_count] file nodes, parents first
} node_links;

static zt_result read_parents(gltf_file *file, int32_t *parent)
{
    const uint32_t node_count = file->list[GLTF_NODES].count;
    for (uint32_t i = 0; i < node_count; i++)
        parent[i] = -1;
    for (uint32_t i = 0; i < node_count; i++) {
        json_pointer node, children;
        uint32_t count;
        ZT_TRY(gltf_list_entry(file, GLTF_NODES, i, &node));
        ZT_TRY(gltf_array(file->log, &node, "children", &children, &count));
        for (uint32_t k = 0; k < count; k++) {
            const json_pointer element = json_element(&children, k);
            int32_t child;
            ZT_TRY(gltf_index(file, &element, GLTF_NODES, &child));
            if (parent[child] == (int32_t)i)
                return gltf_fail(file->log, &element, ZT_ERR_FORMAT, "node %d is listed twice",
                                 child);
            if (parent[child] >= 0)
                return gltf_fail(file->log, &element, ZT_ERR_FORMAT,
                                 "node %d has two parents, nodes %d and %u", child, parent[child],
                                 i);
            parent[child] = (int32_t)i;
        }
    }
    return ZT_OK;
}

/// Orders nodes as in the file, except that ancestors that come later are moved in front.
static zt_result sort_nodes(gltf_file *file, gltf_nodes *nodes, const node_links *links)
{
    const uint32_t node_count = file->list[GLTF_NODES].count;
    enum { UNSEEN, ON_CHAIN, PLACED };
    uint8_t *state = ARENA_ARRAY(file->scratch, uint8_t, node_count);
    uint32_t *chain = ARENA_ARRAY(file->scratch, uint32_t, node_count);
    if (!state || !chain)
        return arena_fail(file->scratch, file->log->err, "nodes");
    uint32_t placed = 0;
    for (uint32_t i = 0; i < node_count; i++) {
        uint32_t length = 0;
        for (int32_t n = (int32_t)i; n >= 0 && state[n] != PLACED; n = links->parent[n]) {
            if (state[n] == ON_CHAIN) {
                const json_pointer element = json_element(&file->list[GLTF_NODES].json, (size_t)n);
                return gltf_fail(file->log, &element, ZT_ERR_FORMAT, "node %d is its own ancestor",
                                 n);
            }
            state[n] = ON_CHAIN;
            chain[length++] = (uint32_t)n;
        }
        while (length > 0) {
            const uint32_t n = chain[--length];
            state[n] = PLACED;
            nodes->node_index[n] = (int32_t)placed;
            links->order[placed++] = n;
        }
    }
    return ZT_OK;
}

/// Marks all nodes below the default scene, or all nodes when the file has no scenes.
static zt_result mark_scene(gltf_file *file, gltf_nodes *nodes)
{
    const uint32_t node_count = file->list[GLTF_NODES].count;
    int32_t scene;
    ZT_TRY(gltf_member_index(file, &file->root, "scene", GLTF_SCENES, &scene));
    if (file->list[GLTF_SCENES].count == 0) {
        for (uint32_t i = 0; i < node_count; i++)
            nodes->node[i].in_scene = true;
        return ZT_OK;
    }
    json_pointer object, roots;
    uint32_t count;
    ZT_TRY(gltf_list_entry(file, GLTF_SCENES, scene < 0 ? 0 : (size_t)scene, &object));
    ZT_TRY(gltf_array(file->log, &object, "nodes", &roots, &count));
    for (uint32_t i = 0; i < count; i++) {
        const json_pointer element = json_element(&roots, i);
        int32_t node;
        ZT_TRY(gltf_index(file, &element, GLTF_NODES, &node));
        nodes->node[nodes->node_index[node]].in_scene = true;
    }
    for (uint32_t i = 0; i < node_count; i++)
        if (nodes->node[i].parent >= 0 && nodes->node[nodes->node[i].parent].in_scene)
            nodes->node[i].in_scene = true;
    return ZT_OK;
}

/// KHR_node_visibility: a hidden node hides all below it.
static zt_result hide_nodes(gltf_file *file, gltf_nodes *nodes, const uint32_t *file_node)
{
    for (uint32_t i = 0; i < file->list[GLTF_NODES].count; i++) {
        json_pointer json;
        json_extension visibility;
        bool shown;
        ZT_TRY(gltf_list_entry(file, GLTF_NODES, file_node[i], &json));
        ZT_TRY(gltf_extension(file->log, &json, "KHR_node_visibility", &visibility));
        ZT_TRY(gltf_flag(file->log, &visibility.object, "visible", true, &shown));
        model_node *node = &nodes->node[i];
        const bool above = node->parent < 0 || nodes->node[node->parent].visible ||
                           !nodes->node[node->parent].in_scene;
        node->shown = shown ? 1.0f : 0.0f;
        node->visible = node->in_scene && shown && above;
    }
    return ZT_OK;
}

/// Rotation of an orthonormal matrix, columns c (Shepperd's choice of the largest component).
static void rotation_from_columns(float c[3][3], float q[4])
{
    const float trace = c[0][0] + c[1][1] + c[2][2];
    if (trace > 0.0f) {
        const float s = sqrtf(trace + 1.0f) * 2.0f;
        q[0] = (c[1][2] - c[2][1]) / s;
        q[1] = (c[2][0] - c[0][2]) / s;
        q[2] = (c[0][1] - c[1][0]) / s;
        q[3] = 0.25f * s;
        return;
    }
    const int i = c[0][0] > c[1][1] ? (c[0][0] > c[2][2] ? 0 : 2) : (c[1][1] > c[2][2] ? 1 : 2);
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    const float s = sqrtf(c[i][i] - c[j][j] - c[k][k] + 1.0f) * 2.0f;
    q[i] = 0.25f * s;
    q[j] = (c[i][j] + c[j][i]) / s;
    q[k] = (c[k][i] + c[i][k]) / s;
    q[3] = (c[j][k] - c[k][j]) / s;
}

/// Splits an affine matrix into T R S. False when their product differs (shear, or no volume).
static bool decompose(mat4 m, trs *out)
{
    *out = trs_identity();
    memcpy(out->t, m[3], sizeof out->t);
    float c[3][3];
    const float det = mat4_determinant3(m);
    for (int i = 0; i < 3; i++) {
        const float length = sqrtf(m[i][0] * m[i][0] + m[i][1] * m[i][1] + m[i][2] * m[i][2]);
        out->s[i] = i == 0 && det < 0.0f ? -length : length;
        if (!(length > 0.0f))
            return false;
        for (int k = 0; k < 3; k++)
            c[i][k] = m[i][k] / out->s[i];
    }
    rotation_from_columns(c, out->r);
    if (!quatf_normalize(out->r)) {
        *out = trs_identity();
        return false;
    }
    mat4 again;
    trs_to_mat4(out, again);
    float largest = 0.0f, error = 0.0f;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) {
            const float entry = fabsf(m[i][k]), difference = fabsf(again[i][k] - m[i][k]);
            largest = entry > largest ? entry : largest;
            error = difference > error ? difference : error;
        }
    return error <= RECOMPOSE_TOLERANCE * largest;
}

static zt_result read_matrix(gltf_log *log, const json_pointer *json, model_node *node)
{
    glm_mat4_identity(node->matrix);
    ZT_TRY(gltf_floats(log, json, "matrix", 16, &node->matrix[0][0]));
    mat4 *m = &node->matrix;
    if ((*m)[0][3] != 0.0f || (*m)[1][3] != 0.0f || (*m)[2][3] != 0.0f || (*m)[3][3] != 1.0f)
        ZT_TRY(gltf_warn(log, json, "the last row of the matrix is taken as 0 0 0 1"));
    for (int i = 0; i < 4; i++)
        (*m)[i][3] = i == 3 ? 1.0f : 0.0f;
    node->has_matrix = !decompose(*m, &node->rest);
    if (!node->has_matrix)
        glm_mat4_identity(node->matrix);
    return ZT_OK;
}

static zt_result read_transform(gltf_log *log, const json_pointer *json, model_node *node)
{
    node->rest = trs_identity();
    glm_mat4_identity(node->matrix);
    if (json_get(json->value, "matrix"))
        return read_matrix(log, json, node);
    ZT_TRY(gltf_floats(log, json, "translation", 3, node->rest.t));
    ZT_TRY(gltf_floats(log, json, "rotation", 4, node->rest.r));
    ZT_TRY(gltf_floats(log, json, "scale", 3, node->rest.s));
    if (!quatf_normalize(node->rest.r)) {
        ZT_TRY(gltf_warn(log, json, "the rotation is not a quaternion and is ignored"));
        memcpy(node->rest.r, trs_identity().r, sizeof node->rest.r);
    }
    return ZT_OK;
}

static zt_result read_node(gltf_file *file, uint32_t index, model_node *node)
{
    json_pointer json;
    json_extension light;
    ZT_TRY(gltf_list_entry(file, GLTF_NODES, index, &json));
    ZT_TRY(gltf_name(file->log, &json, &node->name));
    ZT_TRY(gltf_member_index(file, &json, "mesh", GLTF_MESHES, &node->mesh));
    ZT_TRY(gltf_member_index(file, &json, "skin", GLTF_SKINS, &node->skin));
    ZT_TRY(gltf_member_index(file, &json, "camera", GLTF_CAMERAS, &node->camera));
    ZT_TRY(gltf_extension(file->log, &json, "KHR_lights_punctual", &light));
    ZT_TRY(gltf_member_index(file, &light.object, "light", GLTF_LIGHTS, &node->light));
    return read_transform(file->log, &json, node);
}

// ---- Instances ----------------------------------------------------------------------------------

// A node takes some 300 bytes and a draw in every frame; a file can name one accessor many times.
enum { INSTANCE_LIMIT = 1000000 };

typedef struct instance_data {
    const char *key;
    uint32_t width;
    json_pointer json;
    gltf_accessor accessor;
    bool found;
    float *value; ///< [count * width]
} instance_data;

enum { TRANSLATION, ROTATION, SCALE, KINDS };

/// Opens what the extension of a node names. `*out_count` is 0 when it has none or shows no mesh.
static zt_result open_instances(gltf_file *file, const json_pointer *node,
                                json_extension *extension, json_pointer *attributes,
                                instance_data data[KINDS], uint32_t *out_count)
{
    static const char *const keys[KINDS] = {"TRANSLATION", "ROTATION", "SCALE"};
    static const uint32_t widths[KINDS] = {3, 4, 3};
    *out_count = 0;
    ZT_TRY(gltf_extension(file->log, node, "EXT_mesh_gpu_instancing", extension));
    if (!extension->object.value || !json_get(node->value, "mesh"))
        return ZT_OK;
    ZT_TRY(gltf_object(file->log, &extension->object, "attributes", attributes));
    bool any = false;
    for (int k = 0; k < KINDS; k++) {
        data[k] = (instance_data){.key = keys[k], .width = widths[k]};
        data[k].json = json_member(attributes, keys[k]);
        ZT_TRY(gltf_open_attribute(file, NULL, &data[k].json, widths[k], widths[k],
                                   any ? *out_count : 0, &data[k].accessor, &data[k].found));
        if (data[k].found && (!any || data[k].accessor.count < *out_count))
            *out_count = data[k].accessor.count;
        any = any || data[k].found;
    }
    if (!any)
        return gltf_warn(file->log, &extension->object,
                         "has no TRANSLATION, ROTATION or SCALE; the mesh is shown once");
    return ZT_OK;
}

static zt_result count_instances(gltf_file *file, uint32_t *out_count)
{
    uint64_t total = 0;
    for (uint32_t i = 0; i < file->list[GLTF_NODES].count; i++) {
        json_pointer node, attributes;
        json_extension extension;
        instance_data data[KINDS];
        uint32_t count;
        ZT_TRY(gltf_list_entry(file, GLTF_NODES, i, &node));
        ZT_TRY(open_instances(file, &node, &extension, &attributes, data, &count));
        total += count;
        if (total > INSTANCE_LIMIT)
            return gltf_fail(file->log, &node, ZT_ERR_LIMIT,
                             "more than %d instances of meshes in all", (int)INSTANCE_LIMIT);
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

static zt_result expand_node(gltf_file *file, gltf_nodes *nodes, uint32_t file_node)
{
    json_pointer json, attributes;
    json_extension extension;
    instance_data data[KINDS];
    uint32_t count;
    ZT_TRY(gltf_list_entry(file, GLTF_NODES, file_node, &json));
    ZT_TRY(open_instances(file, &json, &extension, &attributes, data, &count));
    if (!json_get(extension.object.value, "attributes") || count == 0)
        return ZT_OK;
    for (int k = 0; k < KINDS; k++) {
        if (!data[k].found)
            continue;
        ZT_TRY(ARENA_TAKE_RAW(file->scratch, &data[k].value, (size_t)count * data[k].width,
                              "instances", file->log->err));
        ZT_TRY(gltf_read_floats(file, &data[k].json, &data[k].accessor, 0, count, data[k].value,
                                data[k].width));
    }
    const int32_t parent = nodes->node_index[file_node];
    model_node *node = &nodes->node[parent];
    nodes->shown_mesh[parent] = node->mesh;
    if (node->skin >= 0)
        ZT_TRY(gltf_unsupported(file->log, &json, "the skin of an instanced mesh is left out"));
    for (uint32_t i = 0; i < count; i++) {
        model_node *made = &nodes->node[nodes->count++];
        *made = (model_node){.name = "",
                             .parent = parent,
                             .mesh = node->mesh,
                             .skin = -1,
                             .camera = -1,
                             .light = -1,
                             .in_scene = node->in_scene,
                             .visible = node->visible,
                             .shown = 1.0f,
                             .instanced_by = (uint32_t)parent + 1u,
                             .rest = instance_transform(data, i)};
        glm_mat4_identity(made->matrix);
    }
    node->mesh = node->skin = -1;
    return ZT_OK;
}

static zt_result add_instances(gltf_file *file, gltf_nodes *nodes)
{
    const uint32_t node_count = file->list[GLTF_NODES].count;
    nodes->count = node_count;
    ZT_TRY(ARENA_TAKE_RAW(file->scratch, &nodes->shown_mesh, node_count, "nodes", file->log->err));
    for (uint32_t i = 0; i < node_count; i++)
        nodes->shown_mesh[i] = nodes->node[i].mesh;
    for (uint32_t i = 0; i < node_count; i++)
        ZT_TRY(expand_node(file, nodes, i));
    return ZT_OK;
}

// ---- All nodes ----------------------------------------------------------------------------------

zt_result gltf_read_nodes(gltf_file *file, gltf_nodes *nodes)
{
    const uint32_t node_count = file->list[GLTF_NODES].count;
    const node_links links = {ARENA_ARRAY(file->scratch, int32_t, node_count),
                              ARENA_ARRAY(file->scratch, uint32_t, node_count)};
    nodes->node_index = ARENA_ARRAY(file->scratch, int32_t, node_count);
    uint32_t instances;
    ZT_TRY(count_instances(file, &instances));
    nodes->node = ARENA_ARRAY(file->keep, model_node, (size_t)node_count + instances);
    if (!links.parent || !links.order || !nodes->node_index)
        return arena_fail(file->scratch, file->log->err, "nodes");
    if (!nodes->node)
        return arena_fail(file->keep, file->log->err, "nodes");
    ZT_TRY(read_parents(file, links.parent));
    ZT_TRY(sort_nodes(file, nodes, &links));
    for (uint32_t i = 0; i < node_count; i++) {
        const int32_t parent = links.parent[links.order[i]];
        nodes->node[i].parent = parent < 0 ? -1 : nodes->node_index[parent];
        ZT_TRY(read_node(file, links.order[i], &nodes->node[i]));
        nodes->node[i].file_node = links.order[i] + 1;
    }
    ZT_TRY(mark_scene(file, nodes));
    ZT_TRY(hide_nodes(file, nodes, links.order));
    return add_instances(file, nodes);
}
