// SPDX-License-Identifier: MIT
/// Colours of pictures of differences: what measures paints with them, and reports explain them.
#pragma once

#include <stdint.h>

enum { DIFFERENCE_STEPS = 8, DIFFERENCE_ANTIALIASED = 8, DIFFERENCE_LEFT_OUT = 9 };

/// The steps are those of the largest difference of a channel: 1, 2 to 3, 4 to 7, ... 128 to 255,
/// each brighter than the one before. Equal is grey of at most 95, which is added to the last.
static const uint8_t difference_colors[][3] = {
    {96, 32, 168},  {160, 28, 152}, {208, 40, 96},   {232, 64, 32}, {244, 116, 0},
    {250, 172, 24}, {252, 224, 80}, {255, 255, 255}, {0, 160, 144}, {0, 0, 96},
};
