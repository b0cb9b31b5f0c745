// SPDX-License-Identifier: MIT
/// How the pixels of a DDS file are stored: what its FourCC, masks or DXGI number come to.
#ifndef ZT_IMAGE_DDS_FORMAT_H
#define ZT_IMAGE_DDS_FORMAT_H

#include "base/error.h"
#include "image/bc_block.h"

/// A decoder of 4x4 blocks, or pixels of up to 64 bits whose channels are given by masks.
typedef struct dds_format {
    void (*block)(const uint8_t *block, bc_pixels out); ///< NULL: masks
    uint32_t unit_size;                                 ///< bytes of a block or a pixel
    uint64_t mask[4]; ///< R, G, B, A in the little-endian pixel; 0: the channel is absent
    bool is_signed;   ///< masked channels are two's complement, [-1, 1]
    bool grey;        ///< R stands for G and B too
    bool may_have_alpha;
    bool two_channel;   ///< R and G only
    bool premultiplied; ///< colour was multiplied by alpha
    bool srgb;
} dds_format;

/// The header's fields that say it; legacy files have no DXGI number.
typedef struct dds_format_fields {
    uint32_t flags, fourcc, bits, mask[4];
    bool has_dxgi;
    uint32_t dxgi, alpha_mode; ///< of the DX10 extension
} dds_format_fields;

enum { DDS_FOURCC_FLAG = 0x4, DDS_FOURCC_DX10 = 0x30315844 };

/// Fails with ZT_ERR_FORMAT, naming the format, when it is not one that is decoded.
zt_result dds_format_find(const char *name, const dds_format_fields *fields, dds_format *out,
                          zt_error *err);

#endif
