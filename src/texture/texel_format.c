// SPDX-License-Identifier: MIT
/// The texel formats that are decoded, by DXGI number, FourCC code or bit masks, as Microsoft's
/// "Programming Guide for DDS" lists them; and the texels of one level -> RGBA, rounded to nearest.
#include "texture/texel_format.h"

#include "image/picture.h"

#include <stdio.h>
#include <string.h>

#define SUPPORTED                                                                                  \
    "supported: BC1-BC5, BC7, 8 to 16 bits a channel of R, RG, RGB, RGBA, luminance or alpha"

enum {
    FLAG_ALPHA_PIXELS = 0x1,
    FLAG_ALPHA = 0x2,
    FLAG_PALETTE = 0x20,
    FLAG_RGB = 0x40,
    FLAG_YUV = 0x200,
    FLAG_LUMINANCE = 0x20000,
    FLAG_SIGNED = 0x80000, // "bump du dv": V8U8, Q8W8V8U8, V16U16
};

enum { ALPHA_MODE_PREMULTIPLIED = 2, ALPHA_MODE_OPAQUE = 3 };

/// A DXGI number's meaning. Masks follow from bits, lowest first, in `channels`' order.
typedef struct dxgi_entry {
    uint16_t number;
    bool is_signed, srgb;
    uint8_t bits; ///< of every channel; 0: `masks`
    char channels[5];
    uint32_t masks[4];
} dxgi_entry;

static const dxgi_entry dxgi_masked[] = {
    {11, false, false, 16, "RGBA", {0}},                                     // R16G16B16A16_UNORM
    {13, true, false, 16, "RGBA", {0}},                                      // R16G16B16A16_SNORM
    {24, false, false, 0, "RGBA", {0x3ff, 0xffc00, 0x3ff00000, 0xc0000000}}, // R10G10B10A2
    {28, false, false, 8, "RGBA", {0}},                                      // R8G8B8A8_UNORM
    {29, false, true, 8, "RGBA", {0}},
    {31, true, false, 8, "RGBA", {0}},
    {35, false, false, 16, "RG", {0}}, // R16G16_UNORM
    {37, true, false, 16, "RG", {0}},
    {49, false, false, 8, "RG", {0}}, // R8G8_UNORM
    {51, true, false, 8, "RG", {0}},
    {56, false, false, 16, "R", {0}}, // R16_UNORM
    {58, true, false, 16, "R", {0}},
    {61, false, false, 8, "R", {0}}, // R8_UNORM
    {63, true, false, 8, "R", {0}},
    {65, false, false, 8, "A", {0}},                              // A8_UNORM
    {85, false, false, 0, "RGB", {0xf800, 0x7e0, 0x1f, 0}},       // B5G6R5
    {86, false, false, 0, "RGBA", {0x7c00, 0x3e0, 0x1f, 0x8000}}, // B5G5R5A1
    {87, false, false, 8, "BGRA", {0}},                           // B8G8R8A8_UNORM
    {88, false, false, 8, "BGRX", {0}},                           // B8G8R8X8_UNORM
    {91, false, true, 8, "BGRA", {0}},
    {93, false, true, 8, "BGRX", {0}},
    {115, false, false, 0, "RGBA", {0xf00, 0xf0, 0xf, 0xf000}}, // B4G4R4A4
};

/// Block formats: the DXGI number, its sRGB variant, and the legacy FourCC codes.
typedef struct block_entry {
    uint16_t dxgi, dxgi_srgb; ///< 0: none
    char fourcc[3][5];
    void (*block)(const uint8_t *block, bc_pixels out);
    uint8_t size;
    bool may_have_alpha, two_channel, premultiplied;
} block_entry;

static const block_entry block_formats[] = {
    {71, 72, {"DXT1", "", ""}, bc1_decode, 8, true, false, false},
    {74, 75, {"DXT3", "", ""}, bc2_decode, 16, true, false, false},
    {0, 0, {"DXT2", "", ""}, bc2_decode, 16, true, false, true},
    {77, 78, {"DXT5", "", ""}, bc3_decode, 16, true, false, false},
    {0, 0, {"DXT4", "", ""}, bc3_decode, 16, true, false, true},
    {80, 0, {"BC4U", "ATI1", ""}, bc4_decode, 8, false, false, false},
    {81, 0, {"BC4S", "", ""}, bc4_signed_decode, 8, false, false, false},
    {83, 0, {"BC5U", "ATI2", ""}, bc5_decode, 16, false, true, false},
    {84, 0, {"BC5S", "", ""}, bc5_signed_decode, 16, false, true, false},
    {98, 99, {"", "", ""}, bc7_decode, 16, true, false, false},
};

/// Names of formats that are not decoded, for messages.
static const struct {
    uint16_t number;
    char name[32];
} dxgi_names[] = {
    {0, "UNKNOWN"},
    {2, "R32G32B32A32_FLOAT"},
    {6, "R32G32B32_FLOAT"},
    {10, "R16G16B16A16_FLOAT"},
    {16, "R32G32_FLOAT"},
    {26, "R11G11B10_FLOAT"},
    {27, "R8G8B8A8_TYPELESS"},
    {34, "R16G16_FLOAT"},
    {40, "D32_FLOAT"},
    {41, "R32_FLOAT"},
    {45, "D24_UNORM_S8_UINT"},
    {54, "R16_FLOAT"},
    {55, "D16_UNORM"},
    {67, "R9G9B9E5_SHAREDEXP"},
    {70, "BC1_TYPELESS"},
    {73, "BC2_TYPELESS"},
    {76, "BC3_TYPELESS"},
    {79, "BC4_TYPELESS"},
    {82, "BC5_TYPELESS"},
    {90, "B8G8R8A8_TYPELESS"},
    {94, "BC6H_TYPELESS"},
    {95, "BC6H_UF16"},
    {96, "BC6H_SF16"},
    {97, "BC7_TYPELESS"},
    {100, "AYUV"},
    {103, "NV12"},
};

#define COUNT(array) (sizeof(array) / sizeof *(array))

static uint32_t fourcc_code(const char text[5])
{
    return (uint32_t)(uint8_t)text[0] | (uint32_t)(uint8_t)text[1] << 8 |
           (uint32_t)(uint8_t)text[2] << 16 | (uint32_t)(uint8_t)text[3] << 24;
}

static void format_from_block(const block_entry *entry, bool srgb, texel_format *out)
{
    *out = (texel_format){.block = entry->block,
                          .unit_size = entry->size,
                          .may_have_alpha = entry->may_have_alpha,
                          .two_channel = entry->two_channel,
                          .premultiplied = entry->premultiplied,
                          .srgb = srgb};
}

/// Derives the meaning of the channels from the masks.
static void derive_meaning(texel_format *f)
{
    f->grey = f->mask[0] && !f->mask[1] && !f->mask[2];
    f->two_channel = f->mask[0] && f->mask[1] && !f->mask[2];
    f->may_have_alpha = f->mask[3] != 0;
}

static void format_from_dxgi(const dxgi_entry *entry, texel_format *out)
{
    *out = (texel_format){.is_signed = entry->is_signed, .srgb = entry->srgb};
    uint32_t bits = 0;
    for (const char *channel = entry->channels; *channel; channel++) {
        static const char order[] = "RGBA";
        const char *found = strchr(order, *channel);
        const size_t c = found ? (size_t)(found - order) : 4;
        if (c < 4)
            out->mask[c] =
                entry->bits ? ((UINT64_C(1) << entry->bits) - 1) << bits : entry->masks[c];
        bits += entry->bits;
    }
    const uint32_t *m = entry->masks;
    if (entry->bits == 0) // packed in 16 or 32 bits
        bits = (m[0] | m[1] | m[2] | m[3]) >> 16 ? 32 : 16;
    out->unit_size = bits / 8;
    derive_meaning(out);
}

static zt_result find_dxgi(const char *name, const texel_format_fields *fields, texel_format *out,
                           zt_error *err)
{
    for (size_t i = 0; i < COUNT(dxgi_masked); i++)
        if (dxgi_masked[i].number == fields->dxgi) {
            format_from_dxgi(&dxgi_masked[i], out);
            goto found;
        }
    for (size_t i = 0; i < COUNT(block_formats); i++) {
        const block_entry *entry = &block_formats[i];
        const bool srgb = entry->dxgi_srgb == fields->dxgi;
        if (fields->dxgi != 0 && (srgb || entry->dxgi == fields->dxgi)) {
            format_from_block(entry, srgb, out);
            goto found;
        }
    }
    for (size_t i = 0; i < COUNT(dxgi_names); i++)
        if (dxgi_names[i].number == fields->dxgi)
            return zt_fail(err, ZT_ERR_FORMAT, "%s:128: unsupported DDS format DXGI %s (%s)", name,
                           dxgi_names[i].name, SUPPORTED);
    return zt_fail(err, ZT_ERR_FORMAT, "%s:128: unsupported DDS format, DXGI number %u (%s)", name,
                   fields->dxgi, SUPPORTED);
found:
    out->premultiplied |= fields->alpha_mode == ALPHA_MODE_PREMULTIPLIED;
    if (fields->alpha_mode == ALPHA_MODE_OPAQUE)
        out->may_have_alpha = false;
    return ZT_OK;
}

static zt_result find_fourcc(const char *name, uint32_t fourcc, texel_format *out, zt_error *err)
{
    for (size_t i = 0; i < COUNT(block_formats); i++)
        for (int k = 0; k < 3; k++)
            if (fourcc != 0 && fourcc == fourcc_code(block_formats[i].fourcc[k])) {
                format_from_block(&block_formats[i], false, out);
                return ZT_OK;
            }
    // The field may hold a number of D3DFORMAT.
    const uint32_t dxgi = fourcc == 36 ? 11 : fourcc == 110 ? 13 : 0; // A16B16G16R16, Q16W16V16U16
    if (dxgi)
        return find_dxgi(name, &(texel_format_fields){.dxgi = dxgi}, out, err);
    char text[16];
    bool printable = true;
    for (int i = 0; i < 4; i++) {
        const uint32_t letter = fourcc >> (8 * i) & 255;
        printable &= letter >= 32 && letter < 127;
        text[i] = (char)letter;
    }
    text[4] = 0;
    if (!printable)
        snprintf(text, sizeof text, "%u", fourcc);
    return zt_fail(err, ZT_ERR_FORMAT, "%s:84: unsupported DDS format, FourCC %s (%s)", name, text,
                   SUPPORTED);
}

static bool is_contiguous(uint64_t mask)
{
    while (mask && !(mask & 1))
        mask >>= 1;
    return (mask & (mask + 1)) == 0;
}

static zt_result format_from_masks(const char *name, const texel_format_fields *fields,
                                   texel_format *out, zt_error *err)
{
    const uint32_t flags = fields->flags;
    const uint32_t bits = fields->bits;
    if (bits != 8 && bits != 16 && bits != 24 && bits != 32)
        return zt_fail(err, ZT_ERR_FORMAT, "%s:88: DDS with %u bits a pixel (8, 16, 24 or 32)",
                       name, bits);
    *out = (texel_format){.unit_size = bits / 8, .is_signed = (flags & FLAG_SIGNED) != 0};
    const bool has_color = (flags & (FLAG_RGB | FLAG_LUMINANCE | FLAG_SIGNED)) != 0;
    const bool has_alpha = (flags & (FLAG_ALPHA_PIXELS | FLAG_ALPHA)) != 0;
    for (int c = 0; c < 4; c++) {
        const bool wanted = c == 3 ? has_alpha || out->is_signed
                                   : has_color && (c == 0 || !(flags & FLAG_LUMINANCE));
        out->mask[c] = wanted ? fields->mask[c] : 0;
        if (out->mask[c] >> bits || !is_contiguous(out->mask[c]))
            return zt_fail(err, ZT_ERR_FORMAT, "%s:%d: DDS channel mask %08x for %u bits a pixel",
                           name, 92 + 4 * c, fields->mask[c], bits);
    }
    if (!out->mask[0] && !out->mask[1] && !out->mask[2] && !out->mask[3])
        return zt_fail(err, ZT_ERR_FORMAT, "%s:92: DDS without channel masks", name);
    derive_meaning(out);
    return ZT_OK;
}

zt_result texel_format_find(const char *name, const texel_format_fields *fields, texel_format *out,
                            zt_error *err)
{
    const uint32_t flags = fields->flags;
    if (fields->has_dxgi)
        return find_dxgi(name, fields, out, err);
    if (flags & DDS_FOURCC_FLAG)
        return find_fourcc(name, fields->fourcc, out, err);
    if (flags & (FLAG_RGB | FLAG_LUMINANCE | FLAG_ALPHA | FLAG_SIGNED))
        return format_from_masks(name, fields, out, err);
    const char *kind = flags & FLAG_PALETTE ? "palette" : flags & FLAG_YUV ? "YUV" : "unknown";
    return zt_fail(err, ZT_ERR_FORMAT, "%s:80: unsupported DDS format, %s (%s)", name, kind,
                   SUPPORTED);
}

// ---- Levels -------------------------------------------------------------------------------------

enum { ASKED_PIXELS = 1 << 16 }; // between two questions

/// One channel of a masked pixel.
typedef struct mask_channel {
    uint32_t shift, bits; ///< bits 0: absent
    uint32_t absent;      ///< the value of an absent channel
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

uint64_t texel_format_level_bytes(const texel_format *format, uint32_t width, uint32_t height,
                                  uint32_t level)
{
    const uint64_t columns = picture_level_side(width, level);
    const uint64_t rows = picture_level_side(height, level);
    if (format->block)
        return (columns + 3) / 4 * ((rows + 3) / 4) * format->unit_size;
    return columns * rows * format->unit_size;
}

bool texel_format_is_wide(const texel_format *format)
{
    if (format->block)
        return false;
    for (int c = 0; c < 4; c++)
        if (channel_of(format->mask[c], 0).bits > 8)
            return true;
    return false;
}

/// Scales a code of `bits` bits so that the largest one becomes `one`.
static uint32_t scale_unsigned(uint64_t code, uint32_t bits, uint32_t one)
{
    const uint64_t largest = (UINT64_C(1) << bits) - 1;
    return (uint32_t)((code * one + largest / 2) / largest);
}

/// Two's complement in [-1, 1], both lowest codes -1. Colour: (v + 1) / 2; alpha clamped to 0.
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

/// Decodes the channels of one pixel by their masks.
static void masked_pixel(const texel_format *f, const mask_channel channel[4], const uint8_t *data,
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

/// Divides a premultiplied colour by its alpha; both are fractions of `one`.
static uint32_t unpremultiply(uint32_t color, uint32_t alpha, uint32_t one)
{
    if (alpha == 0)
        return 0;
    const uint64_t straight = ((uint64_t)color * one + alpha / 2) / alpha;
    return straight > one ? one : (uint32_t)straight;
}

/// Applies alpha to a decoded pixel. Returns whether it is not opaque.
static bool finish_pixel(const texel_format *f, uint32_t one, uint32_t pixel[4])
{
    if (!f->may_have_alpha)
        pixel[3] = one;
    else if (f->premultiplied)
        for (int c = 0; c < 3; c++)
            pixel[c] = unpremultiply(pixel[c], pixel[3], one);
    return pixel[3] != one;
}

static zt_result decode_masked(const texel_format *f, const texel_level *level, budget *work,
                               void *out, bool *out_transparent, zt_error *err)
{
    const bool wide = texel_format_is_wide(f);
    const uint32_t one = wide ? 65535 : 255;
    mask_channel channel[4];
    for (int c = 0; c < 4; c++) // absent blue of a two-channel map is full, as in a flat normal
        channel[c] = channel_of(f->mask[c], c == 3 || (c == 2 && f->two_channel) ? one : 0);
    uint8_t *narrow_out = out;
    uint16_t *wide_out = out;
    bool transparent = false;
    const size_t count = (size_t)level->width * level->height;
    for (size_t i = 0; i < count; i++) {
        uint32_t pixel[4];
        if (i % ASKED_PIXELS == 0 && budget_cancelled(work))
            return cancel_fail(err);
        masked_pixel(f, channel, level->data + i * f->unit_size, one, pixel);
        transparent |= finish_pixel(f, one, pixel);
        for (size_t c = 0; c < 4; c++) {
            if (wide)
                wide_out[4 * i + c] = (uint16_t)pixel[c];
            else
                narrow_out[4 * i + c] = (uint8_t)pixel[c];
        }
    }
    *out_transparent = transparent;
    return ZT_OK;
}

static bool finish_block(const texel_format *f, bc_pixels pixels, uint32_t columns, uint32_t rows)
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

/// Pixels of blocks at the right and lower edges that lie outside the picture are dropped.
static zt_result decode_blocks(const texel_format *f, const texel_level *level, budget *work,
                               uint8_t *out, bool *out_transparent, zt_error *err)
{
    const uint8_t *data = level->data;
    bool transparent = false;
    for (uint32_t y = 0; y < level->height; y += 4) {
        if (budget_cancelled(work))
            return cancel_fail(err);
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
    }
    *out_transparent = transparent;
    return ZT_OK;
}

zt_result texel_level_decode(const texel_format *format, const texel_level *level, budget *work,
                             void *out, bool *out_transparent, zt_error *err)
{
    return format->block ? decode_blocks(format, level, work, out, out_transparent, err)
                         : decode_masked(format, level, work, out, out_transparent, err);
}
