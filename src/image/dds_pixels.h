// SPDX-License-Identifier: MIT
/// The pixels of one level of a DDS file -> RGBA.
#ifndef ZT_IMAGE_DDS_PIXELS_H
#define ZT_IMAGE_DDS_PIXELS_H

#include "image/dds_format.h"

#include <stdbool.h>

typedef struct dds_level {
    const uint8_t *data; ///< all bytes of the level are there
    uint32_t width, height;
} dds_level;

/// True when a channel has more than 8 bits: the level then decodes to 4 x uint16_t a pixel.
bool dds_is_wide(const dds_format *format);
/// Fills `out`, uint8_t or uint16_t [height][width][4]. Returns whether any pixel is not opaque.
bool dds_level_decode(const dds_format *format, const dds_level *level, void *out);

#endif
