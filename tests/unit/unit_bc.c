// SPDX-License-Identifier: MIT
/// Blocks of BC1 to BC5 and every mode of BC7, with answers worked out by the definitions.
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

// ---- BC7 ----------------------------------------------------------------------------------------

typedef struct bit_writer {
    uint8_t block[16];
    int at;
} bit_writer;

static void put(bit_writer *w, uint32_t value, int count)
{
    for (int i = 0; i < count; i++, w->at++)
        w->block[w->at / 8] |= (uint8_t)((value >> i & 1) << (w->at % 8));
}

static void bc7_expect(const bit_writer *w, int want[16][4])
{
    bc_pixels p;
    cr_assert_eq(w->at, 128, "the test wrote %d bits", w->at);
    bc7_decode(w->block, p);
    for (int i = 0; i < 16; i++)
        expect_pixel(p, i, want[i][0], want[i][1], want[i][2], want[i][3]);
}

/// Mode 6: 7-bit ends with a bit each below, 4-bit indices.
Test(bc, bc7_mode_6)
{
    bit_writer w = {{0}, 0};
    put(&w, 1 << 6, 7);
    for (int c = 0; c < 4; c++) {
        put(&w, 0, 7);
        put(&w, 127, 7);
    }
    put(&w, 0, 1);
    put(&w, 1, 1); // ends 0 and 255
    put(&w, 0, 3); // the anchor's index has 3 bits
    for (uint32_t i = 1; i < 16; i++)
        put(&w, i, 4);
    static const int weight[16] = {0, 4, 9, 13, 17, 21, 26, 30, 34, 38, 43, 47, 51, 55, 60, 64};
    int want[16][4];
    for (int i = 0; i < 16; i++)
        for (int c = 0; c < 4; c++)
            want[i][c] = (255 * weight[i] + 32) / 64;
    bc7_expect(&w, want);
}

/// Mode 5: alpha on its own indices; rotation 2 makes alpha change places with green.
Test(bc, bc7_mode_5_rotated)
{
    bit_writer w = {{0}, 0};
    put(&w, 1 << 5, 6);
    put(&w, 2, 2);
    put(&w, 127, 7);
    put(&w, 127, 7); // red 255 and 255
    put(&w, 0, 7);
    put(&w, 127, 7); // green 0 to 255
    put(&w, 64, 7);
    put(&w, 64, 7); // blue 129
    put(&w, 10, 8);
    put(&w, 74, 8); // alpha 10 to 74
    put(&w, 1, 1);
    for (int i = 1; i < 16; i++)
        put(&w, 3, 2); // colour: pixel 0 at 21/64, the others at the second end
    put(&w, 0, 1);
    for (int i = 1; i < 16; i++)
        put(&w, 1, 2); // alpha: the first end, then 10 + 21
    int want[16][4];
    for (int i = 0; i < 16; i++) {
        want[i][0] = 255;
        want[i][2] = 129;
        want[i][1] = i == 0 ? 10 : 31;
        want[i][3] = i == 0 ? (255 * 21 + 32) / 64 : 255;
    }
    bc7_expect(&w, want);
}

/// Mode 4: with the selector set, colour takes the 3-bit indices and alpha the 2-bit ones.
Test(bc, bc7_mode_4_swapped_indices)
{
    bit_writer w = {{0}, 0};
    put(&w, 1 << 4, 5);
    put(&w, 0, 2);
    put(&w, 1, 1);
    put(&w, 0, 5);
    put(&w, 31, 5);
    put(&w, 31, 5);
    put(&w, 0, 5);
    put(&w, 16, 5);
    put(&w, 16, 5); // 16 -> 132
    put(&w, 0, 6);
    put(&w, 63, 6);
    put(&w, 0, 1);
    for (int i = 1; i < 16; i++)
        put(&w, 3, 2); // alpha: the second end
    put(&w, 0, 2);
    for (int i = 1; i < 16; i++)
        put(&w, 2, 3); // colour at 18/64
    int want[16][4];
    for (int i = 0; i < 16; i++) {
        want[i][0] = i == 0 ? 0 : (255 * 18 + 32) / 64;
        want[i][1] = i == 0 ? 255 : (255 * 46 + 32) / 64;
        want[i][2] = 132;
        want[i][3] = i == 0 ? 0 : 255;
    }
    bc7_expect(&w, want);
}

/// Modes 1, 3 and 7, two subsets: partition 13 is halves (anchor 15), 17 a corner (anchor 2).
Test(bc, bc7_modes_with_two_subsets)
{
    static const struct {
        int mode, color_bits, alpha_bits, p_bits, index_bits;
    } modes[] = {{1, 6, 0, 1, 3}, {3, 7, 0, 2, 2}, {7, 5, 5, 2, 2}};
    static const int corner[16] = {0, 1, 1, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0};
    for (int m = 0; m < 3; m++)
        for (int shape = 13; shape <= 17; shape += 4) {
            bit_writer w = {{0}, 0};
            put(&w, 1u << modes[m].mode, modes[m].mode + 1);
            put(&w, (uint32_t)shape, 6);
            const int bits = modes[m].color_bits;
            const uint32_t full = (1u << bits) - 1;
            for (int c = 0; c < 3; c++) { // subset 0 from black to red, subset 1 all blue
                put(&w, 0, bits);
                put(&w, c == 0 ? full : 0, bits);
                put(&w, c == 2 ? full : 0, bits);
                put(&w, c == 2 ? full : 0, bits);
            }
            for (int e = 0; e < 4 && modes[m].alpha_bits; e++)
                put(&w, full, 5);
            for (int p = 0; p < 2 * modes[m].p_bits; p++)
                put(&w, 1, 1); // below every end: 0 becomes 1 of the full scale
            const int anchor = shape == 13 ? 15 : 2;
            for (int i = 0; i < 16; i++) {
                const bool is_anchor = i == 0 || i == anchor;
                put(&w, is_anchor ? 0 : (1u << modes[m].index_bits) - 1,
                    modes[m].index_bits - is_anchor);
            }
            // one step of bits + 1, widened to 8 by repetition
            const int total = bits + 1;
            const int step = (1 << (8 - total)) | (1 << (8 - total)) >> total;
            int want[16][4];
            for (int i = 0; i < 16; i++) {
                const bool second = shape == 13 ? i >= 8 : corner[i];
                want[i][0] = !second && i != 0 ? 255 : step;
                want[i][1] = step;
                want[i][2] = second ? 255 : step;
                want[i][3] = 255;
            }
            bc7_expect(&w, want);
        }
}

/// Modes 0 and 2: three subsets, partition 8: rows 0-1, row 2, row 3 (anchors 8 and 15).
Test(bc, bc7_modes_with_three_subsets)
{
    for (int mode = 0; mode <= 2; mode += 2) {
        const int bits = mode == 0 ? 4 : 5, index_bits = mode == 0 ? 3 : 2;
        bit_writer w = {{0}, 0};
        put(&w, 1u << mode, mode + 1);
        put(&w, 8, mode == 0 ? 4 : 6);
        for (int c = 0; c < 3; c++)
            for (int s = 0; s < 3; s++)
                for (int e = 0; e < 2; e++)
                    put(&w, s == c ? (1u << bits) - 1 : 0, bits);
        for (int p = 0; p < 6 && mode == 0; p++)
            put(&w, 1, 1);
        for (int i = 0; i < 16; i++)
            put(&w, 0, index_bits - (i == 0 || i == 8 || i == 15));
        const int low = mode == 0 ? 8 : 0; // 00001 widened: 00001000
        int want[16][4];
        for (int i = 0; i < 16; i++) {
            const int subset = i < 8 ? 0 : i < 12 ? 1 : 2;
            for (int c = 0; c < 3; c++)
                want[i][c] = c == subset ? 255 : low;
            want[i][3] = 255;
        }
        bc7_expect(&w, want);
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
        uint64_t hash = UINT64_C(0xcbf29ce484222325);
        for (int n = 0; n < 4096; n++) {
            uint8_t block[16];
            for (int i = 0; i < 16; i++)
                block[i] = (uint8_t)(next_random(&seed) >> 13);
            block[0] = (uint8_t)(mode == 8 ? 0 : (block[0] & ~((2 << mode) - 1)) | 1 << mode);
            bc_pixels p;
            bc7_decode(block, p);
            for (int i = 0; i < 64; i++)
                hash = (hash ^ p[i / 4][i % 4]) * UINT64_C(0x100000001b3);
        }
        cr_expect_eq(hash, want[mode], "mode %d: 0x%016llx", mode, (unsigned long long)hash);
    }
}
