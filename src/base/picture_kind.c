// SPDX-License-Identifier: MIT
/// The first bytes of picture files. References: texture/picture_decode.c; the others only occur.
#include "base/picture_kind.h"

#include <string.h>

/// 15 to 32.
static bool is_color_depth(uint8_t bits)
{
    return bits == 15 || bits == 16 || bits == 24 || bits == 32;
}

bool picture_is_tga(file_bytes bytes)
{
    const uint8_t *h = bytes.data;
    if (bytes.size < PICTURE_TGA_HEADER || h[1] > 1 || (h[2] & ~8) < 1 || (h[2] & ~8) > 3)
        return false;
    const int kind = h[2] & 7;
    const bool has_sides = (h[12] | h[13]) && (h[14] | h[15]), maps = h[1] == 1;
    const bool depth = kind == 1   ? maps && (h[16] == 8 || h[16] == 16)
                       : kind == 2 ? is_color_depth(h[16])
                                   : h[16] == 8 || h[16] == 16;
    // The highest bits of the descriptor are of interleaved files, which do not occur.
    return has_sides && depth && h[17] < 64 && (!maps || is_color_depth(h[7]));
}

const char *picture_format_name(file_bytes bytes)
{
    static const struct {
        uint8_t offset, length;
        char bytes[9];
        const char *name;
    } known[] = {
        {0, 4, "\x89PNG", "PNG"},
        {0, 3, "\xff\xd8\xff", "JPEG"},
        {8, 4, "WEBP", "WebP"},
        {0, 7, "\xabKTX 20", "KTX2"},
        {0, 4, "DDS ", "DDS"},
        {0, 7, "\xabKTX 11", "KTX"},
        {0, 4, "GIF8", "GIF"},
        {0, 4, "8BPS", "Photoshop"},
        {0, 4, "II*\0", "TIFF"},
        {0, 4, "MM\0*", "TIFF"},
        {0, 2, "#?", "Radiance HDR"},
        {0, 4, "\x76\x2f\x31\x01", "OpenEXR"},
        {4, 8, "ftypavif", "AVIF"},
        {4, 8, "ftypheic", "HEIC"},
        {0, 8, "\0\0\0\x0cjP  ", "JPEG 2000"},
        {0, 2, "BM", "BMP"},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (bytes.size >= (size_t)known[i].offset + known[i].length &&
            memcmp(bytes.data + known[i].offset, known[i].bytes, known[i].length) == 0 &&
            (known[i].offset != 8 || memcmp(bytes.data, "RIFF", 4) == 0))
            return known[i].name;
    return picture_is_tga(bytes) ? "TGA" : NULL;
}
