// SPDX-License-Identifier: MIT
/// DDS: every format by every name, masks, mip chains, lying headers, real files.
#include "picture_fixture.h"
#include "test_memory.h"
#include "texture/texture_codecs.h"

static uint32_t code(const char text[4])
{
    return (uint32_t)text[0] | (uint32_t)text[1] << 8 | (uint32_t)text[2] << 16 |
           (uint32_t)text[3] << 24;
}

static void start_file(picture_case *f, uint32_t width, uint32_t height, uint32_t levels)
{
    memset(f->file, 0, sizeof f->file);
    memcpy(f->file, "DDS ", 4);
    picture_put_u32(f, 4, 124);
    picture_put_u32(f, 8, 0x1007);
    picture_put_u32(f, 12, height);
    picture_put_u32(f, 16, width);
    picture_put_u32(f, 28, levels);
    picture_put_u32(f, 76, 32);
    picture_put_u32(f, 108, 0x1000);
    f->size = 128;
}

/// Declares the case `f`, whose file begins.
#define DDS_CASE(f, width, height, levels)                                                         \
    PICTURE_CASE(f, (uint64_t)64 << 20);                                                           \
    start_file(&f, (width), (height), (levels))

static void set_fourcc(picture_case *f, const char text[4])
{
    picture_put_u32(f, 80, 4);
    picture_put_u32(f, 84, code(text));
}

static void set_dxgi(picture_case *f, uint32_t number)
{
    set_fourcc(f, "DX10");
    picture_put_u32(f, 128, number);
    picture_put_u32(f, 132, 3); // 2D
    picture_put_u32(f, 140, 1);
    f->size = 148;
}

static void set_masks(picture_case *f, uint32_t flags, uint32_t bits, const uint32_t masks[4])
{
    picture_put_u32(f, 80, flags);
    picture_put_u32(f, 88, bits);
    for (size_t c = 0; c < 4; c++)
        picture_put_u32(f, 92 + 4 * c, masks[c]);
}

static zt_result decode(picture_case *f)
{
    OWN_BLOCK uint8_t *exact = picture_exact_copy(f->file, f->size);
    return dds_decode(&f->a, "x.dds", (file_bytes){exact, f->size}, &f->out, &f->err);
}

static void expect_texel(const picture_case *f, int level, int x, int y, const int want[4])
{
    const int width = f->out.width >> level ? f->out.width >> level : 1;
    for (int c = 0; c < 4; c++) {
        const size_t at = 4 * (size_t)(y * width + x) + (size_t)c;
        const int got = f->out.format == PICTURE_RGBA16
                            ? ((const uint16_t *)f->out.level[level])[at]
                            : ((const uint8_t *)f->out.level[level])[at];
        cr_expect_eq(got, want[c], "level %d at %d,%d channel %d: %d, expected %d", level, x, y, c,
                     got, want[c]);
    }
}

#define EXPECT_TEXEL(f, level, x, y, ...)                                                          \
    expect_texel((f), (level), (x), (y), (const int[4]){__VA_ARGS__})

// ---- Files --------------------------------------------------------------------------------------

Test(dds, block_formats_by_every_name)
{
    static const struct {
        char fourcc[5];
        uint32_t dxgi, size;
        bool two_channel, srgb;
    } formats[] = {
        {"DXT1", 0, 8, false, false},  {"DXT2", 0, 16, false, false}, {"DXT3", 0, 16, false, false},
        {"DXT4", 0, 16, false, false}, {"DXT5", 0, 16, false, false}, {"ATI1", 0, 8, false, false},
        {"BC4U", 0, 8, false, false},  {"BC4S", 0, 8, false, false},  {"ATI2", 0, 16, true, false},
        {"BC5U", 0, 16, true, false},  {"BC5S", 0, 16, true, false},  {"", 71, 8, false, false},
        {"", 72, 8, false, true},      {"", 74, 16, false, false},    {"", 75, 16, false, true},
        {"", 77, 16, false, false},    {"", 78, 16, false, true},     {"", 80, 8, false, false},
        {"", 81, 8, false, false},     {"", 83, 16, true, false},     {"", 84, 16, true, false},
        {"", 98, 16, false, false},    {"", 99, 16, false, true},
    };
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        for (uint32_t side = 1; side <= 9; side++) { // also sizes that are no multiple of 4
            DDS_CASE(f, side, 5, 1);
            if (formats[i].dxgi)
                set_dxgi(&f, formats[i].dxgi);
            else
                set_fourcc(&f, formats[i].fourcc);
            const size_t data = (size_t)(side + 3) / 4 * 2 * formats[i].size;
            memset(f.file + f.size, 0x40, data);
            f.size += data;
            cr_assert_eq(decode(&f), ZT_OK, "%s %u: %s", formats[i].fourcc, formats[i].dxgi,
                         f.err.message);
            cr_expect(f.out.width == (int)side && f.out.height == 5 && f.out.level_count == 1);
            cr_expect_eq(f.out.two_channel, formats[i].two_channel);
            cr_expect_eq(f.out.srgb_declared, formats[i].srgb);
            f.size--;
            cr_expect_eq(decode(&f), ZT_ERR_FORMAT, "one byte short");
        }
}

Test(dds, masks_of_every_layout)
{
    static const struct {
        uint32_t flags, bits, mask[4], pixel;
        int want[4];
    } cases[] = {
        {0x41, 32, {0xff0000, 0xff00, 0xff, 0xff000000}, 0x40102030, {16, 32, 48, 64}}, // BGRA
        {0x40, 32, {0xff0000, 0xff00, 0xff, 0}, 0x40102030, {16, 32, 48, 255}},         // BGRX
        {0x41, 32, {0xff, 0xff00, 0xff0000, 0xff000000}, 0x40302010, {16, 32, 48, 64}}, // RGBA
        {0x40, 24, {0xff0000, 0xff00, 0xff, 0}, 0x102030, {16, 32, 48, 255}},           // BGR
        {0x40, 24, {0xff, 0xff00, 0xff0000, 0}, 0x302010, {16, 32, 48, 255}},           // RGB
        {0x40, 16, {0xf800, 0x7e0, 0x1f, 0}, 31 << 11 | 21 << 5 | 15, {255, 85, 123, 255}},
        {0x41, 16, {0x7c00, 0x3e0, 0x1f, 0x8000}, 0x8000 | 31 << 10 | 1, {255, 0, 8, 255}},
        {0x41, 16, {0x7c00, 0x3e0, 0x1f, 0x8000}, 1 << 5, {0, 8, 0, 0}},
        {0x41, 16, {0xf00, 0xf0, 0xf, 0xf000}, 0x4123, {17, 34, 51, 68}},
        {0x40, 8, {0xe0, 0x1c, 0x3, 0}, 0xff, {255, 255, 255, 255}},      // 332
        {0x20000, 8, {0xff, 0, 0, 0}, 0x7b, {123, 123, 123, 255}},        // L8
        {0x20001, 16, {0xff, 0, 0, 0xff00}, 0x407b, {123, 123, 123, 64}}, // A8L8
        {0x20001, 8, {0xf, 0, 0, 0xf0}, 0x4f, {255, 255, 255, 68}},       // A4L4
        {0x2, 8, {0, 0, 0, 0xff}, 0x7b, {0, 0, 0, 123}},                  // A8
        {0x40, 16, {0xff, 0xff00, 0, 0}, 0x2010, {16, 32, 255, 255}},     // RG
        {0x80000, 16, {0xff, 0xff00, 0, 0}, 0x7f81, {0, 255, 255, 255}},  // V8U8
        {0x80000, 32, {0xff, 0xff00, 0xff0000, 0xff000000}, 0x7f008180, {0, 0, 128, 255}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        DDS_CASE(f, 3, 1, 0);
        set_masks(&f, cases[i].flags, cases[i].bits, cases[i].mask);
        for (size_t x = 0; x < 3; x++)
            for (size_t b = 0; b < cases[i].bits / 8; b++)
                picture_put(&f, &(uint8_t){(uint8_t)(cases[i].pixel >> (8 * b))}, 1);
        cr_assert_eq(decode(&f), ZT_OK, "case %zu: %s", i, f.err.message);
        cr_expect_eq(f.out.format, PICTURE_RGBA8);
        for (int x = 0; x < 3; x++)
            expect_texel(&f, 0, x, 0, cases[i].want);
        cr_expect_eq(f.out.has_alpha, cases[i].want[3] != 255, "case %zu", i);
    }
}

Test(dds, masks_wider_than_eight_bits)
{
    static const uint32_t masks[4] = {0x3ff00000, 0xffc00, 0x3ff, 0xc0000000};
    DDS_CASE(f, 1, 1, 1);
    set_masks(&f, 0x41, 32, masks);
    picture_put(&f, (uint8_t[]){0xff, 0x03, 0xf0, 0x7f}, 4); // a 1, r 0x3ff, g 0, b 0x3ff
    cr_assert_eq(decode(&f), ZT_OK);
    cr_expect_eq(f.out.format, PICTURE_RGBA16);
    EXPECT_TEXEL(&f, 0, 0, 0, 65535, 0, 65535, 21845);
}

Test(dds, dxgi_pixels)
{
    static const struct {
        uint32_t number, size;
        uint8_t pixel[8];
        int want[4];
        bool two_channel, srgb;
    } cases[] = {
        {11, 8, {1, 2, 3, 4, 5, 6, 255, 255}, {513, 1027, 1541, 65535}, false, false},
        {13, 8, {0, 0, 0, 128, 255, 127, 255, 127}, {32768, 0, 65535, 65535}, false, false},
        {24, 4, {0xff, 3, 0, 0xc0}, {65535, 0, 0, 65535}, false, false},
        {28, 4, {1, 2, 3, 4}, {1, 2, 3, 4}, false, false},
        {29, 4, {1, 2, 3, 4}, {1, 2, 3, 4}, false, true},
        {31, 4, {0x81, 0, 0x7f, 0x7f}, {0, 128, 255, 255}, false, false},
        {35, 4, {1, 2, 3, 4}, {513, 1027, 65535, 65535}, true, false},
        {49, 2, {7, 9}, {7, 9, 255, 255}, true, false},
        {51, 2, {0x80, 0x7f}, {0, 255, 255, 255}, true, false},
        {56, 2, {1, 2}, {513, 513, 513, 65535}, false, false},
        {61, 1, {99}, {99, 99, 99, 255}, false, false},
        {63, 1, {0x7f}, {255, 255, 255, 255}, false, false},
        {65, 1, {99}, {0, 0, 0, 99}, false, false},
        {85, 2, {0x1f, 0xf8}, {255, 0, 255, 255}, false, false},
        {86, 2, {0x1f, 0x7c}, {255, 0, 255, 0}, false, false},
        {87, 4, {1, 2, 3, 4}, {3, 2, 1, 4}, false, false},
        {88, 4, {1, 2, 3, 4}, {3, 2, 1, 255}, false, false},
        {91, 4, {1, 2, 3, 4}, {3, 2, 1, 4}, false, true},
        {93, 4, {1, 2, 3, 4}, {3, 2, 1, 255}, false, true},
        {115, 2, {0x23, 0x41}, {17, 34, 51, 68}, false, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        DDS_CASE(f, 2, 2, 1);
        set_dxgi(&f, cases[i].number);
        for (int n = 0; n < 4; n++)
            picture_put(&f, cases[i].pixel, cases[i].size);
        cr_assert_eq(decode(&f), ZT_OK, "DXGI %u: %s", cases[i].number, f.err.message);
        expect_texel(&f, 0, 1, 1, cases[i].want);
        cr_expect_eq(f.out.two_channel, cases[i].two_channel, "DXGI %u", cases[i].number);
        cr_expect_eq(f.out.srgb_declared, cases[i].srgb, "DXGI %u", cases[i].number);
        f.size--;
        cr_expect_eq(decode(&f), ZT_ERR_FORMAT);
    }
}

Test(dds, premultiplied_colour_is_divided_again)
{
    DDS_CASE(f, 1, 1, 1);
    set_dxgi(&f, 28);
    picture_put_u32(&f, 144, 2);
    picture_put(&f, (uint8_t[]){50, 100, 120, 100}, 4);
    cr_assert_eq(decode(&f), ZT_OK);
    EXPECT_TEXEL(&f, 0, 0, 0, 128, 255, 255, 100);
    picture_put_u32(&f, 144, 3); // opaque, whatever alpha holds
    cr_assert_eq(decode(&f), ZT_OK);
    EXPECT_TEXEL(&f, 0, 0, 0, 50, 100, 120, 255);
    cr_expect_not(f.out.has_alpha);
    start_file(&f, 4, 4, 1); // DXT2: alpha 8 of 15, white stored half dark
    set_fourcc(&f, "DXT2");
    uint8_t block[16];
    memset(block, 0x88, 8);
    memcpy(block + 8, (uint8_t[]){0x10, 0x84, 0x10, 0x84, 0, 0, 0, 0}, 8); // 16/31, 32/63
    picture_put(&f, block, 16);
    cr_assert_eq(decode(&f), ZT_OK);
    EXPECT_TEXEL(&f, 0, 2, 2, (132 * 255 + 68) / 136, (130 * 255 + 68) / 136,
                 (132 * 255 + 68) / 136, 136);
}

Test(dds, mip_chains_arrays_and_cubes)
{
    DDS_CASE(f, 5, 3, 3); // 5x3, 2x1, 1x1
    static const uint32_t masks[4] = {0xff, 0, 0, 0};
    set_masks(&f, 0x20000, 8, masks);
    for (int i = 0; i < 18; i++)
        picture_put(&f, &(uint8_t){(uint8_t)(10 * i)}, 1);
    MUST(decode(&f), f.err);
    cr_expect_eq(f.out.level_count, 3);
    EXPECT_TEXEL(&f, 0, 4, 2, 140, 140, 140, 255);
    EXPECT_TEXEL(&f, 1, 1, 0, 160, 160, 160, 255);
    EXPECT_TEXEL(&f, 2, 0, 0, 170, 170, 170, 255);
    cr_expect_null(f.out.note);

    start_file(&f, 2, 2, 1);
    set_dxgi(&f, 61);
    picture_put_u32(&f, 140, 3);
    picture_put(&f, "abcdefghijkl", 12);
    cr_assert_eq(decode(&f), ZT_OK);
    EXPECT_TEXEL(&f, 0, 1, 1, 'd', 'd', 'd', 255);
    cr_expect(f.out.note && strstr(f.out.note, "3 array slices"));
    f.size--; // the last slice is not read, but it must be there
    cr_expect_eq(decode(&f), ZT_ERR_FORMAT);
    picture_put_u32(&f, 136, 4);
    picture_put_u32(&f, 140, 1);
    f.size += 13;
    cr_assert_eq(decode(&f), ZT_OK);
    cr_expect(f.out.note && strstr(f.out.note, "6 cube faces"));
}

Test(dds, the_widest_picture)
{
    DDS_CASE(f, 16384, 1, 15);
    set_dxgi(&f, 71);
    uint8_t *whole = calloc(148 + 8 * 8192, 1); // 4096 + 2048 + ... + 1, and 2 more of one block
    memcpy(whole, f.file, 148);
    whole[148 + 8 * 4095 + 1] = 0xf8; // the last block of level 0 is red
    const file_bytes bytes = {whole, 148 + 8 * (8191 + 2)};
    cr_assert_eq(dds_decode(&f.a, "wide.dds", (file_bytes){whole, 148 + 8 * 8191}, &f.out, &f.err),
                 ZT_ERR_FORMAT);
    OWN_BLOCK uint8_t *exact = realloc(whole, bytes.size);
    memset(exact + 148 + 8 * 8191, 0, 16);
    MUST(dds_decode(&f.a, "wide.dds", (file_bytes){exact, bytes.size}, &f.out, &f.err), f.err);
    cr_expect_eq(f.out.level_count, 15);
    EXPECT_TEXEL(&f, 0, 16383, 0, 255, 0, 0, 255);
    EXPECT_TEXEL(&f, 0, 16379, 0, 0, 0, 0, 255);
}

Test(dds, errors_name_the_byte)
{
    static const struct {
        size_t at;
        uint32_t value;
        zt_result result;
        const char *text;
    } cases[] = {
        {0, 0, ZT_ERR_FORMAT, "magic"},
        {4, 123, ZT_ERR_FORMAT, "x.dds:4:"},
        {12, 0, ZT_ERR_FORMAT, "8 x 0"},
        {16, 16385, ZT_ERR_LIMIT, "16384"},
        {16, 0xffffffff, ZT_ERR_LIMIT, "4294967295"},
        {28, 5, ZT_ERR_FORMAT, "at most 4"},
        {28, 0xffffffff, ZT_ERR_FORMAT, "mip levels"},
        {80, 0, ZT_ERR_FORMAT, "unknown"},
        {80, 0x20, ZT_ERR_FORMAT, "palette"},
        {80, 0x200, ZT_ERR_FORMAT, "YUV"},
        {84, 113, ZT_ERR_FORMAT, "FourCC 113"},
        {112, 0x200000, ZT_ERR_FORMAT, "volume"},
        {112, 0x600, ZT_ERR_FORMAT, "six faces"},
        {112, 0xfe00, ZT_ERR_FORMAT, "ends early"},
        {128, 95, ZT_ERR_FORMAT, "BC6H_UF16"},
        {128, 10, ZT_ERR_FORMAT, "R16G16B16A16_FLOAT"},
        {128, 70, ZT_ERR_FORMAT, "TYPELESS"},
        {128, 0, ZT_ERR_FORMAT, "UNKNOWN"},
        {128, 4000, ZT_ERR_FORMAT, "4000"},
        {132, 4, ZT_ERR_FORMAT, "3D"},
        {132, 2, ZT_ERR_FORMAT, "1D"},
        {132, 9, ZT_ERR_FORMAT, "dimension"},
        {140, 0, ZT_ERR_FORMAT, "0 elements"},
        {140, 0xffffffff, ZT_ERR_FORMAT, "ends early"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        DDS_CASE(f, 8, 8, 1);
        if (cases[i].at >= 128)
            set_dxgi(&f, 71);
        else
            set_fourcc(&f, "DXT1");
        f.size += 32;
        MUST(decode(&f), f.err);
        picture_put_u32(&f, cases[i].at, cases[i].value);
        cr_expect_eq(decode(&f), cases[i].result, "%zu = %u", cases[i].at, cases[i].value);
        cr_expect(strstr(f.err.message, cases[i].text) && strstr(f.err.message, "x.dds"), "%s",
                  f.err.message);
        cr_expect_eq(f.out.level_count, 0);
    }
}

Test(dds, masks_that_make_no_sense)
{
    static const struct {
        uint32_t flags, bits, mask[4];
    } cases[] = {
        {0x40, 16, {0xf0f, 0, 0, 0}}, {0x40, 16, {0x10000, 0, 0, 0}}, {0x40, 12, {0xf, 0, 0, 0}},
        {0x40, 0, {0xff, 0, 0, 0}},   {0x40, 32, {0, 0, 0, 0}},       {0x2, 8, {0xff, 0, 0, 0}},
        {0x40, 64, {0xff, 0, 0, 0}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        DDS_CASE(f, 2, 2, 1);
        set_masks(&f, cases[i].flags, cases[i].bits, cases[i].mask);
        f.size += 64;
        cr_expect_eq(decode(&f), ZT_ERR_FORMAT, "case %zu", i);
    }
}

Test(dds, every_truncation_is_an_error)
{
    DDS_CASE(f, 8, 8, 4);
    set_dxgi(&f, 98);
    f.size += 16 * (4 + 1 + 1 + 1);
    const size_t whole = f.size;
    MUST(decode(&f), f.err);
    for (f.size = 0; f.size < whole; f.size++)
        cr_expect_eq(decode(&f), ZT_ERR_FORMAT, "cut to %zu", f.size);
}

// ---- Real files ---------------------------------------------------------------------------------

Test(dds, real_files)
{
    picture_expect_assets("dds", ".dds", -1, "");
    picture_expect_assets("m3d/textures", ".dds", -1, "");
    picture_expect_assets("invalid/dds", ".dds", 0, "");
}
