// SPDX-License-Identifier: MIT
/// OpenEXR files in memory, written and read by OpenEXRCore.
#pragma once

#include "base/file.h"
#include "image/picture_planes.h"

#include <openexr.h>

enum { EXR_CHANNELS_MAX = 8 };

typedef struct exr_recipe_channel {
    const char *name;
    exr_pixel_type_t type;
    int sampling; ///< of both axes
} exr_recipe_channel;

/// Description of a file. Channels come in the order of their names, as in every file.
typedef struct exr_recipe {
    exr_compression_t compression;
    exr_storage_t storage;
    int32_t data[4], display[4]; ///< x, y of the first pixel, then of the last one
    int32_t tile[2];
    bool mipmap;
    int parts; ///< equal ones; 0 counts as 1
    exr_recipe_channel channel[EXR_CHANNELS_MAX];
    const exr_attr_chromaticities_t *chromaticities;
    bool cube; ///< envmap: cube
    /// The value of a channel at a pixel of the whole plane; NULL: exr_sample_value().
    float (*value)(const char *channel, int32_t x, int32_t y);
} exr_recipe;

/// Numbers that a half holds exactly, other ones for each channel, smooth in x and y.
float exr_sample_value(const char *channel, int32_t x, int32_t y);

/// The nearest half of a number of at most 65504; of two the even one. Infinities and NaN stay.
uint16_t exr_half(float value);

/// The bytes of such a file, for free(); NULL, with a message, when the library refuses.
uint8_t *exr_encode(const exr_recipe *recipe, size_t *out_size);

/// NULL, or a context for exr_finish().
exr_context_t exr_open(const file_bytes *file);

/// True when the file has the planes color, depth and object alone, bit for bit.
bool exr_shows(file_bytes file, const picture_planes *planes);
