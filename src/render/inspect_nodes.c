// SPDX-License-Identifier: MIT
/// What inspect tells of the hierarchy: nodes with what they carry, skins with their joints, clips.
#include "render/inspect.h"

/// Names what a node carries; nothing for what it does not.
static json_t *describe_node(const zt_model *m, const model_node *node)
{
    json_t *o = json_pack("{s:o}", "name", inspect_string(node->name));
    if (node->parent >= 0)
        json_object_set_new(o, "parent", json_integer(node->parent));
    if (node->mesh >= 0)
        json_object_set_new(o, "mesh", json_integer(node->mesh));
    if (node->skin >= 0)
        json_object_set_new(o, "skin", json_integer(node->skin));
    if (node->camera >= 0)
        json_object_set_new(o, "camera", inspect_string(m->cameras[node->camera].name));
    if (node->light >= 0)
        json_object_set_new(o, "light", json_integer(node->light));
    if (!node->visible)
        json_object_set_new(o, "visible", json_false());
    return o;
}

json_t *inspect_nodes(const zt_model *m)
{
    json_t *list = json_array();
    for (uint32_t i = 0; i < m->node_count; i++)
        json_array_append_new(list, describe_node(m, &m->nodes[i]));
    return list;
}

json_t *inspect_skins(const zt_model *m)
{
    json_t *list = json_array();
    for (uint32_t i = 0; i < m->skin_count; i++) {
        const model_skin *skin = &m->skins[i];
        json_t *names = json_array();
        for (uint32_t k = 0; k < skin->joint_count; k++)
            json_array_append_new(names, inspect_string(m->nodes[skin->joint_node[k]].name));
        json_array_append_new(list, json_pack("{s:o,s:I,s:o}", "name", inspect_string(skin->name),
                                              "joints", (json_int_t)skin->joint_count,
                                              "joint_names", names));
    }
    return list;
}

json_t *inspect_clips(const zt_model *m)
{
    json_t *list = json_array();
    for (uint32_t i = 0; i < m->clip_count; i++) {
        const model_clip *clip = &m->clips[i];
        json_int_t keys = 0;
        for (uint32_t k = 0; k < clip->channel_count; k++)
            keys += (json_int_t)clip->channels[k].key_count;
        for (uint32_t k = 0; k < clip->moved_count; k++)
            keys += (json_int_t)clip->moved[k].keys.key_count;
        json_array_append_new(
            list, json_pack("{s:o,s:f,s:f,s:f,s:I,s:I}", "name", inspect_string(clip->name),
                            "start", (double)clip->start_s, "end", (double)clip->end_s, "duration",
                            (double)clip->end_s - (double)clip->start_s, "channels",
                            (json_int_t)clip->channel_count + (json_int_t)clip->moved_count, "keys",
                            keys));
    }
    return list;
}
