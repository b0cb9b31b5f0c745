// SPDX-License-Identifier: MIT
/// `visible` and `opacity`: of a model in scene_read.c, of its materials in scene_materials.c, of
/// its nodes here.
#include "scene/scene_names.h"
#include "scene/scene_read.h"

static zt_result read_node(document_reader *r, const document_node *member, const zt_model *model,
                           scene_node_showing *out)
{
    static const map_key keys[] = {
        KEY_TRACK("visible", KEY_OPTIONAL, scene_node_showing, showing.visible, TRACK_SWITCH, 0, 1),
        KEY_TRACK("opacity", KEY_OPTIONAL, scene_node_showing, showing.opacity, TRACK_NUMBER, 0, 1),
    };
    ZT_TRY(scene_read_bone_key(r, member, model, &out->node));
    return value_map(r, member, "node", keys, COUNT_OF(keys), out);
}

zt_result scene_read_nodes(document_reader *r, const document_node *value, void *target)
{
    scene_instance *out = target;
    if (value->kind != DOCUMENT_MAP)
        return value_wrong(r, value, "a map of nodes");
    scene_node_showing *nodes;
    uint32_t count = 0;
    ZT_TRY(ARENA_TAKE(r->keep, &nodes, value->count, "nodes", r->err));
    for (const document_node *member = value->first; member; member = member->next)
        ZT_TRY(read_node(r, member, out->model, &nodes[count++]));
    out->node_showings = nodes;
    out->node_showing_count = count;
    return ZT_OK;
}

static double track_or_one(const track *t, double time_s)
{
    double value = 1.0;
    if (t->key_count > 0)
        track_evaluate(t, time_s, &value);
    return value;
}

float scene_showing_evaluate(const scene_showing *showing, double time_s)
{
    return (float)(track_or_one(&showing->visible, time_s) *
                   track_or_one(&showing->opacity, time_s));
}
