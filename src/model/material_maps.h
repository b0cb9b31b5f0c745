// SPDX-License-Identifier: MIT
/// Maps of a model that is being read, by how its materials use them.
#pragma once

#include "model/model.h"

/// Sets occlusion_repeats of the materials.
zt_result model_find_repeated_maps(zt_model *model, arena *scratch, zt_error *err);

/// Mip levels of base colours of masked materials keep the coverage of their pictures, unless a
/// material that blends has the same texture.
zt_result model_keep_mask_coverage(const zt_model *model, arena *scratch, zt_error *err);
