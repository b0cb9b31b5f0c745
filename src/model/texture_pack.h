// SPDX-License-Identifier: MIT
/// Texels of whole materials, made from their textures after a model has been read.
#ifndef ZT_MODEL_TEXTURE_PACK_H
#define ZT_MODEL_TEXTURE_PACK_H

#include "model/model.h"

/// Fills model->packed and model->packed_of_material; the textures stay. `threads` as in
/// model_source.
zt_result model_pack_textures(zt_model *model, int32_t threads, zt_error *err);

#endif
