// SPDX-License-Identifier: MIT
/// Fuzz target: PNG files from memory, under a small memory budget. Each input is run as it is and
/// with the checksums of its chunks put right, so that mutations get past them.
#include "fuzz_picture.h"
#include "image/picture_codecs.h"

static uint32_t crc_of(const uint8_t *data, size_t size)
{
    uint32_t crc = 0xffffffffu;
    for (size_t i = 0; i < size; i++) {
        crc ^= data[i];
        for (int bit = 0; bit < 8; bit++)
            crc = crc >> 1 ^ (crc & 1 ? 0xedb88320u : 0);
    }
    return ~crc;
}

static void repair_checksums(uint8_t *data, size_t size)
{
    for (size_t at = 8; at + 12 <= size;) {
        const uint8_t *p = data + at;
        const size_t length = (size_t)p[0] << 24 | (size_t)p[1] << 16 | (size_t)p[2] << 8 | p[3];
        if (length > size - at - 12)
            return;
        const uint32_t crc = crc_of(data + at + 4, length + 4);
        for (size_t i = 0; i < 4; i++)
            data[at + 8 + length + i] = (uint8_t)(crc >> (24 - 8 * i));
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
