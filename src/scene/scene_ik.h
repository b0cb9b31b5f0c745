// SPDX-License-Identifier: MIT
/// What a scene says about inverse kinematics: solvers that turn bones after the clips.
#ifndef ZT_SCENE_SCENE_IK_H
#define ZT_SCENE_SCENE_IK_H

#include "scene/scene.h"

enum { SCENE_IK_CHAIN_LIMIT = 32, SCENE_IK_FOOT_LIMIT = 16 };

typedef enum scene_ik_kind {
    SCENE_IK_LOOK_AT,
    SCENE_IK_REACH,
    SCENE_IK_AIM,
    SCENE_IK_PLANT,
} scene_ik_kind;

/// scene_target.instance without an instance's number.
enum { SCENE_TARGET_POINT = -1, SCENE_TARGET_SELF = -2 };

/// A point that may move: a track, or a place on a bone.
typedef struct scene_target {
    int32_t instance; ///< whose bone; SCENE_TARGET_POINT: `point`; SCENE_TARGET_SELF: its own
    int32_t node;
    double offset[3]; ///< in the bone's space
    track point;      ///< in the space of the solver
} scene_target;

// Each change is posed again for every later frame.
enum { SCENE_PARENT_KEY_LIMIT = 64, SCENE_PARENT_CHANGE_LIMIT = 256 };

/// From `time_s` on an instance rides on a bone (SCENE_TARGET_POINT: on none); the first one also
/// before. At a change the world pose stays.
struct scene_parent_change {
    double time_s;
    scene_target bone; ///< without offset
};

/// Ground for feet; heights are world y.
typedef struct scene_ground {
    double point[3], normal[3]; ///< a plane, when there are no heights
    uint32_t columns, rows;     ///< along +x and +z; 0: a plane
    double first[2], step[2];   ///< x and z of the first height, and from one to the next
    const double *height;       ///< [rows][columns]
} scene_ground;

/// One solver. Bones are nodes of the model; each hangs, near or far, on the one before it.
typedef struct scene_ik {
    scene_ik_kind kind;
    track weight;     ///< 0 (as the clips pose) to 1 (as solved)
    bool model_space; ///< target.point, pole and up are in the model's space, not the world's
    uint32_t bone_count;
    int32_t *bones;      ///< look_at: the chain; reach: three; aim: one; plant: three of each foot
    scene_target target; ///< not of plant

    // look_at and aim
    double forward[3]; ///< in the last bone's space
    double offset[3];  ///< where the line of sight begins, in the last bone's space
    double limit_deg;
    const double *shares;     ///< [bone_count]
    const double *limits_deg; ///< [bone_count], or NULL
    double up_axis[3];        ///< aim: in the bone's space
    track up;                 ///< aim: where it shall point

    // reach and plant
    double hinge[3]; ///< in the middle bone's space; zero: the plane of the pose
    track pole;      ///< without keys: none
    double soft;
    double min_deg, max_deg;
    double cone_axis[3]; ///< in the space that the first bone hangs in
    double cone_deg;     ///< 180: none

    // plant
    int32_t pelvis;
    scene_ground ground;
    double floor_m; ///< in the model's space, the height of the ground that the clips know
    double tilt_deg, drop_m, rise_m;
} scene_ik;

#endif
