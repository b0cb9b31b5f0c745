// SPDX-License-Identifier: MIT
/// Poses and the keys of clips as the kernels read them, 16 nodes at a time; laid out when a model
/// is read.
#ifndef ZT_MODEL_POSE_LANES_H
#define ZT_MODEL_POSE_LANES_H

#include <stdbool.h>
#include <stdint.h>

enum { POSE_LANES = 16 };

/// Local transforms of 16 nodes by component: translation, unit quaternion x y z w, scale. Lanes
/// after the last node have finite numbers without meaning.
typedef struct pose_block {
    _Alignas(64) float t[3][POSE_LANES];
    float r[4][POSE_LANES], s[3][POSE_LANES];
} pose_block;

/// A time on a timeline (an array of key times), between key `first` and the next: the fraction `s`
/// of the interval, 0 to 1. Both keys exist.
typedef struct pose_key_interval {
    uint32_t first;
    float s;
} pose_key_interval;

enum {
    POSE_VECTOR_KEY = 3 * POSE_LANES,   ///< floats of a packed key: [component][16]
    POSE_ROTATION_KEY = 6 * POSE_LANES, ///< after them, of the arc to the next key (quatf_arc):
                                        ///< [16] squares of angles, [16] wholes
};

/// Keys of one property of 16 nodes. A constant lane has two equal keys and step 0.
typedef struct pose_tracks {
    const float *key[POSE_LANES];  ///< 3 or 4 floats a key
    uint32_t step[POSE_LANES];     ///< floats from one key to the next
    uint32_t timeline[POSE_LANES]; ///< index of its key interval
    bool animated;                 ///< false: all are constant, the rest is not filled in
    const float *packed; ///< NULL, or keys of lanes that all have lane 0's timeline, see below
} pose_tracks;

/// The animation of 16 nodes in a clip.
typedef struct pose_clip_block {
    pose_block constant; ///< values of what is not animated
    pose_tracks t, r, s;
} pose_clip_block;

#endif
