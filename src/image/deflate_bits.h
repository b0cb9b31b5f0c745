// SPDX-License-Identifier: MIT
/// Bits -> bytes as DEFLATE packs them (RFC 1951, 3.1.1): the first bit is the lowest one of the
/// first byte.
#ifndef ZT_IMAGE_DEFLATE_BITS_H
#define ZT_IMAGE_DEFLATE_BITS_H

#include <stdint.h>
#include <string.h>

/// Bytes behind the last one that a writer may touch: it stores whole words.
enum { BIT_WRITER_SLACK = 8 };

typedef struct bit_writer {
    uint8_t *out;   ///< where the lowest bits of `bits` go
    uint64_t bits;  ///< not yet written; zeros above `count`
    uint32_t count; ///< at most 7 after a flush
} bit_writer;

/// The order of bytes that a word has in the text.
static inline uint64_t bits_ordered(uint64_t v)
{
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    return __builtin_bswap64(v);
#else
    return v;
#endif
}

static inline uint64_t bits_load(const uint8_t *p)
{
    uint64_t v;
    memcpy(&v, p, sizeof v);
    return bits_ordered(v);
}

static inline void bits_store(uint8_t *p, uint64_t v)
{
    v = bits_ordered(v);
    memcpy(p, &v, sizeof v);
}

/// 57 bits have room after a flush.
static inline void bits_put(bit_writer *w, uint64_t value, uint32_t count)
{
    w->bits |= value << w->count;
    w->count += count;
}

static inline void bits_flush(bit_writer *w)
{
    bits_store(w->out, w->bits);
    w->out += w->count >> 3;
    w->bits >>= w->count & 56;
    w->count &= 7;
}

/// Zeros up to a whole byte, everything written.
static inline void bits_align(bit_writer *w)
{
    w->count = (w->count + 7) & ~7u;
    bits_flush(w);
}

#endif
