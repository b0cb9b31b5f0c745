// SPDX-License-Identifier: MIT
/// Headers of KTX2 files: sizes, level index, data format descriptor, keys and values, and the
/// texel format that they give. Every range is checked against the file before it is used.
/// References: Khronos, "KTX File Format Specification" 2.0; Vulkan specification, "Formats".
#include "texture/ktx2_file.h"

#include "image/picture.h"
#include "texture/bc_block.h"

#include <string.h>

enum {
    AT_FORMAT = 12,
    AT_WIDTH = 20,
    AT_HEIGHT = 24,
    AT_DEPTH = 28,
    AT_LAYERS = 32,
    AT_FACES = 36,
    AT_LEVELS = 40,
    AT_SCHEME = 44,
    AT_DESCRIPTOR = 48,
    AT_KEYS = 56,
    AT_GLOBAL = 64,
    AT_INDEX = 80,
    INDEX_BYTES = 24,
    FACE_COUNT = 6,
    // Within the descriptor, whose first four bytes are its length.
    DESCRIPTOR_MODEL = 12,
    DESCRIPTOR_TRANSFER = 14,
    DESCRIPTOR_FLAGS = 15,
    DESCRIPTOR_SAMPLES = 28,
    SAMPLE_BYTES = 16,
    SAMPLE_CHANNEL = 3,
    TRANSFER_SRGB = 2,
    FLAG_PREMULTIPLIED = 1,
    CHANNEL_MASK = 15,
};

// ---- Texel formats ------------------------------------------------------------------------------

#define SUPPORTED                                                                                  \
    "supported: ETC1S, UASTC, BC1-BC5, BC7, 8 and 16 bits a channel of R, RG, RGB, RGBA"

enum { VK_UNDEFINED = 0, VK_BC1_RGB = 131, VK_BC1_RGB_SRGB = 132 };

/// VkFormat numbers whose texels have a DXGI number too.
static const struct {
    uint16_t vk, dxgi;
} numbers[] = {
    {9, 61},              // R8_UNORM
    {10, 63},  {15, 61},  // R8_SRGB
    {16, 49},             // R8G8_UNORM
    {17, 51},  {22, 49},  // R8G8_SRGB
    {37, 28},             // R8G8B8A8_UNORM
    {38, 31},  {43, 29},  // R8G8B8A8_SRGB
    {44, 87},             // B8G8R8A8_UNORM
    {50, 91},             // B8G8R8A8_SRGB
    {64, 24},             // A2B10G10R10_UNORM
    {70, 56},             // R16_UNORM
    {71, 58},  {77, 35},  // R16G16_UNORM
    {78, 37},  {91, 11},  // R16G16B16A16_UNORM
    {92, 13},  {131, 71}, // BC1_RGB_UNORM
    {132, 72}, {133, 71}, // BC1_RGBA_UNORM
    {134, 72}, {135, 74}, // BC2_UNORM
    {136, 75}, {137, 77}, // BC3_UNORM
    {138, 78}, {139, 80}, // BC4_UNORM
    {140, 81}, {141, 83}, // BC5_UNORM
    {142, 84}, {145, 98}, // BC7_UNORM
    {146, 99},
};

/// Formats of three channels without padding, which DXGI does not have.
static const struct {
    uint16_t vk;
    uint8_t bits;
    bool blue_first, is_signed;
} triples[] = {
    {23, 8, false, false},                         // R8G8B8_UNORM
    {24, 8, false, true},   {29, 8, false, false}, // R8G8B8_SRGB
    {30, 8, true, false},                          // B8G8R8_UNORM
    {31, 8, true, true},    {36, 8, true, false},  // B8G8R8_SRGB
    {84, 16, false, false},                        // R16G16B16_UNORM
    {85, 16, false, true},
};

/// Names of formats that are not decoded, for messages: ranges of VkFormat numbers.
static const struct {
    uint32_t first, last;
    const char *name;
} foreign[] = {
    {100, 116, "a 32-bit format"},
    {124, 130, "a depth or stencil format"},
    {143, 144, "BC6H"},
    {147, 156, "ETC2 or EAC"},
    {157, 184, "ASTC"},
    {1000054000, 1000054007, "PVRTC"},
    {1000066000, 1000066013, "ASTC HDR"},
    {1000288000, 1000288029, "ASTC of three dimensions"},
};

#define COUNT(array) (sizeof(array) / sizeof *(array))

static zt_result fail_format(const ktx2_file *f, zt_error *err)
{
    for (size_t i = 0; i < COUNT(foreign); i++)
        if (f->vk_format >= foreign[i].first && f->vk_format <= foreign[i].last)
            return zt_fail(err, ZT_ERR_FORMAT, "%s:%d: unsupported KTX2 format %u, %s (%s)",
                           f->name, AT_FORMAT, f->vk_format, foreign[i].name, SUPPORTED);
    return zt_fail(err, ZT_ERR_FORMAT, "%s:%d: unsupported KTX2 format %u (%s)", f->name, AT_FORMAT,
                   f->vk_format, SUPPORTED);
}

static bool find_triple(ktx2_file *f)
{
    for (size_t i = 0; i < COUNT(triples); i++) {
        if (triples[i].vk != f->vk_format)
            continue;
        const uint32_t bits = triples[i].bits;
        const uint64_t ones = (UINT64_C(1) << bits) - 1;
        f->format = (texel_format){.unit_size = 3 * bits / 8, .is_signed = triples[i].is_signed};
        for (uint32_t c = 0; c < 3; c++)
            f->format.mask[triples[i].blue_first ? 2 - c : c] = ones << (c * bits);
        return true;
    }
    return false;
}

static zt_result find_number(ktx2_file *f, zt_error *err)
{
    if (find_triple(f))
        return ZT_OK;
    for (size_t i = 0; i < COUNT(numbers); i++)
        if (numbers[i].vk == f->vk_format) {
            const texel_format_fields fields = {.has_dxgi = true, .dxgi = numbers[i].dxgi};
            ZT_TRY(texel_format_find(f->name, &fields, &f->format, err));
            if (f->vk_format == VK_BC1_RGB || f->vk_format == VK_BC1_RGB_SRGB)
                f->format.may_have_alpha = false;
            return ZT_OK;
        }
    return fail_format(f, err);
}

/// The only sample of the descriptor says which channels a UASTC block has.
static zt_result uastc_format(ktx2_file *f, zt_error *err)
{
    const uint8_t channel = f->channel[0];
    f->format =
        (texel_format){.block = f->srgb ? uastc_srgb_decode : uastc_decode,
                       .unit_size = UASTC_BYTES,
                       .may_have_alpha = channel == KTX2_UASTC_RGBA,
                       .two_channel = channel == KTX2_UASTC_RRRG || channel == KTX2_UASTC_RG};
    if (channel == KTX2_UASTC_RRR)
        memcpy(f->swizzle, "rrr1", 4);
    else if (channel == KTX2_UASTC_RG)
        memcpy(f->swizzle, "rg11", 4);
    else if (channel == KTX2_UASTC_RRRG) {
        memcpy(f->swizzle, "ra11", 4);
        f->format.may_have_alpha = true; // the second channel is stored as alpha
    } else if (channel != KTX2_UASTC_RGB && channel != KTX2_UASTC_RGBA)
        return zt_fail(err, ZT_ERR_FORMAT, "%s:%zu: channel %u of UASTC does not exist", f->name,
                       f->descriptor + 31, channel);
    return ZT_OK;
}

static zt_result read_format(ktx2_file *f, zt_error *err)
{
    const bool is_etc1s = f->model == KTX2_MODEL_ETC1S && f->vk_format == VK_UNDEFINED;
    if (is_etc1s != (f->scheme == KTX2_BASIS_LZ))
        return zt_fail(err, ZT_ERR_FORMAT,
                       "%s:%d: supercompression scheme %u with colour model %u (BasisLZ, %d, and "
                       "ETC1S, %d, go together)",
                       f->name, AT_SCHEME, f->scheme, f->model, KTX2_BASIS_LZ, KTX2_MODEL_ETC1S);
    if (f->vk_format == VK_UNDEFINED && f->channel_count == 0)
        return zt_fail(err, ZT_ERR_FORMAT, "%s:%zu: the data format descriptor has no samples",
                       f->name, f->descriptor);
    if (is_etc1s) {
        f->format.two_channel = f->channel_count > 1 && f->channel[1] == KTX2_ETC1S_GGG;
        return ZT_OK;
    }
    if (f->vk_format == VK_UNDEFINED && f->model == KTX2_MODEL_UASTC)
        ZT_TRY(uastc_format(f, err));
    else if (f->vk_format == VK_UNDEFINED)
        return zt_fail(err, ZT_ERR_FORMAT, "%s:%zu: unsupported KTX2 colour model %u (%s)", f->name,
                       f->descriptor + 12, f->model, SUPPORTED);
    else
        ZT_TRY(find_number(f, err));
    f->format.premultiplied = f->premultiplied;
    f->format.srgb = f->srgb;
    return ZT_OK;
}

// ---- Headers ------------------------------------------------------------------------------------

static const uint8_t identifier[12] = {0xab, 'K',  'T',  'X',  ' ',  '2',
                                       '0',  0xbb, '\r', '\n', 0x1a, '\n'};

static uint64_t u64_at(file_bytes bytes, size_t at) { return bytes_load_le(bytes.data + at, 8); }

static zt_result check_size(const ktx2_file *f, zt_error *err)
{
    if (f->width == 0 || f->height == 0)
        return zt_fail(err, ZT_ERR_FORMAT, "%s:%d: %s", f->name, f->width ? AT_HEIGHT : AT_WIDTH,
                       f->width ? "unsupported KTX2: a 1D texture (expected a 2D one)"
                                : "KTX2 of 0 pixels");
    ZT_TRY(picture_check_side(f->name, AT_WIDTH, "KTX2", f->width, f->height, err));
    const uint32_t max_count = picture_max_levels(f->width, f->height);
    if (f->level_count > max_count)
        return zt_fail(err, ZT_ERR_FORMAT,
                       "%s:%d: KTX2 of %u x %u pixels with %u mip levels (at most %u)", f->name,
                       AT_LEVELS, f->width, f->height, f->level_count, max_count);
    return ZT_OK;
}

/// Arrays and cube maps are read for their first image; volumes are not.
static zt_result read_dimensions(ktx2_file *f, zt_error *err)
{
    const uint32_t depth = ktx2_u32(f->bytes, AT_DEPTH), layers = ktx2_u32(f->bytes, AT_LAYERS);
    const uint32_t faces = ktx2_u32(f->bytes, AT_FACES);
    if (depth != 0)
        return zt_fail(err, ZT_ERR_FORMAT,
                       "%s:%d: unsupported KTX2: a volume texture (expected a 2D one)", f->name,
                       AT_DEPTH);
    if (faces != 1 && faces != FACE_COUNT)
        return zt_fail(err, ZT_ERR_FORMAT, "%s:%d: KTX2 of %u faces (expected 1 or 6)", f->name,
                       AT_FACES, faces);
    f->is_cube = faces == FACE_COUNT;
    if (f->is_cube && f->width != f->height)
        return zt_fail(err, ZT_ERR_FORMAT, "%s:%d: KTX2 cube map of %u x %u pixels (not square)",
                       f->name, AT_WIDTH, f->width, f->height);
    f->image_count = (uint64_t)(layers ? layers : 1) * faces;
    return ZT_OK;
}

/// True when [offset, offset + size) lies in the file.
static bool holds(file_bytes bytes, uint64_t offset, uint64_t size)
{
    return offset <= bytes.size && size <= bytes.size - offset;
}

static zt_result read_index(ktx2_file *f, zt_error *err)
{
    if (!holds(f->bytes, AT_INDEX, (uint64_t)INDEX_BYTES * f->level_count))
        return zt_fail(err, ZT_ERR_FORMAT, "%s:%zu: KTX2 ends in its level index", f->name,
                       f->bytes.size);
    for (uint32_t i = 0; i < f->level_count; i++) {
        const size_t at = AT_INDEX + (size_t)INDEX_BYTES * i;
        const uint64_t offset = u64_at(f->bytes, at), size = u64_at(f->bytes, at + 8);
        if (size == 0 || !holds(f->bytes, offset, size))
            return zt_fail(err, ZT_ERR_FORMAT,
                           "%s:%zu: level %u of a KTX2 has %llu bytes from %llu (the file has %zu)",
                           f->name, at, i, (unsigned long long)size, (unsigned long long)offset,
                           f->bytes.size);
        f->level[i] = (ktx2_level){(size_t)offset, (size_t)size, u64_at(f->bytes, at + 16)};
    }
    return ZT_OK;
}

static zt_result read_descriptor(ktx2_file *f, zt_error *err)
{
    const size_t at = ktx2_u32(f->bytes, AT_DESCRIPTOR);
    const size_t size = ktx2_u32(f->bytes, AT_DESCRIPTOR + 4);
    if (size < DESCRIPTOR_SAMPLES || !holds(f->bytes, at, size))
        return zt_fail(err, ZT_ERR_FORMAT,
                       "%s:%d: data format descriptor of %zu bytes from %zu (expected %d or more "
                       "within %zu)",
                       f->name, AT_DESCRIPTOR, size, at, DESCRIPTOR_SAMPLES, f->bytes.size);
    const uint8_t *d = f->bytes.data + at;
    f->descriptor = at;
    f->model = d[DESCRIPTOR_MODEL];
    f->srgb = d[DESCRIPTOR_TRANSFER] == TRANSFER_SRGB;
    f->premultiplied = (d[DESCRIPTOR_FLAGS] & FLAG_PREMULTIPLIED) != 0;
    f->channel_count = (uint32_t)((size - DESCRIPTOR_SAMPLES) / SAMPLE_BYTES);
    for (uint32_t i = 0; i < f->channel_count && i < 4; i++)
        f->channel[i] = d[DESCRIPTOR_SAMPLES + SAMPLE_BYTES * i + SAMPLE_CHANNEL] & CHANNEL_MASK;
    return ZT_OK;
}

/// Reads KTXswizzle and KTXorientation; other keys do not affect the pixels.
static zt_result read_value(ktx2_file *f, size_t at, const char *text, size_t size, zt_error *err)
{
    const char *end = memchr(text, 0, size);
    if (!end)
        return zt_fail(err, ZT_ERR_FORMAT, "%s:%zu: a key that does not end", f->name, at);
    const char *value = end + 1;
    const size_t length = size - (size_t)(value - text);
    if (strcmp(text, "KTXswizzle") == 0) {
        for (size_t i = 0; i < 4; i++) {
            if (i >= length || !memchr("rgba01", value[i], 6))
                return zt_fail(err, ZT_ERR_FORMAT,
                               "%s:%zu: KTXswizzle is not four of r, g, b, a, 0 and 1", f->name,
                               at);
            f->swizzle[i] = value[i];
        }
    } else if (strcmp(text, "KTXorientation") == 0) {
        if (length < 2 || !memchr("rl", value[0], 2) || !memchr("du", value[1], 2))
            return zt_fail(err, ZT_ERR_FORMAT, "%s:%zu: KTXorientation is not rd or ru", f->name,
                           at);
        if (value[0] == 'l')
            return zt_fail(err, ZT_ERR_FORMAT, "%s:%zu: unsupported KTX2: rows from right to left",
                           f->name, at);
        f->bottom_up = value[1] == 'u';
    }
    return ZT_OK;
}

static zt_result read_keys(ktx2_file *f, zt_error *err)
{
    size_t at = ktx2_u32(f->bytes, AT_KEYS), left = ktx2_u32(f->bytes, AT_KEYS + 4);
    if (!holds(f->bytes, at, left))
        return zt_fail(err, ZT_ERR_FORMAT, "%s:%d: keys of %zu bytes from %zu (the file has %zu)",
                       f->name, AT_KEYS, left, at, f->bytes.size);
    while (left >= 4) {
        const size_t size = ktx2_u32(f->bytes, at);
        if (size > left - 4)
            return zt_fail(err, ZT_ERR_FORMAT, "%s:%zu: a key of %zu bytes where %zu are left",
                           f->name, at, size, left - 4);
        if (size > 0)
            ZT_TRY(read_value(f, at, (const char *)f->bytes.data + at + 4, size, err));
        const size_t padded = (size + 4 + 3) & ~(size_t)3;
        at += padded;
        left -= padded < left ? padded : left;
    }
    return ZT_OK;
}

static zt_result read_global(ktx2_file *f, zt_error *err)
{
    const uint64_t at = u64_at(f->bytes, AT_GLOBAL), size = u64_at(f->bytes, AT_GLOBAL + 8);
    if (!holds(f->bytes, at, size))
        return zt_fail(err, ZT_ERR_FORMAT,
                       "%s:%d: global data of %llu bytes from %llu (the file has %zu)", f->name,
                       AT_GLOBAL, (unsigned long long)size, (unsigned long long)at, f->bytes.size);
    f->global = (size_t)at;
    f->global_size = (size_t)size;
    return ZT_OK;
}

/// The level index must agree with the format; compared by division, as products overflow.
static zt_result check_levels(const ktx2_file *f, zt_error *err)
{
    if (f->scheme == KTX2_BASIS_LZ)
        return ZT_OK;
    for (uint32_t i = 0; i < f->level_count; i++) {
        const uint64_t image = texel_format_level_bytes(&f->format, f->width, f->height, i);
        const uint64_t have = f->scheme == KTX2_PLAIN ? f->level[i].size : f->level[i].full_size;
        if (have % image != 0 || have / image != f->image_count)
            return zt_fail(err, ZT_ERR_FORMAT,
                           "%s:%d: level %u of a KTX2 of %u x %u pixels has %llu bytes (expected "
                           "%llu of %llu)",
                           f->name, AT_INDEX + INDEX_BYTES * (int)i, i, f->width, f->height,
                           (unsigned long long)have, (unsigned long long)f->image_count,
                           (unsigned long long)image);
    }
    return ZT_OK;
}

zt_result ktx2_open(const char *name, file_bytes bytes, ktx2_file *f, zt_error *err)
{
    *f = (ktx2_file){.name = name, .bytes = bytes, .swizzle = {'r', 'g', 'b', 'a'}};
    if (bytes.size < sizeof identifier || memcmp(bytes.data, identifier, sizeof identifier) != 0)
        return zt_fail(err, ZT_ERR_FORMAT, "%s:0: not a KTX2 (no identifier)", name);
    if (bytes.size < AT_INDEX)
        return zt_fail(err, ZT_ERR_FORMAT, "%s:%zu: KTX2 ends in its header (of %d bytes)", name,
                       bytes.size, AT_INDEX);
    f->vk_format = ktx2_u32(bytes, AT_FORMAT);
    f->width = ktx2_u32(bytes, AT_WIDTH);
    f->height = ktx2_u32(bytes, AT_HEIGHT);
    f->level_count = ktx2_u32(bytes, AT_LEVELS) ? ktx2_u32(bytes, AT_LEVELS) : 1;
    f->scheme = ktx2_u32(bytes, AT_SCHEME);
    if (f->scheme > KTX2_ZLIB)
        return zt_fail(err, ZT_ERR_FORMAT,
                       "%s:%d: supercompression scheme %u of a KTX2 (supported: 0 none, 1 BasisLZ, "
                       "2 Zstandard, 3 zlib)",
                       name, AT_SCHEME, f->scheme);
    ZT_TRY(check_size(f, err));
    ZT_TRY(read_dimensions(f, err));
    ZT_TRY(read_index(f, err));
    ZT_TRY(read_descriptor(f, err));
    ZT_TRY(read_keys(f, err));
    ZT_TRY(read_global(f, err));
    ZT_TRY(read_format(f, err));
    return check_levels(f, err);
}
