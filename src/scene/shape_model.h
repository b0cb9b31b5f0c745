// SPDX-License-Identifier: MIT
/// Models without a file: a sphere, a capsule, a cylinder, a box.
#pragma once

#include "model/model.h"

typedef enum shape_kind { SHAPE_SPHERE, SHAPE_CAPSULE, SHAPE_CYLINDER, SHAPE_BOX } shape_kind;

/// Metres; the centre is the origin, the axis of a capsule and a cylinder is y.
typedef struct shape {
    shape_kind kind;
    double radius, height; ///< height: of a capsule with its caps, at least 2 radius
    double size[3];        ///< sides of a box
} shape;

/// Fills a zeroed model with a ready arena: one node and one material, both called as the kind.
zt_result shape_model_build(const shape *from, zt_model *model, arena *scratch, zt_error *err);

/// "sphere" ...: names by kind.
extern const char *const shape_names[4];
