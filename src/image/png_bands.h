// SPDX-License-Identifier: MIT
/// The fast PNG encoder: rows in bands that are filtered and compressed independently of each
/// other, by any threads in any order, into the same bytes.
#ifndef ZT_IMAGE_PNG_BANDS_H
#define ZT_IMAGE_PNG_BANDS_H

#include "image/picture.h"

/// What a band became; written by png_band_encode alone.
typedef struct png_band {
    uint8_t *bytes; ///< room for the bound of a band
    size_t size;
    size_t raw_size; ///< bytes of the filtered rows
    uint32_t adler, crc;
} png_band;

/// A picture on its way into a file.
typedef struct png_plan {
    const zt_image *image;
    bool opaque; ///< written as RGB
    int32_t rows_per_band, band_count;
    size_t scratch_size;  ///< bytes that one png_band_encode works in
    const uint8_t *zeros; ///< the row above the first one
    png_band *bands;
} png_plan;

/// Whether the file is RGB: no pixel that one could see through, and keep_alpha is not set.
bool png_is_opaque(const zt_image *image);
/// Decides on bands from the size and the kind of picture alone and takes room for the result from
/// `a`: about 1.01 times the bytes of the pixels at most, of which only what the compressed bands
/// fill is touched. `image` must stay as it is until the end. Fails with ZT_ERR_ARGUMENT,
/// ZT_ERR_LIMIT or ZT_ERR_MEMORY.
zt_result png_plan_begin(png_plan *plan, const zt_image *image, arena *a, zt_error *err);
/// Encodes band `index`, each once, on any thread. `scratch`: plan->scratch_size bytes of 64-byte
/// alignment that no other band uses at the same time.
void png_band_encode(const png_plan *plan, int32_t index, void *scratch);
/// Bytes of the finished zlib stream as IDAT chunks, all bands being encoded.
size_t png_bands_size(const png_plan *plan);
/// Writes these chunks, as many as there are bands; returns their end.
uint8_t *png_bands_write(const png_plan *plan, uint8_t *out);

#endif
