// SPDX-License-Identifier: MIT
/// Skins of a glTF file; every joint of a vertex must exist in every skin that shows its mesh.
#include "gltf/gltf_parts.h"

/// Inverse bind matrices: the accessor's, or identities.
static zt_result read_matrices(gltf_file *file, const json_pointer *skin, uint32_t count, mat4 *out)
{
    const json_pointer json = json_member(skin, "inverseBindMatrices");
    int32_t index;
    gltf_accessor a;
    for (uint32_t i = 0; i < count; i++)
        glm_mat4_identity(out[i]);
    ZT_TRY(gltf_index(file, &json, GLTF_ACCESSORS, &index));
    if (index < 0)
        return ZT_OK;
    ZT_TRY(gltf_accessor_open(file, &json, index, &a));
    if (gltf_width(&a) != 16)
        return gltf_fail(file->log, &json, ZT_ERR_FORMAT, "accessor %d must hold MAT4 elements",
                         index);
    if (a.count < count)
        return gltf_fail(file->log, &json, ZT_ERR_FORMAT,
                         "accessor %d has %u matrices, but the skin has %u joints", index, a.count,
                         count);
    ZT_TRY(gltf_read_floats(file, &json, &a, 0, count, &out[0][0][0], 16));
    for (uint32_t i = 0; i < count; i++) // affine by definition; files are off by rounding
        for (int column = 0; column < 4; column++)
            out[i][column][3] = column == 3 ? 1.0f : 0.0f;
    return ZT_OK;
}

static zt_result read_skin(gltf_file *file, const gltf_nodes *nodes, uint32_t index,
                           model_skin *out)
{
    json_pointer json, joints;
    uint32_t count;
    ZT_TRY(gltf_list_entry(file, GLTF_SKINS, index, &json));
    ZT_TRY(gltf_name(file->log, &json, &out->name));
    ZT_TRY(gltf_array(file->log, &json, "joints", &joints, &count));
    if (count == 0)
        return gltf_fail(file->log, &json, ZT_ERR_FORMAT, "the skin has no joints");
    const uint32_t limit = (uint32_t)file->keep->budget->limits->joints;
    if (count > limit)
        return gltf_fail(file->log, &joints, ZT_ERR_LIMIT, "the skin has %u joints (at most %u)",
                         count, limit);
    int32_t *node = ARENA_ARRAY(file->keep, int32_t, count);
    mat4 *matrices = ARENA_ARRAY(file->keep, mat4, count);
    if (!node || !matrices)
        return arena_fail(file->keep, file->log->err, "a skin");
    for (uint32_t i = 0; i < count; i++) {
        const json_pointer element = json_element(&joints, i);
        int32_t file_node;
        ZT_TRY(gltf_index(file, &element, GLTF_NODES, &file_node));
        node[i] = nodes->node_index[file_node];
    }
    ZT_TRY(read_matrices(file, &json, count, matrices));
    out->joint_count = count;
    out->joint_node = node;
    out->joint_from_bind = (const mat4 *)matrices;
    return ZT_OK;
}

/// Every joint that a mesh uses must exist in the skin that the node gives it.
static zt_result check_node(gltf_file *file, gltf_nodes *nodes, const gltf_meshes *meshes,
                            const zt_model *model, uint32_t file_node, const model_skin *skins)
{
    model_node *node = &nodes->node[nodes->node_index[file_node]];
    const json_pointer element = json_element(&file->list[GLTF_NODES].json, file_node);
    const json_pointer json = json_member(&element, "skin");
    if (node->skin < 0)
        return ZT_OK;
    if (node->mesh < 0 || meshes->joint_limit[node->mesh] == 0) {
        const bool shows = node->mesh >= 0 && model->meshes[node->mesh].triangle_count > 0;
        node->skin = -1;
        return shows ? gltf_warn(file->log, &json,
                                 "the mesh has no joints and weights; the skin is ignored")
                     : ZT_OK;
    }
    const uint32_t limit = meshes->joint_limit[node->mesh];
    if (limit > skins[node->skin].joint_count)
        return gltf_fail(file->log, &json, ZT_ERR_FORMAT,
                         "mesh %d follows joint %u, but skin %d has %u joints", node->mesh,
                         limit - 1, node->skin, skins[node->skin].joint_count);
    return ZT_OK;
}

zt_result gltf_read_skins(gltf_file *file, gltf_nodes *nodes, const gltf_meshes *meshes,
                          zt_model *model)
{
    const uint32_t skin_count = file->list[GLTF_SKINS].count;
    model_skin *skins;
    ZT_TRY(ARENA_TAKE(file->keep, &skins, skin_count, "skins", file->log->err));
    for (uint32_t i = 0; i < skin_count; i++)
        ZT_TRY(read_skin(file, nodes, i, &skins[i]));
    for (uint32_t i = 0; i < file->list[GLTF_NODES].count; i++)
        ZT_TRY(check_node(file, nodes, meshes, model, i, skins));
    model->skins = skins;
    model->skin_count = skin_count;
    return ZT_OK;
}
