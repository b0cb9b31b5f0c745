// SPDX-License-Identifier: MIT
// File writers. When a file cannot be written they say so and end the program.
#pragma once

#include "built_model.h"

#include <stdio.h>

/// A picture as a PNG file of its own: RGB when every alpha is 255, else RGBA. The bytes depend on
/// the version of libdeflate (Debian 12 has 1.14), the pixels do not.
void png_save(const built_image *image, const char *folder, const char *name);

/// glTF 2.0 binary with pictures embedded as PNG.
void glb_write(const built_model *model, const char *folder, const char *name);

/// A DDS file of BC1 blocks, *out_size bytes that the caller frees; the picture, opaque and of
/// sides that are multiples of four, becomes what they show.
uint8_t *dds_bc1(built_image *image, size_t *out_size);

/// A file of any other kind.
FILE *file_begin(const char *folder, const char *name);
void file_end(FILE *file);
