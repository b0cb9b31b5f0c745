// SPDX-License-Identifier: MIT
/// See md5.h. Numbers of steps and sections as in RFC 1321.
#include "thumbnail/md5.h"

#include "base/bytes.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { BLOCK = 64, LENGTH_BYTES = 8 };

/// 3.4: element i is the whole part of 2^32 |sin(i + 1)|, i in radians.
static const uint32_t sines[64] = {
    0xd76aa478, 0xe8c7b756, 0x242070db, 0xc1bdceee, 0xf57c0faf, 0x4787c62a, 0xa8304613, 0xfd469501,
    0x698098d8, 0x8b44f7af, 0xffff5bb1, 0x895cd7be, 0x6b901122, 0xfd987193, 0xa679438e, 0x49b40821,
    0xf61e2562, 0xc040b340, 0x265e5a51, 0xe9b6c7aa, 0xd62f105d, 0x02441453, 0xd8a1e681, 0xe7d3fbc8,
    0x21e1cde6, 0xc33707d6, 0xf4d50d87, 0x455a14ed, 0xa9e3e905, 0xfcefa3f8, 0x676f02d9, 0x8d2a4c8a,
    0xfffa3942, 0x8771f681, 0x6d9d6122, 0xfde5380c, 0xa4beea44, 0x4bdecfa9, 0xf6bb4b60, 0xbebfbc70,
    0x289b7ec6, 0xeaa127fa, 0xd4ef3085, 0x04881d05, 0xd9d4d039, 0xe6db99e5, 0x1fa27cf8, 0xc4ac5665,
    0xf4292244, 0x432aff97, 0xab9423a7, 0xfc93a039, 0x655b59c3, 0x8f0ccc92, 0xffeff47d, 0x85845dd1,
    0x6fa87e4f, 0xfe2ce6e0, 0xa3014314, 0x4e0811a1, 0xf7537e82, 0xbd3af235, 0x2ad7d2bb, 0xeb86d391};
static const uint8_t shifts[4][4] = {
    {7, 12, 17, 22}, {5, 9, 14, 20}, {4, 11, 16, 23}, {6, 10, 15, 21}};

/// The function of a round, and the word of the block that step `i` takes.
static uint32_t mix(int i, const uint32_t s[4], int *out_word)
{
    const uint32_t b = s[1], c = s[2], d = s[3];
    switch (i / 16) {
    case 0: *out_word = i; return (b & c) | (~b & d);
    case 1: *out_word = (5 * i + 1) % 16; return (b & d) | (c & ~d);
    case 2: *out_word = (3 * i + 5) % 16; return b ^ c ^ d;
    default: *out_word = 7 * i % 16; return c ^ (b | ~d);
    }
}

static void add_block(uint32_t state[4], const uint8_t block[BLOCK])
{
    uint32_t s[4];
    memcpy(s, state, sizeof s);
    for (int i = 0; i < 64; i++) {
        int word;
        const uint32_t sum = s[0] + mix(i, s, &word) + bytes_u32_le(block + 4 * word) + sines[i];
        const int shift = shifts[i / 16][i % 4];
        const uint32_t next = s[1] + (sum << shift | sum >> (32 - shift));
        s[0] = s[3];
        s[3] = s[2];
        s[2] = s[1];
        s[1] = next;
    }
    for (int i = 0; i < 4; i++)
        state[i] += s[i];
}

void md5_text(const void *bytes, size_t size, char out[MD5_TEXT_SIZE])
{
    const uint8_t *p = bytes;
    uint32_t state[4] = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476};
    uint8_t last[2 * BLOCK] = {0};
    const size_t rest = size % BLOCK;
    for (size_t at = 0; at + BLOCK <= size; at += BLOCK)
        add_block(state, p + at);
    if (rest > 0)
        memcpy(last, p + (size - rest), rest);
    last[rest] = 0x80; // 3.1: a one bit, zeros, and the length in bits
    const size_t end = rest + 1 + LENGTH_BYTES <= BLOCK ? BLOCK : sizeof last;
    for (size_t i = 0; i < LENGTH_BYTES; i++)
        last[end - LENGTH_BYTES + i] = (uint8_t)((uint64_t)size << 3 >> (8 * i));
    for (size_t at = 0; at < end; at += BLOCK)
        add_block(state, last + at);
    for (int i = 0; i < 16; i++)
        snprintf(out + 2 * i, 3, "%02x", state[i / 4] >> (8 * (i % 4)) & 0xff);
}
