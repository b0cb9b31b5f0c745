// SPDX-License-Identifier: MIT
/// Materials and textures of a model in the form that the shading kernels read.
#ifndef ZT_SHADE_MATERIAL_H
#define ZT_SHADE_MATERIAL_H

#include "kernels/shade_types.h"
#include "model/model.h"

/// Fills `out` [model->material_count]; its textures are allocated in `a` and point into the model.
zt_result shade_materials_build(const zt_model *model, arena *a, shade_material *out,
                                zt_error *err);

#endif
