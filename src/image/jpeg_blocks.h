// SPDX-License-Identifier: MIT
/// Memory of a JPEG decoder for the coefficients of a picture of many scans: from an arena, whose
/// large blocks have huge pages. libjpeg's own takes a page fault for every 4 KiB, as long as
/// decoding two scans.
#pragma once

#include "image/jpeg_library.h"

typedef struct jpeg_blocks {
    arena *a;                     ///< for new ones
    const struct jpeg_blocks *of; ///< of another decoder of the picture, which are used; NULL: new
    jvirt_barray_ptr component[MAX_COMPONENTS];
    int count;
} jpeg_blocks;

/// For a decoder that has been made, whose client_data is taken; `blocks` outlives it. Where the
/// arena fails, the decoder ends with JERR_OUT_OF_MEMORY, and a->failed says why.
void jpeg_blocks_use(struct jpeg_decompress_struct *decoder, jpeg_blocks *blocks);
