// SPDX-License-Identifier: MIT
/// Bits and prefix codes of BasisLZ (KTX 2.0 specification, "BasisLZ/ETC1S Bitstream"): bits are
/// read from the lowest bit of each byte up; codes are canonical, as in DEFLATE.
#pragma once

#include "base/arena.h"
#include "base/file.h"

enum { BASIS_CODE_BITS = 16, BASIS_SYMBOLS_MAX = 1 << 14 };

/// A section of a file. Reading beyond its end gives zeros and sets `overrun`.
typedef struct basis_bits {
    const char *name; ///< for messages
    file_bytes bytes; ///< of the file
    size_t first, end;
    uint64_t at; ///< index of the next bit, counted from byte `first`
    bool overrun;
} basis_bits;

/// Canonical codes by length, as counts and symbols in order.
typedef struct basis_huffman {
    uint16_t count[BASIS_CODE_BITS + 1];
    uint16_t *symbol; ///< sorted by length, then number
} basis_huffman;

static inline uint32_t basis_take(basis_bits *b, uint32_t count)
{
    uint32_t value = 0;
    for (uint32_t i = 0; i < count; i++, b->at++) {
        const uint64_t byte = b->first + b->at / 8;
        if (byte >= b->end)
            b->overrun = true;
        else
            value |= (uint32_t)(b->bytes.data[byte] >> (b->at % 8) & 1) << i;
    }
    return value;
}

/// The section [offset, offset + size) of a file; the range must lie within the file.
basis_bits basis_section(const char *name, file_bytes bytes, size_t offset, size_t size);
/// Fails with ZT_ERR_FORMAT at the next byte. `what` completes "broken BasisLZ data: ".
zt_result basis_fail(const basis_bits *b, const char *what, zt_error *err);

/// Reads a table of code lengths; one without codes is valid, if no symbol is read by it.
zt_result basis_huffman_read(basis_bits *b, arena *a, basis_huffman *out, zt_error *err);
/// Reads a symbol. Bits that match no code give 0 and set `overrun`.
uint32_t basis_symbol(basis_bits *b, const basis_huffman *h);
