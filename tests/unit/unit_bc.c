// SPDX-License-Identifier: MIT
/// Blocks of BC1 to BC5 with answers worked out by the definitions; every mode of BC7 with those of
/// another decoder.
#include "base/hash.h"
#include "random_numbers.h"
#include "testing.h"
#include "texture/bc_block.h"

static void expect_pixel(bc_pixels pixels, int i, int r, int g, int b, int a)
{
    cr_expect(pixels[i][0] == r && pixels[i][1] == g && pixels[i][2] == b && pixels[i][3] == a,
              "pixel %d: %d %d %d %d, expected %d %d %d %d", i, pixels[i][0], pixels[i][1],
              pixels[i][2], pixels[i][3], r, g, b, a);
}

Test(bc, bc1_four_colours)
{
    // white (0xffff) above black: indices 0 1 2 3 along each row
    const uint8_t block[8] = {0xff, 0xff, 0, 0, 0xe4, 0xe4, 0xe4, 0xe4};
    bc_pixels p;
    bc1_decode(block, p);
    for (int row = 0; row < 16; row += 4) {
        expect_pixel(p, row, 255, 255, 255, 255);
        expect_pixel(p, row + 1, 0, 0, 0, 255);
        expect_pixel(p, row + 2, 170, 170, 170, 255);
        expect_pixel(p, row + 3, 85, 85, 85, 255);
    }
}

Test(bc, bc1_three_colours_and_transparent_black)
{
    // black, then red 31: the first is not greater. Row 0: 3 2 1 0
    const uint8_t block[8] = {0, 0, 0x00, 0xf8, 0x1b, 0, 0, 0};
    bc_pixels p;
    bc1_decode(block, p);
    expect_pixel(p, 0, 0, 0, 0, 0);
    expect_pixel(p, 1, 128, 0, 0, 255); // 127.5 to nearest, halves up
    expect_pixel(p, 2, 255, 0, 0, 255);
    expect_pixel(p, 3, 0, 0, 0, 255);
    const uint8_t equal[8] = {0x1f, 0, 0x1f, 0, 0xff, 0xff, 0xff, 0xff};
    bc1_decode(equal, p);
    expect_pixel(p, 9, 0, 0, 0, 0);
}

Test(bc, bc1_fractions_are_exact)
{
    // all pairs of 5-bit red: (2a + b) / 93 of 255 in double
    for (uint32_t a = 0; a < 32; a++)
        for (uint32_t b = 0; b < a; b++) {
            const uint8_t block[8] = {0, (uint8_t)(a << 3), 0, (uint8_t)(b << 3), 0xe4, 0, 0, 0};
            bc_pixels p;
            bc1_decode(block, p);
            const double want[4] = {a / 31.0, b / 31.0, (2 * a + b) / 93.0, (a + 2 * b) / 93.0};
            for (int i = 0; i < 4; i++)
                cr_expect_eq(p[i][0], (int)(want[i] * 255 + 0.5));
        }
}

Test(bc, bc2_has_four_bits_of_alpha_and_always_four_colours)
{
    uint8_t block[16] = {0x10, 0x32, 0x54, 0x76, 0x98, 0xba, 0xdc, 0xfe};
    block[8] = 0;
    block[9] = 0;
    block[10] = 0xff;
    block[11] = 0xff;            // black, then white
    memset(block + 12, 0xff, 4); // all index 3
    bc_pixels p;
    bc2_decode(block, p);
    for (int i = 0; i < 16; i++)
        expect_pixel(p, i, 170, 170, 170, 17 * i);
}

static void put_indices(uint8_t *block, const int index[16])
{
    uint64_t bits = 0;
    for (int i = 0; i < 16; i++)
        bits |= (uint64_t)index[i] << (3 * i);
    for (int i = 0; i < 6; i++)
        block[2 + i] = (uint8_t)(bits >> (8 * i));
}

static const int indices_0_to_7[16] = {0, 1, 2, 3, 4, 5, 6, 7, 7, 6, 5, 4, 3, 2, 1, 0};

Test(bc, single_channels)
{
    bc_pixels p;
    uint8_t block[16] = {210, 0};
    put_indices(block, indices_0_to_7);
    bc4_decode(block, p); // 210 k / 7
    static const int long_form[8] = {210, 0, 180, 150, 120, 90, 60, 30};
    for (int i = 0; i < 16; i++) {
        const int v = long_form[indices_0_to_7[i]];
        expect_pixel(p, i, v, v, v, 255);
    }
    block[0] = 50;
    block[1] = 100;
    bc4_decode(block, p);
    static const int short_form[8] = {50, 100, 60, 70, 80, 90, 0, 255};
    for (int i = 0; i < 16; i++)
        cr_expect_eq(p[i][0], short_form[indices_0_to_7[i]]);

    block[8] = 7;
    block[9] = 7; // equal: the short form
    put_indices(block + 8, indices_0_to_7);
    bc5_decode(block, p);
    static const int equal[8] = {7, 7, 7, 7, 7, 7, 0, 255};
    for (int i = 0; i < 16; i++) {
        const int k = indices_0_to_7[i];
        expect_pixel(p, i, short_form[k], equal[k], 255, 255);
    }
    memcpy(block + 8, (uint8_t[]){0xff, 0xff, 0, 0, 0, 0, 0, 0}, 8);
    bc3_decode(block, p);
    expect_pixel(p, 5, 255, 255, 255, 90);
}

/// Against the definition in double: ends / 127 clamped to [-1, 1], then (v + 1) / 2 of 255.
Test(bc, signed_channels_become_normal_map_codes)
{
    for (int a = -128; a < 128; a += 3)
        for (int b = -128; b < 128; b += 5) {
            uint8_t block[16] = {(uint8_t)a, (uint8_t)b};
            put_indices(block, indices_0_to_7);
            memcpy(block + 8, block, 8);
            const double e0 = a < -127 ? -1 : a / 127.0, e1 = b < -127 ? -1 : b / 127.0;
            const bool long_form = e0 > e1;
            double value[8] = {e0, e1};
            for (int i = 2; i < 8; i++)
                value[i] = long_form ? ((8 - i) * e0 + (i - 1) * e1) / 7
                                     : ((6 - i) * e0 + (i - 1) * e1) / 5;
            if (!long_form) {
                value[6] = -1;
                value[7] = 1;
            }
            bc_pixels grey, two;
            bc4_signed_decode(block, grey);
            bc5_signed_decode(block, two);
            for (int i = 0; i < 16; i++) {
                const double want = (value[indices_0_to_7[i]] + 1) / 2 * 255;
                cr_assert(grey[i][0] - want <= 0.5 + 1e-9 && want - grey[i][0] <= 0.5 + 1e-9,
                          "%d %d index %d: %d, expected %g", a, b, indices_0_to_7[i], grey[i][0],
                          want);
                cr_assert(two[i][0] == grey[i][0] && two[i][1] == grey[i][0] && two[i][2] == 255);
                cr_assert(grey[i][1] == grey[i][0] && grey[i][3] == 255);
            }
        }
}

/// 4096 random blocks a mode: Pillow 9.4 gave the same bytes; reserved: transparent black.
Test(bc, bc7_random_blocks_of_every_mode)
{
    static const uint64_t want[9] = {
        UINT64_C(0x8e8fe713770cf23e), UINT64_C(0xfcd11a6be4053d5b), UINT64_C(0x7b04915c0c751369),
        UINT64_C(0xf4155dd0b2da0958), UINT64_C(0xb6a9eb21a67c976b), UINT64_C(0x685c1b252a88a6bd),
        UINT64_C(0xc44370c05b6374ba), UINT64_C(0x7be850fa9ed5c646), UINT64_C(0x9c735bed0a722325)};
    for (int mode = 0; mode < 9; mode++) {
        uint32_t seed = 12345u + (uint32_t)mode;
        uint64_t hash = HASH_START;
        for (int n = 0; n < 4096; n++) {
            uint8_t block[16];
            for (int i = 0; i < 16; i++)
                block[i] = (uint8_t)(next_random(&seed) >> 13);
            block[0] = (uint8_t)(mode == 8 ? 0 : (block[0] & ~((2 << mode) - 1)) | 1 << mode);
            bc_pixels p;
            bc7_decode(block, p);
            hash = hash_bytes(hash, p, sizeof p);
        }
        cr_expect_eq(hash, want[mode], "mode %d: 0x%016llx", mode, (unsigned long long)hash);
    }
}
