// SPDX-License-Identifier: MIT
/// Blocks and masked pixels of a DDS level -> RGBA8 or RGBA16, rounded to nearest.
#include "image/dds_pixels.h"

#include <string.h>

/// One channel of a masked pixel.
typedef struct mask_channel {
    uint32_t shift, bits; ///< bits 0: absent
    uint32_t absent;      ///< the value that stands for an absent channel
} mask_channel;

static mask_channel channel_of(uint64_t mask, uint32_t absent)
{
    mask_channel c = {0, 0, absent};
    if (mask == 0)
        return c;
    while (!(mask >> c.shift & 1))
        c.shift++;
    while (c.shift + c.bits < 64 && mask >> (c.shift + c.bits) & 1)
        c.bits++;
    return c;
}

bool dds_is_wide(const dds_format *format)
{
    for (int c = 0; c < 4 && !format->block; c++)
        if (channel_of(format->mask[c], 0).bits > 8)
            return true;
    return false;
}

/// `code` of `bits` bits, [0, 1] by its largest value, scaled to `one`.
static uint32_t scale_unsigned(uint64_t code, uint32_t bits, uint32_t one)
{
    const uint64_t largest = (UINT64_C(1) << bits) - 1;
    return (uint32_t)((code * one + largest / 2) / largest);
}

/// Two's complement, [-1, 1] with both lowest codes at -1: colour is stored as (v + 1) / 2, as
/// normal maps are; alpha below 0 is 0.
static uint32_t scale_signed(uint64_t code, uint32_t bits, bool is_alpha, uint32_t one)
{
    if (bits < 2)
        return code ? one : 0;
    const int64_t largest = ((int64_t)1 << (bits - 1)) - 1;
    int64_t value = (int64_t)code > largest ? (int64_t)code - 2 * (largest + 1) : (int64_t)code;
    if (value < -largest)
        value = -largest;
    if (is_alpha)
        return value <= 0 ? 0 : (uint32_t)((value * one + largest / 2) / largest);
    return (uint32_t)(((value + largest) * one + largest) / (2 * largest));
}

/// Absent colour beside a present one: blue of a two-channel map is full, as in a flat normal.
static void masked_pixel(const dds_format *f, const mask_channel channel[4], const uint8_t *data,
                         uint32_t one, uint32_t out[4])
{
    uint64_t pixel = 0;
    for (uint32_t i = 0; i < f->unit_size; i++)
        pixel |= (uint64_t)data[i] << (8 * i);
    for (int c = 0; c < 4; c++) {
        const mask_channel *m = &channel[c];
        const uint64_t code = pixel >> m->shift & ((UINT64_C(1) << m->bits) - 1);
        if (m->bits == 0)
            out[c] = m->absent;
        else if (f->is_signed)
            out[c] = scale_signed(code, m->bits, c == 3, one);
        else
            out[c] = scale_unsigned(code, m->bits, one);
    }
    if (f->grey)
        out[1] = out[2] = out[0];
}

/// Colour that was multiplied by alpha, divided by it again. Of `one`.
static uint32_t unpremultiply(uint32_t color, uint32_t alpha, uint32_t one)
{
    if (alpha == 0)
        return 0;
    const uint64_t straight = ((uint64_t)color * one + alpha / 2) / alpha;
    return straight > one ? one : (uint32_t)straight;
}

/// Returns whether the pixel is not opaque.
static bool finish_pixel(const dds_format *f, uint32_t one, uint32_t pixel[4])
{
    if (!f->may_have_alpha)
        pixel[3] = one;
    for (int c = 0; c < 3 && f->premultiplied && f->may_have_alpha; c++)
        pixel[c] = unpremultiply(pixel[c], pixel[3], one);
    return pixel[3] != one;
}

static bool decode_masked(const dds_format *f, const dds_level *level, void *out)
{
    const bool wide = dds_is_wide(f);
    const uint32_t one = wide ? 65535 : 255;
    mask_channel channel[4];
    for (int c = 0; c < 4; c++)
        channel[c] = channel_of(f->mask[c], c == 3 || (c == 2 && f->two_channel) ? one : 0);
    uint8_t *narrow_out = out;
    uint16_t *wide_out = out;
    bool transparent = false;
    const size_t count = (size_t)level->width * level->height;
    for (size_t i = 0; i < count; i++) {
        uint32_t pixel[4];
        masked_pixel(f, channel, level->data + i * f->unit_size, one, pixel);
        transparent |= finish_pixel(f, one, pixel);
        for (size_t c = 0; c < 4; c++) {
            if (wide)
                wide_out[4 * i + c] = (uint16_t)pixel[c];
            else
                narrow_out[4 * i + c] = (uint8_t)pixel[c];
        }
    }
    return transparent;
}

static bool finish_block(const dds_format *f, bc_pixels pixels, uint32_t columns, uint32_t rows)
{
    bool transparent = false;
    for (uint32_t i = 0; i < 16; i++) {
        uint32_t pixel[4];
        for (int c = 0; c < 4; c++)
            pixel[c] = pixels[i][c];
        const bool is_transparent = finish_pixel(f, 255, pixel);
        transparent |= is_transparent && i % 4 < columns && i / 4 < rows;
        for (int c = 0; c < 4; c++)
            pixels[i][c] = (uint8_t)pixel[c];
    }
    return transparent;
}

/// Blocks at the right and lower edges hold pixels beyond the picture, which are dropped.
static bool decode_blocks(const dds_format *f, const dds_level *level, uint8_t *out)
{
    const uint8_t *data = level->data;
    bool transparent = false;
    for (uint32_t y = 0; y < level->height; y += 4)
        for (uint32_t x = 0; x < level->width; x += 4, data += f->unit_size) {
            const uint32_t columns = level->width - x < 4 ? level->width - x : 4;
            const uint32_t rows = level->height - y < 4 ? level->height - y : 4;
            bc_pixels pixels;
            f->block(data, pixels);
            transparent |= finish_block(f, pixels, columns, rows);
            for (uint32_t row = 0; row < rows; row++)
                memcpy(out + 4 * ((size_t)(y + row) * level->width + x), pixels[4 * row],
                       (size_t)columns * 4);
        }
    return transparent;
}

bool dds_level_decode(const dds_format *format, const dds_level *level, void *out)
{
    return format->block ? decode_blocks(format, level, out) : decode_masked(format, level, out);
}
