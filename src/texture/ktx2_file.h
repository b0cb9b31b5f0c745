// SPDX-License-Identifier: MIT
/// A KTX2 file in memory -> its headers, checked: every range lies within the file, and the level
/// index agrees with the texel format. Reference: Khronos, "KTX File Format Specification" 2.0.
#pragma once

#include "base/bytes.h"
#include "base/file.h"
#include "texture/texel_format.h"

enum { KTX2_LEVEL_LIMIT = 15 };

/// Supercompression schemes.
enum { KTX2_PLAIN = 0, KTX2_BASIS_LZ = 1, KTX2_ZSTD = 2, KTX2_ZLIB = 3 };

/// Colour models of the data format descriptor with a separate decoder.
enum { KTX2_MODEL_ETC1S = 163, KTX2_MODEL_UASTC = 166 };

/// Channels of the samples of ETC1S and UASTC.
enum {
    KTX2_ETC1S_RGB = 0,
    KTX2_ETC1S_RRR = 3,
    KTX2_ETC1S_GGG = 4,
    KTX2_ETC1S_AAA = 15,
    KTX2_UASTC_RGB = 0,
    KTX2_UASTC_RGBA = 3,
    KTX2_UASTC_RRR = 4,
    KTX2_UASTC_RRRG = 5,
    KTX2_UASTC_RG = 6,
};

/// A mip level with all its layers and faces. The range lies within the file.
typedef struct ktx2_level {
    size_t offset, size;
    uint64_t full_size; ///< after decompression; 0 for BasisLZ
} ktx2_level;

typedef struct ktx2_file {
    const char *name; ///< for messages
    file_bytes bytes;
    uint32_t vk_format, width, height, level_count, scheme;
    uint64_t image_count; ///< layers x faces of a level
    bool is_cube;
    ktx2_level level[KTX2_LEVEL_LIMIT];
    size_t descriptor, global, global_size; ///< the data format descriptor, global data of BasisLZ
    uint8_t model;
    bool srgb, premultiplied;
    uint32_t channel_count; ///< samples of the descriptor, of which `channel` has the first 4
    uint8_t channel[4];
    char swizzle[4];     ///< the source of each channel of the picture: r, g, b, a, 0 or 1
    bool bottom_up;      ///< the first row of the file is the lowest
    texel_format format; ///< not used for BasisLZ, except two_channel
} ktx2_file;

static inline uint32_t ktx2_u32(file_bytes bytes, size_t at)
{
    return bytes_u32_le(bytes.data + at);
}

/// Reads and checks all headers; every range in `out` lies within the file. Fails with
/// ZT_ERR_FORMAT and the offset of the mistake, or with ZT_ERR_LIMIT above PICTURE_SIDE_LIMIT.
zt_result ktx2_open(const char *name, file_bytes bytes, ktx2_file *f, zt_error *err);
