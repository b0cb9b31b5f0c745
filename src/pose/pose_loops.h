// SPDX-License-Identifier: MIT
/// The loops of posing and their jobs: sampling, blending, and local transforms to world matrices.
///
/// Linear tracks: a - (a - b) s, which is a, in bits, where b is a; a at s <= 0 and b at s >= 1.
/// Rotations move on the shorter great arc (slerp: Shoemake, "Animating rotation with quaternion
/// curves", 1985), exact in the same cases, all in float. With c =
/// min(|a . b|, 1), summed from x to w, and A = (1 - c) P(c)^2 the square of the angle (P of
/// Abramowitz & Stegun 4.4.46), the weights are r S(A (r r)) / S(A) of a, r = 1 - s, and
/// s S(A (s s)) / S(A) of b with the sign of a . b, where S(x^2) = sin(x) / x (4.3.97); the sum q
/// is multiplied by 1.5 - 0.5 q . q, a step of Newton's for 1 / sqrt(q . q). No case is special:
/// for nearly equal rotations S is 1 and the arc is its chord, and no angle exceeds pi/2. A and
/// 1 / S(A) depend on the pair only: packed keys of clips store them (pose_lanes.h). quatf_slerp()
/// is the same in plain C, to the bit.
#pragma once

#include "model/palette.h"
#include "model/pose_lanes.h"

#include <stddef.h>

typedef struct pose_sample_job {
    const pose_clip_block *clip;
    float time_s;
    const pose_key_interval *intervals; ///< [timeline]
    pose_block *out;
} pose_sample_job;

/// out = a + (b - a) weight, rotations by slerp; a or b itself at weight <= 0 or >= 1; may be out.
typedef struct pose_blend_job {
    const pose_block *a, *b;
    float weight;
    const float *mask; ///< NULL, or a factor of the weight by node, padded to 16
    pose_block *out;
    size_t block_count;
} pose_blend_job;

/// Adds the difference between two poses to a third, in the parent's space of each node:
/// t = base - (from - to) w, r = slerp(1, to from*, w) base, s = base (1 + (to / from - 1) w),
/// where a scale of `from` below 1e-12 changes nothing. r is made unit as in slerp. base itself, in
/// bits, at a weight <= 0 and where to is from; all of to from* at >= 1. out may be any of them.
typedef struct pose_add_job {
    const pose_block *base, *from, *to;
    float weight;
    const float *mask; ///< as above
    pose_block *out;
    size_t block_count;
} pose_add_job;

/// world[i] = world[parent[i]] * T R S, by columns: ((p0 x + p1 y) + p2 z) + p3 w.
typedef struct pose_matrices_job {
    const pose_block *local;
    const uint32_t *order;     ///< the nodes by depth, parents first
    const int32_t *parent;     ///< by node; -1: world_from_model
    const float *const *fixed; ///< NULL, or by node: NULL, or the matrix that replaces T R S
    const skin_matrix *world_from_model;
    skin_matrix *world; ///< room for a multiple of 16
    size_t node_count;
} pose_matrices_job;

/// The loops of one instruction set (kernels/kernels.h fills them), 16 nodes at a time.
typedef struct pose_loops {
    void (*sample)(const pose_sample_job *job);
    void (*blend)(const pose_blend_job *job);
    void (*add)(const pose_add_job *job);
    void (*matrices)(const pose_matrices_job *job);
} pose_loops;
