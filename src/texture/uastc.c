// SPDX-License-Identifier: MIT
/// Decodes one 4x4 block of UASTC: 19 modes, which divide the 128 bits in different ways between
/// end colours, weights and hints for transcoders, which are skipped. Exact integers. Reference:
/// Khronos Data Format Specification 1.4, "Universal ASTC Compressed Texture Images".
#include "texture/bc7_tables.h"
#include "texture/bc_block.h"
#include "texture/block_bits.h"

#include <stdbool.h>
#include <string.h>

enum { SOLID_MODE = 8, MODE_COUNT = 19, ENDS_MAX = 18 };

/// Fields of a mode, in the order in which they are stored.
typedef struct uastc_mode {
    uint8_t code, code_bits; ///< how the mode itself is written
    uint8_t hint_bits;       ///< for transcoders
    uint8_t pattern_bits;    ///< which of the partitions
    uint8_t plane_bits;      ///< which channel has weights of its own
    uint8_t radix;           ///< of the high digit of an end: 3 (trits), 5 (quints) or none
    uint8_t end_bits;        ///< and its low bits
    uint8_t weight_bits;
    uint8_t subsets, channels, planes; ///< channels: 2 luminance and alpha, 3 RGB, 4 RGBA
} uastc_mode;

static const uastc_mode modes[MODE_COUNT] = {
    {0x01, 4, 15, 0, 0, 3, 6, 4, 1, 3, 1}, {0x35, 6, 15, 0, 0, 0, 8, 2, 1, 3, 1},
    {0x1d, 5, 15, 5, 0, 0, 4, 3, 2, 3, 1}, {0x03, 5, 15, 4, 0, 3, 2, 2, 3, 3, 1},
    {0x13, 5, 15, 5, 0, 5, 3, 2, 2, 3, 1}, {0x0b, 5, 15, 0, 0, 0, 8, 3, 1, 3, 1},
    {0x1b, 5, 15, 0, 2, 5, 5, 2, 1, 3, 2}, {0x07, 5, 15, 5, 0, 5, 3, 2, 2, 3, 1},
    {0x17, 5, 0, 0, 0, 0, 0, 0, 0, 0, 0},  {0x0f, 5, 23, 5, 0, 0, 4, 2, 2, 4, 1},
    {0x02, 3, 17, 0, 0, 3, 4, 4, 1, 4, 1}, {0x00, 2, 17, 0, 2, 3, 4, 2, 1, 4, 2},
    {0x06, 3, 17, 0, 0, 3, 6, 3, 1, 4, 1}, {0x1f, 5, 23, 0, 2, 0, 8, 1, 1, 4, 2},
    {0x0d, 5, 23, 0, 0, 0, 8, 2, 1, 4, 1}, {0x05, 7, 23, 0, 0, 0, 8, 4, 1, 2, 1},
    {0x15, 6, 23, 5, 0, 0, 8, 2, 2, 2, 1}, {0x25, 6, 23, 0, 0, 0, 8, 2, 1, 2, 2},
    {0x09, 4, 15, 0, 0, 0, 5, 5, 1, 3, 1},
};

/// Partitions are a selection of BC7's, subsets renumbered: `map` gives ours of each there.
typedef struct uastc_pattern {
    uint8_t bc7;
    uint8_t map[3];
} uastc_pattern;

enum { PATTERNS_2 = 30, PATTERNS_3 = 11, PATTERNS_7 = 19 };

/// Modes 2, 4, 9 and 16: from BC7's partitions with two subsets.
static const uastc_pattern patterns_2[PATTERNS_2] = {
    {0, {0, 1}},  {1, {0, 1}},  {2, {1, 0}},  {3, {0, 1}},  {4, {1, 0}},  {5, {0, 1}},
    {6, {1, 0}},  {7, {1, 0}},  {8, {0, 1}},  {9, {1, 0}},  {10, {0, 1}}, {11, {1, 0}},
    {12, {1, 0}}, {13, {1, 0}}, {14, {0, 1}}, {15, {1, 0}}, {17, {1, 0}}, {18, {1, 0}},
    {19, {0, 1}}, {20, {0, 1}}, {21, {0, 1}}, {22, {1, 0}}, {23, {1, 0}}, {24, {0, 1}},
    {25, {1, 0}}, {26, {0, 1}}, {29, {1, 0}}, {32, {1, 0}}, {33, {1, 0}}, {52, {1, 0}},
};

/// Mode 3: from BC7's partitions with three subsets.
static const uastc_pattern patterns_3[PATTERNS_3] = {
    {4, {0, 1, 2}},  {8, {1, 0, 2}},  {9, {1, 0, 2}},  {10, {1, 2, 0}},
    {11, {1, 2, 0}}, {12, {0, 1, 2}}, {13, {0, 2, 1}}, {20, {2, 0, 1}},
    {35, {2, 0, 1}}, {36, {1, 0, 2}}, {57, {0, 1, 2}},
};

/// Mode 7: from BC7's partitions with three subsets, two of which are merged.
static const uastc_pattern patterns_7[PATTERNS_7] = {
    {10, {0, 1, 0}}, {11, {0, 1, 0}}, {0, {1, 0, 0}},  {2, {0, 1, 0}},  {8, {1, 0, 1}},
    {13, {0, 1, 0}}, {1, {0, 1, 1}},  {33, {0, 1, 1}}, {40, {1, 0, 0}}, {20, {0, 1, 0}},
    {21, {0, 0, 1}}, {58, {1, 0, 0}}, {3, {0, 0, 1}},  {32, {0, 1, 1}}, {59, {1, 1, 0}},
    {34, {1, 0, 0}}, {20, {1, 1, 0}}, {14, {0, 1, 0}}, {31, {1, 0, 0}},
};

/// Fills in the subset of each pixel. False when the pattern does not exist.
static bool fill_subsets(int mode, uint32_t pattern, uint8_t subset[16])
{
    const bool two = modes[mode].subsets == 2 && mode != 7;
    memset(subset, 0, 16);
    if (modes[mode].subsets == 1)
        return true;
    if (pattern >= (uint32_t)(two ? PATTERNS_2 : mode == 7 ? PATTERNS_7 : PATTERNS_3))
        return false;
    const uastc_pattern *p = &(two ? patterns_2 : mode == 7 ? patterns_7 : patterns_3)[pattern];
    for (int i = 0; i < 16; i++)
        subset[i] = p->map[two ? bc7_partition2[p->bc7] >> i & 1
                               : (int)(bc7_partition3[p->bc7] >> (2 * i) & 3)];
    return true;
}

/// ASTC's unquantization of an end colour of a trit or quint and `bits` low bits (Data Format
/// Specification, "Color Endpoint Unquantization"): the lowest bit inverts, the others are spread.
static uint8_t unquantize(uint32_t digit, int bits, uint32_t low)
{
    const uint32_t invert = low & 1 ? 0x1ff : 0;
    const uint32_t h = low >> 1; // of bits - 1 bits, written below from the highest one down
    uint32_t step, spread;
    switch (bits) {
    case 2: // b000b0bb0
        step = 93;
        spread = h * 0x116;
        break;
    case 3: // cb0000cbc
        step = 26;
        spread = h << 7 | h << 1 | h >> 1;
        break;
    case 4: // dcb000dcb
        step = 22;
        spread = h << 6 | h;
        break;
    case 5: // edcb0000e
        step = 6;
        spread = h << 5 | h >> 3;
        break;
    default: // 6: fedcb000f
        step = 5;
        spread = h << 4 | h >> 4;
        break;
    }
    const uint32_t t = (digit * step + spread) ^ invert;
    return (uint8_t)((invert & 0x80) | t >> 2);
}

/// Widens 4, 5 or 8 bits to 8 by repeating the highest ones.
static uint8_t widen(uint32_t value, int bits)
{
    return (uint8_t)(bits == 8 ? value : value << (8 - bits) | value >> (2 * bits - 8));
}

/// Reads a block's end colours: trits by five, or quints by three, then the low bits.
static void read_ends(bit_reader *b, const uastc_mode *m, int count, uint8_t ends[ENDS_MAX])
{
    // Bits of a group of 0 to 5 trits.
    static const uint8_t trit_bits[6] = {0, 2, 4, 5, 7, 8};
    uint8_t digit[ENDS_MAX + 4] = {0};
    const int group = m->radix == 3 ? 5 : 3;
    if (m->radix)
        for (int i = 0; i < count; i += group) {
            const int left = count - i < group ? count - i : group;
            uint32_t packed = take_bits(b, m->radix == 3 ? trit_bits[left] : 7);
            for (int k = 0; k < group; k++, packed /= m->radix)
                digit[i + k] = (uint8_t)(packed % m->radix);
        }
    for (int i = 0; i < count; i++) {
        const uint32_t low = take_bits(b, m->end_bits);
        ends[i] = m->radix ? unquantize(digit[i], m->end_bits, low) : widen(low, m->end_bits);
    }
}

/// Widens the end colours to 16 bits: a pair for each of R, G, B, A of each subset.
static void expand_ends(const uastc_mode *m, const uint8_t ends[ENDS_MAX], bool srgb,
                        uint16_t out[3][4][2])
{
    for (int s = 0; s < m->subsets; s++)
        for (int c = 0; c < 4; c++) {
            const int at = m->channels == 2 ? c / 3 : c;
            for (int e = 0; e < 2; e++) {
                const uint32_t v =
                    c == 3 && m->channels == 3 ? 255 : ends[(s * m->channels + at) * 2 + e];
                out[s][c][e] = (uint16_t)(v << 8 | (srgb ? 0x80 : v));
            }
        }
}

/// Widens a weight to 6 bits by repeating its bits, then maps 0..63 to 0..64.
static uint32_t weight_of(uint32_t value, int bits)
{
    const uint32_t w = bits == 1   ? value * 63
                       : bits == 2 ? value * 21
                                   : value << (6 - bits) | value >> (2 * bits - 6);
    return w > 32 ? w + 1 : w;
}

/// Reads both planes' weights by pixels. A subset's first one, the anchor, lacks its highest bit.
static void read_weights(bit_reader *b, const uastc_mode *m, const uint8_t subset[16],
                         uint32_t weights[2][16])
{
    uint32_t seen = 0;
    for (int i = 0; i < 16; i++) {
        const bool first = !(seen >> subset[i] & 1);
        seen |= 1u << subset[i];
        for (int plane = 0; plane < m->planes; plane++)
            weights[plane][i] = weight_of(take_bits(b, m->weight_bits - first), m->weight_bits);
    }
}

static int find_mode(const uint8_t block[UASTC_BYTES])
{
    for (int i = 0; i < MODE_COUNT; i++)
        if ((block[0] & ((1 << modes[i].code_bits) - 1)) == modes[i].code)
            return i;
    return MODE_COUNT;
}

static void fill(const uint8_t color[4], bc_pixels out)
{
    for (int i = 0; i < 16; i++)
        memcpy(out[i], color, 4);
}

static void decode(const uint8_t block[UASTC_BYTES], bool srgb, bc_pixels out)
{
    static const uint8_t magenta[4] = {255, 0, 255, 255};
    bit_reader b = block_bits(block);
    const int mode = find_mode(block);
    if (mode == MODE_COUNT) {
        fill(magenta, out);
        return;
    }
    const uastc_mode *m = &modes[mode];
    take_bits(&b, m->code_bits);
    if (mode == SOLID_MODE) {
        uint8_t color[4];
        for (int c = 0; c < 4; c++)
            color[c] = (uint8_t)take_bits(&b, 8);
        fill(color, out);
        return;
    }
    take_bits(&b, m->hint_bits);
    uint8_t subset[16], ends[ENDS_MAX];
    const bool exists = fill_subsets(mode, take_bits(&b, m->pattern_bits), subset);
    if (!exists) {
        fill(magenta, out);
        return;
    }
    const uint32_t second_plane = m->plane_bits ? take_bits(&b, m->plane_bits) : 3;
    uint16_t pairs[3][4][2];
    uint32_t weights[2][16];
    read_ends(&b, m, 2 * m->channels * m->subsets, ends);
    expand_ends(m, ends, srgb, pairs);
    read_weights(&b, m, subset, weights);
    for (int i = 0; i < 16; i++)
        for (uint32_t c = 0; c < 4; c++) {
            const uint16_t *pair = pairs[subset[i]][c];
            const uint32_t w = weights[m->planes == 2 && c == second_plane][i];
            out[i][c] = (uint8_t)((pair[0] * (64 - w) + pair[1] * w + 32) >> 6 >> 8);
        }
}

void uastc_decode(const uint8_t block[UASTC_BYTES], bc_pixels out) { decode(block, false, out); }

void uastc_srgb_decode(const uint8_t block[UASTC_BYTES], bc_pixels out)
{
    decode(block, true, out);
}
