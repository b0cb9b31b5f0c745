// SPDX-License-Identifier: MIT
/// The first bytes of picture files. References: texture/picture_decode.c; the others only occur.
#include "base/picture_kind.h"

#include "base/path.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

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

// clang-format off
static const picture_kind kinds[] = {
    {"PNG",          {".png"}        , "image/png",        0, 4, "\x89PNG"},
    {"JPEG",         {".jpg", ".jpeg"}, "image/jpeg",       0, 3, "\xff\xd8\xff"},
    {"WebP",         {".webp"},         "image/webp",       8, 4, "WEBP"},
    {"KTX2",         {".ktx2"},         "image/ktx2",       0, 7, "\xabKTX 20"},
    {"DDS",          {".dds"},          "image/vnd-ms.dds", 0, 4, "DDS "},
    {"KTX",          {0},               NULL,               0, 7, "\xabKTX 11"},
    {"GIF",          {0},               NULL,               0, 4, "GIF8"},
    {"Photoshop",    {0},               NULL,               0, 4, "8BPS"},
    {"TIFF",         {0},               NULL,               0, 4, "II*\0"},
    {"TIFF",         {0},               NULL,               0, 4, "MM\0*"},
    {"Radiance HDR", {0},               NULL,               0, 2, "#?"},
    {"OpenEXR",      {0},               NULL,               0, 4, "\x76\x2f\x31\x01"},
    {"AVIF",         {0},               NULL,               4, 8, "ftypavif"},
    {"HEIC",         {0},               NULL,               4, 8, "ftypheic"},
    {"JPEG 2000",    {0},               NULL,               0, 8, "\0\0\0\x0cjP  "},
    {"BMP",          {".bmp"},          NULL,               0, 2, "BM"},
    {"TGA",          {".tga"},          NULL,               0, 0, NULL}, // see picture_is_tga()
    {NULL,           {0},               NULL,               0, 0, NULL},
};
// clang-format on

static bool is_of(const picture_kind *kind, file_bytes bytes)
{
    if (!kind->bytes)
        return picture_is_tga(bytes);
    return bytes.size >= kind->offset + kind->length &&
           memcmp(bytes.data + kind->offset, kind->bytes, kind->length) == 0 &&
           (kind->offset != 8 || memcmp(bytes.data, "RIFF", 4) == 0); // WebP
}

const picture_kind *picture_kind_of(file_bytes bytes)
{
    const picture_kind *kind = kinds;
    while (kind->name && !is_of(kind, bytes))
        kind++;
    return kind;
}

const picture_kind *picture_kind_of_file(const char *path)
{
    uint8_t bytes[PICTURE_TGA_HEADER];
    const int file = file_is_regular(path) ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    const ssize_t size = file >= 0 ? read(file, bytes, sizeof bytes) : 0;
    if (file >= 0)
        close(file);
    return picture_kind_of((file_bytes){bytes, size > 0 ? (size_t)size : 0});
}

const picture_kind *picture_kind_named(const char *path)
{
    for (const picture_kind *kind = kinds; kind->name; kind++)
        for (int k = 0; k < 2 && kind->suffixes[k]; k++)
            if (has_suffix(path, kind->suffixes[k]))
                return kind;
    return NULL;
}
