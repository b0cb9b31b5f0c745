// SPDX-License-Identifier: MIT
/// See gltf_springs.h. Specification of version 1.0:
/// https://github.com/vrm-c/vrm-specification/tree/master/specification/VRMC_springBone-1.0
///
/// What the specification forbids and what a picture can do without is left out with a warning;
/// indices without a meaning and values of other types are errors, as in the rest of a file.
#include "gltf/gltf_springs.h"

#include <string.h>

/// Colliders that the joints of a file look at, all together: each is looked at in every step. And
/// how many the lists of all springs name.
enum { COLLISION_LIMIT = 1000000, LISTED_LIMIT = 100000000 };

/// Colliders of groups, by index: the indices of group i are index[first[i]] and on.
typedef struct group_table {
    uint32_t count, *first, *index; ///< first[count + 1]
} group_table;

typedef struct spring_context {
    gltf_file *file;
    const gltf_nodes *nodes;
    spring_collider *colliders;
    uint32_t collider_count;
    bool *listed; ///< [collider_count] of the chain that is read; all false between chains
    group_table groups;
    uint64_t collision_count, listed_count;
    spring_builder builder;
} spring_context;

/// The node of the model that a member names; it must.
static zt_result read_node(const spring_context *c, const json_pointer *object, int32_t *out)
{
    ZT_TRY(gltf_member_index(c->file, object, "node", GLTF_NODES, out));
    if (*out < 0)
        return gltf_fail(c->file->log, object, ZT_ERR_FORMAT, "has no node (expected its index)");
    *out = c->nodes->node_index[*out];
    return ZT_OK;
}

/// A number that the picture needs within limits.
static zt_result read_limited(gltf_log *log, const json_pointer *object, const char *key,
                              double fallback, double min, double max, double *out)
{
    float value;
    ZT_TRY(gltf_float(log, object, key, (float)fallback, &value));
    *out = (double)value;
    if (*out >= min && *out <= max)
        return ZT_OK;
    const json_pointer member = json_member(object, key);
    *out = *out < min ? min : max;
    return gltf_warn(log, &member, "%s %g is out of range and clamped to %g", key, (double)value,
                     *out);
}

static zt_result read_point(gltf_log *log, const json_pointer *object, const char *key,
                            double out[3])
{
    float point[3] = {(float)out[0], (float)out[1], (float)out[2]};
    ZT_TRY(gltf_floats(log, object, key, 3, point));
    for (int k = 0; k < 3; k++)
        out[k] = (double)point[k];
    return ZT_OK;
}

// ---- Colliders ----------------------------------------------------------------------------------

static zt_result read_collider(const spring_context *c, const json_pointer *collider,
                               spring_collider *out)
{
    gltf_log *log = c->file->log;
    json_pointer shape, sphere, capsule;
    ZT_TRY(read_node(c, collider, &out->node));
    ZT_TRY(gltf_object(log, collider, "shape", &shape));
    ZT_TRY(gltf_object(log, &shape, "sphere", &sphere));
    ZT_TRY(gltf_object(log, &shape, "capsule", &capsule));
    const json_pointer *of = sphere.value ? &sphere : &capsule;
    if (!sphere.value == !capsule.value)
        return gltf_fail(log, shape.value ? &shape : collider, ZT_ERR_FORMAT,
                         "is %s (expected a sphere or a capsule)",
                         sphere.value ? "both a sphere and a capsule" : "no shape");
    ZT_TRY(read_limited(log, of, "radius", 0.0, 0.0, 1e9, &out->radius));
    ZT_TRY(read_point(log, of, "offset", out->from));
    if (capsule.value)
        return read_point(log, of, "tail", out->to);
    memcpy(out->to, out->from, sizeof out->to);
    return ZT_OK;
}

static zt_result read_colliders(spring_context *c, const json_pointer *extension)
{
    json_pointer list, collider;
    ZT_TRY(gltf_array(c->file->log, extension, "colliders", &list, &c->collider_count));
    c->colliders = ARENA_ARRAY(c->file->keep, spring_collider, c->collider_count);
    c->listed = ARENA_ARRAY(c->file->scratch, bool, c->collider_count);
    if (!c->colliders)
        return arena_fail(c->file->keep, c->file->log->err, "colliders");
    if (!c->listed)
        return arena_fail(c->file->scratch, c->file->log->err, "colliders");
    for (uint32_t i = 0; i < c->collider_count; i++) {
        ZT_TRY(gltf_entry(c->file->log, &list, i, &collider));
        ZT_TRY(read_collider(c, &collider, &c->colliders[i]));
    }
    return ZT_OK;
}

static zt_result read_groups(spring_context *c, const json_pointer *extension)
{
    gltf_log *log = c->file->log;
    json_pointer list, group, indices;
    group_table *t = &c->groups;
    uint32_t size;
    size_t total = 0;
    ZT_TRY(gltf_array(log, extension, "colliderGroups", &list, &t->count));
    for (uint32_t i = 0; i < t->count; i++)
        total += json_length(json_get(json_at(list.value, i), "colliders"));
    t->first = ARENA_ARRAY(c->file->scratch, uint32_t, (size_t)t->count + 1);
    t->index = ARENA_ARRAY(c->file->scratch, uint32_t, total);
    if (!t->first || !t->index)
        return arena_fail(c->file->scratch, log->err, "groups of colliders");
    for (uint32_t i = 0; i < t->count; i++) {
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

/// The colliders of all groups of a chain, each once.
static zt_result read_chain_colliders(spring_context *c, const json_pointer *spring,
                                      spring_link *link)
{
    gltf_log *log = c->file->log;
    json_pointer list;
    uint32_t count, found = 0;
    ZT_TRY(gltf_array(log, spring, "colliderGroups", &list, &count));
    for (uint32_t i = 0; i < count; i++) {
        const json_pointer index = json_element(&list, i);
        int32_t group;
        ZT_TRY(gltf_index_below(log, &index, c->groups.count, "group of colliders", &group));
        if (group < 0)
            continue;
        c->listed_count += (uint64_t)c->collider_count + 1;
        if (c->listed_count > LISTED_LIMIT)
            return gltf_fail(log, &list, ZT_ERR_LIMIT, "springs name over %d colliders",
                             LISTED_LIMIT);
        for (uint32_t k = c->groups.first[group]; k < c->groups.first[group + 1]; k++) {
            found += !c->listed[c->groups.index[k]];
            c->listed[c->groups.index[k]] = true;
        }
    }
    if (found == 0)
        return ZT_OK;
    uint32_t *out = ARENA_ARRAY(c->file->keep, uint32_t, found);
    if (!out)
        return arena_fail(c->file->keep, log->err, "colliders");
    link->colliders = out;
    for (uint32_t i = 0; i < c->collider_count; i++)
        if (c->listed[i])
            out[link->collider_count++] = i;
    memset(c->listed, 0, c->collider_count * sizeof *c->listed);
    return ZT_OK;
}

// ---- Springs ------------------------------------------------------------------------------------

static bool is_below(const gltf_nodes *nodes, int32_t node, int32_t ancestor)
{
    while (node > ancestor) // parents come first
        node = nodes->node[node].parent;
    return node == ancestor;
}

static zt_result read_forces(gltf_log *log, const json_pointer *joint, spring_link *out)
{
    double power, direction[3] = {0.0, -1.0, 0.0};
    ZT_TRY(read_limited(log, joint, "hitRadius", 0.0, 0.0, 1e9, &out->radius));
    ZT_TRY(read_limited(log, joint, "stiffness", 1.0, 0.0, 1e6, &out->stiffness));
    ZT_TRY(read_limited(log, joint, "dragForce", 0.5, 0.0, 1.0, &out->drag));
    ZT_TRY(read_limited(log, joint, "gravityPower", 0.0, -1e6, 1e6, &power));
    ZT_TRY(read_point(log, joint, "gravityDir", direction));
    for (int k = 0; k < 3; k++)
        out->gravity[k] = direction[k] * power;
    return ZT_OK;
}

/// The link from a joint to the next one.
static zt_result add_joint(spring_context *c, const json_pointer *joint, spring_link link)
{
    gltf_log *log = c->file->log;
    ZT_TRY(read_forces(log, joint, &link));
    if (c->nodes->node[link.head].has_matrix)
        return gltf_unsupported(log, joint, "the joint is sheared and does not swing");
    c->collision_count += link.collider_count;
    if (c->collision_count > COLLISION_LIMIT)
        return gltf_fail(log, joint, ZT_ERR_LIMIT, "joints and colliders make over %d pairs",
                         COLLISION_LIMIT);
    if (spring_builder_add(&c->builder, &link))
        return ZT_OK;
    return gltf_warn(log, joint, "the node '%.80s' is a joint of two springs: this one is ignored",
                     c->nodes->node[link.head].name);
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
    ZT_TRY(read_chain_colliders(c, spring, &link));
    json_pointer before = {0};
    for (uint32_t i = 0; i < count; i++) {
        ZT_TRY(gltf_entry(log, &list, i, &joint));
        ZT_TRY(read_node(c, &joint, &link.tail));
        if (i > 0 && (link.tail == link.head || !is_below(c->nodes, link.tail, link.head)))
            return gltf_fail(log, &joint, ZT_ERR_FORMAT,
                             "the node '%.80s' is not below '%.80s' (expected a chain that starts "
                             "at its root)",
                             c->nodes->node[link.tail].name, c->nodes->node[link.head].name);
        if (i > 0)
            ZT_TRY(add_joint(c, &before, link));
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

zt_result gltf_read_springs(gltf_file *file, const gltf_nodes *nodes, zt_model *model)
{
    spring_context c = {.file = file, .nodes = nodes};
    json_extension extension;
    json_pointer list, spring;
    uint32_t count;
    ZT_TRY(gltf_extension(file->log, &file->root, "VRMC_springBone", &extension));
    const json_pointer *object = &extension.object;
    if (!object->value)
        return ZT_OK;
    ZT_TRY(check_version(file->log, object));
    ZT_TRY(read_colliders(&c, object));
    ZT_TRY(read_groups(&c, object));
    ZT_TRY(gltf_array(file->log, object, "springs", &list, &count));
    if (!spring_builder_init(&c.builder, nodes->count, count, file->scratch))
        return arena_fail(file->scratch, file->log->err, "springs");
    for (uint32_t i = 0; i < count; i++) {
        ZT_TRY(gltf_entry(file->log, &list, i, &spring));
        ZT_TRY(read_spring(&c, &spring));
    }
    model->springs = spring_builder_finish(&c.builder, c.colliders, c.collider_count, file->keep);
    return model->springs ? ZT_OK : arena_fail(file->keep, file->log->err, "springs");
}
