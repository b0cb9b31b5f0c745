// SPDX-License-Identifier: MIT
/// The changes from one model to another by name, whatever their formats and the order in them.
#pragma once

#include "scene/scene.h"

typedef enum model_change_state { MODEL_CHANGED, MODEL_NEW, MODEL_GONE } model_change_state;

enum { MODEL_CHANGES_MAX = 10000 }; ///< the last says that more are not listed

typedef struct model_change {
    const char *kind; ///< "node", "mesh", "morph", "material", "texture", "clip" ...
    const char *name, *text;
    model_change_state state;
    double worst_s; ///< of a clip that moves nodes otherwise: where it does most; else NaN
} model_change;

typedef struct model_changes {
    uint32_t count, capacity;
    model_change *list; ///< [count]
} model_changes;

/// Lists the changes in `a`, of models loaded with a picture_side below 0. Nodes are one by the
/// names from the root on, by their own, else, unless `strict_names`, by their place and shape.
/// ZT_ERR_MEMORY, ZT_ERR_LIMIT, ZT_ERR_CANCELLED.
zt_result model_diff(const zt_model *old_model, const zt_model *new_model, bool strict_names,
                     arena *a, model_changes *out, zt_error *err);
/// Gives scenes of one model each the same camera, around both.
zt_result model_diff_frame(zt_renderer *renderer, zt_scene *const scenes[2], zt_error *err);
