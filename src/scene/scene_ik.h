// SPDX-License-Identifier: MIT
/// Inverse kinematics as a scene defines it: solvers that rotate bones after the clips.
#pragma once

#include "scene/scene.h"

enum { SCENE_IK_CHAIN_LIMIT = 32, SCENE_IK_FOOT_LIMIT = 16 };

typedef enum scene_ik_kind {
    SCENE_IK_LOOK_AT,
    SCENE_IK_REACH,
    SCENE_IK_AIM,
    SCENE_IK_PLANT,
    SCENE_IK_COPY_ROTATION,
    SCENE_IK_CHAIN,
    SCENE_IK_TWIST,
    SCENE_IK_GAZE, ///< by model->gaze
    SCENE_IK_KIND_COUNT
} scene_ik_kind;

/// Values of scene_target.instance that are not an index.
enum { SCENE_TARGET_POINT = -1, SCENE_TARGET_SELF = -2 };

/// A point over time: a track, or an offset from a bone.
typedef struct scene_target {
    int32_t instance;    ///< with the bone; SCENE_TARGET_POINT: `point`; SCENE_TARGET_SELF: its own
    int32_t node;        ///< the bone; -1: the model itself
    bool before_solvers; ///< the bone as clips have it; `instance` is not SCENE_TARGET_SELF
    double offset[3];    ///< in the bone's space
    track point;         ///< in the space of the solver
} scene_target;

// Each change is evaluated again for every later frame.
enum { SCENE_PARENT_KEY_LIMIT = 64, SCENE_PARENT_CHANGE_LIMIT = 256 };

/// From `time_s` on an instance is attached to a bone (SCENE_TARGET_POINT: to none); the first also
/// before. A change keeps the world transform, unless it snaps.
struct scene_parent_change {
    double time_s, blend_s; ///< blend_s: how long it takes to get to the new parent
    scene_target bone;      ///< without offset
    bool snap;              ///< its transform is in the space of the bone
    bool without_scale;     ///< takes the bone's position and rotation alone
};

/// Ground for feet; heights are world y.
typedef struct scene_terrain {
    double point[3], normal[3]; ///< a plane, when there are no heights
    uint32_t columns, rows;     ///< along +x and +z; 0: a plane
    double first[2], step[2];   ///< x and z of the first height, and distances between heights
    const double *height;       ///< [rows][columns]
} scene_terrain;

/// A rotation over time for a bone.
typedef struct scene_orientation {
    bool given;
    scene_target target; ///< a bone to copy; SCENE_TARGET_POINT: `rotation`
    track rotation;      ///< in the space of the solver
    track rotate;        ///< after it, about the axes that it gives; without keys: none
    track weight;        ///< weight of reach; without keys: 1
} scene_orientation;

/// A solver. Each bone is below the one before, but twist's and the last of a limb with a control.
typedef struct scene_ik {
    scene_ik_kind kind;
    track weight;     ///< 0 (the pose of the clips) to 1 (the solution)
    bool model_space; ///< target.point, pole and up are in model space instead of world space
    uint32_t bone_count;
    int32_t *bones; ///< look_at: the chain; reach: 3; aim, copy_rotation: 1; plant: 3 for each foot
    scene_target target;      ///< goal of look_at, reach, aim and gaze
    scene_orientation orient; ///< rotation for copy_rotation, and for the last bone of reach

    // look_at and aim
    double forward[3]; ///< in the last bone's space
    double offset[3];  ///< origin of the line of sight, in the last bone's space
    double limit_deg;
    double yaw_deg[2], pitch_deg[2]; ///< look_at: right and left, down and up; 180: none
    const double *shares;            ///< [bone_count]
    const double *limits_deg;        ///< [bone_count], or NULL; chain: of each but the last
    double up_axis[3];               ///< aim: in the bone's space
    track up; ///< aim: the direction that up_axis turns to; look_at: see ik_look_at; no keys: none

    // reach, plant and chain
    double hinge[3]; ///< in the middle bone's space; zero: the normal of the limb's plane
    track pole;      ///< without keys: none
    double soft;
    double min_deg, max_deg; ///< angle at the middle joint
    double cone_axis[3];     ///< in the space of the first bone's parent
    double cone_deg;         ///< 180: none

    int32_t chain_root; ///< chain: its first bone, while it is read
    int64_t iterations; ///< chain

    // plant
    int32_t pelvis;
    scene_terrain terrain;
    double floor_m; ///< model space: the terrain height that the clips were made for
    double tilt_deg, drop_m, rise_m;
    double smooth_s; ///< time before and after a frame over which the pelvis is smoothed; 0: none
    bool lock;       ///< planted feet stay where they land
} scene_ik;
