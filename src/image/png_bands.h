// SPDX-License-Identifier: MIT
/// The fast PNG encoder: bands of rows, independent, by any threads in any order, the same bytes.
#pragma once

#include "image/picture.h"

/// An encoded band; only png_band_encode() writes it.
typedef struct png_band {
    uint8_t *bytes; ///< capacity: the upper bound of a band
    size_t size;
    size_t raw_size; ///< bytes of the filtered rows before compression
    uint32_t adler, crc;
} png_band;

/// A picture that is being encoded.
typedef struct png_plan {
    const zt_image *image;
    bool opaque; ///< written as RGB
    int32_t rows_per_band, band_count;
    size_t scratch_size;  ///< bytes of scratch memory for png_band_encode()
    const uint8_t *zeros; ///< the row above the first one
    png_band *bands;
    uint32_t *row_hash;  ///< [height] hash_pixel_row, of encoded bands
    const uint64_t *key; ///< of the frame, to be set by the caller; NULL: none
} png_plan;

/// True when the file has no alpha channel: all pixels are opaque, and keep_alpha is not set.
bool png_is_opaque(const zt_image *image);
/// Divides the picture into bands, by its size and alpha alone, and allocates the output from `a`:
/// at most 1.01 times the bytes of the pixels, of which only the compressed part is touched.
/// `image` must not change until the end. Fails with ZT_ERR_ARGUMENT, ZT_ERR_LIMIT or
/// ZT_ERR_MEMORY.
zt_result png_plan_begin(png_plan *plan, const zt_image *image, arena *a, zt_error *err);
/// Encodes band `index` on any thread. `scratch`: plan->scratch_size, 64-byte aligned, its own.
void png_band_encode(const png_plan *plan, int32_t index, void *scratch);
/// The size of all bands as IDAT chunks; they must be encoded.
size_t png_bands_size(const png_plan *plan);
/// Writes one IDAT chunk for each band; returns the end.
uint8_t *png_bands_write(const png_plan *plan, uint8_t *out);
