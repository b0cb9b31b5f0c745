// SPDX-License-Identifier: MIT
/// ETC1S in BasisLZ, as KTX2 files have it: a file's code book and slices of blocks -> RGBA8.
#pragma once

#include "texture/basis_huffman.h"
#include "texture/ktx2_file.h"

/// A base colour and the index of its modifier table.
typedef struct etc1s_endpoint {
    uint8_t color[3]; ///< of 8 bits
    uint8_t table;
} etc1s_endpoint;

/// The tables that all slices of a file share.
typedef struct etc1s_codebook {
    uint32_t endpoint_count, selector_count, history_size;
    const etc1s_endpoint *endpoints;
    const uint8_t (*selectors)[4]; ///< rows of four values of 2 bits, the left one lowest
    basis_huffman endpoint_pred, endpoint_delta, selector, selector_run;
    size_t images; ///< offset of the image descriptions in the file
} etc1s_codebook;

/// Reads the global data of a file into `a`. Fails with ZT_ERR_FORMAT, or as `a` does.
zt_result etc1s_codebook_read(const ktx2_file *file, arena *a, etc1s_codebook *out, zt_error *err);

/// Decodes the first image of a level into `out`, RGBA8 of the size of the level. The descriptor
/// says which channels the slices hold. Needs little memory of `temporary`.
zt_result etc1s_level_decode(const ktx2_file *file, const etc1s_codebook *book, uint32_t level,
                             arena *temporary, uint8_t *out, zt_error *err);
