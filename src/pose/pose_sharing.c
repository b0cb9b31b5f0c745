// SPDX-License-Identifier: MIT
/// Which instances show one pose at a time. In a crowd many do: their clips are sampled and blended
/// once, and their mesh is morphed and skinned once, in the space of the model.
///
/// Two instances share when what they ask for is equal, number by number: whatever way led there.
/// So a pose is the same for each, to the bit, as it would be for it alone.
#include "base/hash.h"
#include "pose/pose.h"

#include <string.h>

/// What an instance asks for.
typedef struct pose_wish {
    const scene_instance *instance;
    const pose_shown *shown;
    uint32_t shown_count;
    uint32_t members, number; ///< of those that ask for the same, this one the first
} pose_wish;

static uint64_t hash_wish(const pose_wish *w)
{
    uint64_t hash = hash_bytes(HASH_START, &w->instance->model, sizeof w->instance->model);
    for (uint32_t i = 0; i < w->shown_count; i++) {
        hash = hash_bytes(hash, &w->shown[i].layer->clip, sizeof w->shown[i].layer->clip);
        hash = hash_bytes(hash, &w->shown[i].at_s, sizeof w->shown[i].at_s);
    }
    return hash;
}

static bool same_layer(const pose_shown *a, const pose_shown *b)
{
    const scene_layer *x = a->layer, *y = b->layer;
    const bool added = x->mode == SCENE_ADDITIVE;
    return x->clip == y->clip && a->at_s == b->at_s && a->weight == b->weight &&
           x->mode == y->mode && x->mask == y->mask && x->root_motion == y->root_motion &&
           (x->root ? x->root->node : -1) == (y->root ? y->root->node : -1) &&
           (x->root && x->root->rotation) == (y->root && y->root->rotation) &&
           (!added || (x->reference == y->reference && x->reference_s == y->reference_s));
}

static bool same_wish(const pose_wish *a, const pose_wish *b)
{
    const scene_instance *x = a->instance, *y = b->instance;
    if (x->model != y->model || x->skinning != y->skinning || x->morphs != y->morphs ||
        x->morph_count != y->morph_count || x->targets != y->targets ||
        x->target_count != y->target_count || a->shown_count != b->shown_count)
        return false;
    for (uint32_t i = 0; i < a->shown_count; i++)
        if (!same_layer(&a->shown[i], &b->shown[i]))
            return false;
    return true;
}

/// The first instance that asks for what `i` does, which may be `i` itself. `table` holds such
/// instances.
static uint32_t find_first(const hash_table *table, const pose_wish *wishes, uint32_t i)
{
    uint32_t *slot = hash_table_first(table, hash_wish(&wishes[i]));
    while (*slot && !same_wish(&wishes[*slot - 1], &wishes[i]))
        slot = hash_table_next(table, slot);
    if (!*slot)
        *slot = i + 1;
    return *slot - 1;
}

/// By instance, the first that asks for the same; counts those that do.
static bool find_firsts(const zt_scene *scene, double time_s, arena *a, pose_wish *wishes,
                        uint32_t *first)
{
    hash_table table;
    if (!hash_table_init(&table, a, scene->instance_count))
        return false;
    for (uint32_t i = 0; i < scene->instance_count; i++) {
        const scene_instance *instance = &scene->instances[i];
        first[i] = i;
        if (instance->ik_count > 0)
            continue;
        pose_shown *shown = ARENA_ARRAY_RAW(a, pose_shown, instance->layer_count);
        if (!shown)
            return false;
        wishes[i] = (pose_wish){.instance = instance, .shown = shown};
        wishes[i].shown_count = pose_find_shown(instance, time_s, shown);
        first[i] = find_first(&table, wishes, i);
        wishes[first[i]].members++;
    }
    return true;
}

/// Numbers the poses that several show, and finds room for them.
static bool number_poses(const zt_scene *scene, arena *a, pose_wish *wishes, uint32_t *of,
                         pose_sharing *out)
{
    out->local = ARENA_ARRAY(a, pose_block *, scene->instance_count);
    for (uint32_t i = 0; out->local && i < scene->instance_count; i++) {
        pose_wish *w = &wishes[of[i]];
        if (w->members < 2) {
            of[i] = POSE_ALONE;
            continue;
        }
        if (of[i] == i) {
            w->number = out->count++;
            out->local[w->number] =
                ARENA_ARRAY_RAW(a, pose_block, pose_block_count(w->instance->model));
            if (!out->local[w->number])
                return false;
        }
        of[i] = w->number;
    }
    out->of = of;
    return out->local != NULL;
}

zt_result pose_find_sharing(const zt_scene *scene, double shot_time_s, arena *a, pose_sharing *out,
                            zt_error *err)
{
    *out = (pose_sharing){0};
    if (scene->instance_count < 2)
        return ZT_OK;
    pose_wish *wishes = ARENA_ARRAY(a, pose_wish, scene->instance_count);
    uint32_t *of = ARENA_ARRAY_RAW(a, uint32_t, scene->instance_count);
    if (!wishes || !of ||
        !find_firsts(scene, pose_animation_time(scene, shot_time_s), a, wishes, of) ||
        !number_poses(scene, a, wishes, of, out))
        return arena_fail(a, err, "poses of a crowd");
    if (out->count == 0)
        return ZT_OK;
    out->world_from_model = ARENA_ARRAY_RAW(a, mat4, scene->instance_count);
    return out->world_from_model ? ZT_OK : arena_fail(a, err, "poses of a crowd");
}
