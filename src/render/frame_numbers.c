// SPDX-License-Identifier: MIT
/// Where each instance's materials begin in a frame's table. Instances that show the same ones
/// share their part: those of one model that the scene changes alike, as authored or moved by the
/// clips of one pose. Each is looked up once, so a crowd of any kind takes a time in proportion to
/// its size.
#include "base/hash.h"
#include "render/frame_pose.h"

#include <string.h>

/// What tells the materials of two instances apart.
typedef struct material_key {
    const zt_model *model;
    const scene_material *changes; ///< of the scene
    uint32_t pose;                 ///< whose clips move them, or POSE_UNSHARED for none
} material_key;

/// False: nobody else shows them, for their clips move them alone, or wrinkles follow its pose.
static bool material_key_of(const zt_scene *scene, const pose_sharing *sharing,
                            const frame_pose *pose, uint32_t i, material_key *out)
{
    const scene_instance *instance = &scene->instances[i];
    memset(out, 0, sizeof *out); // padding too, for it is hashed
    out->model = instance->model;
    out->changes = instance->materials;
    out->pose = POSE_UNSHARED;
    if (frame_materials_follow_pose(instance))
        return false;
    if (!pose->properties[i])
        return true;
    out->pose = sharing->count > 0 ? sharing->pose_of[i] : POSE_UNSHARED;
    return out->pose != POSE_UNSHARED;
}

/// The first instance with the request of `i`, which may be `i` itself. `table` holds such
/// instances.
static uint32_t find_first(const zt_scene *scene, const pose_sharing *sharing,
                           const frame_pose *pose, const hash_table *table, uint32_t i)
{
    material_key own, other;
    if (!material_key_of(scene, sharing, pose, i, &own))
        return i;
    uint32_t *slot = hash_table_first(table, hash_bytes(HASH_START, &own, sizeof own));
    for (; *slot; slot = hash_table_next(table, slot)) {
        (void)material_key_of(scene, sharing, pose, *slot - 1, &other);
        if (memcmp(&own, &other, sizeof own) == 0)
            return *slot - 1;
    }
    *slot = i + 1;
    return i;
}

bool frame_number_materials(const zt_scene *scene, const pose_sharing *sharing, arena *a,
                            frame_pose *pose)
{
    hash_table table;
    uint32_t *first = ARENA_ARRAY_RAW(a, uint32_t, scene->instance_count);
    if (!hash_table_init(&table, a, scene->instance_count) || !first)
        return false;
    for (uint32_t i = 0; i < scene->instance_count; i++) {
        const uint32_t same = find_first(scene, sharing, pose, &table, i);
        first[i] = same < i ? first[same] : pose->material_count;
        if (same == i)
            pose->material_count += scene->instances[i].model->material_count;
    }
    pose->first_material = first;
    return true;
}
