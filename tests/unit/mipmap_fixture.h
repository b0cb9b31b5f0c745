// SPDX-License-Identifier: MIT
/// Pictures of random texels and their mip chains.
#pragma once

#include "picture_fixture.h"
#include "texture/mipmap.h"

/// 8 or 16 bits a channel. With alpha every third texel is clear.
picture mipmap_random_picture(picture_case *f, int32_t width, int32_t height, picture_format format,
                              bool has_alpha, uint32_t seed);
/// All levels of a picture.
mipmap mipmap_of(picture_case *f, const picture *p, mipmap_content content, mipmap_wrap wrap_u,
                 mipmap_wrap wrap_v);
