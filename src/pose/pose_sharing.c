// SPDX-License-Identifier: MIT
/// Finds instances that have the same pose at a time, as many of a crowd do: their clips are
/// sampled and blended once, and their mesh is morphed and skinned once, in model space.
///
/// Instances share a pose when all inputs are equal, and so get the bits that each would alone.
#include "base/hash.h"
#include "pose/pose.h"

/// The inputs of an instance's pose.
typedef struct pose_request {
    const scene_instance *instance;
    const pose_active_layer *active;
    uint32_t active_count;
    uint32_t instance_count, number; ///< of equal requests, in the first of them
} pose_request;

static uint64_t hash_request(const pose_request *r)
{
    uint64_t hash = hash_bytes(HASH_START, &r->instance->model, sizeof r->instance->model);
    for (uint32_t i = 0; i < r->active_count; i++) {
        hash = hash_bytes(hash, &r->active[i].layer->clip, sizeof r->active[i].layer->clip);
        hash = hash_bytes(hash, &r->active[i].at_s, sizeof r->active[i].at_s);
    }
    return hash;
}

static bool equal_layers(const pose_active_layer *a, const pose_active_layer *b)
{
    const scene_layer *x = a->layer, *y = b->layer;
    const bool added = x->mode == SCENE_ADDITIVE;
    return x->clip == y->clip && a->at_s == b->at_s && a->weight == b->weight &&
           x->mode == y->mode && x->mask == y->mask && x->root_motion == y->root_motion &&
           (x->root ? x->root->node : -1) == (y->root ? y->root->node : -1) &&
           (x->root && x->root->rotation) == (y->root && y->root->rotation) &&
           (!added || (x->reference == y->reference && x->reference_s == y->reference_s));
}

static bool equal_requests(const pose_request *a, const pose_request *b)
{
    const scene_instance *x = a->instance, *y = b->instance;
    if (x->model != y->model || x->skinning != y->skinning || x->morphs != y->morphs ||
        x->morph_count != y->morph_count || x->expressions != y->expressions ||
        x->targets != y->targets || x->target_count != y->target_count ||
        a->active_count != b->active_count)
        return false;
    for (uint32_t i = 0; i < a->active_count; i++)
        if (!equal_layers(&a->active[i], &b->active[i]))
            return false;
    return true;
}

/// The first instance with a request equal to that of `i`, perhaps `i`. `table` holds such ones.
static uint32_t find_first(const hash_table *table, const pose_request *requests, uint32_t i)
{
    uint32_t *slot = hash_table_first(table, hash_request(&requests[i]));
    while (*slot && !equal_requests(&requests[*slot - 1], &requests[i]))
        slot = hash_table_next(table, slot);
    if (!*slot)
        *slot = i + 1;
    return *slot - 1;
}

/// By instance, the first with an equal request; counts them there.
static bool find_firsts(const zt_scene *scene, double time_s, arena *a, pose_request *requests,
                        uint32_t *first)
{
    hash_table table;
    if (!hash_table_init(&table, a, scene->instance_count))
        return false;
    for (uint32_t i = 0; i < scene->instance_count; i++) {
        const scene_instance *instance = &scene->instances[i];
        first[i] = i;
        if (instance->ik_count > 0 || instance->bone_key_count > 0 ||
            instance->model->constraint_count > 0 || scene_springs(instance))
            continue;
        pose_active_layer *active = ARENA_ARRAY_RAW(a, pose_active_layer, instance->layer_count);
        if (!active)
            return false;
        requests[i] = (pose_request){.instance = instance, .active = active};
        requests[i].active_count = pose_active_layers(instance, time_s, active);
        first[i] = find_first(&table, requests, i);
        requests[first[i]].instance_count++;
    }
    return true;
}

/// Numbers the poses that several instances share, and allocates them.
static bool number_poses(const zt_scene *scene, arena *a, pose_request *requests, uint32_t *pose_of,
                         pose_sharing *out)
{
    out->local = ARENA_ARRAY(a, pose_block *, scene->instance_count);
    for (uint32_t i = 0; out->local && i < scene->instance_count; i++) {
        pose_request *r = &requests[pose_of[i]];
        if (r->instance_count < 2) {
            pose_of[i] = POSE_UNSHARED;
            continue;
        }
        if (pose_of[i] == i) {
            r->number = out->count++;
            out->local[r->number] =
                ARENA_ARRAY_RAW(a, pose_block, pose_block_count(r->instance->model));
            if (!out->local[r->number])
                return false;
        }
        pose_of[i] = r->number;
    }
    out->pose_of = pose_of;
    return out->local != NULL;
}

zt_result pose_sharing_build(const zt_scene *scene, frame_time time, arena *a, pose_sharing *out,
                             zt_error *err)
{
    *out = (pose_sharing){0};
    if (scene->instance_count < 2)
        return ZT_OK;
    pose_request *requests = ARENA_ARRAY(a, pose_request, scene->instance_count);
    uint32_t *pose_of = ARENA_ARRAY_RAW(a, uint32_t, scene->instance_count);
    if (!requests || !pose_of || !find_firsts(scene, time.animation_s, a, requests, pose_of) ||
        !number_poses(scene, a, requests, pose_of, out))
        return arena_fail(a, err, "poses of a crowd");
    if (out->count == 0)
        return ZT_OK;
    out->world_from_model = ARENA_ARRAY_RAW(a, mat4, scene->instance_count);
    return out->world_from_model ? ZT_OK : arena_fail(a, err, "poses of a crowd");
}
