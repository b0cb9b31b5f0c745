// SPDX-License-Identifier: MIT
/// Samples clips 16 nodes at a time: clip time -> local transforms.
#include "pose/pose.h"

#include <string.h>

size_t pose_block_count(const zt_model *model) { return pad16(model->node_count) / POSE_LANES; }

/// Steps and splines are few: one by one.
static void sample_other(const model_motion *motion, const model_clip *clip, float clip_time_s,
                         pose_block *out)
{
    for (uint32_t i = 0; i < motion->other_count; i++) {
        const model_channel *channel = &clip->channels[motion->other[i]];
        const uint32_t node = (uint32_t)channel->node, lane = node % POSE_LANES;
        pose_block *b = &out[node / POSE_LANES];
        float(*component)[POSE_LANES] = channel->path == MODEL_TRANSLATION ? b->t
                                        : channel->path == MODEL_ROTATION  ? b->r
                                                                           : b->s;
        float value[4];
        const uint32_t width = channel->path == MODEL_ROTATION ? 4 : 3;
        model_sample_channel(channel, clip_time_s, width, value);
        for (uint32_t k = 0; k < width; k++)
            component[k][lane] = value[k];
    }
}

void pose_sample_blocks(const pose_loops *loops, const zt_model *model, int32_t clip,
                        float clip_time_s, pose_key_interval *intervals, pose_block *out)
{
    const size_t blocks = pose_block_count(model);
    if (clip < 0) {
        memcpy(out, model->rest, blocks * sizeof *out);
        return;
    }
    const model_motion *motion = &model->motions[clip];
    for (uint32_t i = 0; i < motion->timeline_count; i++)
        intervals[i] = model_key_interval(&motion->timelines[i], clip_time_s);
    uint32_t next = 0;
    for (size_t b = 0; b < blocks; b++) {
        if (next >= motion->block_count || motion->block[next] != b) {
            out[b] = model->rest[b];
            continue;
        }
        const pose_sample_job job = {&motion->moves[next++], clip_time_s, intervals, &out[b]};
        loops->sample(&job);
    }
    sample_other(motion, &model->clips[clip], clip_time_s, out);
}
