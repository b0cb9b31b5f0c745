// SPDX-License-Identifier: MIT
/// Memory of a JPEG decoder for the coefficients of a picture of many scans: from an arena, whose
/// large blocks have huge pages. libjpeg's own takes a page fault for every 4 KiB, as long as
/// decoding two scans.
#pragma once

#include "image/jpeg_library.h"

/// For a decoder that has been made. `a` outlives it; the fields of the decoder are taken:
/// client_data. Where `a` fails, the decoder ends with JERR_OUT_OF_MEMORY, and a->failed says why.
void jpeg_blocks_use(struct jpeg_decompress_struct *decoder, arena *a);
