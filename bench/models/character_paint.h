// SPDX-License-Identifier: MIT
#pragma once

#include "built_model.h"

/// Gives `material` its three maps: base colour, normal (green along -v, as glTF wants) and
/// metal-rough. They have `side` texels a side and tile in both directions.
void character_paint(built_model *model, int material, int side);
