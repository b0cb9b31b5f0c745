// SPDX-License-Identifier: MIT
/// One clip while it is retargeted, for retarget_*.c alone: steps from bone to bone of the source,
/// goals of bones of the target, and keys made of both. retarget.h has the formulas.
#pragma once

#include "model/clip_copy.h"
#include "retarget/retarget.h"

enum { RETARGET_PATHS = 3 }; ///< translation, rotation, scale

/// A node between the source of a bone and that of the bone above it.
typedef struct retarget_step {
    int32_t node;
    bool inverse;                                 ///< upwards: the inverse of its rotation counts
    const model_channel *channel[RETARGET_PATHS]; ///< NULL: constant
    trs constant;                                 ///< of the clip, else at rest
    bool given[RETARGET_PATHS];                   ///< by the clip
} retarget_step;

/// Steps in the order in which they multiply.
typedef struct retarget_path {
    retarget_step *steps;
    uint32_t count, capacity;
} retarget_path;

/// Paths of a leg of the source: from its thigh to its shin; where it spreads from its model to its
/// thigh and to its foot.
typedef struct retarget_leg_paths {
    retarget_path knee, thigh, foot;
} retarget_leg_paths;

/// A clip that is being built.
/// Times of several channels, rising.
typedef struct retarget_times {
    float *time_s;
    uint32_t count, capacity;
} retarget_times;

typedef struct retarget_build {
    const retarget *r;
    const model_clip *from;
    arena *keep, *scratch;
    uint64_t *work;
    uint32_t *last;            ///< [3 * nodes of the source]: 1 + the channel that counts
    retarget_path own;         ///< of the bone at hand
    retarget_path hips;        ///< of the source, where a leg spreads; from its model
    retarget_leg_paths leg[2]; ///< of the legs that bend
    bool turns;                ///< where a leg spreads: the clip turns the figure round
    quat heading;              ///< else: that it has in the clip, since rest
    clip_times times;
    retarget_times made; ///< of the channel at hand; its memory is that of all channels
    model_channel *channels;
    uint32_t channel_count;
    zt_error *err;
} retarget_build;

/// The message for an allocation that failed, and its code.
zt_result retarget_fail(const retarget_build *b);
/// Counts work; ZT_ERR_LIMIT when there is too much.
zt_result retarget_spend(const retarget_build *b, uint64_t work);

/// Steps from node `from` (-1: the model) up and down to `to`. *out_down: the first downwards.
zt_result retarget_find_path(retarget_build *b, retarget_path *p, int32_t from, int32_t to,
                             uint32_t *out_down);
/// The product of the rotations of steps `first` to before `end`.
quat retarget_path_rotation(const retarget_build *b, const retarget_path *p, uint32_t first,
                            uint32_t end, float time_s);
/// From b->own: the product of the steps but the last; those upwards inverse, if they have one.
affine retarget_steps_above(const retarget_build *b, float time_s);
/// From b->own: the place of the joint of the last step in the space in which the steps begin.
dvec3 retarget_steps_position(const retarget_build *b, float time_s);

/// Fills hips and leg of a clip that is being built.
zt_result retarget_find_leg_paths(retarget_build *b);
/// Adds the bending of a leg at a time to the rotation since rest of its part `node`, seen from the
/// part above it.
quat retarget_bend(const retarget_build *b, const retarget_leg *leg, int32_t node, quat rotation,
                   float time_s);
/// The way by which the hips come to the ankles in the target's model, so that legs that spread
/// reach.
dvec3 retarget_hips_way(const retarget_build *b, float time_s);

/// A value of the target: a rotation before * steps * after, or a position
/// rest + from_source * (steps - steps_rest).
typedef struct retarget_goal {
    model_path path;
    int32_t node;
    quat before, after;
    dmat3 from_source;
    dvec3 rest, steps_rest;
    bool swings;                ///< hips: `pivot` rotates with them, and legs pull them
    dvec3 pivot;                ///< in the target's model at rest
    dmat3 parent;               ///< from there to the space of the target's parent
    double limit;               ///< of the error between keys
    const retarget_leg *leg;    ///< that bends, or NULL; then `after` follows its part
    quat before_leg, after_leg; ///< around what its bending adds
} retarget_goal;

/// A goal at a time, as doubles (4 or 3) and rounded.
void retarget_evaluate(const retarget_build *b, const retarget_goal *g, float time_s,
                       double value[4], float *out);
/// Adds a channel of keys, either of which may be NULL for no memory.
zt_result retarget_add_channel(retarget_build *b, const retarget_goal *g,
                               model_interpolation interpolation, uint32_t count,
                               const float *time_s, const float *value);
/// Adds a channel with the key times of another; `value`: as many floats as its keys need, or NULL.
zt_result retarget_add_like(retarget_build *b, const retarget_goal *g, const model_channel *c,
                            const float *value);
/// The keys of the only step that rotates become those of the goal.
zt_result retarget_map_rotations(retarget_build *b, const retarget_goal *g, uint32_t index);
/// The keys of the last step, where nothing above it moves.
zt_result retarget_map_positions(retarget_build *b, const retarget_goal *g);
/// Adds the times of a channel.
zt_result retarget_merge_times(retarget_build *b, retarget_times *all, const model_channel *c);
/// Keys at the times, and between them until the error is small.
zt_result retarget_make_keys(retarget_build *b, const retarget_goal *g,
                             const retarget_times *times);
