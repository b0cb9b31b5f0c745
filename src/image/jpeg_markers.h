// SPDX-License-Identifier: MIT
/// The markers of a JPEG file (ITU-T T.81, table B.1).
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum {
    MARKER_TEM = 0x01,
    MARKER_SOF0 = 0xc0,
    MARKER_SOF2 = 0xc2,
    MARKER_DHT = 0xc4,
    MARKER_JPG = 0xc8,
    MARKER_DAC = 0xcc,
    MARKER_SOF15 = 0xcf,
    MARKER_RST0 = 0xd0,
    MARKER_SOI = 0xd8,
    MARKER_EOI = 0xd9,
    MARKER_SOS = 0xda,
    MARKER_DQT = 0xdb,
    MARKER_DRI = 0xdd,
    MARKER_APP0 = 0xe0,
    MARKER_APP14 = 0xee,
    MARKER_APP15 = 0xef,
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
