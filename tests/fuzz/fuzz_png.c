// SPDX-License-Identifier: MIT
/// Fuzz target: PNG files from memory, under a small memory budget. Each input is run as it is and
/// with the checksums of its chunks put right, so that mutations get past them.
#include "base/bytes.h"
#include "fuzz_picture.h"
#include "image/picture_codecs.h"

#include <zlib.h>

static void repair_checksums(uint8_t *data, size_t size)
{
    for (size_t at = 8; at + 12 <= size;) {
        const size_t length = bytes_u32_be(data + at);
        if (length > size - at - 12)
            return;
        const uint32_t crc = (uint32_t)crc32(0, data + at + 4, (uInt)length + 4);
        bytes_store_u32_be(data + at + 8 + length, crc);
        at += 12 + length;
    }
}

void fuzz_input(const uint8_t *data, size_t size)
{
    fuzz_picture(png_decode, data, size);
    uint8_t *repaired = malloc(size + 1);
    if (!repaired)
        return;
    if (size)
        memcpy(repaired, data, size);
    repair_checksums(repaired, size);
    fuzz_picture(png_decode, repaired, size);
    free(repaired);
}
