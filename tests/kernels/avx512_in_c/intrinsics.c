// SPDX-License-Identifier: MIT
/// AVX-512 intrinsics in C against the manual's definitions, and the processor's if any.
#include "intrinsic_probe.h"
#include "random_inputs.h"
#include "testing.h"

#include <inttypes.h>

enum { LANES = INTRINSIC_LANES, POISON = 0x5a5a5a5a };

#define EXPECT(function) static void function(const intrinsic_input *in, intrinsic_output *out)
#define EXPECT_LANES(function, ...)                                                                \
    EXPECT(function)                                                                               \
    {                                                                                              \
        for (int i = 0; i < LANES; i++)                                                            \
            out->lane[i] = __VA_ARGS__;                                                            \
    }
#define EXPECT_BITS(function, condition)                                                           \
    EXPECT(function)                                                                               \
    {                                                                                              \
        out->mask = 0;                                                                             \
        for (int i = 0; i < LANES; i++)                                                            \
            if (condition)                                                                         \
                out->mask |= 1u << i;                                                              \
    }
#define BIT(i)     (in->mask >> (i)&1)
#define FLOAT_A(i) float_of(in->a[i])
#define FLOAT_B(i) float_of(in->b[i])

/// Word i of a vector, as a number.
static int32_t word(const uint32_t *v, int i)
{
    const uint32_t w = v[i / 2] >> i % 2 * 16 & 0xffff;
    return w < 0x8000 ? (int32_t)w : (int32_t)w - 0x10000;
}
static void set_word(uint32_t *v, int i, int32_t w)
{
    const int shift = i % 2 * 16;
    v[i / 2] = (v[i / 2] & ~(0xffffu << shift)) | ((uint32_t)w & 0xffffu) << shift;
}

// ---- Compares, CMPPS: ordered, so that a NaN compares false -------------------------------------

EXPECT_BITS(cmp_eq, FLOAT_A(i) == FLOAT_B(i))
EXPECT_BITS(cmp_lt, FLOAT_A(i) < FLOAT_B(i))
EXPECT_BITS(cmp_le, FLOAT_A(i) <= FLOAT_B(i))
EXPECT_BITS(cmp_ge, FLOAT_A(i) >= FLOAT_B(i))
EXPECT_BITS(cmp_gt, FLOAT_A(i) > FLOAT_B(i))
EXPECT_BITS(cmplt_epi32, (int32_t)in->a[i] < (int32_t)in->b[i])
EXPECT_BITS(cmpgt_epi32, (int32_t)in->a[i] > (int32_t)in->b[i])
EXPECT_BITS(cmpeq_epi32, in->a[i] == in->b[i])
EXPECT_BITS(test_epi32, (in->a[i] & in->b[i]) != 0)
EXPECT_LANES(blend_epi32, BIT(i) ? in->b[i] : in->a[i])
EXPECT_LANES(blend_ps, BIT(i) ? in->b[i] : in->a[i])

// ---- Arithmetic ---------------------------------------------------------------------------------

EXPECT_LANES(mask_add_ps, BIT(i) ? bits_of(FLOAT_A(i) + FLOAT_B(i)) : in->c[i])
// MINPS, MAXPS: both zero, or one a NaN: the second source.
EXPECT_LANES(min_ps, FLOAT_A(i) < FLOAT_B(i) ? in->a[i] : in->b[i])
EXPECT_LANES(max_ps, FLOAT_A(i) > FLOAT_B(i) ? in->a[i] : in->b[i])
// A root in double precision, rounded to single, is correctly rounded.
EXPECT_LANES(sqrt_ps, bits_of((float)sqrt((double)FLOAT_A(i))))
EXPECT_LANES(roundscale_ps, bits_of((float)floor((double)FLOAT_A(i))))
EXPECT_LANES(min_epi32, (int32_t)in->a[i] < (int32_t)in->b[i] ? in->a[i] : in->b[i])
EXPECT_LANES(max_epi32, (int32_t)in->a[i] > (int32_t)in->b[i] ? in->a[i] : in->b[i])
EXPECT_LANES(min_epu32, in->a[i] < in->b[i] ? in->a[i] : in->b[i])
EXPECT_LANES(mullo_epi32, (uint32_t)((uint64_t)in->a[i] * in->b[i]))
EXPECT_LANES(madd_epi16, (uint32_t)((int64_t)word(in->a, 2 * i) * word(in->b, 2 * i) +
                                    (int64_t)word(in->a, 2 * i + 1) * word(in->b, 2 * i + 1)))
EXPECT(mulhrs_epi16)
{
    for (int i = 0; i < 2 * LANES; i++) {
        const double product = (double)word(in->a, i) * word(in->b, i) / 32768.0;
        set_word(out->lane, i, (int32_t)floor(product + 0.5));
    }
}
static uint32_t shifted(uint32_t x, int count)
{
    return (uint32_t)(int64_t)floor((double)(int32_t)x / pow(2.0, count));
}
EXPECT_LANES(srai_epi32_00, in->a[i])
EXPECT_LANES(srai_epi32_08, shifted(in->a[i], 8))
EXPECT_LANES(srai_epi32_28, in->a[i] >> 31 ? UINT32_MAX : 0)

// ---- Conversions --------------------------------------------------------------------------------

/// CVTTPS2DQ: values outside int32 give 0x80000000.
static uint32_t truncated(float x)
{
    const double whole = trunc((double)x);
    if (isnan(x) || whole < -2147483648.0 || whole > 2147483647.0)
        return 0x80000000u;
    return (uint32_t)(int64_t)whole;
}
EXPECT_LANES(cvttps_epi32, truncated(FLOAT_A(i)))

/// CVTDQ2PS by hand: 24 bits of the magnitude, the rest rounded to the nearest, ties to even.
static uint32_t from_integer(uint32_t x)
{
    const uint32_t sign = x & 0x80000000u, size = sign ? 0u - x : x;
    int top = 31;
    while (top > 0 && !(size >> top))
        top--;
    if (size == 0)
        return 0;
    uint64_t digits = (uint64_t)size << 32 >> (top - 23 + 32); // of 24 bits
    if (top < 23)
        digits = (uint64_t)size << (23 - top);
    const uint64_t rest = top > 23 ? size & ((1u << (top - 23)) - 1) : 0;
    const uint64_t half = top > 23 ? 1u << (top - 24) : 1;
    if (rest > half || (rest == half && (digits & 1)))
        digits++; // may carry into the exponent, which is right
    return sign | (uint32_t)(((uint64_t)(127 + top) << 23) + digits - (1u << 23));
}
EXPECT_LANES(cvtepi32_ps, from_integer(in->a[i]))
EXPECT_LANES(cvtepu8_epi32, in->a[i / 4] >> i % 4 * 8 & 0xff)
EXPECT(cvtepi32_epi8) // VPMOVDB: the low bytes
{
    for (int i = 0; i < LANES / 4; i++)
        out->lane[i] = 0;
    for (int i = 0; i < LANES; i++)
        out->lane[i / 4] |= (in->a[i] & 0xff) << i % 4 * 8;
}

// ---- Moves --------------------------------------------------------------------------------------

/// VPCOMPRESSD: the selected lanes move down; zeros follow.
EXPECT(compress_epi32)
{
    memset(out->lane, 0, sizeof out->lane);
    for (int i = 0, at = 0; i < LANES; i++)
        if (BIT(i))
            out->lane[at++] = in->a[i];
}
EXPECT_LANES(set1_epi32, in->a[0])
// PUNPCKLWD and others work in each 128-bit lane.
EXPECT_LANES(unpacklo_epi16, ((uint32_t)word(in->a, (i & ~3) * 2 + (i & 3)) & 0xffff) |
                                 (uint32_t)word(in->b, (i & ~3) * 2 + (i & 3)) << 16)
EXPECT_LANES(unpackhi_epi16, ((uint32_t)word(in->a, (i & ~3) * 2 + (i & 3) + 4) & 0xffff) |
                                 (uint32_t)word(in->b, (i & ~3) * 2 + (i & 3) + 4) << 16)
/// PSHUFB: bit 7 of an index clears the byte.
static uint32_t byte_chosen(const intrinsic_input *in, int i)
{
    const uint32_t choice = in->c[i / 4] >> i % 4 * 8 & 0xff;
    const uint32_t from = (uint32_t)i / 16 * 16 + choice % 16;
    return choice < 128 ? in->a[from / 4] >> from % 4 * 8 & 0xff : 0;
}
EXPECT_LANES(shuffle_epi8, byte_chosen(in, 4 * i) | byte_chosen(in, 4 * i + 1) << 8 |
                               byte_chosen(in, 4 * i + 2) << 16 | byte_chosen(in, 4 * i + 3) << 24)

/// Two bits of an immediate for each lane of a quarter.
static int two_bits(int immediate, int position) { return immediate >> 2 * position & 3; }
#define PERMUTE_PS(digits)                                                                         \
    EXPECT_LANES(permute_ps_##digits, in->a[(i & ~3) + two_bits(0x##digits, i & 3)])
#define SHUFFLE_QUARTERS(name, digits)                                                             \
    EXPECT_LANES(name##_##digits,                                                                  \
                 (i < 8 ? in->a : in->b)[4 * two_bits(0x##digits, i / 4) + (i & 3)])
PERMUTE_PS(00)
PERMUTE_PS(55)
PERMUTE_PS(ff)
PERMUTE_PS(72)
SHUFFLE_QUARTERS(shuffle_f32x4, 88)
SHUFFLE_QUARTERS(shuffle_f32x4, dd)
SHUFFLE_QUARTERS(shuffle_f32x4, 1b)
SHUFFLE_QUARTERS(shuffle_f32x4, 72)
SHUFFLE_QUARTERS(shuffle_i64x2, 72)

// VPERM: the low bits of an index select a lane; with two tables, the next bit selects the table.
EXPECT_LANES(permutex2var_epi32, (in->c[i] & 16 ? in->b : in->a)[in->c[i] % 16])
EXPECT_LANES(permutex2var_ps, (in->c[i] & 16 ? in->b : in->a)[in->c[i] % 16])
EXPECT_LANES(permutexvar_epi32, in->a[in->c[i] % 16])
EXPECT_LANES(permutexvar_ps, in->a[in->c[i] % 16])
EXPECT(permutex2var_epi16)
{
    for (int i = 0; i < 2 * LANES; i++)
        set_word(out->lane, i, word(word(in->c, i) & 32 ? in->b : in->a, word(in->c, i) & 31));
}
EXPECT(permutexvar_epi16)
{
    for (int i = 0; i < 2 * LANES; i++)
        set_word(out->lane, i, word(in->a, word(in->c, i) & 31));
}
EXPECT(permutexvar_epi16_256)
{
    for (int i = 0; i < LANES; i++)
        set_word(out->lane, i, word(in->a, word(in->c, i) & 15));
}

/// Lanes [0, count) are those of `v` from `first` on.
static void lanes_of(intrinsic_output *out, int count, const uint32_t *v, int first)
{
    for (int i = 0; i < count; i++)
        out->lane[i] = v[first + i];
}
EXPECT(castps128_ps512) { lanes_of(out, 4, in->a, 0); }
EXPECT(castps256_ps512) { lanes_of(out, 8, in->a, 0); }
EXPECT(castsi256_si512) { lanes_of(out, 8, in->a, 0); }
EXPECT(castps512_ps128) { lanes_of(out, 4, in->a, 0); }
EXPECT(castsi512_si256) { lanes_of(out, 8, in->a, 0); }
EXPECT(extractf32x4_00) { lanes_of(out, 4, in->a, 0); }
EXPECT(extractf32x4_01) { lanes_of(out, 4, in->a, 4); }
EXPECT(extractf32x4_02) { lanes_of(out, 4, in->a, 8); }
EXPECT(extractf32x4_03) { lanes_of(out, 4, in->a, 12); }
EXPECT(extracti64x4_00) { lanes_of(out, 8, in->a, 0); }
EXPECT(extracti64x4_01) { lanes_of(out, 8, in->a, 8); }
EXPECT_LANES(insertf32x4_00, i / 4 == 0 ? in->b[i % 4] : in->a[i])
EXPECT_LANES(insertf32x4_01, i / 4 == 1 ? in->b[i % 4] : in->a[i])
EXPECT_LANES(insertf32x4_02, i / 4 == 2 ? in->b[i % 4] : in->a[i])
EXPECT_LANES(insertf32x4_03, i / 4 == 3 ? in->b[i % 4] : in->a[i])
EXPECT_LANES(insertf32x8_00, i / 8 == 0 ? in->b[i % 8] : in->a[i])
EXPECT_LANES(insertf32x8_01, i / 8 == 1 ? in->b[i % 8] : in->a[i])
EXPECT_LANES(inserti64x4_00, i / 8 == 0 ? in->b[i % 8] : in->a[i])
EXPECT_LANES(inserti64x4_01, i / 8 == 1 ? in->b[i % 8] : in->a[i])
EXPECT_LANES(broadcast_f32x4, in->a[i % 4])
EXPECT_LANES(mask_storeu_epi32, BIT(i) ? in->a[i] : out->lane[i])
EXPECT_LANES(mask_storeu_ps, BIT(i) ? in->a[i] : out->lane[i])
EXPECT_LANES(gather_epi32, in->table[INTRINSIC_TABLE / 2 + (int32_t)in->index[i]])
EXPECT_LANES(gather_ps, in->table[INTRINSIC_TABLE / 2 + (int32_t)in->index[i]])

// ---- Inputs and tests ---------------------------------------------------------------------------

#define PROBE(kind, type, function, intrinsic, ...) {#intrinsic, #function, function},
static const intrinsic_probe expected[INTRINSIC_COUNT] = {INTRINSICS(PROBE)};

/// Bits of a float or an integer; many near the bounds of int32 and of 16-bit words.
static uint32_t random_lane(random_state *r)
{
    static const uint32_t edges[] = {0,           0x80000000u, 0x7fffffffu, 0x80008000u,
                                     0x7fff7fffu, 0x4effffffu, 0x4f000000u, 0xcf000000u,
                                     0xcf000001u, 0x7fc00000u, 0xff800000u, 0x00ff8000u,
                                     0x01000001u, 0x01000003u, 1u};
    switch (random_u32(r) % 4) {
    case 0: return edges[random_u32(r) % (sizeof edges / sizeof edges[0])];
    case 1: return bits_of(random_extreme(r, -8.0f, 8.0f));
    case 2: return bits_of(random_float(r, -4e9f, 4e9f));
    default: return random_u32(r);
    }
}

static void fill(random_state *r, intrinsic_input *in)
{
    for (int i = 0; i < LANES; i++) {
        in->a[i] = random_lane(r);
        in->b[i] = random_u32(r) % 8 == 0 ? in->a[i] : random_lane(r);
        in->c[i] = random_u32(r);
        in->index[i] = (uint32_t)random_int(r, -INTRINSIC_TABLE / 2, INTRINSIC_TABLE / 2 - 1);
    }
    for (int i = 0; i < INTRINSIC_TABLE; i++)
        in->table[i] = random_u32(r);
    in->mask = (uint16_t)random_u32(r);
}

static void run(const intrinsic_probe *p, const intrinsic_input *in, intrinsic_output *out)
{
    for (int i = 0; i < LANES; i++)
        out->before[i] = out->lane[i] = out->around[i] = POISON;
    out->mask = POISON;
    p->run(in, out);
}

/// All NaNs of a sum or a root are equal.
static bool makes_nans(const intrinsic_probe *p)
{
    return strcmp(p->name, "_mm512_mask_add_ps") == 0 || strcmp(p->name, "_mm512_sqrt_ps") == 0 ||
           strcmp(p->name, "_mm512_roundscale_ps") == 0;
}

static void compare(const char *what, const intrinsic_probe *probes)
{
    static intrinsic_input in;
    static intrinsic_output want, got;
    for (uint64_t seed = 1; seed <= 3000; seed++) {
        random_state r = {seed * 0x9e3779b97f4a7c15ULL};
        fill(&r, &in);
        for (int k = 0; k < INTRINSIC_COUNT; k++) {
            run(&expected[k], &in, &want);
            run(&probes[k], &in, &got);
            for (int i = 0; makes_nans(&expected[k]) && i < LANES; i++)
                if (isnan(float_of(want.lane[i])) && isnan(float_of(got.lane[i])))
                    got.lane[i] = want.lane[i];
            cr_assert(memcmp(&want, &got, sizeof want) == 0, "%s %s (%s), seed %" PRIu64, what,
                      probes[k].name, probes[k].test, seed);
        }
    }
}

Test(intrinsics, in_c) { compare("in C:", intrinsic_probes_c); }

Test(intrinsics, of_the_processor)
{
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
        __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
        compare("of the processor:", intrinsic_probes_native);
    else
        fprintf(stderr, "this processor has no AVX-512 to compare with: skipped\n");
}

/// Everything that immintrin.h replaces is in the list.
Test(intrinsics, all_are_listed)
{
    FILE *file = fopen(ZT_SOURCE_DIR "/tests/kernels/avx512_in_c/include/immintrin.h", "r");
    cr_assert(file != NULL);
    char line[256], name[128];
    int count = 0;
    while (fgets(line, sizeof line, file)) {
        if (sscanf(line, "#define %127s", name) != 1 || strncmp(name, "_mm", 3) != 0)
            continue;
        int at = 0;
        while (at < INTRINSIC_COUNT && strcmp(expected[at].name, name) != 0)
            at++;
        cr_assert_lt(at, (int)INTRINSIC_COUNT, "%s is not tested", name);
        count++;
    }
    fclose(file);
    cr_assert_gt(count, 40);
}
