// SPDX-License-Identifier: MIT
/// Springs of a file: VRMC_springBone, else those of VRM 0. Specification of version 1.0:
/// https://github.com/vrm-c/vrm-specification/tree/master/specification/VRMC_springBone-1.0
#include "gltf/gltf_parts.h"
#include "gltf/gltf_spring_parts.h"

#include <string.h>

/// Nodes between the joints of all chains.
enum { CLIMB_LIMIT = 10000000 };

static zt_result read_point(gltf_log *log, const json_pointer *object, const char *key,
                            double out[3])
{
    float point[3] = {(float)out[0], (float)out[1], (float)out[2]};
    ZT_TRY(gltf_floats(log, object, key, 3, point));
    for (int k = 0; k < 3; k++)
        out[k] = (double)point[k];
    return ZT_OK;
}

static zt_result read_collider(const spring_context *c, const json_pointer *collider,
                               spring_collider *out)
{
    gltf_log *log = c->file->log;
    json_pointer shape, sphere, capsule;
    ZT_TRY(spring_read_node(c, collider, &out->node));
    ZT_TRY(gltf_object(log, collider, "shape", &shape));
    ZT_TRY(gltf_object(log, &shape, "sphere", &sphere));
    ZT_TRY(gltf_object(log, &shape, "capsule", &capsule));
    const json_pointer *round = sphere.value ? &sphere : &capsule;
    if (!sphere.value == !capsule.value)
        return gltf_fail(log, shape.value ? &shape : collider, ZT_ERR_FORMAT,
                         "is %s (expected a sphere or a capsule)",
                         sphere.value ? "both a sphere and a capsule" : "no shape");
    ZT_TRY(spring_read_limited(log, round, "radius", 0.0, 0.0, 1e9, &out->radius));
    ZT_TRY(read_point(log, round, "offset", out->from));
    if (capsule.value)
        return read_point(log, round, "tail", out->to);
    memcpy(out->to, out->from, sizeof out->to);
    return ZT_OK;
}

static zt_result read_colliders(spring_context *c, const json_pointer *extension)
{
    json_pointer list, groups, collider;
    uint32_t count, group_count;
    size_t total = 0;
    ZT_TRY(gltf_array(c->file->log, extension, "colliders", &list, &count));
    ZT_TRY(gltf_array(c->file->log, extension, "colliderGroups", &groups, &group_count));
    for (uint32_t i = 0; i < group_count; i++)
        total += json_length(json_get(json_at(groups.value, i), "colliders"));
    ZT_TRY(spring_context_init(c, count, group_count, total));
    for (uint32_t i = 0; i < count; i++) {
        ZT_TRY(gltf_entry(c->file->log, &list, i, &collider));
        ZT_TRY(read_collider(c, &collider, &c->colliders[i]));
    }
    return ZT_OK;
}

static zt_result read_groups(const spring_context *c, const json_pointer *extension)
{
    gltf_log *log = c->file->log;
    json_pointer list, group, indices;
    const spring_groups *t = &c->groups;
    uint32_t count, size;
    ZT_TRY(gltf_array(log, extension, "colliderGroups", &list, &count));
    for (uint32_t i = 0; i < count; i++) {
        ZT_TRY(gltf_entry(log, &list, i, &group));
        ZT_TRY(gltf_array(log, &group, "colliders", &indices, &size));
        t->first[i + 1] = t->first[i];
        for (uint32_t k = 0; k < size; k++) {
            const json_pointer index = json_element(&indices, k);
            int32_t collider;
            ZT_TRY(gltf_index_below(log, &index, c->collider_count, "collider", &collider));
            if (collider >= 0)
                t->index[t->first[i + 1]++] = (uint32_t)collider;
        }
    }
    return ZT_OK;
}

/// The nodes between are counted: chains may be long, and joints many.
static bool is_below(spring_context *c, int32_t node, int32_t ancestor)
{
    for (; node > ancestor; c->climbed_count++) // parents come first
        node = c->nodes->node[node].parent;
    return node == ancestor;
}

static zt_result read_spring(spring_context *c, const json_pointer *spring)
{
    gltf_log *log = c->file->log;
    json_pointer list, joint;
    uint32_t count;
    int32_t center;
    spring_link link = {.center = -1, .tail = -1, .head = -1};
    spring_chain *chain = &c->builder.chains[c->builder.chain_count];
    link.chain = c->builder.chain_count++;
    ZT_TRY(gltf_name(log, spring, &chain->name));
    ZT_TRY(gltf_member_index(c->file, spring, "center", GLTF_NODES, &center));
    if (center >= 0)
        link.center = c->nodes->node_index[center];
    ZT_TRY(gltf_array(log, spring, "joints", &list, &count));
    ZT_TRY(spring_read_colliders(c, spring, &link));
    json_pointer before = {0};
    for (uint32_t i = 0; i < count; i++) {
        ZT_TRY(gltf_entry(log, &list, i, &joint));
        ZT_TRY(spring_read_node(c, &joint, &link.tail));
        if (c->climbed_count > CLIMB_LIMIT)
            return gltf_fail(log, &joint, ZT_ERR_LIMIT, "springs skip over %d nodes", CLIMB_LIMIT);
        if (i > 0 && (link.tail == link.head || !is_below(c, link.tail, link.head)))
            return gltf_fail(log, &joint, ZT_ERR_FORMAT,
                             "the node '%.80s' is not below '%.80s' (expected a chain that starts "
                             "at its root)",
                             c->nodes->node[link.tail].name, c->nodes->node[link.head].name);
        if (i > 0) {
            ZT_TRY(spring_read_forces(log, &before, "stiffness", read_point, &link));
            ZT_TRY(spring_add_link(c, &before, &link));
        }
        link.head = link.tail;
        before = joint;
    }
    return ZT_OK;
}

static zt_result check_version(gltf_log *log, const json_pointer *extension)
{
    const char *version;
    ZT_TRY(gltf_text(log, extension, "specVersion", &version));
    if (version && (strcmp(version, "1.0") == 0 || strcmp(version, "1.0-beta") == 0))
        return ZT_OK;
    return gltf_warn(log, extension, "VRMC_springBone of version '%.40s' is read as 1.0",
                     version ? version : "");
}

static zt_result read_vrm1(spring_context *c, const json_pointer *extension)
{
    gltf_file *file = c->file;
    json_pointer list, spring;
    uint32_t count;
    ZT_TRY(check_version(file->log, extension));
    ZT_TRY(read_colliders(c, extension));
    ZT_TRY(read_groups(c, extension));
    ZT_TRY(gltf_array(file->log, extension, "springs", &list, &count));
    if (!spring_builder_init(&c->builder, c->nodes->count, count, file->scratch))
        return arena_fail(file->scratch, file->log->err, "springs");
    for (uint32_t i = 0; i < count; i++) {
        ZT_TRY(gltf_entry(file->log, &list, i, &spring));
        ZT_TRY(read_spring(c, &spring));
    }
    return ZT_OK;
}

zt_result gltf_read_springs(gltf_file *file, const gltf_nodes *nodes, zt_model *model)
{
    spring_context c = {.file = file, .nodes = nodes};
    json_extension newer, older;
    ZT_TRY(gltf_extension(file->log, &file->root, "VRMC_springBone", &newer));
    ZT_TRY(gltf_extension(file->log, &file->root, "VRM", &older));
    if (newer.object.value)
        ZT_TRY(read_vrm1(&c, &newer.object));
    else if (older.object.value)
        ZT_TRY(spring_read_vrm0(&c, &older.object));
    else
        return ZT_OK;
    model->springs = spring_builder_finish(&c.builder, c.colliders, c.collider_count, file->keep);
    return model->springs ? ZT_OK : arena_fail(file->keep, file->log->err, "springs");
}
