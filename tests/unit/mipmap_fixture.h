// SPDX-License-Identifier: MIT
/// Pictures of random texels, for tests of mip chains.
#pragma once

#include "picture_fixture.h"

/// 8 or 16 bits a channel. With alpha every third texel is clear.
picture mipmap_random_picture(picture_case *f, int32_t width, int32_t height, picture_format format,
                              bool has_alpha, uint32_t seed);
