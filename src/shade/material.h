// SPDX-License-Identifier: MIT
/// Materials and textures of a model in the form that the shading kernels read.
#ifndef ZT_SHADE_MATERIAL_H
#define ZT_SHADE_MATERIAL_H

#include "model/model.h"
#include "shade/shade_loops.h"

/// Fills `out` [model->material_count] from `materials`, the model's or copies of them with other
/// numbers; its textures are allocated in `a` and point into the model.
zt_result shade_materials_build(const zt_model *model, const model_material *materials, arena *a,
                                shade_material *out, zt_error *err);

/// One texture, whose texels stay where they are, at the coordinates of `slot`; in `a`.
zt_result shade_map_build(const model_texture *texture, const model_slot *slot, arena *a,
                          shade_map *out, zt_error *err);

/// Whether a material that is to blend can be seen through anywhere, with `base` (NULL: none) as
/// the map of its base colour. Exporters write BLEND for much that cannot, and what is opaque costs
/// less.
bool shade_is_blended(const model_material *m, const model_texture *base);

/// What geometry has to know of a material: bits of surface_flag.
uint8_t shade_surface_flags(const shade_material *m);

#endif
