// SPDX-License-Identifier: MIT
/// Part of immintrin.h: 16-bit words and halves of registers, what texel filters need.
#pragma once

typedef union c512_words {
    __m512i all;
    int16_t word[32];
    uint16_t index[32];
    uint8_t byte[64];
} c512_words;

/// Word i is word index_i of the 64 words of a and b.
C512_OP __m512i c512_permutex2var_epi16(__m512i a, __m512i choice, __m512i b)
{
    const c512_words from[2] = {{a}, {b}}, c = {choice};
    c512_words to;
    for (int i = 0; i < 32; i++)
        to.word[i] = from[c.index[i] >> 5 & 1].word[c.index[i] & 31];
    return to.all;
}
C512_OP __m512i c512_permutexvar_epi16(__m512i choice, __m512i a)
{
    return c512_permutex2var_epi16(a, choice, a);
}
/// `half` 0: the lower four words of each quarter, 1: the upper four; one of a, then one of b.
C512_OP __m512i c512_unpack_words(__m512i a, __m512i b, int half)
{
    const c512_words x = {a}, y = {b};
    c512_words to;
    for (int i = 0; i < 32; i++) {
        const int from = i / 8 * 8 + i % 8 / 2 + half * 4;
        to.word[i] = i % 2 ? y.word[from] : x.word[from];
    }
    return to.all;
}
C512_OP __m512i c512_unpacklo_epi16(__m512i a, __m512i b) { return c512_unpack_words(a, b, 0); }
C512_OP __m512i c512_unpackhi_epi16(__m512i a, __m512i b) { return c512_unpack_words(a, b, 1); }
C512_OP __m512i c512_shuffle_epi8(__m512i a, __m512i choice)
{
    const c512_words from = {a}, c = {choice};
    c512_words to;
    for (int i = 0; i < 64; i++)
        to.byte[i] = c.byte[i] & 0x80 ? 0 : from.byte[i / 16 * 16 + (c.byte[i] & 15)];
    return to.all;
}
/// The high half of twice the product, rounded; -2^15 squared stays negative.
C512_OP __m512i c512_mulhrs_epi16(__m512i a, __m512i b)
{
    c512_words x = {a}, y = {b};
    for (int i = 0; i < 32; i++)
        x.index[i] = (uint16_t)((((int32_t)x.word[i] * y.word[i] >> 14) + 1) >> 1);
    return x.all;
}
C512_OP __m512i c512_srai_epi32(__m512i x, unsigned count)
{
    return (__m512i)((c512_i32)x >> c512_same(count > 31 ? 31 : (int32_t)count));
}
C512_OP __m512i c512_castsi256_si512(__m256i x)
{
    return (__m512i)c512_insert(c512_same(C512_UNDEFINED), &x, sizeof x, 0);
}
C512_OP __m512i c512_inserti64x4(__m512i x, __m256i part, int at)
{
    return (__m512i)c512_insert((c512_i32)x, &part, sizeof part, at & 1);
}
C512_OP __m256i c512_extracti64x4_epi64(__m512i x, int at)
{
    __m256i part;
    memcpy(&part, (const char *)&x + sizeof part * (size_t)(at & 1), sizeof part);
    return part;
}
C512_OP __m256i c512_castsi512_si256(__m512i x) { return c512_extracti64x4_epi64(x, 0); }
C512_OP __m512i c512_shuffle_i64x2(__m512i a, __m512i b, int choice)
{
    return (__m512i)c512_shuffle_f32x4((__m512)a, (__m512)b, choice);
}
