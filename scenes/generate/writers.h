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

/// PNG through libpng at zlib level 9: RGB when every alpha is 255, else RGBA. The bytes depend on
/// the zlib version (Debian 12 has 1.2.13), the pixels do not.
void png_append(byte_buffer *buffer, const built_image *image);

/// A picture as a file of its own.
bool png_save(const built_image *image, const char *folder, const char *name);

/// glTF 2.0 binary with pictures embedded as PNG.
bool glb_write(const built_model *model, const char *folder, const char *name);

/// .m3d text; skinned primitives of one mesh become subsets. Pictures are named NAME.dds.
bool m3d_write(const built_model *model, const char *folder, const char *name);

typedef enum dds_use { DDS_COLOR_BC1, DDS_NORMAL_BGRA8 } dds_use;

/// DDS with level 0 only.
bool dds_write(const built_image *image, dds_use use, const char *folder, const char *name);

/// Replaces the picture by the decoded blocks of dds_write.
void dds_bc1_round_trip(built_image *image);
