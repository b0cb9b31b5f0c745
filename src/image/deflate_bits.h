// SPDX-License-Identifier: MIT
/// Packs bits as DEFLATE does (RFC 1951, 3.1.1): the first is the lowest of the first byte.
#pragma once

#include <stdint.h>
#include <string.h>

/// Bytes after the end of the output that a writer may overwrite: it stores whole words.
enum { BIT_WRITER_SLACK = 8 };

typedef struct bit_writer {
    uint8_t *out;   ///< the byte that the lowest bits of `bits` go to
    uint64_t bits;  ///< pending bits; zeros above `count`
    uint32_t count; ///< at most 7 after a flush
} bit_writer;

/// Converts between host order and the order of bytes in the stream.
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

/// Appends `count` bits; up to 57 between two flushes.
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

/// Pads with zeros to a whole byte and flushes.
static inline void bits_align(bit_writer *w)
{
    w->count = (w->count + 7) & ~7u;
    bits_flush(w);
}
