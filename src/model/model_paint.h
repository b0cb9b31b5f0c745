// SPDX-License-Identifier: MIT
/// The colour that a caller gives to what has no material.
#pragma once

#include "base/messages.h"
#include "model/model.h"

/// NULL, or a text of a colour. ZT_ERR_ARGUMENT.
zt_result model_check_color(const char *color, zt_error *err);
/// Paints what has neither a material in the file nor a texture nor colours of vertices:
/// dielectric, with the roughness of single_mesh_material(). Warns where nothing is so. `color`:
/// NULL changes nothing.
zt_result model_paint(zt_model *model, const char *color, const message_sink *sink, zt_error *err);
