// SPDX-License-Identifier: MIT
/// Poses and keys of clips as kernels read them, 16 nodes at a time; laid out when a model is read.
#pragma once

#include "base/trs.h"

#include <stdbool.h>
#include <stdint.h>

enum { POSE_LANES = 16 };

/// Local transforms of 16 nodes: translation, unit quaternion x y z w, scale; lanes beyond: finite.
typedef struct pose_block {
    _Alignas(64) float t[3][POSE_LANES];
    float r[4][POSE_LANES], s[3][POSE_LANES];
} pose_block;

/// The transform of a node in blocks of POSE_LANES nodes each.
static inline trs pose_block_trs(const pose_block *blocks, uint32_t node)
{
    const pose_block *b = &blocks[node / POSE_LANES];
    const uint32_t lane = node % POSE_LANES;
    return (trs){
        .t = {b->t[0][lane], b->t[1][lane], b->t[2][lane]},
        .r = {b->r[0][lane], b->r[1][lane], b->r[2][lane], b->r[3][lane]},
        .s = {b->s[0][lane], b->s[1][lane], b->s[2][lane]},
    };
}

static inline void pose_block_set(pose_block *blocks, uint32_t node, const trs *x)
{
    pose_block *b = &blocks[node / POSE_LANES];
    const uint32_t lane = node % POSE_LANES;
    for (int k = 0; k < 3; k++) {
        b->t[k][lane] = x->t[k];
        b->s[k][lane] = x->s[k];
    }
    for (int k = 0; k < 4; k++)
        b->r[k][lane] = x->r[k];
}

/// A time on a timeline of key times, between key `first` and the next: the fraction `s`, 0 to 1.
typedef struct pose_key_interval {
    uint32_t first;
    float s;
} pose_key_interval;

enum {
    POSE_VECTOR_KEY = 3 * POSE_LANES,   ///< floats of a packed key: [component][16]
    POSE_ROTATION_KEY = 6 * POSE_LANES, ///< after them, of the arc to the next key (quatf_arc):
                                        ///< [16] squares of angles, [16] wholes
};

/// Keys of one property of 16 nodes: packed, or of each lane. A constant lane has two equal keys.
typedef struct pose_tracks {
    bool animated;       ///< false: all are constant, the rest is not filled in
    const float *packed; ///< keys of lanes that share a timeline, see above; NULL: of each lane:
    uint32_t timeline;   ///< of `packed`: index of its key interval
    /// Rotations: 4 floats a key. Vectors: 3 and the time of the key, at least three keys, those
    /// after the last one infinitely late.
    const float *key[POSE_LANES];
    const float *time_s[POSE_LANES];              ///< of rotations: at least four, the same
    float start_s[POSE_LANES], end_s[POSE_LANES]; ///< of the first and the last key
    float keys_per_s[POSE_LANES];                 ///< on average, for the first guess of a search
    int32_t interval_count[POSE_LANES];           ///< keys - 1
} pose_tracks;

/// The animation of 16 nodes in a clip.
typedef struct pose_clip_block {
    pose_block constant; ///< values of what is not animated
    pose_tracks t, r, s;
} pose_clip_block;
