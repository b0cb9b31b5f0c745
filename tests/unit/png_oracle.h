// SPDX-License-Identifier: MIT
/// PNG files of ours, taken apart by another path than libpng's: chunks and CRCs by hand, the zlib
/// stream by zlib's inflate, which checks the Adler-32, filters by the text of the standard.
#pragma once

#include "image/picture_codecs.h"

/// The parts of a file.
typedef struct png_facts {
    int32_t idat_chunks;
    size_t compressed; ///< bytes of the zlib stream
    size_t raw;        ///< bytes of the filtered rows
} png_facts;

/// NULL when `file` is a whole 8-bit RGB or RGBA PNG of exactly these pixels; what is wrong if not.
const char *png_oracle(file_bytes file, const zt_image *image, png_facts *out);
