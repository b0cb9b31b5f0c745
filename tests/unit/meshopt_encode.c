// SPDX-License-Identifier: MIT
#include "meshopt_encode.h"

#include "base/bytes.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

typedef struct stream {
    uint8_t *bytes;
    size_t size;
} stream;

static void put(stream *s, const void *bytes, size_t size)
{
    s->bytes = realloc(s->bytes, s->size + size + 1);
    memcpy(s->bytes + s->size, bytes, size);
    s->size += size;
}

/// Code of a channel for `now` after `before`, four bytes.
static void make_delta(uint8_t channel, const uint8_t *before, const uint8_t *now, uint8_t out[4])
{
    const size_t size = (size_t)1 << (channel & 15);
    const uint32_t mask = size == 4 ? UINT32_MAX : (1u << 8 * size) - 1u;
    for (size_t at = 0; at < 4; at += size) {
        const uint32_t a = (uint32_t)bytes_load_le(before + at, size);
        const uint32_t b = (uint32_t)bytes_load_le(now + at, size);
        uint32_t delta = (b - a) & mask;
        if (size == 4) {
            const unsigned r = channel >> 4;
            delta = r ? (a ^ b) << r | (a ^ b) >> (32 - r) : a ^ b;
        } else {
            const bool negative = (delta & (mask ^ mask >> 1)) != 0;
            delta = (negative ? ~(delta << 1) : delta << 1) & mask;
        }
        for (size_t k = 0; k < size; k++)
            out[at + k] = (uint8_t)(delta >> 8 * k);
    }
}

/// Bytes that sixteen deltas take with so many bits each.
static size_t group_size(const uint8_t *delta, unsigned bits)
{
    size_t size = 2 * bits;
    for (int i = 0; i < 16; i++)
        size += bits > 0 && bits < 8 && delta[i] >= (1u << bits) - 1u;
    for (int i = 0; i < 16; i++)
        if (bits == 0 && delta[i] != 0)
            return SIZE_MAX;
    return size;
}

static void put_group(stream *s, const uint8_t *delta, unsigned bits)
{
    uint8_t packed[16] = {0};
    if (bits == 8) {
        put(s, delta, 16);
        return;
    }
    const unsigned largest = (1u << bits) - 1u;
    for (unsigned i = 0; bits > 0 && i < 16; i++) {
        const unsigned in_byte = 8 / bits, slot = i % in_byte;
        const unsigned shift = bits == 1 ? slot : 8 - bits - slot * bits;
        const unsigned small = delta[i] < largest ? delta[i] : largest;
        packed[i / in_byte] = (uint8_t)(packed[i / in_byte] | small << shift);
    }
    put(s, packed, 2 * bits);
    for (int i = 0; bits > 0 && i < 16; i++)
        if (delta[i] >= largest)
            put(s, &delta[i], 1);
}

static bool put_groups(stream *s, const uint8_t *delta, size_t count, unsigned control)
{
    static const uint8_t bits[2][4] = {
        {0, 1, 2, 4},
        {1, 2, 4, 8},
    };
    uint8_t header[4] = {0};
    const size_t groups = (count + 15) / 16;
    unsigned chosen[16];
    for (size_t i = 0; i < groups; i++) {
        chosen[i] = 0;
        for (unsigned m = 1; m < 4; m++)
            if (group_size(delta + 16 * i, bits[control][m]) <
                group_size(delta + 16 * i, bits[control][chosen[i]]))
                chosen[i] = m;
        header[i / 4] = (uint8_t)(header[i / 4] | chosen[i] << 2 * (i % 4));
    }
    put(s, header, (groups + 3) / 4);
    for (size_t i = 0; i < groups; i++)
        put_group(s, delta + 16 * i, bits[control][chosen[i]]);
    return true;
}

static unsigned choose_control(const uint8_t *delta, size_t count, int wanted)
{
    bool zero = true;
    for (size_t i = 0; i < count; i++)
        zero = zero && delta[i] == 0;
    if (wanted >= 0 && (wanted != 2 || zero))
        return (unsigned)wanted;
    if (zero)
        return 2;
    unsigned best = 3;
    size_t smallest = count;
    for (unsigned control = 0; control < 2; control++) {
        stream s = {0};
        put_groups(&s, delta, count, control);
        if (s.size < smallest) {
            smallest = s.size;
            best = control;
        }
        free(s.bytes);
    }
    return best;
}

static void put_block(stream *s, const uint8_t *elements, size_t count, size_t stride,
                      const uint8_t *before, meshopt_choice choice)
{
    uint8_t delta[256][256] = {{0}}, control[64] = {0};
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < stride; k += 4) {
            const uint8_t *now = elements + i * stride + k;
            uint8_t four[4];
            make_delta(choice.channel, i == 0 ? before + k : now - stride, now, four);
            for (size_t j = 0; j < 4; j++)
                delta[k + j][i] = four[j];
        }
    for (size_t k = 0; k < stride; k++)
        control[k / 4] = (uint8_t)(control[k / 4] | choose_control(delta[k], count, choice.control)
                                                        << 2 * (k % 4));
    put(s, control, stride / 4);
    for (size_t k = 0; k < stride; k++) {
        const unsigned c = (unsigned)control[k / 4] >> 2 * (k % 4) & 3u;
        if (c == 3)
            put(s, delta[k], count);
        else if (c < 2)
            put_groups(s, delta[k], count, c);
    }
}

uint8_t *meshopt_encode_1(const void *elements, size_t count, size_t stride, meshopt_choice choice,
                          size_t *out_size)
{
    static const uint8_t zeros[24] = {0};
    const uint8_t header = 0xa1, *from = elements;
    const size_t whole = 8192 / stride / 16 * 16, limit = whole < 256 ? whole : 256;
    const size_t tail = stride + stride / 4;
    stream s = {0};
    put(&s, &header, 1);
    for (size_t done = 0; done < count; done += limit)
        put_block(&s, from + done * stride, count - done < limit ? count - done : limit, stride,
                  done == 0 ? from : from + (done - 1) * stride, choice);
    put(&s, zeros, tail < 24 ? 24 - tail : 0);
    put(&s, from, stride);
    for (size_t k = 0; k < stride; k += 4)
        put(&s, &choice.channel, 1);
    *out_size = s.size;
    return s.bytes;
}
