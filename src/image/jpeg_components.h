// SPDX-License-Identifier: MIT
/// The frequencies of a progressive JPEG, each component by a decoder of its own, on threads; and
/// the memory of such decoders for the coefficients of a picture: from an arena, whose large blocks
/// have huge pages. libjpeg's own takes a page fault for every 4 KiB, as long as decoding two
/// scans.
#pragma once

#include "base/jobs.h"
#include "image/jpeg_library.h"
#include "image/jpeg_scans.h"

typedef struct jpeg_blocks {
    arena *a;                     ///< for new ones
    const struct jpeg_blocks *of; ///< of another decoder of the picture, which are used; NULL: new
    jvirt_barray_ptr component[MAX_COMPONENTS];
    int count;
} jpeg_blocks;

/// For a decoder that has been made, whose client_data is taken; `blocks` outlives it. Where the
/// arena fails, the decoder ends with JERR_OUT_OF_MEMORY, and a->failed says why.
void jpeg_blocks_use(struct jpeg_decompress_struct *decoder, jpeg_blocks *blocks);

/// True for a scan of means, which a component's frequencies come after.
bool jpeg_scan_has_means(void *unused, const jpeg_scan *scan);

/// Runs a decoder until the end of its file. False: the work is cancelled.
bool jpeg_read_scans(struct jpeg_decompress_struct *decoder, budget *work);

/// Adds frequencies to the means that a decoder of jpeg_scan_has_means has filled `blocks` with,
/// for components of jpeg_scans_separate(). Takes memory from `a`, the same whatever helps. `pool`:
/// NULL: nobody does. False: the file must be decoded in one piece, which tells what is wrong.
bool jpeg_components_read(file_bytes bytes, const jpeg_blocks *blocks, const uint8_t *component,
                          int count, uint64_t decoder_bytes, arena *a, job_pool *pool);
