// SPDX-License-Identifier: MIT
/// Texels of whole materials, made from their textures after a model has been read.
#pragma once

#include "model/model.h"

/// Fills model->packed and packed_of_material; textures stay. `pictures`: [textures] those of
/// textures whose chains need no texels: of maps looked up one by one they are made, others stay
/// without. NULL, and NULL in it: the chain has them. `pool` may be NULL.
zt_result model_pack_textures(zt_model *model, const picture *const *pictures, job_pool *pool,
                              zt_error *err);

/// The uses of a map by materials: joined with others, alone (it needs its own mip chain), or both.
typedef struct texture_use {
    bool joined, alone;
    float mask_cutoff; ///< of the masks that show its alpha; below 0: others do, too
} texture_use;

/// Adds the uses of the maps of a material to those of its textures.
void model_texture_uses(const model_material *m, texture_use *uses);
