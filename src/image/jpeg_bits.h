// SPDX-License-Identifier: MIT
/// Reads the entropy-coded bits of a JPEG scan and their Huffman codes (ITU-T T.81, annexes C and
/// F).
#ifndef ZT_IMAGE_JPEG_BITS_H
#define ZT_IMAGE_JPEG_BITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { JPEG_LOOK_BITS = 10 };

/// Markers (T.81, table B.1).
enum {
    MARKER_TEM = 0x01,
    MARKER_SOF0 = 0xc0,
    MARKER_SOF2 = 0xc2,
    MARKER_DHT = 0xc4,
    MARKER_JPG = 0xc8,
    MARKER_DAC = 0xcc,
    MARKER_SOF15 = 0xcf,
    MARKER_RST0 = 0xd0,
    MARKER_RST7 = 0xd7,
    MARKER_SOI = 0xd8,
    MARKER_EOI = 0xd9,
    MARKER_SOS = 0xda,
    MARKER_DQT = 0xdb,
    MARKER_DRI = 0xdd,
    MARKER_APP0 = 0xe0,
    MARKER_APP14 = 0xee,
    MARKER_COM = 0xfe,
};

/// True when a marker is SOFn: a frame header, of Huffman or of arithmetic coding.
static inline bool jpeg_marker_starts_frame(uint8_t marker)
{
    return marker >= MARKER_SOF0 && marker <= MARKER_SOF15 && marker != MARKER_DHT &&
           marker != MARKER_JPG && marker != MARKER_DAC;
}

/// True when nothing follows a marker that belongs to it, not even a length.
static inline bool jpeg_marker_is_bare(uint8_t marker)
{
    return (marker >= MARKER_RST0 && marker <= MARKER_SOI) || marker == MARKER_TEM;
}

/// Huffman codes: a table for those of up to JPEG_LOOK_BITS bits, canonical order for longer ones.
typedef struct jpeg_codes {
    bool defined;
    uint16_t look[1 << JPEG_LOOK_BITS]; ///< symbol * 256 + length of the code; 0: a longer one
    uint8_t values[256];
    int32_t first_index[17];
    uint32_t first_code[17];
    uint32_t count[17];
} jpeg_codes;

/// Builds the codes from the 16 counts and the values of a DHT segment. False when there are too
/// many.
bool jpeg_codes_init(jpeg_codes *codes, const uint8_t counts[16], const uint8_t *values);

/// The bits of a scan; the next one is the highest bit of `buffer`. At a marker zeros are appended
/// and counted in `padding`: when padding > count, more bits were read than the scan has.
typedef struct jpeg_bits {
    const uint8_t *at, *end;
    uint64_t buffer;
    int32_t count; ///< valid bits in `buffer`
    int64_t padding;
    bool broken; ///< read a code that does not exist
} jpeg_bits;

/// Refills byte by byte, near stuffed bytes, markers and the end. By value, so that callers can
/// keep their copy in registers.
jpeg_bits jpeg_bits_refill_slowly(jpeg_bits b);

/// Refills `buffer` to at least 56 bits if it has 32 or fewer.
static inline void jpeg_bits_refill(jpeg_bits *b)
{
    if (b->count > 32)
        return;
    if (b->end - b->at >= 8) {
        uint64_t next;
        memcpy(&next, b->at, 8);
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
        next = __builtin_bswap64(next);
#endif
        const uint64_t inverse = ~next; // a byte 0xff becomes 0
        if (((inverse - UINT64_C(0x0101010101010101)) & next & UINT64_C(0x8080808080808080)) == 0) {
            b->buffer |= next >> b->count;
            b->at += (63 - b->count) >> 3;
            b->count |= 56;
            return;
        }
    }
    *b = jpeg_bits_refill_slowly(*b);
}

/// Takes `n` bits, 1 to 16, which must be in `buffer`.
static inline uint32_t jpeg_bits_take(jpeg_bits *b, int32_t n)
{
    const uint32_t value = (uint32_t)(b->buffer >> (64 - n));
    b->buffer <<= n;
    b->count -= n;
    return value;
}

/// Takes a signed value of `n` bits (EXTEND of F.2.2.1).
static inline int32_t jpeg_bits_signed(jpeg_bits *b, int32_t n)
{
    if (n == 0)
        return 0;
    const int32_t value = (int32_t)jpeg_bits_take(b, n);
    return value < 1 << (n - 1) ? value - (1 << n) + 1 : value;
}

/// Looks up a code of more than JPEG_LOOK_BITS bits: symbol * 256 + length; 0: no such code.
uint32_t jpeg_codes_long(const jpeg_codes *codes, uint32_t bits);

/// Reads a symbol; afterwards `buffer` has enough bits for a value of up to 16 bits.
static inline uint32_t jpeg_bits_symbol(jpeg_bits *b, const jpeg_codes *codes)
{
    jpeg_bits_refill(b);
    uint32_t entry = codes->look[b->buffer >> (64 - JPEG_LOOK_BITS)];
    if (entry == 0) {
        entry = jpeg_codes_long(codes, (uint32_t)(b->buffer >> 48));
        b->broken |= entry == 0;
    }
    b->buffer <<= entry & 255;
    b->count -= (int32_t)(entry & 255);
    return entry >> 8;
}

#endif
