// SPDX-License-Identifier: MIT
/// Decoder of 4x4 UASTC blocks, LDR ASTC of Basis Universal. Every bit pattern decodes.
#pragma once

#include "texture/bc_block.h"

enum { UASTC_BYTES = 16 };

/// Decode 16 pixels, row-major from the top left, as 8-bit R, G, B, A. Reserved bit patterns give
/// opaque magenta, as the specification asks. The two differ in rounding: end colours of linear
/// data are widened to 16 bits by repeating their bits, those of sRGB data by appending a half.
void uastc_decode(const uint8_t block[UASTC_BYTES], bc_pixels out);
void uastc_srgb_decode(const uint8_t block[UASTC_BYTES], bc_pixels out);
