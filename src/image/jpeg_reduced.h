// SPDX-License-Identifier: MIT
/// Progressive JPEG files at a quarter or an eighth of their size.
#ifndef ZT_IMAGE_JPEG_REDUCED_H
#define ZT_IMAGE_JPEG_REDUCED_H

#include "image/picture.h"

/// Decodes an intact progressive file of grey or YCbCr, whose size has been checked, into `pixels`
/// (RGBA), which has room for its size halved `halvings` times, 2 or 3; both sides can be halved
/// that often. Each pixel is the mean of the encoded values that it stands for; scans that only
/// refine frequencies beside the block's mean are left out (45 dB of a quarter-size metal-rough map
/// are below that; at an eighth they add nothing). Returns false for everything else, broken files
/// among it, with `pixels` unspecified: TurboJPEG has the last word on those.
bool jpeg_reduced_decode(arena *temporary, file_bytes bytes, int32_t halvings, uint8_t *pixels);

#endif
