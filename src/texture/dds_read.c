// SPDX-License-Identifier: MIT
/// DDS files in memory -> pictures with all mip levels of the file; of arrays and cube maps the
/// first slice. Legacy and DX10 headers. Premultiplied colour (DXT2, DXT4, alpha mode 2) is divided
/// by its alpha. Reference: Microsoft, "Programming Guide for DDS".
#include "base/bytes.h"
#include "texture/texel_format.h"
#include "texture/texture_codecs.h"

#include <string.h>

enum {
    HEADER_BYTES = 128,
    DX10_BYTES = 20,
    CAPS2_CUBE = 0x200,
    CAPS2_FACES = 0xfc00,
    CAPS2_VOLUME = 0x200000,
    FLAGS_DEPTH = 0x800000,
    DIMENSION_1D = 2,
    DIMENSION_2D = 3,
    DIMENSION_3D = 4,
    MISC_CUBE = 4,
    MISC2_ALPHA_MODE = 7,
    FACE_COUNT = 6,
};

typedef struct dds_header {
    uint32_t width, height, level_count;
    uint64_t slice_count; ///< array elements x faces
    bool is_cube;
    texel_format format;
    size_t data; ///< offset of the first level
} dds_header;

static uint32_t u32_at(file_bytes bytes, size_t at) { return bytes_u32_le(bytes.data + at); }

static zt_result check_size(const char *name, const dds_header *h, zt_error *err)
{
    if (h->width == 0 || h->height == 0)
        return zt_fail(err, ZT_ERR_FORMAT, "%s:12: DDS of %u x %u pixels", name, h->width,
                       h->height);
    ZT_TRY(picture_check_side(name, 12, "DDS", h->width, h->height, err));
    if (h->level_count > picture_max_levels(h->width, h->height))
        return zt_fail(
            err, ZT_ERR_FORMAT, "%s:28: DDS of %u x %u pixels with %u mip levels (at most %u)",
            name, h->width, h->height, h->level_count, picture_max_levels(h->width, h->height));
    return ZT_OK;
}

/// Reads the dimensions from the legacy caps: a plain picture or a cube map of six faces.
static zt_result read_legacy_dimensions(const char *name, file_bytes bytes, dds_header *h,
                                        zt_error *err)
{
    const uint32_t caps2 = u32_at(bytes, 112);
    const uint32_t depth = u32_at(bytes, 24);
    if ((caps2 & CAPS2_VOLUME) || ((u32_at(bytes, 8) & FLAGS_DEPTH) && depth > 1))
        return zt_fail(err, ZT_ERR_FORMAT,
                       "%s:112: unsupported DDS: a volume texture (expected a 2D one)", name);
    h->slice_count = 1;
    if (!(caps2 & CAPS2_CUBE))
        return ZT_OK;
    if ((caps2 & CAPS2_FACES) != CAPS2_FACES)
        return zt_fail(err, ZT_ERR_FORMAT, "%s:112: DDS cube map without all six faces", name);
    h->is_cube = true;
    h->slice_count = FACE_COUNT;
    return ZT_OK;
}

static zt_result read_dx10_dimensions(const char *name, file_bytes bytes, dds_header *h,
                                      zt_error *err)
{
    const uint32_t dimension = u32_at(bytes, 132);
    const uint32_t elements = u32_at(bytes, 140);
    if (dimension == DIMENSION_1D || dimension == DIMENSION_3D)
        return zt_fail(err, ZT_ERR_FORMAT, "%s:132: unsupported DDS: a %s texture (expected 2D)",
                       name, dimension == DIMENSION_1D ? "1D" : "3D");
    if (dimension != DIMENSION_2D)
        return zt_fail(err, ZT_ERR_FORMAT, "%s:132: DDS of dimension code %u (expected %d for 2D)",
                       name, dimension, DIMENSION_2D);
    const uint32_t depth = u32_at(bytes, 24);
    if ((u32_at(bytes, 8) & FLAGS_DEPTH) && depth > 1)
        return zt_fail(err, ZT_ERR_FORMAT, "%s:24: 2D DDS with a depth of %u", name, depth);
    if (elements == 0)
        return zt_fail(err, ZT_ERR_FORMAT, "%s:140: DDS array of 0 elements", name);
    h->is_cube = (u32_at(bytes, 136) & MISC_CUBE) != 0;
    h->slice_count = (uint64_t)elements * (h->is_cube ? FACE_COUNT : 1);
    return ZT_OK;
}

static zt_result header_read(const char *name, file_bytes bytes, dds_header *h, zt_error *err)
{
    *h = (dds_header){0};
    if (bytes.size < 4 || memcmp(bytes.data, "DDS ", 4) != 0)
        return zt_fail(err, ZT_ERR_FORMAT, "%s:0: not a DDS (no 'DDS ' magic)", name);
    if (bytes.size < HEADER_BYTES)
        return zt_fail(err, ZT_ERR_FORMAT, "%s:%zu: DDS ends in its header (of %d bytes)", name,
                       bytes.size, HEADER_BYTES);
    if (u32_at(bytes, 4) != HEADER_BYTES - 4)
        return zt_fail(err, ZT_ERR_FORMAT, "%s:4: DDS header of %u bytes (expected %d)", name,
                       u32_at(bytes, 4), HEADER_BYTES - 4);
    h->height = u32_at(bytes, 12);
    h->width = u32_at(bytes, 16);
    h->level_count = u32_at(bytes, 28) ? u32_at(bytes, 28) : 1;
    ZT_TRY(check_size(name, h, err));

    texel_format_fields fields = {
        .flags = u32_at(bytes, 80), .fourcc = u32_at(bytes, 84), .bits = u32_at(bytes, 88)};
    for (size_t c = 0; c < 4; c++)
        fields.mask[c] = u32_at(bytes, 92 + 4 * c);
    fields.has_dxgi = (fields.flags & DDS_FOURCC_FLAG) && fields.fourcc == DDS_FOURCC_DX10;
    h->data = HEADER_BYTES + (fields.has_dxgi ? (size_t)DX10_BYTES : 0);
    if (bytes.size < h->data)
        return zt_fail(err, ZT_ERR_FORMAT, "%s:%zu: DDS ends in its DX10 header (%zu bytes)", name,
                       bytes.size, h->data);
    if (fields.has_dxgi) {
        fields.dxgi = u32_at(bytes, 128);
        fields.alpha_mode = u32_at(bytes, 144) & MISC2_ALPHA_MODE;
        ZT_TRY(read_dx10_dimensions(name, bytes, h, err));
    } else {
        ZT_TRY(read_legacy_dimensions(name, bytes, h, err));
    }
    if (h->is_cube && h->width != h->height)
        return zt_fail(err, ZT_ERR_FORMAT, "%s:12: DDS cube map of %u x %u pixels (not square)",
                       name, h->width, h->height);
    return texel_format_find(name, &fields, &h->format, err);
}

/// All slices must be in the file, even those that are not read. Their product may overflow (slices
/// of up to 2^33 bytes, up to 6 x 2^32 of them), so the sizes are compared by a division.
static zt_result check_data(const char *name, file_bytes bytes, const dds_header *h, zt_error *err)
{
    uint64_t slice = 0;
    for (uint32_t level = 0; level < h->level_count; level++)
        slice += texel_format_level_bytes(&h->format, h->width, h->height, level);
    const uint64_t have = bytes.size - h->data;
    if (have / slice >= h->slice_count)
        return ZT_OK;
    if (h->slice_count > UINT32_MAX)
        return zt_fail(err, ZT_ERR_FORMAT, "%s:140: DDS array too large for its file of %zu bytes",
                       name, bytes.size);
    return zt_fail(err, ZT_ERR_FORMAT,
                   "%s:%zu: DDS data ends early (its %u x %u pixels, %u levels and %llu slices end "
                   "at byte %llu)",
                   name, bytes.size, h->width, h->height, h->level_count,
                   (unsigned long long)h->slice_count,
                   (unsigned long long)(h->data + slice * h->slice_count));
}

zt_result dds_decode(arena *a, const char *name, file_bytes bytes, picture *out, zt_error *err)
{
    *out = (picture){0};
    dds_header h;
    ZT_TRY(header_read(name, bytes, &h, err));
    ZT_TRY(check_data(name, bytes, &h, err));
    const bool wide = texel_format_is_wide(&h.format);
    picture p = {.width = (int32_t)h.width,
                 .height = (int32_t)h.height,
                 .level_count = (int32_t)h.level_count,
                 .format = wide ? PICTURE_RGBA16 : PICTURE_RGBA8,
                 .two_channel = h.format.two_channel,
                 .srgb_declared = h.format.srgb};
    ZT_TRY(
        picture_note_first(a, &p, h.slice_count, h.is_cube ? "cube faces" : "array slices", err));
    const uint8_t *data = bytes.data + h.data;
    for (uint32_t level = 0; level < h.level_count; level++) {
        const texel_level source = {data, picture_level_side(h.width, level),
                                    picture_level_side(h.height, level)};
        void *pixels = arena_alloc_raw(a, (size_t)source.width * source.height, wide ? 8 : 4);
        if (!pixels)
            return arena_fail(a, err, "the pixels of a DDS");
        bool transparent;
        ZT_TRY(texel_level_decode(&h.format, &source, a->budget, pixels, &transparent, err));
        p.has_alpha |= transparent;
        p.level[level] = pixels;
        data += texel_format_level_bytes(&h.format, h.width, h.height, level);
    }
    *out = p;
    return ZT_OK;
}
