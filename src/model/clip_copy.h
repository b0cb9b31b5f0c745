// SPDX-License-Identifier: MIT
/// Copies of clips, and their tracks: bones by name, fitting morph targets, shared key times.
#pragma once

#include "base/affine.h"
#include "model/model.h"

/// By node of `from`: the node of `model` of its name, or -1. Of several the one at an equal path,
/// else the one below the match of a node above it, else the first, which is *out_unsure (may be
/// NULL). A helper without a match has that of its bone. NULL: no memory in `scratch`.
const int32_t *clip_match_bones(const zt_model *model, const zt_model *from, arena *scratch,
                                bool **out_unsure);

/// The same of a clip at clip time, without morph weights. `local`, `world`: room for [node_count].
void clip_pose_joints(const zt_model *model, const model_clip *clip, float time_s, trs *local,
                      affine *world);
/// The diagonal of the box around joints [count >= 1].
double clip_box_diagonal(const affine *world, uint32_t count);

/// The number of morph targets of the mesh of a node.
uint32_t clip_morph_count(const zt_model *model, int32_t node);
/// True when two nodes' weights mean the same: as many targets, in their names' order.
bool clip_same_morphs(const zt_model *a, int32_t node_a, const zt_model *b, int32_t node_b);

/// Floats of a translation, rotation or scale.
uint32_t clip_width(model_path path);
/// The value of such a channel that never changes, or NULL.
const float *clip_constant_value(const model_channel *c);
/// A copy, or NULL.
const float *clip_copy_floats(arena *keep, const float *from, size_t count);

/// Key times copied last: channels share times with one before them, as files do. Zeroed at first.
typedef struct clip_times {
    const float *from[4], *copy[4];
    uint32_t count[4], next;
} clip_times;

/// A copy of key times, or NULL.
const float *clip_copy_times(clip_times *times, arena *keep, const float *from, uint32_t count);
