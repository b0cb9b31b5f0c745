// SPDX-License-Identifier: MIT
/// A part that the specification forbids and a picture can do without is left out with a warning;
/// indices without a meaning and values of other types are errors, as in the rest of a file.
#include "gltf/gltf_spring_parts.h"

#include <string.h>

/// Colliders that a file's joints look at in every step, together; and how many springs name.
enum { COLLISION_LIMIT = 1000000, LISTED_LIMIT = 100000000 };

zt_result spring_context_init(spring_context *c, uint32_t collider_count, uint32_t group_count,
                              size_t total)
{
    arena *scratch = c->file->scratch;
    c->collider_count = collider_count;
    c->groups.count = group_count;
    ZT_TRY(
        ARENA_TAKE(c->file->keep, &c->colliders, collider_count, "colliders", c->file->log->err));
    c->listed = ARENA_ARRAY(scratch, bool, collider_count);
    c->groups.first = ARENA_ARRAY(scratch, uint32_t, (size_t)group_count + 1);
    c->groups.index = ARENA_ARRAY(scratch, uint32_t, total);
    return c->listed && c->groups.first && c->groups.index
               ? ZT_OK
               : arena_fail(scratch, c->file->log->err, "groups of colliders");
}

zt_result spring_read_node(const spring_context *c, const json_pointer *object, int32_t *out)
{
    ZT_TRY(gltf_member_index(c->file, object, "node", GLTF_NODES, out));
    if (*out < 0)
        return gltf_fail(c->file->log, object, ZT_ERR_FORMAT, "has no node (expected its index)");
    *out = c->nodes->node_index[*out];
    return ZT_OK;
}

zt_result spring_read_limited(gltf_log *log, const json_pointer *object, const char *key,
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

zt_result spring_read_forces(gltf_log *log, const json_pointer *json, const char *stiffness,
                             spring_vector_reader *read_vector, spring_link *out)
{
    double power, direction[3] = {0.0, -1.0, 0.0};
    ZT_TRY(spring_read_limited(log, json, stiffness, 1.0, 0.0, 1e6, &out->stiffness));
    ZT_TRY(spring_read_limited(log, json, "dragForce", 0.5, 0.0, 1.0, &out->drag));
    ZT_TRY(spring_read_limited(log, json, "hitRadius", 0.0, 0.0, 1e9, &out->radius));
    ZT_TRY(spring_read_limited(log, json, "gravityPower", 0.0, -1e6, 1e6, &power));
    ZT_TRY(read_vector(log, json, "gravityDir", direction));
    for (int k = 0; k < 3; k++)
        out->gravity[k] = direction[k] * power;
    return ZT_OK;
}

zt_result spring_read_colliders(spring_context *c, const json_pointer *spring, spring_link *link)
{
    gltf_log *log = c->file->log;
    json_pointer list;
    uint32_t count, found = 0;
    ZT_TRY(gltf_array(log, spring, "colliderGroups", &list, &count));
    c->listed_count += c->collider_count;
    for (uint32_t i = 0; i < count; i++) {
        const json_pointer index = json_element(&list, i);
        int32_t group;
        ZT_TRY(gltf_index_below(log, &index, c->groups.count, "group of colliders", &group));
        if (group < 0)
            continue;
        c->listed_count += (uint64_t)c->groups.first[group + 1] - c->groups.first[group] + 1;
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
    uint32_t *out;
    ZT_TRY(ARENA_TAKE(c->file->keep, &out, found, "colliders", log->err));
    link->colliders = out;
    for (uint32_t i = 0; i < c->collider_count; i++)
        if (c->listed[i])
            out[link->collider_count++] = i;
    memset(c->listed, 0, c->collider_count * sizeof *c->listed);
    return ZT_OK;
}

zt_result spring_add_link(spring_context *c, const json_pointer *json, const spring_link *link)
{
    gltf_log *log = c->file->log;
    if (c->nodes->node[link->head].has_matrix)
        return gltf_unsupported(log, json, "the joint is sheared and does not swing");
    c->collision_count += link->collider_count;
    if (c->collision_count > COLLISION_LIMIT)
        return gltf_fail(log, json, ZT_ERR_LIMIT, "joints and colliders make over %d pairs",
                         COLLISION_LIMIT);
    if (spring_builder_add(&c->builder, link))
        return ZT_OK;
    return gltf_warn(log, json, "the node '%.80s' is a joint of two springs: this one is ignored",
                     c->nodes->node[link->head].name);
}
