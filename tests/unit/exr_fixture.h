// SPDX-License-Identifier: MIT
/// OpenEXR files in memory, written with the encoder of OpenEXRCore.
#pragma once

#include <openexr.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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

/// An exact conversion of a number that a half can hold.
uint16_t exr_half(float value);

/// The bytes of such a file, for free(); NULL, with a message, when the library refuses.
uint8_t *exr_encode(const exr_recipe *recipe, size_t *out_size);
