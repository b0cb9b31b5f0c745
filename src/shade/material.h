// SPDX-License-Identifier: MIT
/// Materials and textures of a model as the shading loops read them.
#pragma once

#include "model/model.h"
#include "shade/shade_loops.h"

/// Fills `out` [model->material_count] from `materials`: those of the model, or copies with other
/// numbers. Its textures are allocated in `a`; their texels stay in the model.
zt_result shade_materials_build(const zt_model *model, const model_material *materials, arena *a,
                                shade_material *out, zt_error *err);

/// A map of one texture with the coordinates of `slot`; allocated in `a`, without its texels.
zt_result shade_map_build(const model_texture *texture, const model_slot *slot, arena *a,
                          surface_map *out, zt_error *err);

/// True for a material in mode BLEND whose alpha can be below 1 somewhere. `base`: the map of its
/// base colour, or NULL. Exporters write BLEND for many opaque materials, and opaque ones cost
/// less.
bool shade_is_blended(const model_material *m, const model_texture *base);

/// True when light passes through some material of the table.
bool shade_materials_transmit(const shade_material *materials, uint32_t count);
/// True when some material scatters or refracts what is behind it, so that it needs a
/// behind_picture. Smooth thin-walled surfaces show what is behind as it is.
bool shade_materials_need_behind(const shade_material *materials, uint32_t count);

/// True when a material blends without transmitting: behind glass, it is in the behind_picture.
bool shade_materials_layer(const shade_material *materials, uint32_t count);

#define SHADE_EMISSION_MIN 0.5 ///< luminance of surfaces that are lamps; white's in a studio is 1

/// The properties of a material that geometry needs: bits of surface_flag.
uint8_t shade_surface_flags(const shade_material *m);
