// SPDX-License-Identifier: MIT
/// Encodes an uncompressed DDS file; see convert_texture.h. Microsoft, "Programming Guide for DDS".
#include "base/bytes.h"
#include "convert/convert_texture.h"

#include <string.h>

enum { HEADER_SIZE = DDS_HEADER_SIZE, PIXEL_SIZE = 4 };

static void write_header(const picture *source, uint8_t *out)
{
    // Flags: caps, height, width, pixel format, pitch, mip count. Caps: texture, complex, mipmap.
    const bool mips = source->level_count > 1;
    const uint32_t flags = 0x100f | (mips ? 0x20000u : 0), caps = 0x1000 | (mips ? 0x400008u : 0);
    const uint32_t masks[4] = {0x000000ffu, 0x0000ff00u, 0x00ff0000u, 0xff000000u};
    memset(out, 0, HEADER_SIZE);
    memcpy(out, "DDS ", 4);
    bytes_store_u32_le(out + 4, HEADER_SIZE - 4);
    bytes_store_u32_le(out + 8, flags);
    bytes_store_u32_le(out + 12, (uint32_t)source->height);
    bytes_store_u32_le(out + 16, (uint32_t)source->width);
    bytes_store_u32_le(out + 20, (uint32_t)source->width * PIXEL_SIZE);
    bytes_store_u32_le(out + 28, (uint32_t)source->level_count);
    bytes_store_u32_le(out + 76, 32);   // size of the pixel format
    bytes_store_u32_le(out + 80, 0x41); // RGB and alpha
    bytes_store_u32_le(out + 88, 8 * PIXEL_SIZE);
    for (int i = 0; i < 4; i++)
        bytes_store_u32_le(out + 92 + 4 * i, masks[i]);
    bytes_store_u32_le(out + 108, caps);
}

static void write_row(const picture *source, const uint8_t *row, size_t width, uint8_t *out)
{
    if (source->format == PICTURE_RGBA8) {
        memcpy(out, row, width * PIXEL_SIZE);
        return;
    }
    for (size_t x = 0; x < width; x++)
        for (size_t c = 0; c < 4; c++) {
            uint32_t value = 255;
            if (source->format == PICTURE_RGB8 && c < 3)
                value = row[3 * x + c];
            if (source->format == PICTURE_RGBA16) {
                uint16_t wide;
                memcpy(&wide, row + 8 * x + 2 * c, sizeof wide);
                value = ((uint32_t)wide * 255 + 32767) / 65535;
            }
            out[PIXEL_SIZE * x + c] = (uint8_t)value;
        }
}

zt_result dds_write(arena *a, const picture *source, file_bytes *out, zt_error *err)
{
    static const size_t pixel_size[] = {
        [PICTURE_RGBA8] = 4, [PICTURE_RGB8] = 3, [PICTURE_RGBA16] = 8};
    size_t size = HEADER_SIZE;
    for (int32_t k = 0; k < source->level_count; k++)
        size += picture_level_side((uint32_t)source->width, (uint32_t)k) *
                picture_level_side((uint32_t)source->height, (uint32_t)k) * PIXEL_SIZE;
    uint8_t *data;
    ZT_TRY(ARENA_TAKE_RAW(a, &data, size, "a DDS file", err));
    write_header(source, data);
    uint8_t *at = data + HEADER_SIZE;
    for (int32_t k = 0; k < source->level_count; k++) {
        const size_t width = picture_level_side((uint32_t)source->width, (uint32_t)k),
                     tight = width * pixel_size[source->format];
        const size_t pitch = k == 0 && source->pitch ? source->pitch : tight;
        for (size_t y = 0; y < picture_level_side((uint32_t)source->height, (uint32_t)k); y++) {
            write_row(source, (const uint8_t *)source->level[k] + y * pitch, width, at);
            at += width * PIXEL_SIZE;
        }
    }
    *out = (file_bytes){data, size};
    return ZT_OK;
}
