// SPDX-License-Identifier: MIT
/// BMP and TGA: files of every depth and coding that all show one picture, and damaged ones.
#include "picture_fixture.h"
#include "testing.h"
#include "texture/texture_codecs.h"

enum { WIDTH = 5, HEIGHT = 3 };

typedef zt_result (*decoder)(arena *a, const char *name, file_bytes bytes, picture *out,
                             zt_error *err);

/// A file, and its picture.
typedef struct bitmap_file {
    const char *name;
    bool is_grey;  ///< black and white: the lowest bit of the colour's number
    bool is_clear; ///< the first column has an alpha of 128
} bitmap_file;

static const bitmap_file files[] = {
    {"bmp/bits1.bmp", true, false},        {"bmp/bits4.bmp", false, false},
    {"bmp/bits8.bmp", false, false},       {"bmp/bits8_core.bmp", false, false},
    {"bmp/bits16.bmp", false, false},      {"bmp/bits16_565.bmp", false, false},
    {"bmp/bits24.bmp", false, false},      {"bmp/bits24_top.bmp", false, false},
    {"bmp/bits24_core.bmp", false, false}, {"bmp/bits32.bmp", false, false},
    {"bmp/bits32_alpha.bmp", false, true}, {"bmp/rle8.bmp", false, false},
    {"bmp/rle4.bmp", false, false},        {"tga/map8.tga", false, false},
    {"tga/map8_rle16.tga", false, false},  {"tga/bits16.tga", false, false},
    {"tga/bits24.tga", false, false},      {"tga/bits24_corner.tga", false, false},
    {"tga/bits24_rle.tga", false, false},  {"tga/bits32_alpha.tga", false, true},
    {"tga/grey8.tga", true, false},        {"tga/bits32_rle_zero.tga", false, false},
    {"tga/grey8_rle.tga", true, false},    {"tga/grey16_alpha.tga", true, true},
};

enum { FILES = sizeof files / sizeof *files };

static decoder decoder_of(const bitmap_file *file)
{
    return file->name[0] == 'b' ? bmp_decode : tga_decode;
}

/// Colours in this order, three to the right of another two rows down: black, white, red, green,
/// blue, yellow, cyan, magenta.
static void expect_picture(const picture *p, const bitmap_file *file)
{
    static const uint8_t colors[8][3] = {{0, 0, 0},     {255, 255, 255}, {255, 0, 0},
                                         {0, 255, 0},   {0, 0, 255},     {255, 255, 0},
                                         {0, 255, 255}, {255, 0, 255}};
    cr_assert(p->width == WIDTH && p->height == HEIGHT && p->level_count == 1, "%s", file->name);
    cr_expect_eq(p->has_alpha, file->is_clear, "%s", file->name);
    for (int i = 0; i < WIDTH * HEIGHT; i++) {
        const int x = i % WIDTH, y = i / WIDTH, number = (x + 2 * y) % 8;
        const uint8_t *want = colors[file->is_grey ? number & 1 : number];
        const uint8_t *got = (const uint8_t *)p->level[0] + 4 * i;
        const int alpha = file->is_clear && x == 0 ? 128 : 255;
        cr_expect(memcmp(got, want, 3) == 0 && got[3] == alpha, "%s at %d, %d: %d %d %d %d",
                  file->name, x, y, got[0], got[1], got[2], got[3]);
    }
}

Test(bitmaps, all_depths_show_one_picture)
{
    for (size_t i = 0; i < FILES; i++) {
        PICTURE_CASE(f, 0);
        const file_bytes bytes = picture_read_corpus(&f, files[i].name);
        cr_assert_eq(picture_decode(&f.a, "x", bytes, f.need, &f.out, &f.err), ZT_OK, "%s: %s",
                     files[i].name, f.err.message);
        expect_picture(&f.out, &files[i]);
        cr_expect_str_eq(f.out.codec, decoder_of(&files[i]) == bmp_decode ? "BMP" : "TGA");
        picture measured;
        cr_expect(picture_measure(bytes, &measured) && measured.width == WIDTH &&
                  measured.height == HEIGHT);
    }
}

/// Every cut and every changed byte has an end. Cuts are refused, but of the last bytes, which pad
/// rows, and of moves of a coded BMP.
Test(bitmaps, damage_is_told)
{
    for (size_t i = 0; i < FILES; i++) {
        PICTURE_CASE(whole, 0);
        const file_bytes bytes = picture_read_corpus(&whole, files[i].name);
        int refused = 0;
        for (size_t k = 0; k < 2 * bytes.size; k++) {
            const size_t size = k < bytes.size ? k : bytes.size;
            OWN_BLOCK uint8_t *copy = picture_exact_copy(bytes.data, size);
            if (k >= bytes.size)
                copy[k - bytes.size] ^= (uint8_t)(1 + k % 255);
            PICTURE_CASE(f, 16 << 20);
            const zt_result r =
                decoder_of(&files[i])(&f.a, "x", (file_bytes){copy, size}, &f.out, &f.err);
            cr_assert(r == ZT_OK || r == ZT_ERR_FORMAT || r == ZT_ERR_LIMIT, "%s, %zu: %d",
                      files[i].name, k, r);
            const bool pads = strstr(files[i].name, "bmp/rle") || size + 4 > bytes.size;
            cr_expect(r != ZT_OK || pads, "%s, cut at %zu", files[i].name, size);
            cr_expect(r == ZT_OK || strstr(f.err.message, "x:") == f.err.message, "%s",
                      f.err.message);
            refused += r != ZT_OK;
        }
        cr_expect(refused > 18, "%s: %d refused", files[i].name, refused);
    }
}

/// A header of few bytes cannot ask for much memory.
Test(bitmaps, sizes_are_checked_before_memory_is_taken)
{
    static const struct {
        const char *name;
        size_t at; ///< of the width
        uint8_t side[2];
        zt_result result;
        const char *message;
    } cases[] = {
        {"bmp/bits24.bmp", 18, {0x00, 0x40}, ZT_ERR_FORMAT, "the data ends early"},
        {"bmp/rle8.bmp", 18, {0x00, 0x40}, ZT_ERR_FORMAT, "the data ends early"},
        {"bmp/bits24.bmp", 18, {0x01, 0x40}, ZT_ERR_LIMIT, "at most 16384 a side"},
        {"bmp/bits24.bmp", 18, {0, 0}, ZT_ERR_FORMAT, "0 x 3 pixels"},
        {"bmp/bits24.bmp", 28, {5, 0}, ZT_ERR_FORMAT, "5 bits and compression 0"},
        {"tga/bits24_rle.tga", 12, {0x00, 0x40}, ZT_ERR_FORMAT, "the data ends early"},
        {"tga/bits24.tga", 12, {0x01, 0x40}, ZT_ERR_LIMIT, "at most 16384 a side"},
        {"tga/bits24.tga", 12, {0, 0}, ZT_ERR_FORMAT, "not a TGA"},
        {"tga/map8.tga", 5, {0xff, 0xff}, ZT_ERR_FORMAT, "the data ends early"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        PICTURE_CASE(f, 4 << 20);
        const file_bytes bytes = picture_read_corpus(&f, cases[i].name);
        OWN_BLOCK uint8_t *copy = picture_exact_copy(bytes.data, bytes.size);
        memcpy(copy + cases[i].at, cases[i].side, 2);
        const decoder decode = cases[i].name[0] == 'b' ? bmp_decode : tga_decode;
        cr_expect_eq(decode(&f.a, "x", (file_bytes){copy, bytes.size}, &f.out, &f.err),
                     cases[i].result, "%zu", i);
        cr_expect(strstr(f.err.message, cases[i].message), "%zu: %s", i, f.err.message);
    }
}
