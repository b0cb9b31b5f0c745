// SPDX-License-Identifier: MIT
// An independent reader of the files that the encoders write: ISO/IEC 15948, clauses 5, 9 and 10.
#define ZLIB_CONST
#include "png_oracle.h"

#include "base/bytes.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

/// Takes the data of the IDAT chunks together; NULL when a chunk is not what it says.
static const char *join_chunks(file_bytes file, uint8_t *joined, png_facts *out)
{
    static const uint8_t signature[8] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
    bool ended = false;
    if (file.size < 8 || memcmp(file.data, signature, 8) != 0)
        return "no signature";
    for (size_t at = 8; at < file.size;) {
        if (ended || file.size - at < 12 || bytes_u32_be(file.data + at) > file.size - at - 12)
            return "bytes behind the last whole chunk";
        const uint8_t *p = file.data + at;
        const uint32_t size = bytes_u32_be(p);
        if (crc32(0, p + 4, size + 4) != bytes_u32_be(p + 8 + size))
            return "a wrong CRC";
        if (memcmp(p + 4, "IDAT", 4) == 0) {
            memcpy(joined + out->compressed, p + 8, size);
            out->compressed += size;
            out->idat_chunks++;
        }
        ended = memcmp(p + 4, "IEND", 4) == 0;
        at += 12 + size;
    }
    return ended ? NULL : "no end";
}

static const char *inflate_all(const uint8_t *data, size_t size, uint8_t *raw, size_t raw_size)
{
    z_stream z = {.next_in = data, .avail_in = (uInt)size, .next_out = raw};
    z.avail_out = (uInt)raw_size + 1;
    if (inflateInit(&z) != Z_OK)
        return "no memory";
    const int result = inflate(&z, Z_FINISH);
    const size_t made = z.total_out, left = z.avail_in;
    inflateEnd(&z);
    if (result != Z_STREAM_END)
        return "a broken zlib stream";
    return made == raw_size && left == 0 ? NULL : "a zlib stream of another length";
}

static uint8_t foretold(uint8_t type, int left, int above, int corner)
{
    const int estimate = left + above - corner;
    const int a = abs(estimate - left), b = abs(estimate - above), c = abs(estimate - corner);
    switch (type) {
    case 1: return (uint8_t)left;
    case 2: return (uint8_t)above;
    case 3: return (uint8_t)((left + above) / 2);
    case 4: return (uint8_t)(a <= b && a <= c ? left : b <= c ? above : corner);
    default: return 0;
    }
}

/// Undoes the filters in place and compares.
static const char *compare_rows(uint8_t *raw, size_t row, size_t channels, const zt_image *image)
{
    for (size_t y = 0; y < (size_t)image->height; y++) {
        uint8_t *at = raw + y * (row + 1) + 1, *above = y ? at - row - 1 : NULL;
        const uint8_t *want = image->rgba8 + y * image->stride;
        if (at[-1] > 4)
            return "an unknown filter";
        for (size_t i = 0; i < row; i++) {
            const bool first = i < channels;
            at[i] = (uint8_t)(at[i] + foretold(at[-1], first ? 0 : at[i - channels],
                                               above ? above[i] : 0,
                                               above && !first ? above[i - channels] : 0));
            if (at[i] != want[i / channels * 4 + i % channels])
                return "other pixels";
            if (channels == 3 && want[i / 3 * 4 + 3] != 255)
                return "a pixel that has lost its alpha";
        }
    }
    return NULL;
}

const char *png_oracle(file_bytes file, const zt_image *image, png_facts *out)
{
    *out = (png_facts){0};
    if (file.size < 33 || bytes_u32_be(file.data + 16) != (uint32_t)image->width ||
        bytes_u32_be(file.data + 20) != (uint32_t)image->height || file.data[24] != 8 ||
        (file.data[25] != 2 && file.data[25] != 6))
        return "another header";
    const size_t channels = file.data[25] == 2 ? 3 : 4;
    const size_t row = (size_t)image->width * channels;
    out->raw = (row + 1) * (size_t)image->height;
    uint8_t *joined = malloc(file.size), *raw = malloc(out->raw + 1);
    const char *fault = joined && raw ? join_chunks(file, joined, out) : "no memory";
    if (!fault)
        fault = inflate_all(joined, out->compressed, raw, out->raw);
    if (!fault)
        fault = compare_rows(raw, row, channels, image);
    free(raw);
    free(joined);
    return fault;
}
