// SPDX-License-Identifier: MIT
/// Retargeting: clips of one rig for another whose bones have other names, other axes, other
/// lengths and another pose at rest.
///
/// Rotations are carried over in model space: what rotates a bone of the source from its
/// orientation at rest rotates that of the target from its own. For a bone t of the target, its
/// source s, R model_from_bone, R0 at rest, C the rotation from the source's front to the target's:
///
///     R_t(time) = C R_s(time) R0_s^-1 C^-1 R0_t
///
/// (Gleicher, "Retargetting motion to new characters", 1998, has the problem; carrying changes from
/// the rest pose over is what game engines do.) With RETARGET_FITTED R0_t is first rotated so that
/// limbs point at rest where those of the source do: a T pose and an A pose agree then.
///
/// It is done once, when a scene is read: what plays, blends, extracts root motion, converts and
/// solves sees an ordinary clip. Nothing is lost by that: the local rotation of t is
///
///     U q V   with U, V constant and q the local rotation of s,
///
/// as long as only s moves between s and the source of the bone above t. Interpolation and U q V
/// commute, so the keys of s become those of t, at their times, with their interpolation. Where
/// several bones of the source move in between, keys are made at the times of all, and between them
/// until linear interpolation is within RETARGET_ERROR_RAD, halving an interval at most
/// RETARGET_HALVINGS times.
///
/// Legs of other proportions, or below hips of another width, would move their ankles on other
/// paths. RETARGET_FITTED rotates thighs and shins so that ankles go the way of the source's in its
/// model, scaled by the leg's length: what stands still keeps still, however the hips rotate. Feet
/// keep their orientation: retarget_legs.c. The hips move so that the middle of the thighs' joints
/// moves as in the source.
///
/// Positions: hips, roots and bones that are no part of a body move by the way of the source from
/// its rest position, scaled by the ratio of leg lengths. Other bones keep their offsets but for
/// translations that the clip itself gives them, which are scaled too.
#pragma once

#include "base/quat.h"
#include "retarget/rig_names.h"

#define RETARGET_ERROR_RAD 2e-4 ///< 0.011 degrees
#define RETARGET_ERROR     1e-4 ///< of positions, in lengths of the legs
enum { RETARGET_HALVINGS = 6 };

typedef enum retarget_mode { RETARGET_ROTATION, RETARGET_FITTED } retarget_mode;

/// A bone of the source and the one of the target that it moves; -1: none.
typedef struct retarget_pair {
    int32_t from, to;
} retarget_pair;

typedef struct retarget_def {
    retarget_mode mode;
    uint32_t pair_count;
    const retarget_pair *pairs; ///< they win over what names say
} retarget_def;

typedef struct retarget_result {
    uint32_t clip_count;     ///< clips that were appended
    uint32_t bone_count;     ///< bones of the target that have a source
    uint32_t unmapped_count; ///< bones of the source that clips move and that move nothing
    const int32_t *unmapped; ///< [unmapped_count] in scratch, rising
    bool *unsure;            ///< [nodes of the source] moves the first of several of its name
    uint32_t unmoved_count;  ///< parts of the body of the target without a source
    const int32_t *unmoved;  ///< [unmoved_count] in scratch, rising
    double scale;            ///< of positions
} retarget_result;

/// Appends the clips of `source` for the bones of `model`. Bones correspond by `pairs`, by parts of
/// a body when both rigs' names are known, else by equal names; without any bone_count is 0 and
/// nothing is appended. Morph weights are copied as by model_borrow_clips(); of properties
/// expressions alone. ZT_ERR_LIMIT: it would take too long. Only while nobody shares the model.
zt_result model_retarget_clips(zt_model *model, const zt_model *source, const retarget_def *def,
                               arena *scratch, retarget_result *out, zt_error *err);

/// Appends the mirror image of a clip: its motion is reflected in the plane between left and right,
/// with the same keys. The counterpart of a bone has the other side's name, or else its mirrored
/// place at rest; a bone in the middle is its own counterpart, and a bone without one rests. Morph
/// weights change sides by name, properties stay. Call it once for a clip, and only while nobody
/// shares the model.
zt_result model_mirror_clip(zt_model *model, uint32_t clip, arena *scratch, uint32_t *out,
                            zt_error *err);

/// The rest pose of one model.
typedef struct retarget_rest {
    const zt_model *model;
    rig parts;
    affine *place;  ///< [nodes] model_from_node
    quat *rotation; ///< [nodes] its rotation: products of the nodes' own, see retarget_turn()
} retarget_rest;

/// A leg that goes the way of its source, see retarget_legs.c. Directions are at rest in the
/// target's model, after fitting.
typedef struct retarget_leg {
    bool bends;                   ///< false: the source's rotations do
    int32_t thigh, shin, foot;    ///< nodes of the target, each the nearest with a source above
    dvec3 thigh_axis, shin_axis;  ///< unit, along the bones
    double from_thigh, from_shin; ///< lengths of the source, scaled to the target's leg
    double to_thigh, to_shin;     ///< lengths of the target; the sums are equal
    quat knee_before, knee_after; ///< around the rotation of the source's shin below its thigh
    bool spreads;                 ///< `spread` is not 0
    dvec3 spread; ///< from where the scaled source's thigh hangs to where the target's does, both
                  ///< from the middle between the thighs; 0 where those do not hang on the hips
    dvec3 pole;   ///< unit: where the knee goes when a straight leg bends
} retarget_leg;

/// Legs that bend, at a time.
typedef struct retarget_leg_sample {
    bool filled;
    float time_s;
    dvec3 hips_way;
    quat thigh[2], shin[2]; ///< T, S: before their rotations, seen from the thigh
    quat knee[2];           ///< E: the rotation of the source's shin since rest, below its thigh
} retarget_leg_sample;

typedef struct retarget {
    retarget_rest to, from;
    int32_t *source;   ///< [nodes of the target] of the source, or -1
    int32_t *ancestor; ///< [nodes of the target] the nearest node above that has a source, or -1
    bool *unsure;      ///< of retarget_result
    int32_t *part;     ///< [nodes of the target] with a source: the part of a body, or RIG_NONE
    int32_t to_part[RIG_PART_COUNT]; ///< the node of the target that has that part, or -1
    quat facing;                     ///< C: target model from source model
    bool mirrors; ///< instead of C: reflects along an axis of the model (model_mirror_clip)
    int32_t axis; ///< 0 to 2: x to z
    const char *(*other_side)(const char *name, char *out, size_t size); ///< of morph targets
    double scale;  ///< of positions, from source to target
    double length; ///< of the target's legs, or of all its bones that have a source
    quat *fitted;  ///< [nodes of the target] model_from_node at rest, after fitting
    dvec3 lift;    ///< of the hips in the target's model, so that fitted legs reach the ground
    dvec3 up;      ///< of the target, along an axis of its model
    retarget_leg leg[2];
    retarget_leg_sample *samples; ///< of a clip, by a hash of their times; NULL: no leg bends
    dvec3 pivot; ///< of the hips: from where thighs hang in the scaled source to where they do in
                 ///< the target, both from the hips, in the target's model; 0 without fitting
} retarget;

/// The rotation of a node's transform. A mirroring scale counts as the half turn that it is after
/// all three axes are mirrored, so that rotations of a hierarchy multiply.
quat retarget_turn(const model_node *node, quat rotation);
/// Arrays of the map, in which nothing has a source or a part. False: no memory in `scratch`.
bool retarget_map_init(retarget *r, arena *scratch);
/// Fills ancestor, by source.
void retarget_find_ancestors(retarget *r);
/// Fills source, ancestor, part and to_part. False: no memory in `scratch`.
bool retarget_map(retarget *r, const retarget_def *def, arena *scratch);
/// Fills the rest poses. False: no memory in `scratch`.
bool retarget_rests(retarget *r, const zt_model *to, const zt_model *from, arena *scratch);
/// Fills facing, scale and fitted, after the map. False: no memory in `scratch`.
bool retarget_fit(retarget *r, retarget_mode mode, arena *scratch);
/// Where the joint of a part of the body is at rest, in the model of the target or of the source.
typedef dvec3 (*retarget_joint_fn)(const retarget *r, int32_t part);
dvec3 retarget_to_joint(const retarget *r, int32_t part);
dvec3 retarget_from_joint(const retarget *r, int32_t part);
/// From the source's model to the target's: directions; rotations that begin and end in the model;
/// and those from a bone to the model. Reflected where `mirrors`.
dvec3 retarget_face(const retarget *r, dvec3 direction);
quat retarget_reflect(const retarget *r, quat rotation);
quat retarget_face_rest(const retarget *r, quat model_from_bone);
/// Left, up and front of a rig, each along an axis of its model. False: not known.
bool retarget_find_frame(const retarget *r, retarget_joint_fn joint, dmat3 *out);
/// From a joint of the target to one below it after its node was rotated. Both in the model.
dvec3 retarget_rotated_bone(const retarget *r, int32_t node, quat rotation, int32_t next);
/// Fills leg, lift, pivot and samples, after fitting. False: no memory in `scratch`.
bool retarget_find_legs(retarget *r, arena *scratch);
/// The face of a clip, after its bones: expressions, and where eyes look.
zt_result retarget_face_clip(zt_model *model, const zt_model *source, const model_clip *from,
                             model_clip *out, zt_error *err);
/// One clip. *out has no channels when it moves no bone that has a target. `work` counts down.
zt_result retarget_clip(const retarget *r, zt_model *model, const model_clip *from, arena *scratch,
                        uint64_t *work, model_clip *out, zt_error *err);
