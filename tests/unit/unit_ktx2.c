// SPDX-License-Identifier: MIT
/// KTX2: plain formats, supercompression, mip chains and their reduction, keys, headers that lie,
/// and real files. Blocks of UASTC have their own test, unit_uastc.
#include "ktx2_fixture.h"
#include "mipmap_fixture.h"
#include "testing.h"

#include <libdeflate.h>
#include <zstd.h>

enum { VK_R8 = 9, VK_RG8 = 16, VK_RGB8 = 23, VK_RGB8_SRGB = 29, VK_BGR8 = 30, VK_RGBA8 = 37 };
enum { VK_BGRA8 = 44, VK_RGBA16 = 91, VK_BC1_RGB = 131, VK_BC1_RGBA = 133, VK_BC5 = 141 };
enum { MODEL_UASTC = 166, TRANSFER_SRGB = 2, FLAG_PREMULTIPLIED = 1 };
enum { ALPHA = 1, TWO = 2 }; ///< of a picture: alpha, or two channels

static void expect_pixels(const picture_case *c, int level, const uint8_t *want, size_t count)
{
    const uint8_t *got = c->out.level[level];
    for (size_t i = 0; i < count; i++)
        cr_expect(memcmp(got + 4 * i, want + 4 * i, 4) == 0,
                  "pixel %zu: %d %d %d %d, expected %d %d %d %d", i, got[4 * i], got[4 * i + 1],
                  got[4 * i + 2], got[4 * i + 3], want[4 * i], want[4 * i + 1], want[4 * i + 2],
                  want[4 * i + 3]);
}

/// A file of one level, and what it decodes to.
static void start_file(picture_case *c, const ktx2_head *head, const void *data, size_t size)
{
    ktx2_begin(c, 0);
    ktx2_start(c, head);
    ktx2_level_add(c, 0, data, size, size);
}

static void decode_file(picture_case *c, const ktx2_head *head, const void *data, size_t size)
{
    start_file(c, head, data, size);
    MUST(ktx2_run(c), c->err);
}

static const uint8_t pair_bytes[16] = {10, 20, 30, 40, 50, 60, 70, 80, 1, 2, 3, 4};
static const uint8_t quad_bytes[48] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
static const uint8_t pixel_bytes[4] = {50, 25, 0, 100}; ///< divided 127.5, 63.75: to nearest
/// Its third index is transparent black in BC1 with alpha and black without.
static const uint8_t block_bc1[8] = {0, 0, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff};
/// One colour: 10, 20, 30, 40.
static const uint8_t block_uastc[16] = {0x57, 0x81, 0xc2, 0x03, 0x05};

#define PAIR(format) .vk_format = (format), .width = 2, .height = 1
#define BC1(format)  .vk_format = (format), .width = 3, .height = 4
#define SQUARE(name, text)                                                                         \
    .vk_format = VK_RGBA8, .width = 2, .height = 2, .key = name, .value = text
#define PIXEL           .vk_format = VK_RGBA8, .width = 1, .height = 1
#define UASTC           .width = 4, .height = 4, .model = MODEL_UASTC
#define CHANNEL(number) UASTC, .channels = {number}, .channel_count = 1

/// Formats, orientation and order of channels, what is shown of arrays and cubes, premultiplied
/// colour, and the kinds of channels of UASTC.
Test(ktx2, pictures_of_8_bits)
{
    static const struct {
        ktx2_head head;
        const uint8_t *data;
        size_t size, count; ///< `count`: pixels that are compared
        uint8_t want[8];
        unsigned has;
        const char *first_of; ///< of the note; NULL: none
    } cases[] = {
        {{PAIR(VK_R8)}, pair_bytes, 2, 2, {10, 10, 10, 255, 20, 20, 20, 255}, 0, NULL},
        {{PAIR(VK_RG8)}, pair_bytes, 4, 2, {10, 20, 255, 255, 30, 40, 255, 255}, TWO, NULL},
        {{PAIR(VK_RGB8)}, pair_bytes, 6, 2, {10, 20, 30, 255, 40, 50, 60, 255}, 0, NULL},
        {{PAIR(VK_RGB8_SRGB)}, pair_bytes, 6, 2, {10, 20, 30, 255, 40, 50, 60, 255}, 0, NULL},
        {{PAIR(VK_BGR8)}, pair_bytes, 6, 2, {30, 20, 10, 255, 60, 50, 40, 255}, 0, NULL},
        {{PAIR(VK_RGBA8)}, pair_bytes, 8, 2, {10, 20, 30, 40, 50, 60, 70, 80}, ALPHA, NULL},
        {{PAIR(VK_BGRA8)}, pair_bytes, 8, 2, {30, 20, 10, 40, 70, 60, 50, 80}, ALPHA, NULL},
        {{BC1(VK_BC1_RGB)}, block_bc1, 8, 1, {0, 0, 0, 255}, 0, NULL},
        {{BC1(VK_BC1_RGBA)}, block_bc1, 8, 1, {0, 0, 0, 0}, ALPHA, NULL},
        {{SQUARE("KTXorientation", "rd")}, quad_bytes, 16, 1, {1, 2, 3, 4}, ALPHA, NULL},
        {{SQUARE("KTXorientation", "ru")}, quad_bytes, 16, 1, {9, 10, 11, 12}, ALPHA, NULL},
        {{SQUARE("KTXswizzle", "bgra")}, quad_bytes, 16, 1, {3, 2, 1, 4}, ALPHA, NULL},
        {{SQUARE("KTXswizzle", "rgb1")}, quad_bytes, 16, 1, {1, 2, 3, 255}, 0, NULL},
        {{SQUARE("KTXswizzle", "0ar1")}, quad_bytes, 16, 1, {0, 4, 1, 255}, 0, NULL},
        {{SQUARE("KTXswizzle", "rrr0")}, quad_bytes, 16, 1, {1, 1, 1, 0}, ALPHA, NULL},
        {{SQUARE("KTXwriter", "us")}, quad_bytes, 16, 1, {1, 2, 3, 4}, ALPHA, NULL},
        {{PIXEL, .layers = 3}, quad_bytes, 12, 1, {1, 2, 3, 4}, ALPHA, "3 array layers"},
        {{PIXEL, .faces = 6}, quad_bytes, 24, 1, {1, 2, 3, 4}, ALPHA, "6 cube faces"},
        {{PIXEL, .layers = 2, .faces = 6}, quad_bytes, 48, 1, {1, 2, 3, 4}, ALPHA, "12 cube faces"},
        {{PIXEL, .flags = FLAG_PREMULTIPLIED}, pixel_bytes, 4, 1, {128, 64, 0, 100}, ALPHA, NULL},
        {{CHANNEL(0)}, block_uastc, 16, 1, {10, 20, 30, 255}, 0, NULL},    // RGB
        {{CHANNEL(3)}, block_uastc, 16, 1, {10, 20, 30, 40}, ALPHA, NULL}, // RGBA
        {{CHANNEL(4)}, block_uastc, 16, 1, {10, 10, 10, 255}, 0, NULL},    // RRR
        {{CHANNEL(5)}, block_uastc, 16, 1, {10, 40, 255, 255}, TWO, NULL}, // RRRG
        {{CHANNEL(6)}, block_uastc, 16, 1, {10, 20, 255, 255}, TWO, NULL}, // RG
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        PICTURE_CASE(c, 0);
        decode_file(&c, &cases[i].head, cases[i].data, cases[i].size);
        cr_expect(c.out.width == (int32_t)cases[i].head.width &&
                      c.out.height == (int32_t)cases[i].head.height && c.out.level_count == 1,
                  "%zu: %d x %d", i, c.out.width, c.out.height);
        cr_expect(c.out.format == PICTURE_RGBA8 && c.out.has_alpha == (cases[i].has == ALPHA) &&
                      c.out.two_channel == (cases[i].has == TWO),
                  "%zu", i);
        expect_pixels(&c, 0, cases[i].want, cases[i].count);
        PRINTED(note, 64, "the first of %s is used", cases[i].first_of);
        if (cases[i].first_of)
            cr_expect_str_eq(c.out.note, note);
    }
}

Test(ktx2, sixteen_bits_stay)
{
    static const uint8_t bytes[16] = {1, 2, 3, 4, 5, 6, 0xff, 0xff, 7, 8, 9, 10, 11, 12, 13, 14};
    PICTURE_CASE(c, 0);
    decode_file(&c, &(ktx2_head){PAIR(VK_RGBA16)}, bytes, sizeof bytes);
    const uint16_t *p = c.out.level[0];
    cr_expect(c.out.format == PICTURE_RGBA16 && c.out.has_alpha);
    cr_expect(p[0] == 0x201 && p[3] == 0xffff && p[7] == 0x0e0d);
}

/// Levels of 5 x 3, 2 x 1, 1 x 1 RGB of 100, 101, 102. `scheme`: 0 none, 2 Zstandard, 3 zlib.
static void start_chain(picture_case *c, uint32_t scheme)
{
    static const size_t counts[3] = {5 * 3, 2 * 1, 1};
    ktx2_begin(c, 0);
    ktx2_start(
        c, &(ktx2_head){
               .vk_format = VK_RGB8, .width = 5, .height = 3, .level_count = 3, .scheme = scheme});
    struct libdeflate_compressor *deflate = libdeflate_alloc_compressor(6);
    for (uint32_t level = 0; level < 3; level++) {
        uint8_t data[64], packed[256];
        const size_t size = 3 * counts[level];
        memset(data, 100 + (int)level, size);
        size_t packed_size = size;
        memcpy(packed, data, size);
        if (scheme == 2)
            packed_size = ZSTD_compress(packed, sizeof packed, data, size, 3);
        if (scheme == 3)
            packed_size = libdeflate_zlib_compress(deflate, data, size, packed, sizeof packed);
        ktx2_level_add(c, level, packed, packed_size, size);
    }
    libdeflate_free_compressor(deflate);
}

Test(ktx2, mip_chains_in_every_wrapping)
{
    for (uint32_t scheme = 0; scheme < 4; scheme++) {
        if (scheme == 1)
            continue;
        PICTURE_CASE(c, 0);
        start_chain(&c, scheme);
        cr_assert_eq(ktx2_run(&c), ZT_OK, "%u: %s", scheme, c.err.message);
        cr_expect(c.out.width == 5 && c.out.height == 3 && c.out.level_count == 3);
        for (int level = 0; level < 3; level++) {
            const uint8_t want[4] = {(uint8_t)(100 + level), want[0], want[0], 255};
            expect_pixels(&c, level, want, 1);
        }
    }
}

/// Small pictures begin at a lower level; what the file lacks is left to the mip chain.
Test(ktx2, reduction_begins_at_a_level_of_the_file)
{
    static const struct {
        int32_t smallest, width, height, levels, skip;
    } cases[] = {
        {0, 5, 3, 3, 0},
        {3, 5, 3, 3, 0},
        {2, 5, 3, 3, 0},
        {1, 2, 1, 2, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        PICTURE_CASE(c, 0);
        start_chain(&c, 2);
        c.need.min_side = cases[i].smallest;
        MUST(ktx2_run(&c), c.err);
        cr_expect(c.out.width == cases[i].width && c.out.height == cases[i].height &&
                      c.out.level_count == cases[i].levels && c.out.skip == cases[i].skip,
                  "%zu: %d x %d, %d levels, skip %d", i, c.out.width, c.out.height,
                  c.out.level_count, c.out.skip);
    }
    PICTURE_CASE(c, 0);
    static const uint8_t pixels[8 * 8 * 4];
    decode_file(&c, &(ktx2_head){.vk_format = VK_RGBA8, .width = 8, .height = 8}, pixels,
                sizeof pixels);
    c.need.min_side = 2;
    MUST(ktx2_run(&c), c.err);
    cr_expect(c.out.width == 8 && c.out.skip == 2);
}

/// The texels that a thumbnail samples are the same whether it begins at a level or not.
Test(ktx2, reduced_chains_are_parts_of_whole_ones)
{
    PICTURE_CASE(c, 0);
    start_chain(&c, 0);
    cr_assert_eq(ktx2_run(&c), ZT_OK);
    const mipmap whole = mipmap_of(&c, &c.out, MIPMAP_COLOR, MIPMAP_REPEAT, MIPMAP_CLAMP);
    c.need.min_side = 1;
    cr_assert_eq(ktx2_run(&c), ZT_OK);
    const mipmap part = mipmap_of(&c, &c.out, MIPMAP_COLOR, MIPMAP_REPEAT, MIPMAP_CLAMP);
    cr_assert(whole.level_count == 3 && part.level_count == 2);
    for (int level = 0; level < 2; level++) {
        const mipmap_level *a = &whole.level[level + 1], *b = &part.level[level];
        cr_expect(a->width == b->width && a->height == b->height);
        cr_expect(memcmp(a->texels, b->texels,
                         (size_t)a->stride * ((size_t)a->height + 1) * 4 * sizeof(uint16_t)) == 0);
    }
}

/// Rows of 16-bit pixels are twice as long: the last row of the file is the first of the picture.
Test(ktx2, sixteen_bits_from_the_bottom_up)
{
    static const uint16_t rows[24] = {1,     2,     3,     65535, 5,     6,     7,     65535,
                                      0x109, 0x20a, 0x30b, 65535, 0x40d, 0x50e, 0x60f, 65535,
                                      1000,  2000,  3000,  65535, 4000,  5000,  6000,  65535};
    for (int bottom_up = 0; bottom_up < 2; bottom_up++) {
        PICTURE_CASE(c, 0);
        decode_file(&c,
                    &(ktx2_head){.vk_format = VK_RGBA16,
                                 .width = 2,
                                 .height = 3,
                                 .key = "KTXorientation",
                                 .value = bottom_up ? "ru" : "rd"},
                    rows, sizeof rows);
        cr_assert_eq(c.out.format, PICTURE_RGBA16);
        for (int y = 0; y < 3; y++)
            cr_expect(memcmp((const uint16_t *)(const void *)c.out.level[0] + 8 * y,
                             rows + 8 * (bottom_up ? 2 - y : y), 16) == 0,
                      "row %d, %s", y, bottom_up ? "bottom up" : "top down");
    }
}

// ---- Headers that lie ---------------------------------------------------------------------------

/// A good file of 4 x 2 RGBA8 pixels with a key.
static void start_good(picture_case *c)
{
    static const uint8_t pixels[4 * 2 * 4] = {1, 2, 3};
    decode_file(c,
                &(ktx2_head){.vk_format = VK_RGBA8,
                             .width = 4,
                             .height = 2,
                             .channel_count = 4,
                             .key = "KTXswizzle",
                             .value = "rgba"},
                pixels, sizeof pixels);
}

Test(ktx2, fields_out_of_range)
{
    static const struct {
        size_t at;
        uint32_t value;
        zt_result result;
        size_t byte;
        const char *text;
    } cases[] = {
        {0, 7, ZT_ERR_FORMAT, 0, "not a KTX2"},
        {12, 9999, ZT_ERR_FORMAT, 12, "unsupported KTX2 format 9999"},
        {12, 148, ZT_ERR_FORMAT, 12, "ETC2"},
        {12, 157, ZT_ERR_FORMAT, 12, "ASTC"},
        {12, 0, ZT_ERR_FORMAT, 116, "colour model 1"},
        {20, 0, ZT_ERR_FORMAT, 20, "0 pixels"},
        {20, 16385, ZT_ERR_LIMIT, 20, "16385 x 2"},
        {20, 5, ZT_ERR_FORMAT, 80, "has 32 bytes"},
        {24, 0, ZT_ERR_FORMAT, 24, "1D"},
        {24, UINT32_MAX, ZT_ERR_LIMIT, 20, "at most 16384"},
        {28, 1, ZT_ERR_FORMAT, 28, "volume"},
        {32, UINT32_MAX, ZT_ERR_FORMAT, 80, "expected 4294967295 of 32"},
        {36, 0, ZT_ERR_FORMAT, 36, "0 faces"},
        {36, 6, ZT_ERR_FORMAT, 20, "not square"},
        {40, 4, ZT_ERR_FORMAT, 40, "4 mip levels (at most 3)"},
        {44, 4, ZT_ERR_FORMAT, 44, "scheme 4"},
        {44, 1, ZT_ERR_FORMAT, 44, "go together"},
        {48, 100000, ZT_ERR_FORMAT, 48, "descriptor"},
        {52, 27, ZT_ERR_FORMAT, 48, "descriptor of 27 bytes"},
        {56, 100000, ZT_ERR_FORMAT, 56, "keys of"},
        {68, 1, ZT_ERR_FORMAT, 64, "global data"},
        {80, UINT32_MAX, ZT_ERR_FORMAT, 80, "level 0"},
        {84, UINT32_MAX, ZT_ERR_FORMAT, 80, "level 0"},
        {88, 0, ZT_ERR_FORMAT, 80, "has 0 bytes"},
        {88, 31, ZT_ERR_FORMAT, 80, "has 31 bytes"},
        {196, 1000, ZT_ERR_FORMAT, 196, "a key of 1000 bytes"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        PICTURE_CASE(c, 0);
        start_good(&c);
        cr_assert(c.descriptor == 104 && c.keys == 196);
        picture_put_u32(&c, cases[i].at, cases[i].value);
        ktx2_expect_error(&c, cases[i].result, cases[i].byte, cases[i].text);
    }
}

Test(ktx2, keys_that_are_wrong)
{
    static const struct {
        const char *key, *value, *text;
    } cases[] = {
        {"KTXswizzle", "rgb", "not four of"},           {"KTXswizzle", "rgbx", "not four of"},
        {"KTXorientation", "r", "KTXorientation"},      {"KTXorientation", "xd", "KTXorientation"},
        {"KTXorientation", "ld", "from right to left"},
    };
    static const uint8_t pixel[4] = {0};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        PICTURE_CASE(c, 0);
        start_file(&c, &(ktx2_head){PIXEL, .key = cases[i].key, .value = cases[i].value}, pixel, 4);
        ktx2_expect_error(&c, ZT_ERR_FORMAT, c.keys, cases[i].text);
    }
}

Test(ktx2, uastc_with_missing_parts)
{
    static const uint8_t block[16] = {0};
    PICTURE_CASE(c, 0);
    start_file(&c, &(ktx2_head){UASTC}, block, 16);
    ktx2_expect_error(&c, ZT_ERR_FORMAT, c.descriptor, "no samples");
    start_file(&c, &(ktx2_head){CHANNEL(9)}, block, 16);
    ktx2_expect_error(&c, ZT_ERR_FORMAT, c.descriptor + 31, "channel 9");
}

Test(ktx2, every_truncation_is_an_error)
{
    for (uint32_t scheme = 0; scheme < 4; scheme += 2) {
        PICTURE_CASE(c, 0);
        start_chain(&c, scheme);
        cr_assert_eq(ktx2_run(&c), ZT_OK);
        const size_t whole = c.size;
        for (c.size = 0; c.size < whole; c.size++)
            cr_expect_eq(ktx2_run(&c), ZT_ERR_FORMAT, "cut to %zu", c.size);
    }
}

Test(ktx2, packed_levels_that_lie)
{
    PICTURE_CASE(c, 0);
    for (uint32_t scheme = 2; scheme < 4; scheme++) {
        start_chain(&c, scheme);
        c.file[c.levels + 3] ^= 0xff;
        ktx2_expect_error(&c, ZT_ERR_FORMAT, c.levels,
                          scheme == 2 ? "broken Zstandard data" : "broken zlib data");
        start_chain(&c,
                    scheme); // level 0 says that it is larger than it is, and so does the header
        picture_put_u32(&c, 96, 5 * 4 * 3);
        picture_put_u32(&c, 24, 4);
        picture_put_u32(&c, 40, 1);
        ktx2_expect_error(&c, ZT_ERR_FORMAT, c.levels, scheme == 2 ? "45 bytes" : "broken zlib");
    }
}

/// 4096 x 4096 pixels that are a few bytes in the file do not pass a budget of 64 MiB.
Test(ktx2, memory_is_counted_before_it_is_taken)
{
    static const size_t side = 4096;
    uint8_t *zeros = calloc(side * side, 4), packed[8192];
    const size_t size = ZSTD_compress(packed, sizeof packed, zeros, side * side * 4, 3);
    free(zeros);
    cr_assert(!ZSTD_isError(size));
    static const uint64_t limits[] = {(uint64_t)64 << 20, (uint64_t)100 << 20, (uint64_t)130 << 20};
    for (size_t i = 0; i < 3; i++) {
        PICTURE_CASE(c, limits[i]);
        ktx2_start(&c,
                   &(ktx2_head){.vk_format = VK_RGBA8, .width = 4096, .height = 4096, .scheme = 2});
        ktx2_level_add(&c, 0, packed, size, side * side * 4);
        cr_expect_eq(ktx2_run(&c), i < 2 ? ZT_ERR_LIMIT : ZT_OK, "%s", c.err.message);
    }
}

// ---- Real files ---------------------------------------------------------------------------------

Test(ktx2, real_files)
{
    picture_expect_assets("images/ktx2", ".ktx2", 13, "unsupported");
    picture_expect_assets("images/ktx2-basis", ".ktx2", 9, "unsupported");
    picture_expect_assets("compressed/AnisotropyBarnLamp", ".ktx2", -1, "");
}
