// SPDX-License-Identifier: MIT
/// A person of a VRM file, but for its bones and springs: expressions, eyes that follow a target,
/// bones that follow other bones.
/// https://github.com/vrm-c/vrm-specification/tree/master/specification
#pragma once

#include "base/quat.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Expressions of a group are reduced together.
typedef enum expression_group {
    EXPRESSION_OTHER,
    EXPRESSION_BLINK,
    EXPRESSION_LOOK,
    EXPRESSION_MOUTH,
    EXPRESSION_GROUP_COUNT
} expression_group;

typedef enum expression_override {
    EXPRESSION_NOT_OVERRIDES,
    EXPRESSION_BLOCKS, ///< with any weight the others are 0
    EXPRESSION_BLENDS  ///< its weight is taken from the others
} expression_override;

enum { MODEL_EXPRESSION_LIMIT = 256 };

/// A morph target that an expression moves.
typedef struct expression_morph {
    int32_t mesh, node; ///< node -1: all nodes with the mesh
    uint32_t target;    ///< of the mesh
    float weight;       ///< added at weight 1
} expression_morph;

/// Numbers of a material, a model_material, at weight 1.
typedef struct expression_change {
    uint32_t material, width;
    size_t offset;
    float value[4];
} expression_change;

/// A set of morph targets and materials with a name. VRM 0.x's have the names of 1.0.
typedef struct model_expression {
    const char *name; ///< "happy"
    float weight;     ///< at rest: 0
    bool binary;      ///< its weight is 0, or 1 above 0.5
    expression_group group;
    expression_override overrides[EXPRESSION_GROUP_COUNT];
    uint32_t morph_count, change_count;
    const expression_morph *morphs;
    const expression_change *changes;
} model_expression;

/// Angles from 0 to `input_deg` become angles, or weights of an expression, from 0 to `output`.
typedef struct gaze_range {
    float input_deg, output;
} gaze_range;

/// Where a person looks (VRMC_vrm 1.0, lookAt.md).
typedef struct model_gaze {
    bool by_expressions;     ///< lookLeft, lookRight, lookUp, lookDown; otherwise the eyes turn
    int32_t head, eyes[2];   ///< nodes; eyes: left, right; -1: it has none
    float offset[3];         ///< between the eyes, in the space of the head
    gaze_range inner, outer; ///< towards the nose, and away from it
    gaze_range down, up;
} model_gaze;

/// The angle, or the weight, that a range makes of an angle; 0 or more.
double gaze_output(const gaze_range *range, double angle_deg);
/// The rotation of an eye (0: left, 1: right) in the space of its parent, before its rest rotation,
/// for a target so far to the left and up. `model_from_parent`: at rest.
quat gaze_eye_turn(const model_gaze *gaze, bool faces_back, int side, double yaw_deg,
                   double pitch_deg, quat model_from_parent);

typedef enum constraint_kind {
    CONSTRAINT_ROLL,    ///< turns about an axis as its source does
    CONSTRAINT_AIM,     ///< points an axis at its source
    CONSTRAINT_ROTATION ///< turns as its source does
} constraint_kind;

enum { MODEL_CONSTRAINT_LIMIT = 1024 };

/// A node whose rotation follows that of another (VRMC_node_constraint 1.0).
typedef struct model_constraint {
    constraint_kind kind;
    int32_t node, source;
    float axis[3]; ///< unit, in the space of the node
    float weight;
} model_constraint;
