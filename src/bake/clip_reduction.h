// SPDX-License-Identifier: MIT
/// A hierarchy of nodes, sampled over time, as few keys: linear ones of translation and scale,
/// spherical ones of rotation, as glTF plays them (glTF 2.0, section 3.11 and appendix C).
///
/// The error is not that of a channel: errors add up along a chain of bones. It is the largest
/// distance, at any sample, between where a point of a node is and where the samples have it. Each
/// channel is reduced by itself first. Then the keys are posed and compared at every sample, and
/// where a point is too far off, the channel above it that contributes most gets another key. This
/// ends: with a key at a sample in all channels of a chain, the chain is exact there.
#pragma once

#include "bake/key_reduction.h"
#include "base/affine.h"
#include "base/trs.h"

typedef enum clip_path { CLIP_TRANSLATION, CLIP_ROTATION, CLIP_SCALE, CLIP_PATHS } clip_path;

typedef struct clip_node {
    int32_t parent;                    ///< -1, or smaller than the node's own index
    const float *matrix;               ///< NULL; or 16 floats by columns of a node that never moves
    uint32_t point_first, point_count; ///< what counts of it, in its own space
} clip_node;

typedef struct clip_samples {
    uint32_t node_count, sample_count;
    const clip_node *nodes;
    const dvec3 *points;
    const float *time_s; ///< [sample_count], rising
    const trs *local;    ///< [node_count][sample_count]; rotations do not change sides
} clip_samples;

/// local[node] at a sample.
static inline const trs *clip_local(const clip_samples *clip, uint32_t node, uint32_t sample)
{
    return &clip->local[(size_t)node * clip->sample_count + sample];
}

typedef struct clip_reduced {
    const key_list *keys; ///< [node_count][CLIP_PATHS]
    double error;         ///< the largest distance of a point, at any sample
} clip_reduced;

/// Reduces with an error of at most `tolerance`, into `keep`. ZT_ERR_MEMORY, _LIMIT, _CANCELLED.
zt_result clip_reduce(const clip_samples *clip, double tolerance, arena *keep, arena *scratch,
                      clip_reduced *out, zt_error *err);

/// world_from_node of all nodes at a sample, from the samples themselves. `out`: [node_count].
void clip_pose(const clip_samples *clip, uint32_t sample, affine *out);
/// The largest distance of a point in one pose from that in another, and which it is.
double clip_farthest(const clip_samples *clip, const affine *a, const affine *b, uint32_t *out_node,
                     uint32_t *out_point);
