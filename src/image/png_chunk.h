// SPDX-License-Identifier: MIT
/// Chunks of PNG files (ISO/IEC 15948, clause 5): length, four letters, data, checksum.
#pragma once

#include "base/bytes.h"
#include "base/file.h"

#include <libdeflate.h>
#include <string.h>

#define PNG_SIGNATURE "\x89PNG\r\n\x1a\n"

enum {
    PNG_SIGNATURE_BYTES = 8,
    PNG_CHUNK_BYTES = 12, ///< of a chunk besides its data
    PNG_IHDR_BYTES = 13,
};

typedef struct png_chunk {
    const uint8_t *type, *data;
    size_t size; ///< of the data
} png_chunk;

/// The chunk at byte `*at`, which moves behind it. False where the file has no whole one.
static inline bool png_chunk_next(file_bytes png, size_t *at, png_chunk *out)
{
    if (*at > png.size || png.size - *at < PNG_CHUNK_BYTES)
        return false;
    const uint8_t *begin = png.data + *at;
    *out = (png_chunk){begin + 4, begin + 8, bytes_u32_be(begin)};
    if (out->size > png.size - *at - PNG_CHUNK_BYTES)
        return false;
    *at += PNG_CHUNK_BYTES + out->size;
    return true;
}

static inline bool png_chunk_is(const png_chunk *c, const char *type)
{
    return memcmp(c->type, type, 4) == 0;
}

/// True when its checksum is right.
static inline bool png_chunk_is_intact(const png_chunk *c)
{
    return libdeflate_crc32(0, c->type, c->size + 4) == bytes_u32_be(c->data + c->size);
}

/// A chunk begins at `out`; its data follow at the address returned.
static inline uint8_t *png_chunk_begin(uint8_t *out, const char *type, size_t size)
{
    bytes_store_u32_be(out, (uint32_t)size);
    memcpy(out + 4, type, 4);
    return out + 8;
}

/// Writes the checksum of the chunk that begins at `chunk`; returns its end.
static inline uint8_t *png_chunk_end(uint8_t *chunk)
{
    const size_t size = bytes_u32_be(chunk);
    bytes_store_u32_be(chunk + 8 + size, libdeflate_crc32(0, chunk + 4, 4 + size));
    return chunk + PNG_CHUNK_BYTES + size;
}
