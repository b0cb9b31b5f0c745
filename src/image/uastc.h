// SPDX-License-Identifier: MIT
/// Decoder of one 4x4 block of UASTC, the universal subset of ASTC of low dynamic range.
#ifndef ZT_IMAGE_UASTC_H
#define ZT_IMAGE_UASTC_H

#include "image/bc_block.h"

enum { UASTC_BYTES = 16 };

/// 16 pixels, row-major from the top left, as 8-bit R, G, B, A. Opaque magenta for bit patterns
/// that are reserved, as the specification asks; none is an error. The two differ in rounding: ends
/// of linear data are widened by repeating their bits, those of sRGB data by half a step.
void uastc_decode(const uint8_t block[UASTC_BYTES], bc_pixels out);
void uastc_srgb_decode(const uint8_t block[UASTC_BYTES], bc_pixels out);

#endif
