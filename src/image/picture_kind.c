// SPDX-License-Identifier: MIT
/// The first bytes of picture files. References: texture/picture_decode.c; the others only occur.
#include "image/picture_kind.h"

#include <string.h>

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
    return NULL;
}
