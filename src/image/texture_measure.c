// SPDX-License-Identifier: MIT
/// The size of a picture by its header alone, for pictures of which nothing else is asked.
/// References: PNG (ISO/IEC 15948) 11.2.2, JPEG (ITU-T T.81) B.2.2, WebP (RFC 9649), DDS
/// (Microsoft, "Programming Guide for DDS"), KTX 2.0 section 3.
#include "image/texture_file.h"

#include <string.h>

static uint32_t big_endian(const uint8_t *p, int bytes)
{
    uint32_t value = 0;
    for (int i = 0; i < bytes; i++)
        value = value << 8 | p[i];
    return value;
}

static uint32_t little_endian(const uint8_t *p, int bytes)
{
    uint32_t value = 0;
    for (int i = bytes - 1; i >= 0; i--)
        value = value << 8 | p[i];
    return value;
}

/// The frame header, past the segments before it. A marker is 0xFF and a code; those from C0 to CF
/// begin frames, but for three that hold tables.
static bool measure_jpeg(file_bytes b, uint32_t *width, uint32_t *height)
{
    size_t at = 2;
    while (at + 9 <= b.size && b.data[at] == 0xff) {
        const uint8_t code = b.data[at + 1];
        if (code == 0xff) { // fill
            at++;
            continue;
        }
        if ((code & 0xf0) == 0xc0 && code != 0xc4 && code != 0xc8 && code != 0xcc) {
            *height = big_endian(b.data + at + 5, 2);
            *width = big_endian(b.data + at + 7, 2);
            return true;
        }
        if (code < 0xc0 || code == 0xd9 || code == 0xda || (code >= 0xd0 && code <= 0xd8))
            return false; // no segment with a length, or the data
        at += 2 + (size_t)big_endian(b.data + at + 2, 2);
    }
    return false;
}

/// The first chunk: lossy frames have their size behind a start code, lossless ones 14 bits each
/// behind a signature, extended files 24 bits each of the canvas.
static bool measure_webp(file_bytes b, uint32_t *width, uint32_t *height)
{
    const uint8_t *chunk = b.data + 12;
    if (b.size < 30)
        return false;
    if (memcmp(chunk, "VP8 ", 4) == 0) {
        *width = little_endian(chunk + 14, 2) & 0x3fff;
        *height = little_endian(chunk + 16, 2) & 0x3fff;
        return memcmp(chunk + 11, "\x9d\x01\x2a", 3) == 0;
    }
    if (memcmp(chunk, "VP8L", 4) == 0) {
        const uint32_t bits = little_endian(chunk + 9, 4);
        *width = 1 + (bits & 0x3fff);
        *height = 1 + (bits >> 14 & 0x3fff);
        return chunk[8] == 0x2f;
    }
    *width = 1 + little_endian(chunk + 12, 3);
    *height = 1 + little_endian(chunk + 15, 3);
    return memcmp(chunk, "VP8X", 4) == 0;
}

bool texture_measure(file_bytes b, picture *out)
{
    uint32_t width = 0, height = 0;
    const char *codec = NULL;
    if (b.size >= 24 && memcmp(b.data, "\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR", 16) == 0) {
        codec = "PNG";
        width = big_endian(b.data + 16, 4);
        height = big_endian(b.data + 20, 4);
    } else if (b.size >= 3 && memcmp(b.data, "\xff\xd8\xff", 3) == 0) {
        codec = measure_jpeg(b, &width, &height) ? "JPEG" : NULL;
    } else if (webp_is(b)) {
        codec = measure_webp(b, &width, &height) ? "WebP" : NULL;
    } else if (b.size >= 128 && memcmp(b.data, "DDS ", 4) == 0) {
        codec = "DDS";
        height = little_endian(b.data + 12, 4);
        width = little_endian(b.data + 16, 4);
    } else if (b.size >= 80 && ktx2_is(b)) {
        codec = "KTX2";
        width = little_endian(b.data + 20, 4);
        height = little_endian(b.data + 24, 4);
    }
    if (!codec || width < 1 || height < 1 || width > PICTURE_SIDE_LIMIT ||
        height > PICTURE_SIDE_LIMIT)
        return false;
    *out = (picture){.width = (int32_t)width, .height = (int32_t)height, .codec = codec};
    return true;
}
