// SPDX-License-Identifier: MIT
/// Reads `target` and `parent`, finds their bones and sorts the instances by dependency.
#include "scene/scene_links.h"

#include "scene/scene_names.h"

#include <stdio.h>
#include <string.h>

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

// ---- target -------------------------------------------------------------------------------------

struct bone_request {
    bone_request *next;
    scene_target *target; ///< gets the instance and the node
    const document_node *model, *bone;
};

static zt_result request_bone(scene_reader *r, const document_node *model,
                              const document_node *bone, scene_target *out)
{
    bone_request *request = ARENA_ARRAY(r->scratch, bone_request, 1);
    if (!request)
        return arena_fail(r->scratch, r->err, "bones of other models");
    *request = (bone_request){r->bone_requests, out, model, bone};
    r->bone_requests = request;
    return ZT_OK;
}

typedef struct bone_keys {
    const document_node *model, *bone;
    double offset[3];
} bone_keys;

zt_result scene_read_target(scene_reader *r, const document_node *value, void *target)
{
    static const map_key keys[] = {
        KEY_NODE("model", KEY_OPTIONAL, bone_keys, model),
        KEY_NODE("bone", KEY_REQUIRED, bone_keys, bone),
        KEY_VECTOR("offset", KEY_OPTIONAL, bone_keys, offset, -1e9, 1e9),
    };
    scene_target *out = target;
    bone_keys bone = {0};
    *out = (scene_target){.instance = SCENE_TARGET_POINT, .node = -1};
    if (value->kind == DOCUMENT_LIST)
        return value_track(r, value, TRACK_VECTOR, -1e9, 1e9, &out->point);
    if (value->kind != DOCUMENT_MAP)
        return value_wrong(r, value, "three numbers, keys of them, or a map of model and bone");
    ZT_TRY(value_map(r, value, "target", keys, COUNT_OF(keys), &bone));
    memcpy(out->offset, bone.offset, sizeof out->offset);
    if (bone.model)
        return request_bone(r, bone.model, bone.bone, out);
    out->instance = SCENE_TARGET_SELF;
    return scene_read_bone(r, bone.bone, r->instance->model, &out->node);
}

// ---- parent -------------------------------------------------------------------------------------

static zt_result read_parent_bone(scene_reader *r, const document_node *value, scene_target *out)
{
    static const map_key keys[] = {
        KEY_NODE("model", KEY_REQUIRED, bone_keys, model),
        KEY_NODE("bone", KEY_REQUIRED, bone_keys, bone),
    };
    bone_keys bone = {0};
    *out = (scene_target){.instance = SCENE_TARGET_POINT, .node = -1};
    if (value->kind == DOCUMENT_STRING && strcmp(value->text, "none") == 0)
        return ZT_OK;
    if (value->kind != DOCUMENT_MAP)
        return value_wrong(r, value, "a map of model and bone, or none");
    ZT_TRY(value_map(r, value, "parent", keys, COUNT_OF(keys), &bone));
    return request_bone(r, bone.model, bone.bone, out);
}

static zt_result read_parent_key(scene_reader *r, const document_node *key,
                                 const scene_parent_change *before, scene_parent_change *out)
{
    if (key->kind != DOCUMENT_LIST || key->count != 2)
        return value_wrong(r, key, "a key [time, parent]");
    ZT_TRY(value_number(r, key->first, -1e6, 1e6, &out->time_s));
    if (before && !(out->time_s > before->time_s))
        return value_fail(r, key, false,
                          "a key that is not later than the one before it (expected rising times)");
    return read_parent_bone(r, key->last, &out->bone);
}

zt_result scene_read_parent(scene_reader *r, const document_node *value, void *target)
{
    scene_instance *instance = target;
    const bool has_keys = value->kind == DOCUMENT_LIST;
    const uint32_t count = has_keys ? value->count : 1;
    if (count == 0 || count > SCENE_PARENT_KEY_LIMIT)
        return value_fail(r, value, false, "%u keys of parents (expected 1 to %u)", count,
                          (unsigned)SCENE_PARENT_KEY_LIMIT);
    scene_parent_change *changes = ARENA_ARRAY(&r->scene->arena, scene_parent_change, count);
    if (!changes)
        return arena_fail(&r->scene->arena, r->err, "parents");
    if (!has_keys)
        ZT_TRY(read_parent_bone(r, value, &changes[0].bone));
    uint32_t i = 0;
    for (const document_node *key = has_keys ? value->first : NULL; key; key = key->next, i++)
        ZT_TRY(read_parent_key(r, key, i > 0 ? &changes[i - 1] : NULL, &changes[i]));
    r->parent_change_count += count - 1;
    if (r->parent_change_count > SCENE_PARENT_CHANGE_LIMIT)
        return value_fail(r, value, false, "more than %u changes of parents in a scene",
                          (unsigned)SCENE_PARENT_CHANGE_LIMIT);
    instance->parent_changes = changes;
    instance->parent_change_count = count;
    return ZT_OK;
}

// ---- Sorting ------------------------------------------------------------------------------------

typedef struct sort_state {
    const uint32_t *first; ///< [count + 1], into `on`
    const uint32_t *on;    ///< dependencies by instance, in the order given
    uint32_t *next;        ///< [count] the dependency to visit next
    uint8_t *state;        ///< [count]
    uint32_t *stack;       ///< [count]
    uint32_t *order, sorted_count;
} sort_state;

enum { UNSEEN, OPEN, DONE };

static bool group_by_instance(arena *scratch, uint32_t count, const scene_dependency *dependencies,
                              size_t dependency_count, sort_state *s)
{
    uint32_t *first = ARENA_ARRAY(scratch, uint32_t, (size_t)count + 2);
    uint32_t *on = ARENA_ARRAY(scratch, uint32_t, dependency_count);
    if (!first || !on)
        return false;
    for (size_t i = 0; i < dependency_count; i++)
        first[dependencies[i].instance + 2]++;
    for (uint32_t i = 1; i < count; i++)
        first[i + 1] += first[i];
    for (size_t i = 0; i < dependency_count; i++)
        on[first[dependencies[i].instance + 1]++] = dependencies[i].on;
    s->first = first; // the loop above advanced first[i + 1] to the end of i
    s->on = on;
    return true;
}

/// Appends `from` after all that it depends on: a depth-first search. Returns the length of the
/// cycle that it met, moved to the start of the stack, or 0.
static uint32_t visit(sort_state *s, uint32_t from)
{
    uint32_t depth = 0;
    s->stack[depth++] = from;
    s->state[from] = OPEN;
    while (depth > 0) {
        const uint32_t instance = s->stack[depth - 1];
        if (s->next[instance] == s->first[instance + 1]) {
            s->state[instance] = DONE;
            s->order[s->sorted_count++] = instance;
            depth--;
            continue;
        }
        const uint32_t on = s->on[s->next[instance]++];
        if (s->state[on] == OPEN) {
            uint32_t begin = depth - 1;
            while (s->stack[begin] != on)
                begin--;
            for (uint32_t i = begin; i < depth; i++)
                s->stack[i - begin] = s->stack[i];
            return depth - begin;
        }
        if (s->state[on] == UNSEEN) {
            s->state[on] = OPEN;
            s->stack[depth++] = on;
        }
    }
    return 0;
}

bool scene_sort_instances(arena *scratch, uint32_t count, const scene_dependency *dependencies,
                          size_t dependency_count, uint32_t *out_order, uint32_t **out_cycle,
                          uint32_t *out_cycle_count)
{
    sort_state s = {.order = out_order};
    *out_cycle_count = 0;
    if (!group_by_instance(scratch, count, dependencies, dependency_count, &s) ||
        !(s.next = ARENA_ARRAY(scratch, uint32_t, count)) ||
        !(s.state = ARENA_ARRAY(scratch, uint8_t, count)) ||
        !(s.stack = ARENA_ARRAY(scratch, uint32_t, count)))
        return false;
    for (uint32_t i = 0; i < count; i++)
        s.next[i] = s.first[i];
    *out_cycle = s.stack;
    for (uint32_t i = 0; i < count && *out_cycle_count == 0; i++)
        if (s.state[i] == UNSEEN)
            *out_cycle_count = visit(&s, i);
    return true;
}

// ---- Resolving ----------------------------------------------------------------------------------

static bool has_link(const scene_instance *instance, const scene_target *target)
{
    for (uint32_t i = 0; i < instance->ik_count; i++)
        if (target == &instance->ik[i].target)
            return true;
    for (uint32_t i = 0; i < instance->parent_change_count; i++)
        if (target == &instance->parent_changes[i].bone)
            return true;
    return false;
}

/// Names the instances of a cycle, at the link that closes it.
static zt_result fail_cycle(scene_reader *r, const uint32_t *cycle, uint32_t count)
{
    const zt_scene *scene = r->scene;
    char path[256] = "";
    size_t used = 0;
    for (uint32_t i = 0; i <= count && used < sizeof path - 100; i++) {
        const char *name = scene->instances[cycle[i % count]].name;
        used += (size_t)snprintf(path + used, sizeof path - used, "%s'%.60s'", i > 0 ? " -> " : "",
                                 name ? name : "");
    }
    const scene_instance *instance = &scene->instances[cycle[0]];
    const document_node *bone = NULL;
    for (const bone_request *request = r->bone_requests; request && !bone; request = request->next)
        if (request->target->instance == (int32_t)cycle[1 % count] &&
            has_link(instance, request->target))
            bone = request->bone;
    ZT_ASSERT(bone);
    return value_fail(r, bone, false,
                      "the poses of models depend on each other: %s (expected no cycle)", path);
}

/// The dependencies of one instance; returns their number. A solver may refer to its own instance,
/// but a parent may not: that is a cycle of one.
static size_t list_dependencies(const zt_scene *scene, uint32_t i, scene_dependency *out)
{
    const scene_instance *instance = &scene->instances[i];
    size_t count = 0;
    for (uint32_t k = 0; k < instance->ik_count; k++) {
        const int32_t on = instance->ik[k].target.instance;
        if (on >= 0 && on != (int32_t)i)
            out[count++] = (scene_dependency){i, (uint32_t)on};
    }
    for (uint32_t k = 0; k < instance->parent_change_count; k++) {
        const int32_t on = instance->parent_changes[k].bone.instance;
        if (on >= 0)
            out[count++] = (scene_dependency){i, (uint32_t)on};
    }
    return count;
}

static zt_result find_pose_order(scene_reader *r)
{
    zt_scene *scene = r->scene;
    size_t count = 0;
    for (uint32_t i = 0; i < scene->instance_count; i++)
        count += (size_t)scene->instances[i].ik_count + scene->instances[i].parent_change_count;
    scene_dependency *dependencies = ARENA_ARRAY(r->scratch, scene_dependency, count);
    uint32_t *order = ARENA_ARRAY(&scene->arena, uint32_t, scene->instance_count);
    if (!dependencies || !order)
        return arena_fail(dependencies ? &scene->arena : r->scratch, r->err, "order of posing");
    count = 0;
    for (uint32_t i = 0; i < scene->instance_count; i++)
        count += list_dependencies(scene, i, dependencies + count);
    uint32_t *cycle = NULL, cycle_count = 0;
    if (!scene_sort_instances(r->scratch, scene->instance_count, dependencies, count, order, &cycle,
                              &cycle_count))
        return arena_fail(r->scratch, r->err, "order of posing");
    if (cycle_count > 0)
        return fail_cycle(r, cycle, cycle_count);
    scene->pose_order = order;
    scene->ordered_count = scene->instance_count;
    return ZT_OK;
}

zt_result scene_resolve_links(scene_reader *r)
{
    for (bone_request *request = r->bone_requests; request; request = request->next) {
        scene_target *target = request->target;
        ZT_TRY(scene_read_instance(r, request->model, &target->instance));
        ZT_TRY(scene_read_bone(r, request->bone, r->scene->instances[target->instance].model,
                               &target->node));
    }
    return r->bone_requests ? find_pose_order(r) : ZT_OK;
}
