// SPDX-License-Identifier: MIT
#include "pose_inputs.h"

#include "bench_timing.h"

#include <string.h>

static float random_unit(uint64_t *state)
{
    return (float)(bench_random(state) >> 40) / 8388608.0f - 1.0f;
}

/// Rotations that wander by some degrees from key to key, translations and scales that tremble.
static void fill_values(uint64_t *seed, int32_t joint, float *t, float *r, float *s)
{
    float q[4] = {0.0f, 0.0f, 0.0f, 1.0f};
    for (int key = 0; key < KEYS; key++) {
        for (int k = 0; k < 4; k++)
            q[k] += 0.05f * random_unit(seed);
        quatf_normalize(q);
        memcpy(r + 4 * key, q, sizeof q);
        for (int k = 0; k < 3; k++) {
            t[3 * key + k] = (joint == 0 ? 0.0f : 0.2f) + 0.01f * random_unit(seed);
            s[3 * key + k] = 1.0f + 0.01f * random_unit(seed);
        }
    }
}

static void fill_clip(pose_inputs *in, int clip, int joints, motion_kind kind)
{
    uint64_t seed = 7 + (uint64_t)clip;
    model_clip *c = &in->clips[clip];
    *c = (model_clip){.name = "", .end_s = 3.0f, .channels = in->channels[clip]};
    for (int32_t joint = 0; joint < joints; joint++) {
        float *t = in->values[clip][joint], *r = t + 3 * KEYS, *s = r + 4 * KEYS;
        const float *const value[3] = {t, r, s};
        fill_values(&seed, joint, t, r, s);
        for (int path = 0; path < 3; path++) {
            if (!kind.moves[path] && !(joint == 0 && path == 0))
                continue;
            const uint32_t n = c->channel_count++;
            float *times = in->times[clip][kind.own_times ? n : 0];
            for (int key = 0; key < KEYS; key++)
                times[key] = key == 0 || key == KEYS - 1 || !kind.own_times
                                 ? (float)key / 30.0f
                                 : ((float)key + 0.3f * random_unit(&seed)) / 30.0f;
            in->channels[clip][n] =
                (model_channel){joint, (model_path)path, MODEL_LINEAR, KEYS, times, value[path]};
        }
    }
}

zt_result pose_inputs_make(pose_inputs *in, int joints, motion_kind kind, arena *scratch,
                           zt_error *err)
{
    for (int32_t i = 0; i < joints; i++) {
        const int32_t limb = i % 9 == 0 ? i - 9 : i - 1;
        in->nodes[i] = (model_node){
            .parent = limb < 0 ? -1 : limb, .mesh = -1, .skin = -1, .rest = trs_identity()};
    }
    for (int clip = 0; clip < CLIPS; clip++)
        fill_clip(in, clip, joints, kind);
    in->model.nodes = in->nodes;
    in->model.node_count = (uint32_t)joints;
    in->model.clips = in->clips;
    in->model.clip_count = CLIPS;
    ZT_TRY(model_lay_out_motion(&in->model, scratch, err));
    const size_t blocks = pose_block_count(&in->model);
    in->intervals = ARENA_ARRAY(scratch, pose_key_interval, CHANNELS);
    in->world = ARENA_ARRAY(scratch, mat4, BENCH_CHARACTERS * blocks * POSE_LANES);
    in->sum = ARENA_ARRAY(scratch, pose_block, blocks);
    in->plain = ARENA_ARRAY(scratch, trs, (size_t)joints);
    in->mask = ARENA_ARRAY(scratch, float, blocks *POSE_LANES);
    for (int clip = 0; clip < CLIPS; clip++)
        if (!(in->local[clip] = ARENA_ARRAY(scratch, pose_block, blocks)))
            return arena_fail(scratch, err, "poses");
    for (int i = 0; in->mask && i < joints; i++)
        in->mask[i] = i % 18 < 9 ? 1.0f : 0.0f;
    return in->intervals && in->world && in->plain && in->mask && in->sum
               ? ZT_OK
               : arena_fail(scratch, err, "poses");
}
