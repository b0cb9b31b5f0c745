// SPDX-License-Identifier: MIT
/// Bones that the scene keys: over the pose of the clips, before inverse kinematics.
#include "pose/pose.h"

/// The keys at a time after `base`; what has no keys stays `pose`.
static trs keyed(const scene_bone_keys *keys, double time_s, const trs *base, const trs *pose)
{
    trs out = *pose;
    double value[4] = {0.0, 0.0, 0.0, 0.0};
    if (keys->translate.key_count > 0) {
        track_evaluate(&keys->translate, time_s, value);
        for (int k = 0; k < 3; k++)
            out.t[k] = (float)((double)base->t[k] + value[k]);
    }
    if (keys->rotate.key_count > 0) {
        float rotation[4] = {0.0f, 0.0f, 0.0f, 1.0f};
        pose_track_rotation(&keys->rotate, time_s, rotation);
        quat whole = quat_multiply(quat_from_floats(base->r), quat_from_floats(rotation));
        if (quat_normalize(&whole))
            quat_to_floats(whole, out.r);
    }
    if (keys->scale.key_count > 0) {
        track_evaluate(&keys->scale, time_s, value);
        for (int k = 0; k < 3; k++)
            out.s[k] = (float)((double)base->s[k] * value[keys->scale.width == 1 ? 0 : k]);
    }
    return out;
}

void pose_bone_keys(const scene_instance *instance, frame_time time, const pose_morphs *morphs,
                    pose_block *local)
{
    const pose_joints joints = {.local = local}; // as layers and the keys before a bone's have them
    for (uint32_t i = 0; i < instance->bone_key_count; i++) {
        const scene_bone_keys *keys = &instance->bone_keys[i];
        const uint32_t node = (uint32_t)keys->node;
        double weight = 1.0;
        if (keys->weight.key_count > 0)
            track_evaluate(&keys->weight, time.shot_s, &weight);
        if (keys->driver.kind != SCENE_DRIVER_NONE)
            weight *= pose_driven_share(instance, &keys->driver, time, &joints, morphs);
        if (!(weight > 0.0))
            continue;
        const trs pose = pose_block_trs(local, node);
        const trs *base = keys->mode == SCENE_ADDITIVE ? &pose : &instance->model->nodes[node].rest;
        trs out = keyed(keys, time.shot_s, base, &pose);
        if (weight < 1.0) {
            const float w = (float)weight;
            const trs to = out;
            quatf_slerp(pose.r, to.r, w, out.r);
            for (int k = 0; k < 3; k++) {
                out.t[k] = pose.t[k] - (pose.t[k] - to.t[k]) * w;
                out.s[k] = pose.s[k] - (pose.s[k] - to.s[k]) * w;
            }
        }
        pose_block_set(local, node, &out);
    }
}
