// SPDX-License-Identifier: MIT
/// VRMC_vrm 1.0 has an object of bones, VRM 0.x a list (vrm-c/vrm-specification, humanoid.md);
/// VRMC_vrm_animation 1.0 that of 1.0.
#include "gltf/gltf_parts.h"

#include <string.h>

// The specification has 55.
enum { HUMAN_BONE_LIMIT = 256 };

static zt_result add_bone(gltf_file *file, const gltf_nodes *nodes, const json_pointer *json,
                          const char *name, zt_model *model, model_human_bone *out)
{
    int32_t node;
    ZT_TRY(gltf_member_index(file, json, "node", GLTF_NODES, &node));
    if (node < 0 || !name)
        return ZT_OK; // a bone that the model does not have
    *out = (model_human_bone){.name = arena_text(file->keep, name, strlen(name)),
                              .node = nodes->node_index[node]};
    if (!out->name)
        return arena_fail(file->keep, file->log->err, "human bones");
    model->human_bone_count++;
    return ZT_OK;
}

static zt_result begin_bones(gltf_file *file, const json_pointer *json, uint32_t count,
                             zt_model *model, model_human_bone **out)
{
    if (count > HUMAN_BONE_LIMIT)
        return gltf_fail(file->log, json, ZT_ERR_LIMIT, "has %u bones (at most %d)", count,
                         HUMAN_BONE_LIMIT);
    *out = ARENA_ARRAY(file->keep, model_human_bone, count);
    model->human_bones = *out;
    return *out ? ZT_OK : arena_fail(file->keep, file->log->err, "human bones");
}

static zt_result read_bones_1(gltf_file *file, const gltf_nodes *nodes, const json_pointer *human,
                              zt_model *model)
{
    json_pointer bones;
    model_human_bone *made;
    ZT_TRY(gltf_object(file->log, human, "humanBones", &bones));
    if (!bones.value)
        return ZT_OK;
    ZT_TRY(begin_bones(file, &bones, bones.value->count, model, &made));
    for (uint32_t i = 0; i < bones.value->count; i++) {
        json_pointer bone;
        const char *name = bones.value->item[i]->key;
        ZT_TRY(gltf_object(file->log, &bones, name, &bone));
        ZT_TRY(add_bone(file, nodes, &bone, name, model, &made[model->human_bone_count]));
    }
    return ZT_OK;
}

static zt_result read_bones_0(gltf_file *file, const gltf_nodes *nodes, const json_pointer *human,
                              zt_model *model)
{
    json_pointer bones;
    model_human_bone *made;
    uint32_t count;
    ZT_TRY(gltf_array(file->log, human, "humanBones", &bones, &count));
    ZT_TRY(begin_bones(file, &bones, count, model, &made));
    for (uint32_t i = 0; i < count; i++) {
        json_pointer bone;
        const char *name;
        ZT_TRY(gltf_entry(file->log, &bones, i, &bone));
        ZT_TRY(gltf_text(file->log, &bone, "bone", &name));
        ZT_TRY(add_bone(file, nodes, &bone, name, model, &made[model->human_bone_count]));
    }
    return ZT_OK;
}

zt_result gltf_read_humanoid(gltf_file *file, const gltf_nodes *nodes, zt_model *model)
{
    json_extension vrm;
    json_pointer human;
    ZT_TRY(gltf_extension(file->log, &file->root, "VRMC_vrm", &vrm));
    ZT_TRY(gltf_object(file->log, &vrm.object, "humanoid", &human));
    if (human.value)
        return read_bones_1(file, nodes, &human, model);
    const json_value *newer = vrm.object.value;
    ZT_TRY(gltf_extension(file->log, &file->root, "VRM", &vrm));
    model->faces_back = !newer && vrm.object.value; // VRM 0.x, at -Z; 1.0 is glTF's
    ZT_TRY(gltf_object(file->log, &vrm.object, "humanoid", &human));
    if (human.value)
        return read_bones_0(file, nodes, &human, model);
    ZT_TRY(gltf_extension(file->log, &file->root, "VRMC_vrm_animation", &vrm));
    ZT_TRY(gltf_object(file->log, &vrm.object, "humanoid", &human));
    return read_bones_1(file, nodes, &human, model);
}
