// SPDX-License-Identifier: MIT
/// Nodes of a glTF file: the hierarchy is proven to be a forest, parents are moved before their
/// children, matrices become translation, rotation and scale where that loses nothing. Nothing
/// here recurses: chains may be as long as the file.

#include "gltf/gltf_reader.h"

#include <math.h>
#include <string.h>

// A matrix counts as T R S when these give it back within this part of its largest entry: ten times
// the rounding of a float product of three, and far below what a picture shows.
#define RECOMPOSE_TOLERANCE 1e-5f

typedef struct node_links {
    int32_t *parent; // [node_count] in the file's numbers, -1 for roots
    uint32_t *order; // [node_count] file nodes, parents first
} node_links;

static zt_result read_parents(gltf_reader *g, int32_t *parent)
{
    for (uint32_t i = 0; i < g->node_count; i++)
        parent[i] = -1;
    for (uint32_t i = 0; i < g->node_count; i++) {
        json_place node, children;
        uint32_t count;
        ZT_TRY(gltf_entry(g, &g->nodes, i, &node));
        ZT_TRY(gltf_array(g, &node, "children", &children, &count));
        for (uint32_t k = 0; k < count; k++) {
            const json_place element = json_element(&children, k);
            int32_t child;
            ZT_TRY(gltf_index(g, &element, g->node_count, "node", &child));
            if (parent[child] == (int32_t)i)
                return gltf_fail(g, &element, ZT_ERR_FORMAT, "node %d is listed twice", child);
            if (parent[child] >= 0)
                return gltf_fail(g, &element, ZT_ERR_FORMAT,
                                 "node %d has two parents, nodes %d and %u", child, parent[child],
                                 i);
            parent[child] = (int32_t)i;
        }
    }
    return ZT_OK;
}

/// Orders nodes as in the file, except that ancestors that come later are moved in front.
static zt_result sort_nodes(gltf_reader *g, const node_links *links)
{
    enum { UNSEEN, ON_CHAIN, PLACED };
    uint8_t *state = ARENA_ARRAY(g->scratch, uint8_t, g->node_count);
    uint32_t *chain = ARENA_ARRAY(g->scratch, uint32_t, g->node_count);
    if (!state || !chain)
        return arena_fail(g->scratch, g->err, "nodes");
    uint32_t placed = 0;
    for (uint32_t i = 0; i < g->node_count; i++) {
        uint32_t length = 0;
        for (int32_t n = (int32_t)i; n >= 0 && state[n] != PLACED; n = links->parent[n]) {
            if (state[n] == ON_CHAIN) {
                const json_place element = json_element(&g->nodes, (size_t)n);
                return gltf_fail(g, &element, ZT_ERR_FORMAT, "node %d is its own ancestor", n);
            }
            state[n] = ON_CHAIN;
            chain[length++] = (uint32_t)n;
        }
        while (length > 0) {
            const uint32_t n = chain[--length];
            state[n] = PLACED;
            g->node_index[n] = (int32_t)placed;
            links->order[placed++] = n;
        }
    }
    return ZT_OK;
}

/// Marks what hangs below the default scene; everything when the file has no scenes.
static zt_result mark_visible(gltf_reader *g)
{
    int32_t scene;
    ZT_TRY(gltf_member_index(g, &g->root, "scene", g->scene_count, "scene", &scene));
    if (g->scene_count == 0) {
        for (uint32_t i = 0; i < g->node_count; i++)
            g->node[i].visible = true;
        return ZT_OK;
    }
    json_place object, roots;
    uint32_t count;
    ZT_TRY(gltf_entry(g, &g->scenes, scene < 0 ? 0 : (size_t)scene, &object));
    ZT_TRY(gltf_array(g, &object, "nodes", &roots, &count));
    for (uint32_t i = 0; i < count; i++) {
        const json_place element = json_element(&roots, i);
        int32_t node;
        ZT_TRY(gltf_index(g, &element, g->node_count, "node", &node));
        g->node[g->node_index[node]].visible = true;
    }
    for (uint32_t i = 0; i < g->node_count; i++)
        if (g->node[i].parent >= 0 && g->node[g->node[i].parent].visible)
            g->node[i].visible = true;
    return ZT_OK;
}

/// KHR_node_visibility: a hidden node hides all below it.
static zt_result hide_nodes(gltf_reader *g, const uint32_t *file_node)
{
    for (uint32_t i = 0; i < g->node_count; i++) {
        json_place place;
        json_extension visibility;
        bool visible;
        ZT_TRY(gltf_entry(g, &g->nodes, file_node[i], &place));
        ZT_TRY(gltf_extension(g, &place, "KHR_node_visibility", &visibility));
        ZT_TRY(gltf_flag(g, &visibility.object, "visible", true, &visible));
        const int32_t parent = g->node[i].parent;
        if (!visible || (parent >= 0 && g->hidden[parent]))
            g->hidden[i] = true;
        g->node[i].visible = g->node[i].visible && !g->hidden[i];
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

/// Splits an affine matrix into T R S. False when they do not give it back (shear, or no volume).
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

static zt_result read_matrix(gltf_reader *g, const json_place *place, model_node *node)
{
    glm_mat4_identity(node->matrix);
    ZT_TRY(gltf_floats(g, place, "matrix", 16, &node->matrix[0][0]));
    mat4 *m = &node->matrix;
    if ((*m)[0][3] != 0.0f || (*m)[1][3] != 0.0f || (*m)[2][3] != 0.0f || (*m)[3][3] != 1.0f)
        ZT_TRY(gltf_warn(g, place, "the last row of the matrix is taken as 0 0 0 1"));
    for (int i = 0; i < 4; i++)
        (*m)[i][3] = i == 3 ? 1.0f : 0.0f;
    node->has_matrix = !decompose(*m, &node->rest);
    if (!node->has_matrix)
        glm_mat4_identity(node->matrix);
    return ZT_OK;
}

static zt_result read_transform(gltf_reader *g, const json_place *place, model_node *node)
{
    node->rest = trs_identity();
    glm_mat4_identity(node->matrix);
    if (json_object_get(place->value, "matrix"))
        return read_matrix(g, place, node);
    ZT_TRY(gltf_floats(g, place, "translation", 3, node->rest.t));
    ZT_TRY(gltf_floats(g, place, "rotation", 4, node->rest.r));
    ZT_TRY(gltf_floats(g, place, "scale", 3, node->rest.s));
    if (!quatf_normalize(node->rest.r)) {
        ZT_TRY(gltf_warn(g, place, "the rotation is no quaternion and becomes none"));
        memcpy(node->rest.r, trs_identity().r, sizeof node->rest.r);
    }
    return ZT_OK;
}

static zt_result read_node(gltf_reader *g, uint32_t index, model_node *node)
{
    json_place place;
    json_extension light;
    ZT_TRY(gltf_entry(g, &g->nodes, index, &place));
    ZT_TRY(gltf_name(g, &place, &node->name));
    ZT_TRY(gltf_member_index(g, &place, "mesh", g->mesh_count, "mesh", &node->mesh));
    ZT_TRY(gltf_member_index(g, &place, "skin", g->skin_count, "skin", &node->skin));
    ZT_TRY(gltf_member_index(g, &place, "camera", g->camera_count, "camera", &node->camera));
    ZT_TRY(gltf_extension(g, &place, "KHR_lights_punctual", &light));
    ZT_TRY(gltf_member_index(g, &light.object, "light", g->light_count, "light", &node->light));
    return read_transform(g, &place, node);
}

zt_result gltf_read_nodes(gltf_reader *g)
{
    const node_links links = {ARENA_ARRAY(g->scratch, int32_t, g->node_count),
                              ARENA_ARRAY(g->scratch, uint32_t, g->node_count)};
    g->node_index = ARENA_ARRAY(g->scratch, int32_t, g->node_count);
    g->hidden = ARENA_ARRAY(g->scratch, bool, g->node_count);
    uint32_t instances;
    ZT_TRY(gltf_count_instances(g, &instances));
    g->node = ARENA_ARRAY(g->keep, model_node, (size_t)g->node_count + instances);
    if (!links.parent || !links.order || !g->node_index || !g->hidden)
        return arena_fail(g->scratch, g->err, "nodes");
    if (!g->node)
        return arena_fail(g->keep, g->err, "nodes");
    ZT_TRY(read_parents(g, links.parent));
    ZT_TRY(sort_nodes(g, &links));
    for (uint32_t i = 0; i < g->node_count; i++) {
        const int32_t parent = links.parent[links.order[i]];
        g->node[i].parent = parent < 0 ? -1 : g->node_index[parent];
        ZT_TRY(read_node(g, links.order[i], &g->node[i]));
    }
    ZT_TRY(mark_visible(g));
    ZT_TRY(hide_nodes(g, links.order));
    return gltf_place_instances(g);
}
