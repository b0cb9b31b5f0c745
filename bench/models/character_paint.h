// SPDX-License-Identifier: MIT
#ifndef BENCH_CHARACTER_PAINT_H
#define BENCH_CHARACTER_PAINT_H

#include "built_model.h"

/// Gives `material` its three maps: base colour, normal (green along -v, as glTF wants) and
/// metal-rough. They tile in both directions.
void character_paint(built_model *model, int material);

#endif
