// SPDX-License-Identifier: MIT
/// Models far from the origin of their file, as georeferenced ones are: millions of metres away, a
/// float knows places by half a metre. The place of the first thing that is drawn is subtracted in
/// double, as the file has it, from the translations through which nodes get there; everything
/// later sees a model near its origin.
#pragma once

#include "model/model.h"

/// A node as the file has it, while the model is read.
typedef struct model_exact {
    affine local;
    dvec3 lacks; ///< subtracted from keys of its translation
    bool far;    ///< farther from its parent than floats know well
} model_exact;

model_exact model_exact_of(affine local);
/// A place if floats do not know it well, as floats; else 0.
dvec3 model_far_part(dvec3 place);
/// Puts a node, which is new, where the middle of a mesh is.
void model_place_middle(dvec3 middle, model_node *node, model_exact *exact);

/// Moves a model that has been read, if model->exact says that nodes are far; that is NULL then.
/// model.origin is the place, model.origin_shift what nodes lost.
zt_result model_move_to_origin(zt_model *model, arena *scratch, zt_error *err);
