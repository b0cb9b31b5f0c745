// SPDX-License-Identifier: MIT
/// UASTC blocks of every mode, packed here field by field, against the definition in double
/// precision: partitions by ASTC's hash, ends by the specification's tables, weights by theirs.
#include "random_numbers.h"
#include "testing.h"
#include "texture/bc_block.h"

/// A mode as the specification has it: its code, first bit last, bits up to the pattern, ...
typedef struct mode_row {
    const char *code;
    int hints, pattern_bits, plane_bits, radix, end_bits, weight_bits, subsets, channels, planes;
} mode_row;

static const mode_row rows[19] = {
    {"0001", 15, 0, 0, 3, 6, 4, 1, 3, 1},   {"110101", 15, 0, 0, 0, 8, 2, 1, 3, 1},
    {"11101", 15, 5, 0, 0, 4, 3, 2, 3, 1},  {"00011", 15, 4, 0, 3, 2, 2, 3, 3, 1},
    {"10011", 15, 5, 0, 5, 3, 2, 2, 3, 1},  {"01011", 15, 0, 0, 0, 8, 3, 1, 3, 1},
    {"11011", 15, 0, 2, 5, 5, 2, 1, 3, 2},  {"00111", 15, 5, 0, 5, 3, 2, 2, 3, 1},
    {"10111", 0, 0, 0, 0, 0, 0, 0, 0, 0},   {"01111", 23, 5, 0, 0, 4, 2, 2, 4, 1},
    {"010", 17, 0, 0, 3, 4, 4, 1, 4, 1},    {"00", 17, 0, 2, 3, 4, 2, 1, 4, 2},
    {"110", 17, 0, 0, 3, 6, 3, 1, 4, 1},    {"11111", 23, 0, 2, 0, 8, 1, 1, 4, 2},
    {"01101", 23, 0, 0, 0, 8, 2, 1, 4, 1},  {"0000101", 23, 0, 0, 0, 8, 4, 1, 2, 1},
    {"010101", 23, 5, 0, 0, 8, 2, 2, 2, 1}, {"100101", 23, 0, 0, 0, 8, 2, 1, 2, 2},
    {"1001", 15, 0, 0, 0, 5, 5, 1, 3, 1},
};

/// ASTC's partition index of each pattern.
static const int seeds_2[30] = {28,  20,  16,  29,  91,  9,   107, 72,  149, 204,
                                50,  114, 496, 17,  78,  39,  252, 828, 43,  156,
                                116, 210, 476, 273, 684, 359, 246, 195, 694, 524};
static const int seeds_3[11] = {260, 74, 32, 156, 183, 15, 745, 0, 335, 902, 254};
static const int seeds_7[19] = {36,  48,  61,  137, 161, 183, 226, 281, 302, 307,
                                479, 495, 593, 594, 605, 799, 812, 988, 993};

// Ends by their digit and low bits, 8 bits each.
static const uint8_t ends_12[12] = {0, 255, 69, 186, 23, 232, 92, 163, 46, 209, 116, 139};
static const uint8_t ends_40[40] = {
    0,  255, 32,  223, 65, 190, 97, 158, 6,  249, 39,  216, 71, 184, 104, 151, 13, 242, 45,  210,
    78, 177, 110, 145, 19, 236, 52, 203, 84, 171, 117, 138, 26, 229, 58,  197, 91, 164, 123, 132};
static const uint8_t ends_48[48] = {0,  255, 16,  239, 32,  223, 48,  207, 65,  190, 81,  174,
                                    97, 158, 113, 142, 5,   250, 21,  234, 38,  217, 54,  201,
                                    70, 185, 86,  169, 103, 152, 119, 136, 11,  244, 27,  228,
                                    43, 212, 59,  196, 76,  179, 92,  163, 108, 147, 124, 131};

static const uint8_t weights_4[16] = {0, 4, 8, 12, 17, 21, 25, 29, 35, 39, 43, 47, 52, 56, 60, 64};
static const uint8_t weights_3[8] = {0, 9, 18, 27, 37, 46, 55, 64};
static const uint8_t weights_2[4] = {0, 21, 43, 64};

static int weight_value(int bits, int code)
{
    if (bits == 5)
        return code < 16 ? 2 * code : 2 * code + 2;
    return bits == 4   ? weights_4[code]
           : bits == 3 ? weights_3[code]
           : bits == 2 ? weights_2[code]
                       : 64 * code;
}

/// The ends of modes with 160 and 192 values: pairs of v and 255 - v, whose first rises by 8 or 4
/// with the low bits and by 6/4 or 5/4 with the digit.
static int end_value(const mode_row *m, int digit, int low)
{
    const int code = digit << m->end_bits | low;
    if (m->radix == 0)
        return m->end_bits == 8 ? low : m->end_bits == 5 ? low << 3 | low >> 2 : low * 17;
    if (m->end_bits == 2)
        return ends_12[code];
    if (m->end_bits == 3)
        return ends_40[code];
    if (m->end_bits == 4)
        return ends_48[code];
    const int even = m->radix == 5 ? (low >> 1) * 8 + (digit * 6 + (low >> 1 >> 3)) / 4
                                   : (low >> 1) * 4 + (digit * 5 + (low >> 1 >> 4)) / 4;
    return low & 1 ? 255 - even : even;
}

static uint32_t hash52(uint32_t p)
{
    p ^= p >> 15;
    p -= p << 17;
    p += p << 7;
    p += p << 4;
    p ^= p >> 5;
    p += p << 16;
    p ^= p >> 7;
    p ^= p >> 3;
    p ^= p << 6;
    p ^= p >> 17;
    return p;
}

/// "Partition Pattern Generation" of ASTC for 4 x 4 pixels.
static int partition_of(int seed, int x, int y, int count)
{
    x *= 2;
    y *= 2;
    seed += (count - 1) * 1024;
    const uint32_t r = hash52((uint32_t)seed);
    uint32_t s[8];
    for (int i = 0; i < 8; i++) {
        s[i] = r >> (4 * i) & 15;
        s[i] *= s[i];
    }
    const int three = count == 3 ? 6 : 5, two = seed & 2 ? 4 : 5;
    const int odd = seed & 1 ? two : three, even = seed & 1 ? three : two;
    for (int i = 0; i < 8; i++)
        s[i] >>= i % 2 == 0 ? odd : even;
    const int a = (int)(s[0] * (uint32_t)x + s[1] * (uint32_t)y + (r >> 14)) & 63;
    const int b = (int)(s[2] * (uint32_t)x + s[3] * (uint32_t)y + (r >> 10)) & 63;
    const int c = count < 3 ? 0 : (int)(s[4] * (uint32_t)x + s[5] * (uint32_t)y + (r >> 6)) & 63;
    return a >= b && a >= c ? 0 : b >= c ? 1 : 2;
}

typedef struct packer {
    uint8_t block[16];
    int at;
} packer;

static void put(packer *p, uint32_t value, int bits)
{
    for (int i = 0; i < bits; i++, p->at++)
        p->block[p->at / 8] |= (uint8_t)((value >> i & 1) << (p->at % 8));
}

static void put_code(packer *p, const char *code)
{
    for (size_t i = strlen(code); i-- > 0;)
        put(p, code[i] == '1', 1);
}

static uint32_t random_state;

static uint32_t below(uint32_t limit) { return next_random(&random_state) % limit; }

/// The digits in groups, then low bits; returns the values.
static void put_ends(packer *p, const mode_row *m, int count, int values[18])
{
    int digit[24] = {0}, low[18];
    for (int i = 0; i < count; i++) {
        digit[i] = m->radix ? (int)below((uint32_t)m->radix) : 0;
        low[i] = (int)below(1u << m->end_bits);
        values[i] = end_value(m, digit[i], low[i]);
    }
    for (int i = 0; i < count && m->radix == 3; i += 5) {
        static const int bits[6] = {0, 2, 4, 5, 7, 8};
        put(p,
            (uint32_t)(digit[i] + 3 * digit[i + 1] + 9 * digit[i + 2] + 27 * digit[i + 3] +
                       81 * digit[i + 4]),
            bits[count - i < 5 ? count - i : 5]);
    }
    for (int i = 0; i < count && m->radix == 5; i += 3)
        put(p, (uint32_t)(digit[i] + 5 * digit[i + 1] + 25 * digit[i + 2]), 7);
    for (int i = 0; i < count; i++)
        put(p, (uint32_t)low[i], m->end_bits);
}

static int subset_of(int mode, int pattern, int pixel)
{
    const int seed = mode == 3 ? seeds_3[pattern] : mode == 7 ? seeds_7[pattern] : seeds_2[pattern];
    return rows[mode].subsets == 1 ? 0
                                   : partition_of(seed, pixel % 4, pixel / 4, rows[mode].subsets);
}

static void check_block(int mode, int pattern)
{
    const mode_row *m = &rows[mode];
    packer p = {{0}, 0};
    int ends[18], codes[2][16];
    put_code(&p, m->code);
    for (int i = 0; i < m->hints; i++)
        put(&p, below(2), 1);
    put(&p, (uint32_t)pattern, m->pattern_bits);
    const int apart = m->plane_bits ? (int)below(4) : 3;
    put(&p, (uint32_t)apart, m->plane_bits);
    put_ends(&p, m, 2 * m->channels * m->subsets, ends);
    bool seen[3] = {false, false, false};
    for (int i = 0; i < 16; i++) {
        const int s = subset_of(mode, pattern, i), bits = m->weight_bits - (seen[s] ? 0 : 1);
        seen[s] = true;
        for (int plane = 0; plane < m->planes; plane++) {
            codes[plane][i] = (int)below(1u << bits);
            put(&p, (uint32_t)codes[plane][i], bits);
        }
    }
    cr_assert(p.at <= 128);
    for (int srgb = 0; srgb < 2; srgb++) {
        bc_pixels got;
        (srgb ? uastc_srgb_decode : uastc_decode)(p.block, got);
        for (int i = 0; i < 16; i++)
            for (int c = 0; c < 4; c++) {
                const int plane = m->planes == 2 && c == apart;
                const double w = weight_value(m->weight_bits, codes[plane][i]) / 64.0;
                const int at = 2 * (subset_of(mode, pattern, i) * m->channels +
                                    (m->channels == 2 ? c == 3 : c));
                double e[2] = {255.0, 255.0};
                for (int k = 0; k < 2 && !(c == 3 && m->channels == 3); k++)
                    e[k] = ends[at + k];
                for (int k = 0; k < 2; k++)
                    e[k] = srgb ? 256.0 * e[k] + 128.0 : 257.0 * e[k];
                const int want = (int)(floor(e[0] + (e[1] - e[0]) * w + 0.5) / 256.0);
                cr_assert(got[i][c] == want, "mode %d, pattern %d, pixel %d.%d: %d, expected %d",
                          mode, pattern, i, c, got[i][c], want);
            }
    }
}

Test(uastc, every_mode_and_pattern)
{
    random_state = 7;
    for (int mode = 0; mode < 19; mode++) {
        const int patterns = mode == 8                 ? 0
                             : rows[mode].subsets == 1 ? 1
                             : mode == 3               ? 11
                             : mode == 7               ? 19
                                                       : 30;
        for (int pattern = 0; pattern < patterns; pattern++)
            for (int i = 0; i < 300 / patterns + 10; i++)
                check_block(mode, pattern);
    }
}

/// The last row of the specification's tables of 160 and of 192 values, seen through blocks of one
/// colour: both ends of each channel are the value.
Test(uastc, tables_of_160_and_192_ends)
{
    static const uint8_t last_160[16] = {70,  185, 78,  177, 86,  169, 94,  161,
                                         102, 153, 110, 145, 118, 137, 126, 129};
    static const uint8_t last_192[16] = {98,  157, 102, 153, 106, 149, 110, 145,
                                         114, 141, 118, 137, 122, 133, 126, 129};
    for (uint32_t i = 0; i < 16; i++)
        for (int mode = 0; mode <= 6; mode += 6) {
            const mode_row *m = &rows[mode];
            packer p = {{0}, 0};
            put_code(&p, m->code);
            put(&p, 0, 15 + m->plane_bits);
            if (mode == 0) {
                put(&p, 2 * (1 + 3 + 9 + 27 + 81), 8); // trits of 2
                put(&p, 2, 2);
            } else {
                put(&p, 4 * (1 + 5 + 25), 7); // quints of 4
                put(&p, 4 * (1 + 5 + 25), 7);
            }
            for (int k = 0; k < 6; k++)
                put(&p, (mode == 0 ? 48 : 16) + i, m->end_bits);
            bc_pixels got;
            uastc_decode(p.block, got);
            const int want = mode == 0 ? last_192[i] : last_160[i];
            for (int k = 0; k < 48; k++)
                cr_assert_eq(got[k / 3][k % 3], want, "mode %d, %u: %d, expected %d", mode, i,
                             got[k / 3][k % 3], want);
        }
}

static void expect_all(const uint8_t block[16], const uint8_t color[4])
{
    bc_pixels got;
    uastc_decode(block, got);
    for (int i = 0; i < 16; i++)
        cr_assert(memcmp(got[i], color, 4) == 0, "pixel %d: %d %d %d %d", i, got[i][0], got[i][1],
                  got[i][2], got[i][3]);
}

Test(uastc, solid_blocks_and_reserved_modes)
{
    static const uint8_t magenta[4] = {255, 0, 255, 255};
    packer p = {{0}, 0};
    put_code(&p, rows[8].code);
    put(&p, 1 | 2 << 8 | 200 << 16 | UINT32_C(99) << 24, 32);
    expect_all(p.block, (const uint8_t[]){1, 2, 200, 99});
    packer mode19 = {{0}, 0};
    put_code(&mode19, "1000101");
    expect_all(mode19.block, magenta);
    for (int mode = 2; mode < 17; mode++) { // patterns that do not exist
        if (rows[mode].pattern_bits == 0)
            continue;
        packer q = {{0}, 0};
        put_code(&q, rows[mode].code);
        put(&q, 0, rows[mode].hints);
        put(&q, mode == 3 ? 11 : mode == 7 ? 19 : 30, rows[mode].pattern_bits);
        expect_all(q.block, magenta);
    }
}
