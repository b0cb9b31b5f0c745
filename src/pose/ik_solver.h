// SPDX-License-Identifier: MIT
/// The bones of an instance as IK solvers read and move them, and the solvers themselves.
///
/// CONTRIBUTING.md has the steps of a new solver.
#pragma once

#include "pose/ik.h"
#include "pose/pose.h"
#include "scene/scene_ik.h"

/// The means to pose the clips of an instance at another time.
typedef struct ik_clips {
    const pose_loops *loops;
    const zt_scene *scene;
    const scene_instance *instance;
    const pose_scratch *scratch; ///< its `other`
} ik_clips;

/// An instance posed by its layers.
typedef struct ik_context {
    const zt_model *model;
    uint32_t instance;            ///< its index in the scene
    double time_s;                ///< shot time
    const vec4 *world_from_model; ///< a mat4
    const mat4 *const *posed;     ///< [instance] world_from_node of instances that targets are on
    const mat4 *const *clips;     ///< [instance] the same before solvers, where seen_before_solvers
    pose_block *local;
    mat4 *world;   ///< world_from_node of `local`
    bool *changed; ///< [node_count] all false, and left so
    const ik_clips *other;
} ik_context;

/// The space of a solver: that of the parent of its first bone, in which bones keep their lengths
/// when they rotate, also where models and parents scale differently along their axes.
typedef struct ik_space {
    affine world_from_space, space_from_world;
} ik_space;

/// False when the space is scaled flat: no rotation of the bone moves it where a target is.
bool ik_space_of_bone(const ik_context *context, int32_t node, ik_space *out);
dvec3 ik_point_in_space(const ik_space *space, dvec3 world_point);
/// For a direction or a difference of points.
dvec3 ik_vector_in_space(const ik_space *space, dvec3 world_vector);

/// space_from_node of a bone.
affine ik_bone_transform(const ik_context *context, const ik_space *space, int32_t node);
/// space_from_parent of a bone, linear.
dmat3 ik_parent_transform(const ik_context *context, const ik_space *space, int32_t node);
/// world_from_parent of a bone.
affine ik_parent_world(const ik_context *context, int32_t node);
/// The joint of a bone, in the world.
dvec3 ik_bone_position(const ik_context *context, int32_t node);
/// Its rotation in its parent's space.
quat ik_bone_rotation(const ik_context *context, int32_t node);
/// Gives it another one, by the fraction `weight` of the way on the shorter arc.
void ik_set_rotation(const ik_context *context, int32_t node, quat rotation, float weight);
/// Rotates a bone about its joint, by `weight` of the rotation. World matrices are those before the
/// solver: since then its parent was rotated by `before` in `space`; the bone shall be by `after`.
void ik_rotate_bone(const ik_context *context, const ik_space *space, int32_t node, quat before,
                    quat after, float weight);
/// Moves the joint of a bone to a point in the world; a parent that is scaled flat keeps it.
void ik_place_bone(const ik_context *context, int32_t node, dvec3 point);
/// Moves a bone along the world's +y.
void ik_lift_bone(const ik_context *context, int32_t node, double metres);
/// Updates the world matrices of bones that moved and of all below them.
void ik_update_world(const ik_context *context);

dvec3 ik_target_evaluate(const ik_context *context, const scene_ik *ik);
/// world_from_node of a target that is a bone.
affine ik_target_bone(const ik_context *context, const scene_target *target);
/// Zero for a track without keys.
dvec3 ik_direction_evaluate(const ik_context *context, const scene_ik *ik, const track *direction);

/// Moves bones and updates the world. `weight`: above 0, at most 1, the whole solution.
typedef void ik_solver(const ik_context *context, const scene_ik *ik, float weight);

ik_solver ik_look_at_apply, ik_aim_apply, ik_reach_apply, ik_plant_apply, ik_copy_rotation_apply,
    ik_chain_apply, ik_twist_apply, ik_gaze_apply;

/// Angles from the head of a model with a gaze to a target: to the left and up. False: its head is
/// scaled flat.
bool ik_gaze_angles(const ik_context *context, const scene_ik *ik, double *yaw_deg,
                    double *pitch_deg);
/// Rotates the nodes of the model that follow others.
void ik_constraints_apply(const ik_context *context);

/// Where an orientation points the axes of a bone, in the world, before a solver moves bones.
ik_axes ik_axes_evaluate(const ik_context *context, const scene_ik *ik);
/// The weight of an orientation within its solver.
float ik_orient_weight(const ik_context *context, const scene_ik *ik);
/// Points a bone's axes there, by `weight`. World matrices are current before, and not after.
void ik_orient_bone(const ik_context *context, int32_t node, const ik_axes *axes, float weight);

/// A limb of two bones, and the bone at its end, which may hang elsewhere, as controlled feet do.
typedef struct ik_limb {
    const int32_t *bones; ///< [3]
    bool apart;           ///< bones[2] is not below bones[1]
    dvec3 end;   ///< apart: where the limb ends, in the space of bones[1], by the rest pose
    dvec3 posed; ///< the joint of bones[2] in the world, as posed
} ik_limb;

/// Before a solver moves anything.
ik_limb ik_limb_of_bones(const ik_context *context, const int32_t *bones);
/// Moves an end that is apart to where its limb ends, by the fraction `weight` from where it was
/// posed. The world is up to date, and afterwards not. Others stay.
void ik_limb_move_end(const ik_context *context, const ik_limb *limb, float weight);
/// The reach of one limb, for solvers that contain one: rotates the first two bones
/// and does not update the world. `space`: of the first. Returns their rotations in it.
ik_reach_rotations ik_limb_apply(const ik_context *context, const ik_space *space,
                                 const scene_ik *ik, const ik_limb *limb, dvec3 target_in_world,
                                 float weight);

// pose_ik.c
/// Applies solvers in their order; updates `local` and `world`.
void pose_ik(const ik_context *context, const scene_ik *ik, uint32_t count);
