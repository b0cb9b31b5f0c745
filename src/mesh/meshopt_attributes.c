// SPDX-License-Identifier: MIT
/// Attributes of KHR_meshopt_compression version 1. A block has up to 256 elements, by byte
/// position, in groups of 16 deltas of as many bits as the group needs; four positions form a
/// channel with the meaning of the deltas. Reference: appendix A, "Mode 0: attributes".
#include "base/bytes.h"
#include "mesh/meshopt.h"

#include <string.h>

enum {
    GROUP = 16,          // deltas in a group
    BLOCK_LIMIT = 256,   // most elements of a block
    BLOCK_BYTES = 8192,  // most bytes of a block, which has whole groups
    MIN_TAIL = 24,       // shortest tail, in bytes; zeros fill it at its front
    CHANNEL_BYTES = 4,   // bytes of an element that a channel has
    STRIDE_LIMIT = 256,  // most bytes of an element
    CONTROL_ZERO = 2,    // this byte of all elements has no data: its deltas are 0
    CONTROL_LITERAL = 3, // this byte of all elements stands as it is
};

/// The unread rest of a stream.
typedef struct byte_reader {
    const uint8_t *at, *end;
} byte_reader;

static const uint8_t *take(byte_reader *r, size_t count)
{
    if (count > (size_t)(r->end - r->at))
        return NULL;
    const uint8_t *bytes = r->at;
    r->at += count;
    return bytes;
}

/// The number of delta k of a group: from the lowest bit for single bits, else from the highest.
static unsigned packed_delta(const uint8_t *packed, unsigned bits, unsigned k)
{
    const unsigned in_byte = 8 / bits, place = k % in_byte;
    const unsigned shift = bits == 1 ? place : (in_byte - 1 - place) * bits;
    return (unsigned)packed[k / in_byte] >> shift & ((1u << bits) - 1u);
}

/// Sixteen deltas of 0, 1, 2, 4 or 8 bits. The largest of 1, 2, 4 bits: a byte after the group.
static bool read_group(byte_reader *r, unsigned bits, uint8_t *out)
{
    if (bits == 0) {
        memset(out, 0, GROUP);
        return true;
    }
    const uint8_t *packed = take(r, GROUP * bits / 8);
    if (!packed)
        return false;
    if (bits == 8) {
        memcpy(out, packed, GROUP);
        return true;
    }
    for (unsigned k = 0; k < GROUP; k++) {
        const unsigned small = packed_delta(packed, bits, k);
        const uint8_t *whole = small == (1u << bits) - 1u ? take(r, 1) : NULL;
        if (small == (1u << bits) - 1u && !whole)
            return false;
        out[k] = whole ? *whole : (uint8_t)small;
    }
    return true;
}

/// The deltas of one byte position of a block; `out` has room for whole groups.
static bool read_position(byte_reader *r, unsigned control, size_t count, uint8_t *out)
{
    static const uint8_t bits[2][4] = {
        {0, 1, 2, 4},
        {1, 2, 4, 8},
    };
    const size_t groups = (count + GROUP - 1) / GROUP;
    if (control == CONTROL_ZERO) {
        memset(out, 0, count);
        return true;
    }
    if (control == CONTROL_LITERAL) {
        const uint8_t *bytes = take(r, count);
        if (bytes)
            memcpy(out, bytes, count);
        return bytes != NULL;
    }
    const uint8_t *header = take(r, (groups + 3) / 4);
    if (!header)
        return false;
    for (size_t i = 0; i < groups; i++)
        if (!read_group(r, bits[control][header[i / 4] >> i % 4 * 2 & 3], out + i * GROUP))
            return false;
    return true;
}

static unsigned unzigzag(unsigned v) { return (v & 1u) ? ~(v >> 1) : v >> 1; }

static uint32_t rotate_right(uint32_t v, unsigned count)
{
    return count == 0 ? v : v >> count | v << (32 - count);
}

/// Four byte positions of a block become values. `last` holds those of the element before.
static bool sum_channel(uint8_t (*delta)[BLOCK_LIMIT], unsigned mode, size_t count, size_t stride,
                        uint8_t *last, uint8_t *out)
{
    const unsigned kind = mode & 15u, rotation = mode >> 4;
    if (kind > 2 || (kind < 2 && rotation != 0))
        return false;
    const size_t size = (size_t)1 << kind; // of a value, in bytes
    for (size_t i = 0; i < count; i++, out += stride)
        for (size_t at = 0; at < CHANNEL_BYTES; at += size) {
            uint8_t bytes[CHANNEL_BYTES] = {0};
            for (size_t k = 0; k < size; k++)
                bytes[k] = delta[at + k][i];
            const uint32_t read = (uint32_t)bytes_load_le(bytes, size);
            const uint32_t before = (uint32_t)bytes_load_le(last + at, size);
            const uint32_t value =
                kind == 2 ? rotate_right(read, rotation) ^ before : unzigzag(read) + before;
            for (size_t k = 0; k < size; k++)
                out[at + k] = last[at + k] = (uint8_t)(value >> 8 * k);
        }
    return true;
}

static bool read_block(byte_reader *r, const uint8_t *modes, size_t count, size_t stride,
                       uint8_t *last, uint8_t *out)
{
    uint8_t delta[CHANNEL_BYTES][BLOCK_LIMIT];
    const uint8_t *control = take(r, stride / CHANNEL_BYTES);
    if (!control)
        return false;
    for (size_t c = 0; c < stride / CHANNEL_BYTES; c++) {
        const size_t first = c * CHANNEL_BYTES;
        for (size_t k = 0; k < CHANNEL_BYTES; k++)
            if (!read_position(r, control[c] >> 2 * k & 3u, count, delta[k]))
                return false;
        if (!sum_channel(delta, modes[c], count, stride, last + first, out + first))
            return false;
    }
    return true;
}

bool meshopt_attributes_1(const uint8_t *data, size_t size, size_t count, size_t stride, void *out)
{
    uint8_t last[STRIDE_LIMIT];
    const size_t tail = stride + stride / CHANNEL_BYTES;
    const size_t padded = tail < MIN_TAIL ? MIN_TAIL : tail;
    if (stride < CHANNEL_BYTES || stride > STRIDE_LIMIT || stride % CHANNEL_BYTES != 0 ||
        size < 1 + padded || data[0] != 0xa1)
        return false;
    byte_reader r = {data + 1, data + size - padded};
    memcpy(last, data + size - tail, stride);
    const uint8_t *modes = data + size - stride / CHANNEL_BYTES;
    const size_t whole = BLOCK_BYTES / stride / GROUP * GROUP;
    const size_t limit = whole < BLOCK_LIMIT ? whole : BLOCK_LIMIT;
    uint8_t *to = out;
    for (size_t done = 0; done < count;) {
        const size_t block = count - done < limit ? count - done : limit;
        if (!read_block(&r, modes, block, stride, last, to + done * stride))
            return false;
        done += block;
    }
    return r.at == r.end;
}
