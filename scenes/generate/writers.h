// SPDX-License-Identifier: MIT
// File writers. Each returns false, after a line on stderr, when the file cannot be written.
#pragma once

#include "built_model.h"

/// Bytes being assembled in memory; `data` is freed by the owner.
typedef struct byte_buffer {
    uint8_t *data;
    size_t size, capacity;
} byte_buffer;

void buffer_append(byte_buffer *buffer, const void *data, size_t size);
void buffer_text(byte_buffer *buffer, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/// Pads to a multiple of four with `fill`, as GLB chunks and buffer views need.
void buffer_align4(byte_buffer *buffer, uint8_t fill);

/// Appends the shortest decimal that strtof reads back as exactly `value`.
void buffer_float(byte_buffer *buffer, float value);
void buffer_u32(byte_buffer *buffer, uint32_t value);
bool buffer_save(const byte_buffer *buffer, const char *folder, const char *name);

/// PNG of the library, small: RGB when every alpha is 255, else RGBA. The bytes depend on the
/// version of libdeflate (Debian 12 has 1.14), the pixels do not.
void png_append(byte_buffer *buffer, const built_image *image);

/// A picture as a file of its own.
bool png_save(const built_image *image, const char *folder, const char *name);

/// glTF 2.0 binary with pictures embedded as PNG.
bool glb_write(const built_model *model, const char *folder, const char *name);

/// A DDS file of BC1 blocks; the picture, opaque and of sides that are multiples of four, becomes
/// what they show.
void dds_append_bc1(byte_buffer *file, built_image *image);
