// SPDX-License-Identifier: MIT
/// A skeleton (a spine with limbs of 8) with two clips of 3 s and keys at 30 Hz, for benchmarks.
#pragma once

#include "pose/pose.h"

enum { BENCH_CHARACTERS = 1000 };
enum { JOINTS_MOST = 100, KEYS = 91, CLIPS = 2, CHANNELS = JOINTS_MOST * 3, KEY_FLOATS = 10 };

/// Which channels move, and whether each has key times of its own.
typedef struct motion_kind {
    bool moves[3]; ///< T R S; the root always has a T
    bool own_times;
} motion_kind;

typedef struct pose_inputs {
    zt_model model;
    model_node nodes[JOINTS_MOST];
    model_clip clips[CLIPS];
    model_channel channels[CLIPS][CHANNELS];
    float times[CLIPS][CHANNELS][KEYS];
    float values[CLIPS][JOINTS_MOST][KEYS * KEY_FLOATS];
    pose_key_interval *intervals;
    pose_block *local[CLIPS];
    pose_block *sum; ///< of a layer that is added: sums of sums would become denormal
    mat4 *world;     ///< [BENCH_CHARACTERS], padded
    trs *plain;
    float *mask; ///< half of the joints
} pose_inputs;

/// Fills `in`, which is zeroed but for the arena of its model, for a skeleton of so many joints.
zt_result pose_inputs_make(pose_inputs *in, int joints, motion_kind kind, arena *scratch,
                           zt_error *err);
