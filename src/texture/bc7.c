// SPDX-License-Identifier: MIT
/// Decodes a 4x4 block of BC7: eight modes, which divide the 128 bits between partitions, end
/// colours and indices. Exact integers. Khronos Data Format Specification 1.3, section on BPTC.
#include "texture/bc7_tables.h"
#include "texture/bc_block.h"
#include "texture/block_bits.h"

#include <stdbool.h>
#include <string.h>

/// The number of bits of each field of a mode, in the order in which they are stored.
typedef struct bc7_mode {
    uint8_t subsets, partition_bits, rotation_bits, selector_bits;
    uint8_t color_bits, alpha_bits;
    uint8_t p_bits; ///< 0 none, 1 for each subset, 2 for each end colour
    uint8_t index_bits, second_index_bits;
} bc7_mode;

static const bc7_mode modes[8] = {
    {3, 4, 0, 0, 4, 0, 2, 3, 0}, {2, 6, 0, 0, 6, 0, 1, 3, 0}, {3, 6, 0, 0, 5, 0, 0, 2, 0},
    {2, 6, 0, 0, 7, 0, 2, 2, 0}, {1, 0, 2, 1, 5, 6, 0, 2, 3}, {1, 0, 2, 0, 7, 8, 0, 2, 2},
    {1, 0, 0, 0, 7, 7, 2, 4, 0}, {2, 6, 0, 0, 5, 5, 2, 2, 0},
};

static uint8_t expand(uint32_t value, int bits)
{
    const uint32_t top = value << (8 - bits);
    return (uint8_t)(top | top >> bits); // bits >= 4: two copies fill a byte
}

/// End colours of all subsets as 8-bit RGBA.
static void read_ends(bit_reader *b, const bc7_mode *m, uint8_t ends[3][2][4])
{
    uint32_t raw[3][2][4] = {0};
    for (int c = 0; c < 4; c++)
        for (int s = 0; s < m->subsets; s++)
            for (int e = 0; e < 2; e++)
                raw[s][e][c] = take_bits(b, c < 3 ? m->color_bits : m->alpha_bits);
    for (int s = 0; s < m->subsets; s++) {
        uint32_t p = 0;
        for (int e = 0; e < 2; e++) {
            if (m->p_bits == 2 || (m->p_bits == 1 && e == 0))
                p = take_bits(b, 1);
            const int extra = m->p_bits ? 1 : 0;
            for (int c = 0; c < 4; c++) {
                const int bits = c < 3 ? m->color_bits : m->alpha_bits;
                ends[s][e][c] =
                    bits ? expand(raw[s][e][c] << extra | (extra ? p : 0), bits + extra) : 255;
            }
        }
    }
}

static int subset_of(const bc7_mode *m, uint32_t partition, int pixel)
{
    if (m->subsets == 2)
        return bc7_partition2[partition] >> pixel & 1;
    if (m->subsets == 3)
        return (int)(bc7_partition3[partition] >> (2 * pixel) & 3);
    return 0;
}

static bool is_anchor(const bc7_mode *m, uint32_t partition, int pixel)
{
    if (pixel == 0)
        return true;
    if (m->subsets == 2)
        return pixel == bc7_anchor2[partition];
    if (m->subsets == 3)
        return pixel == bc7_anchor3[partition][0] || pixel == bc7_anchor3[partition][1];
    return false;
}

static uint32_t weight_of(int bits, uint32_t index)
{
    return bits == 2 ? bc7_weight2[index] : bits == 3 ? bc7_weight3[index] : bc7_weight4[index];
}

static uint8_t mix(uint32_t a, uint32_t b, uint32_t weight)
{
    return (uint8_t)((a * (64 - weight) + b * weight + 32) >> 6);
}

/// Reads the indices of 16 pixels as weights. The highest bit of an anchor is 0 and not stored.
static void read_weights(bit_reader *b, const bc7_mode *m, uint32_t partition, int bits,
                         uint32_t weights[16])
{
    for (int i = 0; i < 16; i++)
        weights[i] = weight_of(bits, take_bits(b, bits - (is_anchor(m, partition, i) ? 1 : 0)));
}

void bc7_decode(const uint8_t block[16], bc_pixels out)
{
    bit_reader b = block_bits(block);
    int number = 0;
    while (number < 8 && take_bits(&b, 1) == 0)
        number++;
    if (number == 8) { // reserved: transparent black by the specification
        memset(out, 0, sizeof(bc_pixels));
        return;
    }
    const bc7_mode *m = &modes[number];
    const uint32_t partition = take_bits(&b, m->partition_bits);
    const uint32_t rotation = take_bits(&b, m->rotation_bits);
    const bool swap_indices = take_bits(&b, m->selector_bits) != 0;
    uint8_t ends[3][2][4];
    read_ends(&b, m, ends);
    uint32_t first[16], second[16];
    read_weights(&b, m, partition, m->index_bits, first);
    if (m->second_index_bits)
        read_weights(&b, m, partition, m->second_index_bits, second);
    else
        memcpy(second, first, sizeof first);
    const uint32_t *color_weight = swap_indices ? second : first;
    const uint32_t *alpha_weight = swap_indices ? first : second;
    for (int i = 0; i < 16; i++) {
        uint8_t(*e)[4] = ends[subset_of(m, partition, i)];
        for (int c = 0; c < 4; c++)
            out[i][c] = mix(e[0][c], e[1][c], c < 3 ? color_weight[i] : alpha_weight[i]);
        if (rotation) { // alpha is swapped with R, G or B
            const uint8_t alpha = out[i][3];
            out[i][3] = out[i][rotation - 1];
            out[i][rotation - 1] = alpha;
        }
    }
}
