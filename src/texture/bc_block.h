// SPDX-License-Identifier: MIT
/// Decoders of 4x4 blocks, BC and UASTC (LDR ASTC of Basis Universal): 16 pixels by rows as 8-bit
/// RGBA. Every bit pattern is valid.
#pragma once

#include <stdint.h>

typedef uint8_t bc_pixels[16][4];

void bc1_decode(const uint8_t block[8], bc_pixels out);
void bc2_decode(const uint8_t block[16], bc_pixels out);
void bc3_decode(const uint8_t block[16], bc_pixels out);
/// One channel: grey, opaque. Signed values [-1, 1] become [0, 255].
void bc4_decode(const uint8_t block[8], bc_pixels out);
void bc4_signed_decode(const uint8_t block[8], bc_pixels out);
/// Two channels in R and G; B and A are 255.
void bc5_decode(const uint8_t block[16], bc_pixels out);
void bc5_signed_decode(const uint8_t block[16], bc_pixels out);
void bc7_decode(const uint8_t block[16], bc_pixels out);

enum { UASTC_BYTES = 16 };

/// Decode 16 pixels, row-major from the top left, as 8-bit R, G, B, A. Reserved bit patterns give
/// opaque magenta, as the specification asks. The two differ in rounding: end colours of linear
/// data are widened to 16 bits by repeating their bits, those of sRGB data by appending a half.
void uastc_decode(const uint8_t block[UASTC_BYTES], bc_pixels out);
void uastc_srgb_decode(const uint8_t block[UASTC_BYTES], bc_pixels out);
