// SPDX-License-Identifier: MIT
/// Chunks of written WebP files (RFC 9649, 2.3): four letters, length, data of even length.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum {
    WEBP_RIFF_BYTES = 12, ///< "RIFF", the length of what follows, "WEBP"
    WEBP_CHUNK_BYTES = 8,
};

/// Bytes before the chunks of pixels in a file of libwebp: alpha of lossy pictures brings VP8X.
static inline size_t webp_pixels_at(const uint8_t *bytes, size_t size)
{
    const bool extended = size > 30 && memcmp(bytes + WEBP_RIFF_BYTES, "VP8X", 4) == 0;
    return WEBP_RIFF_BYTES + (extended ? WEBP_CHUNK_BYTES + 10 : 0);
}

/// A number of `size` bytes; returns what follows.
static inline uint8_t *webp_put(uint8_t *out, uint32_t value, int size)
{
    for (int i = 0; i < size; i++)
        *out++ = (uint8_t)(value >> (8 * i));
    return out;
}

/// The name and the length of a chunk; returns where its data begin.
static inline uint8_t *webp_put_chunk(uint8_t *out, const char *name, size_t size)
{
    memcpy(out, name, 4);
    return webp_put(out + 4, (uint32_t)size, 4);
}
