// SPDX-License-Identifier: MIT
/// Colours as people write them, and as files encode them.
#pragma once

#include <stdbool.h>
#include <stddef.h>

/// The forms that color_from_text() accepts, for messages.
#define COLOR_TEXT_EXPECTED "#rrggbb, #rgb or a CSS colour name"

/// "RRGGBB" or "RGB" in hexadecimal, with or without a # before it, or a name of CSS in any case
/// (sRGB) -> linear. False for other text, with `out` as it was.
bool color_from_text(const char *text, double out[3]);
/// The name of a colour that is nearest to a misspelt one; NULL when none is near.
const char *color_nearest_name(const char *text);
/// The names in alphabetical order; NULL past the last.
const char *color_name_at(size_t index);
/// The sRGB transfer function without libm: encoded -> linear, clamped to [0, 1], NaN gives 0.
double srgb_decode(double encoded);
/// Its inverse: linear -> encoded, clamped to [0, 1], NaN gives 0.
double srgb_encode(double linear);
/// x^(5/12) for x in [0.001, 2].
double srgb_power(double x);
