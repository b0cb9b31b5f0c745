// SPDX-License-Identifier: MIT
/// Which bone of a source moves which bone of a target.
#include "model/clip_copy.h"
#include "retarget/retarget.h"

#include <string.h>

static void pair_bones(retarget *r, int32_t from, int32_t to)
{
    if (from >= 0 && to >= 0)
        r->source[to] = from;
}

/// Chains of other lengths: the ends correspond, and what is between them by the share of the way.
static void pair_chain(retarget *r, int32_t first_part, int32_t last_part)
{
    int32_t to[RIG_SPINE5 - RIG_SPINE1 + 1], from[RIG_SPINE5 - RIG_SPINE1 + 1];
    int32_t to_count = 0, from_count = 0;
    for (int32_t part = first_part; part <= last_part; part++) {
        if (r->to.parts.node[part] >= 0)
            to[to_count++] = r->to.parts.node[part];
        if (r->from.parts.node[part] >= 0)
            from[from_count++] = r->from.parts.node[part];
    }
    if (from_count == 0)
        return;
    for (int32_t i = 0; i < to_count; i++) {
        const int32_t steps = to_count - 1, last = from_count - 1;
        pair_bones(r, from[steps > 0 ? (2 * i * last + steps) / (2 * steps) : last], to[i]);
    }
}

static void pair_parts(retarget *r)
{
    for (int32_t part = 0; part < RIG_PART_COUNT; part++)
        if (part < RIG_SPINE1 || part > RIG_NECK2)
            pair_bones(r, r->from.parts.node[part], r->to.parts.node[part]);
    pair_chain(r, RIG_SPINE1, RIG_SPINE5);
    pair_chain(r, RIG_NECK1, RIG_NECK2);
}

/// Human bones of VRM that are no parts of a body: eyes and the jaw.
static void pair_human_bones(retarget *r)
{
    const zt_model *to = r->to.model, *from = r->from.model;
    for (uint32_t i = 0; i < to->human_bone_count; i++)
        for (uint32_t k = 0; k < from->human_bone_count; k++)
            if (r->source[to->human_bones[i].node] < 0 &&
                strcmp(to->human_bones[i].name, from->human_bones[k].name) == 0)
                pair_bones(r, from->human_bones[k].node, to->human_bones[i].node);
}

/// Bones of the same names that no part of a body pairs.
static bool pair_names(retarget *r, arena *scratch)
{
    const zt_model *to = r->to.model, *from = r->from.model;
    const int32_t *node = clip_match_bones(to, from, scratch, &r->unsure);
    if (!node)
        return false;
    for (uint32_t i = 0; i < from->node_count; i++) // the first of a name wins
        if (node[i] >= 0 && r->source[node[i]] < 0 && !to->nodes[node[i]].has_matrix)
            r->source[node[i]] = (int32_t)i;
        else
            r->unsure[i] = false;
    return true;
}

/// The map of the caller, over what names say.
static void pair_given(retarget *r, const retarget_def *def)
{
    for (uint32_t p = 0; p < def->pair_count; p++)
        for (uint32_t i = 0; i < r->to.model->node_count; i++)
            if (r->source[i] == def->pairs[p].from)
                r->source[i] = -1;
    for (uint32_t p = 0; p < def->pair_count; p++) {
        pair_bones(r, def->pairs[p].from, def->pairs[p].to);
        if (def->pairs[p].from >= 0)
            r->unsure[def->pairs[p].from] = false;
    }
}

/// A bone is the part of the body that its own rig says, else the rig of its source.
static void name_parts(retarget *r, const int32_t *part_of_source)
{
    for (int32_t part = 0; part < RIG_PART_COUNT; part++)
        r->to_part[part] = -1;
    for (int32_t part = 0; part < RIG_PART_COUNT; part++) {
        const int32_t node = r->to.parts.node[part];
        if (node >= 0 && r->source[node] >= 0)
            r->part[node] = part;
    }
    for (uint32_t i = 0; i < r->to.model->node_count; i++) {
        if (r->source[i] >= 0 && r->part[i] == RIG_NONE && r->to.parts.kind < 0)
            r->part[i] = part_of_source[r->source[i]];
        if (r->source[i] >= 0 && r->part[i] != RIG_NONE && r->to_part[r->part[i]] < 0)
            r->to_part[r->part[i]] = (int32_t)i;
    }
}

bool retarget_map_init(retarget *r, arena *scratch)
{
    const uint32_t count = r->to.model->node_count;
    r->source = ARENA_ARRAY_RAW(scratch, int32_t, count);
    r->ancestor = ARENA_ARRAY_RAW(scratch, int32_t, count);
    r->part = ARENA_ARRAY_RAW(scratch, int32_t, count);
    if (!r->source || !r->ancestor || !r->part)
        return false;
    for (uint32_t i = 0; i < count; i++) {
        r->source[i] = -1;
        r->part[i] = RIG_NONE;
    }
    return true;
}

void retarget_find_ancestors(retarget *r)
{
    for (uint32_t i = 0; i < r->to.model->node_count; i++) {
        const int32_t parent = r->to.model->nodes[i].parent;
        r->ancestor[i] = parent < 0 ? -1 : r->source[parent] >= 0 ? parent : r->ancestor[parent];
    }
}

bool retarget_map(retarget *r, const retarget_def *def, arena *scratch)
{
    const uint32_t from_count = r->from.model->node_count;
    int32_t *part_of_source = ARENA_ARRAY_RAW(scratch, int32_t, from_count);
    if (!part_of_source || !retarget_map_init(r, scratch))
        return false;
    for (uint32_t i = 0; i < from_count; i++)
        part_of_source[i] = RIG_NONE;
    for (int32_t part = 0; part < RIG_PART_COUNT; part++)
        if (r->from.parts.node[part] >= 0)
            part_of_source[r->from.parts.node[part]] = part;
    const bool known = r->to.parts.kind >= 0 && r->from.parts.kind >= 0;
    if (known)
        pair_parts(r);
    pair_human_bones(r);
    if (!pair_names(r, scratch))
        return false;
    pair_given(r, def);
    name_parts(r, part_of_source);
    retarget_find_ancestors(r);
    return true;
}
