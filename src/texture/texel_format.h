// SPDX-License-Identifier: MIT
/// Texel formats of DDS and KTX2 files, and the decoding of a level: 4x4 blocks, or pixels whose
/// channels are given by bit masks -> RGBA of 8 or 16 bits a channel.
#pragma once

#include "base/budget.h"
#include "texture/bc_block.h"

#include <stdbool.h>

/// A decoder of 4x4 blocks, or pixels of up to 64 bits whose channels are given by masks.
typedef struct texel_format {
    void (*block)(const uint8_t *block, bc_pixels out); ///< NULL: masks
    uint32_t unit_size;                                 ///< bytes of a block or a pixel
    uint64_t mask[4]; ///< R, G, B, A in the little-endian pixel; 0: the channel is absent
    bool is_signed;   ///< masked channels are two's complement, [-1, 1]
    bool grey;        ///< G and B repeat R
    bool may_have_alpha;
    bool two_channel;   ///< R and G only
    bool premultiplied; ///< colour is multiplied by alpha
    bool srgb;
} texel_format;

/// The fields of a DDS header that describe the format; legacy files have no DXGI number.
typedef struct texel_format_fields {
    uint32_t flags, fourcc, bits, mask[4];
    bool has_dxgi;
    uint32_t dxgi, alpha_mode; ///< of the DX10 extension
} texel_format_fields;

enum { DDS_FOURCC_FLAG = 0x4, DDS_FOURCC_DX10 = 0x30315844 };

/// Looks the format up. Fails with ZT_ERR_FORMAT and its name when it is not supported.
zt_result texel_format_find(const char *name, const texel_format_fields *fields, texel_format *out,
                            zt_error *err);

typedef struct texel_level {
    const uint8_t *data; ///< complete
    uint32_t width, height;
} texel_level;

/// Bytes of a level of a picture in a file: blocks are whole, pixels tightly packed.
uint64_t texel_format_level_bytes(const texel_format *format, uint32_t width, uint32_t height,
                                  uint32_t level);
/// True when a channel has more than 8 bits: levels decode to 4 x uint16_t a pixel.
bool texel_format_is_wide(const texel_format *format);
/// Decodes into `out`, uint8_t or uint16_t [height][width][4], and says whether any pixel is not
/// opaque. Asks `work` by rows; fails with ZT_ERR_CANCELLED only.
zt_result texel_level_decode(const texel_format *format, const texel_level *level, budget *work,
                             void *out, bool *out_transparent, zt_error *err);
