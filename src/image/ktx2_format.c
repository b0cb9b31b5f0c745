// SPDX-License-Identifier: MIT
/// Texel formats of KTX2 files: numbers of VkFormat (Vulkan specification, "Formats"), and the two
/// formats of Basis Universal, which have no number and are told by the data format descriptor.
#include "image/ktx2_file.h"
#include "image/uastc.h"

#include <string.h>

#define SUPPORTED                                                                                  \
    "supported: ETC1S, UASTC, BC1-BC5, BC7, 8 and 16 bits a channel of R, RG, RGB, RGBA"

enum { AT_FORMAT = 12, AT_SCHEME = 44, VK_UNDEFINED = 0, VK_BC1_RGB = 131, VK_BC1_RGB_SRGB = 132 };

/// What has the same texels under a number of DXGI.
static const struct {
    uint16_t vk, dxgi;
} numbers[] = {
    {9,   61}, // R8_UNORM
    {10,  63},
    {15,  61}, // R8_SRGB
    {16,  49}, // R8G8_UNORM
    {17,  51},
    {22,  49}, // R8G8_SRGB
    {37,  28}, // R8G8B8A8_UNORM
    {38,  31},
    {43,  29}, // R8G8B8A8_SRGB
    {44,  87}, // B8G8R8A8_UNORM
    {50,  91}, // B8G8R8A8_SRGB
    {64,  24}, // A2B10G10R10_UNORM
    {70,  56}, // R16_UNORM
    {71,  58},
    {77,  35}, // R16G16_UNORM
    {78,  37},
    {91,  11}, // R16G16B16A16_UNORM
    {92,  13},
    {131, 71}, // BC1_RGB_UNORM
    {132, 72},
    {133, 71}, // BC1_RGBA_UNORM
    {134, 72},
    {135, 74}, // BC2_UNORM
    {136, 75},
    {137, 77}, // BC3_UNORM
    {138, 78},
    {139, 80}, // BC4_UNORM
    {140, 81},
    {141, 83}, // BC5_UNORM
    {142, 84},
    {145, 98}, // BC7_UNORM
    {146, 99},
};

/// Three channels without a fourth, which DXGI does not have.
static const struct {
    uint16_t vk;
    uint8_t bits;
    bool blue_first, is_signed;
} triples[] = {
    {23, 8,  false, false}, // R8G8B8_UNORM
    {24, 8,  false, true },
    {29, 8,  false, false}, // R8G8B8_SRGB
    {30, 8,  true,  false}, // B8G8R8_UNORM
    {31, 8,  true,  true },
    {36, 8,  true,  false}, // B8G8R8_SRGB
    {84, 16, false, false}, // R16G16B16_UNORM
    {85, 16, false, true },
};

/// Names of what people do meet and what is not decoded: ranges of numbers.
static const struct {
    uint32_t first, last;
    const char *name;
} foreign[] = {
    {100,        116,        "a 32-bit format"          },
    {124,        130,        "a depth or stencil format"},
    {143,        144,        "BC6H"                     },
    {147,        156,        "ETC2 or EAC"              },
    {157,        184,        "ASTC"                     },
    {1000054000, 1000054007, "PVRTC"                    },
    {1000066000, 1000066013, "ASTC HDR"                 },
    {1000288000, 1000288029, "ASTC of three dimensions" },
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
        f->format = (dds_format){.unit_size = 3 * bits / 8, .is_signed = triples[i].is_signed};
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
            const dds_format_fields fields = {.has_dxgi = true, .dxgi = numbers[i].dxgi};
            ZT_TRY(dds_format_find(f->name, &fields, &f->format, err));
            if (f->vk_format == VK_BC1_RGB || f->vk_format == VK_BC1_RGB_SRGB)
                f->format.may_have_alpha = false;
            return ZT_OK;
        }
    return fail_format(f, err);
}

/// Which channels a UASTC block holds follows from its one sample.
static zt_result find_uastc(ktx2_file *f, zt_error *err)
{
    const uint8_t channel = f->channel[0];
    f->format = (dds_format){.block = f->srgb ? uastc_srgb_decode : uastc_decode,
                             .unit_size = UASTC_BYTES,
                             .may_have_alpha = channel == KTX2_UASTC_RGBA,
                             .two_channel = channel == KTX2_UASTC_RRRG || channel == KTX2_UASTC_RG};
    if (channel == KTX2_UASTC_RRR)
        memcpy(f->swizzle, "rrr1", 4);
    else if (channel == KTX2_UASTC_RG)
        memcpy(f->swizzle, "rg11", 4);
    else if (channel == KTX2_UASTC_RRRG) {
        memcpy(f->swizzle, "ra11", 4);
        f->format.may_have_alpha = true; // until the second channel is taken from there
    } else if (channel != KTX2_UASTC_RGB && channel != KTX2_UASTC_RGBA)
        return zt_fail(err, ZT_ERR_FORMAT, "%s:%zu: channel %u of UASTC does not exist", f->name,
                       f->descriptor + 31, channel);
    return ZT_OK;
}

zt_result ktx2_find_format(ktx2_file *f, zt_error *err)
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
        ZT_TRY(find_uastc(f, err));
    else if (f->vk_format == VK_UNDEFINED)
        return zt_fail(err, ZT_ERR_FORMAT, "%s:%zu: unsupported KTX2 colour model %u (%s)", f->name,
                       f->descriptor + 12, f->model, SUPPORTED);
    else
        ZT_TRY(find_number(f, err));
    f->format.premultiplied = f->premultiplied;
    f->format.srgb = f->srgb;
    return ZT_OK;
}
