// SPDX-License-Identifier: MIT
/// The springs of VRM 0 (extension VRM, secondaryAnimation): groups of roots whose bones all swing,
/// and balls. As its exporters write them: the z of a ball's offset has the other sign, a centre of
/// -1 is none, and the last bone of a chain reaches 7 cm beyond its joint.
/// https://github.com/vrm-c/vrm-specification/tree/master/specification/0.0
#include "gltf/gltf_spring_parts.h"

#define TIP_M 0.07
// For each root that a file lists; a node may be below many.
enum { BELOW_LIMIT = 10000000 };

/// A vector as an object of x, y and z.
static zt_result read_xyz(gltf_log *log, const json_pointer *object, const char *key, double out[3])
{
    static const char *const names[3] = {"x", "y", "z"};
    json_pointer xyz;
    ZT_TRY(gltf_object(log, object, key, &xyz));
    for (int k = 0; k < 3 && xyz.value; k++) {
        float value;
        ZT_TRY(gltf_float(log, &xyz, names[k], 0.0f, &value));
        out[k] = (double)value;
    }
    return ZT_OK;
}

static zt_result read_group(spring_context *c, const json_pointer *group, uint32_t *next)
{
    gltf_log *log = c->file->log;
    json_pointer list, ball;
    uint32_t count;
    int32_t node;
    ZT_TRY(spring_read_node(c, group, &node));
    ZT_TRY(gltf_array(log, group, "colliders", &list, &count));
    for (uint32_t i = 0; i < count; i++) {
        spring_collider *out = &c->colliders[*next];
        ZT_TRY(gltf_entry(log, &list, i, &ball));
        ZT_TRY(read_xyz(log, &ball, "offset", out->from));
        ZT_TRY(spring_read_limited(log, &ball, "radius", 0.0, 0.0, 1e9, &out->radius));
        out->node = node;
        out->from[2] = -out->from[2];
        for (int k = 0; k < 3; k++)
            out->to[k] = out->from[k];
        c->groups.index[*next] = *next;
        ++*next;
    }
    return ZT_OK;
}

static zt_result read_groups(spring_context *c, const json_pointer *animation)
{
    gltf_log *log = c->file->log;
    json_pointer list, group;
    uint32_t count, next = 0;
    size_t total = 0;
    ZT_TRY(gltf_array(log, animation, "colliderGroups", &list, &count));
    for (uint32_t i = 0; i < count; i++)
        total += json_length(json_get(json_at(list.value, i), "colliders"));
    if (total > UINT32_MAX)
        return gltf_fail(log, &list, ZT_ERR_LIMIT, "has too many colliders");
    ZT_TRY(spring_context_init(c, (uint32_t)total, count, total));
    for (uint32_t i = 0; i < count; i++) {
        ZT_TRY(gltf_entry(log, &list, i, &group));
        ZT_TRY(read_group(c, &group, &next));
        c->groups.first[i + 1] = next;
    }
    return ZT_OK;
}

/// Parameters of all links of a group.
static zt_result read_forces(spring_context *c, const json_pointer *group, spring_link *out)
{
    gltf_log *log = c->file->log;
    const json_pointer center = json_member(group, "center");
    // The misspelt key is that of the format.
    ZT_TRY(spring_read_forces(log, group, "stiffiness", read_xyz, out));
    if (json_is_numeric(center.value) && json_number(center.value) < 0.0)
        return ZT_OK;
    ZT_TRY(gltf_index(c->file, &center, GLTF_NODES, &out->center));
    if (out->center >= 0)
        out->center = c->nodes->node_index[out->center];
    return ZT_OK;
}

/// A root and all below it.
static zt_result add_tree(spring_context *c, const json_pointer *json, spring_link link,
                          int32_t root)
{
    const model_node *nodes = c->nodes->node;
    for (int32_t i = root; i >= 0; i = spring_tree_after(&c->tree, root, i)) {
        if (++c->below_count > BELOW_LIMIT)
            return gltf_fail(c->file->log, json, ZT_ERR_LIMIT,
                             "springs have over %d nodes below their roots", BELOW_LIMIT);
        link.head = i;
        link.tail = c->tree.first[i];
        if (link.tail < 0)
            spring_tip(&nodes[i], TIP_M, link.tip);
        ZT_TRY(spring_add_link(c, json, &link));
    }
    return ZT_OK;
}

static zt_result read_spring(spring_context *c, const json_pointer *group)
{
    gltf_log *log = c->file->log;
    json_pointer list;
    uint32_t count;
    spring_link link = {.center = -1, .tail = -1, .chain = c->builder.chain_count++};
    ZT_TRY(gltf_kept_text(log, group, "comment", "", &c->builder.chains[link.chain].name));
    ZT_TRY(read_forces(c, group, &link));
    ZT_TRY(spring_read_colliders(c, group, &link));
    ZT_TRY(gltf_array(log, group, "bones", &list, &count));
    for (uint32_t i = 0; i < count; i++) {
        const json_pointer bone = json_element(&list, i);
        int32_t root;
        ZT_TRY(gltf_index(c->file, &bone, GLTF_NODES, &root));
        if (root < 0)
            continue;
        root = c->nodes->node_index[root];
        if (c->builder.of_node[root].head >= 0) {
            ZT_TRY(gltf_warn(log, &bone, "the bone '%.80s' swings already",
                             c->nodes->node[root].name));
            continue;
        }
        ZT_TRY(add_tree(c, &bone, link, root));
    }
    return ZT_OK;
}

zt_result spring_read_vrm0(spring_context *c, const json_pointer *extension)
{
    gltf_file *file = c->file;
    json_pointer animation, list, group;
    uint32_t count;
    ZT_TRY(gltf_object(file->log, extension, "secondaryAnimation", &animation));
    ZT_TRY(read_groups(c, &animation));
    ZT_TRY(gltf_array(file->log, &animation, "boneGroups", &list, &count));
    if (!spring_builder_init(&c->builder, c->nodes->count, count, file->scratch) ||
        !spring_tree_init(&c->tree, c->nodes->node, c->nodes->count, file->scratch))
        return arena_fail(file->scratch, file->log->err, "springs");
    for (uint32_t i = 0; i < count; i++) {
        ZT_TRY(gltf_entry(file->log, &list, i, &group));
        ZT_TRY(read_spring(c, &group));
    }
    return ZT_OK;
}
