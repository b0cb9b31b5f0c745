// SPDX-License-Identifier: MIT
/// The start of tests of mip chains: an arena, and pictures of random texels.
#pragma once

#include "base/arena.h"
#include "image/picture.h"

typedef struct mipmap_fixture {
    budget memory;
    arena a;
    zt_error err;
} mipmap_fixture;

void mipmap_fixture_begin(mipmap_fixture *f);
/// Checks that all memory went back. The end of the block of a MIPMAP_FIXTURE does.
void mipmap_fixture_finish(mipmap_fixture *f);
#define MIPMAP_FIXTURE __attribute__((cleanup(mipmap_fixture_finish))) mipmap_fixture
/// 8 or 16 bits a channel. With alpha every third texel is clear.
picture mipmap_random_picture(mipmap_fixture *f, int32_t width, int32_t height,
                              picture_format format, bool has_alpha, uint32_t seed);
