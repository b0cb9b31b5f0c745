// SPDX-License-Identifier: MIT
/// See png_key.h. Reference: Portable Network Graphics, second edition (W3C 2003), 5 and 11.3.4.3.
#include "image/png_key.h"

#include "base/bytes.h"

#include <inttypes.h>
#include <libdeflate.h>
#include <stdio.h>
#include <string.h>

enum { FRAME_BYTES = 12, NAME_BYTES = 9, DIGITS = 16, IHDR_BYTES = 13 };

static const uint8_t signature[8] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, '\n'};

static void write_u32(uint8_t *p, uint32_t value)
{
    for (int i = 0; i < 4; i++)
        p[i] = (uint8_t)(value >> (24 - 8 * i));
}

static void key_data(uint64_t key, uint8_t out[NAME_BYTES + DIGITS])
{
    char digits[DIGITS + 1];
    snprintf(digits, sizeof digits, "%016" PRIx64, key);
    memcpy(out, "Zoetrope", NAME_BYTES); // with its 0
    memcpy(out + NAME_BYTES, digits, DIGITS);
}

uint8_t *png_key_write(uint64_t key, uint8_t *out)
{
    write_u32(out, NAME_BYTES + DIGITS);
    memcpy(out + 4, "tEXt", 4);
    key_data(key, out + 8);
    write_u32(out + 8 + NAME_BYTES + DIGITS, libdeflate_crc32(0, out + 4, 4 + NAME_BYTES + DIGITS));
    return out + PNG_KEY_CHUNK_BYTES;
}

typedef struct chunk {
    const uint8_t *type, *data;
    uint32_t size;
} chunk;

/// The next chunk of the file, unless it is broken.
static bool next_chunk(file_bytes bytes, size_t *at, chunk *out)
{
    const size_t left = bytes.size - *at;
    if (left < FRAME_BYTES)
        return false;
    const uint8_t *p = bytes.data + *at;
    *out = (chunk){p + 4, p + 8, bytes_u32_be(p)};
    if (out->size > left - FRAME_BYTES)
        return false;
    *at += (size_t)out->size + FRAME_BYTES;
    return libdeflate_crc32(0, out->type, (size_t)out->size + 4) ==
           bytes_u32_be(out->data + out->size);
}

static bool is(const chunk *c, const char *type) { return memcmp(c->type, type, 4) == 0; }

bool png_key_matches(file_bytes bytes, uint64_t key, int32_t width, int32_t height)
{
    uint8_t wanted[NAME_BYTES + DIGITS];
    chunk c;
    size_t at = sizeof signature;
    bool known = false;
    key_data(key, wanted);
    if (bytes.size < at || memcmp(bytes.data, signature, at) != 0 || !next_chunk(bytes, &at, &c) ||
        !is(&c, "IHDR") || c.size != IHDR_BYTES || bytes_u32_be(c.data) != (uint32_t)width ||
        bytes_u32_be(c.data + 4) != (uint32_t)height)
        return false;
    while (next_chunk(bytes, &at, &c)) {
        if (is(&c, "IEND"))
            return known && at == bytes.size;
        known |=
            is(&c, "tEXt") && c.size == sizeof wanted && memcmp(c.data, wanted, sizeof wanted) == 0;
    }
    return false;
}
