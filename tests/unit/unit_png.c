// SPDX-License-Identifier: MIT
/// PNG in both directions. The oracle is libpng by another path: files to read are written with it
/// from known samples, files that we write are read back with its simplified API.
#include "base/bytes.h"
#include "image/png_text.h"
#include "image/png_write.h"
#include "picture_fixture.h"
#include "random_numbers.h"
#include "test_folder.h"
#include "testing.h"

#include <libdeflate.h>
#include <png.h>
#include <unistd.h>

// ---- Writing ------------------------------------------------------------------------------------

/// Bytes that compress, but not to nothing.
static void fill(zt_image *image)
{
    for (size_t i = 0; i < image->stride * (size_t)image->height; i++)
        image->rgba8[i] = (uint8_t)(i * i >> 9);
}

/// The names of the chunks in order, each once in a row: "IHDR sRGB IDAT IEND ".
static void chunk_names(file_bytes file, char out[128])
{
    out[0] = 0;
    for (size_t at = 8; at + 12 <= file.size;) {
        const uint8_t *p = file.data + at;
        char name[6] = {(char)p[4], (char)p[5], (char)p[6], (char)p[7], ' ', 0};
        if (strlen(out) < 5 || strcmp(out + strlen(out) - 5, name) != 0)
            strncat(out, name, 127 - strlen(out));
        at += 12 + (size_t)bytes_u32_be(p);
    }
}

Test(png_write, alpha_is_kept_on_request_and_for_one_pixel)
{
    char names[128];
    PICTURE_CASE(f, 0);
    OWN_IMAGE image = make_image(33, 17);
    for (int i = 0; i < 33 * 17 * 4; i++)
        image.rgba8[i] = 255;
    file_bytes file;
    cr_assert_eq(png_encode(&image, ZT_PNG_FAST, &f.a, &file, NULL), ZT_OK);
    cr_expect_eq(file.data[25], 2);
    chunk_names(file, names);
    cr_expect_str_eq(names, "IHDR sRGB IDAT IEND ");
    image.keep_alpha = true;
    cr_assert_eq(png_encode(&image, ZT_PNG_FAST, &f.a, &file, NULL), ZT_OK);
    cr_expect_eq(file.data[25], 6);
    picture_expect_libpng(file, &image, "opaque, with alpha");
    image.keep_alpha = false;
    image.rgba8[33 * 17 * 4 - 1] = 254;
    cr_assert_eq(png_encode(&image, ZT_PNG_FAST, &f.a, &file, NULL), ZT_OK);
    cr_expect_eq(file.data[25], 6);
    picture_expect_libpng(file, &image, "one pixel");
}

Test(png_write, small_is_smaller)
{
    PICTURE_CASE(f, 0);
    OWN_IMAGE image = make_image(320, 200);
    fill(&image);
    file_bytes fast, small;
    cr_assert_eq(png_encode(&image, ZT_PNG_FAST, &f.a, &fast, NULL), ZT_OK);
    cr_assert_eq(png_encode(&image, ZT_PNG_SMALL, &f.a, &small, NULL), ZT_OK);
    cr_expect_lt(small.size, fast.size);
}

Test(png_write, refuses_bad_pictures_and_small_budgets)
{
    PICTURE_CASE(f, 100000);
    uint8_t pixel[4] = {0};
    const zt_image bad[] = {
        {.rgba8 = NULL, .width = 1, .height = 1, .stride = 4},
        {.rgba8 = pixel, .width = 0, .height = 1, .stride = 4},
        {.rgba8 = pixel, .width = 1, .height = 1, .stride = 3},
        {.rgba8 = pixel, .width = 1, .height = 1, .stride = (size_t)INT32_MAX + 1},
        {.rgba8 = pixel, .width = -1, .height = 1, .stride = 4}};
    file_bytes file;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        cr_expect_eq(png_encode(&bad[i], ZT_PNG_FAST, &f.a, &file, &f.err), ZT_ERR_ARGUMENT);
    const zt_image wide = {.rgba8 = pixel, .width = 16385, .height = 1, .stride = 16385 * 4};
    cr_expect_eq(png_encode(&wide, ZT_PNG_FAST, &f.a, &file, &f.err), ZT_ERR_LIMIT);
    OWN_IMAGE image = make_image(300, 300);
    cr_expect_eq(png_encode(&image, ZT_PNG_FAST, &f.a, &file, &f.err), ZT_ERR_LIMIT);
}

Test(png_write, file_round_trip_and_failure, .init = test_folder_make, .fini = test_folder_remove)
{
    const char *path = test_file("a.png");
    OWN_IMAGE image = make_image(40, 30), back = {0};
    zt_error err;
    fill(&image);
    MUST(zt_image_write(path, &image, NULL, &err), err);
    MUST(zt_image_read(path, true, NULL, &back, &err), err);
    cr_expect_eq(zt_image_hash(&image), zt_image_hash(&back));
    zt_image_finish(&back);
    cr_expect_eq(unlink(path), 0);
    cr_expect_eq(zt_image_read(path, true, NULL, &back, &err), ZT_ERR_INPUT);
    cr_expect_null(back.rgba8);
    cr_expect_eq(zt_image_write(test_folder, &image, NULL, &err), ZT_ERR_OUTPUT);
    cr_expect_eq(test_folder_empty(), 0, "nothing may be left behind");
}

// ---- Reading ------------------------------------------------------------------------------------

typedef struct memory_file {
    uint8_t data[1 << 16];
    size_t size;
} memory_file;

static void append(png_structp png, png_bytep data, size_t size)
{
    memory_file *file = png_get_io_ptr(png);
    memcpy(file->data + file->size, data, size);
    file->size += size;
}

static void no_flush(png_structp png) { (void)png; }

typedef struct sample_picture {
    int color, depth, channels;
    bool interlaced, transparency;
    uint16_t sample[13][11][4]; ///< [y][x][channel], codes as stored
    uint8_t palette[256][3], palette_alpha[256];
} sample_picture;

enum { SAMPLE_WIDTH = 11, SAMPLE_HEIGHT = 13 };

/// Writes it with libpng, with a gAMA chunk that must not matter.
static void write_samples(const sample_picture *p, memory_file *file)
{
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
    png_infop info = png_create_info_struct(png);
    file->size = 0;
    png_set_write_fn(png, file, append, no_flush);
    png_set_IHDR(png, info, SAMPLE_WIDTH, SAMPLE_HEIGHT, p->depth, p->color,
                 p->interlaced ? PNG_INTERLACE_ADAM7 : PNG_INTERLACE_NONE, 0, 0);
    png_set_gAMA(png, info, 0.9);
    if (p->color == PNG_COLOR_TYPE_PALETTE)
        png_set_PLTE(png, info, (png_const_colorp)p->palette, 1 << p->depth);
    if (p->transparency && p->color == PNG_COLOR_TYPE_PALETTE) {
        png_set_tRNS(png, info, p->palette_alpha, 1 << p->depth, NULL);
    } else if (p->transparency) {
        const uint16_t *key = p->sample[2][3];
        png_color_16 c = {.red = key[0], .green = key[1], .blue = key[2], .gray = key[0]};
        png_set_tRNS(png, info, NULL, 0, &c);
    }
    png_write_info(png, info);
    uint8_t row[SAMPLE_HEIGHT][SAMPLE_WIDTH * 8] = {{0}};
    uint8_t *rows[SAMPLE_HEIGHT];
    for (int y = 0; y < SAMPLE_HEIGHT; y++) {
        rows[y] = row[y];
        for (int i = 0; i < SAMPLE_WIDTH * p->channels; i++) {
            const unsigned code = p->sample[y][i / p->channels][i % p->channels];
            const int bit = i * p->depth; // big-endian
            if (p->depth == 16) {
                row[y][2 * i] = (uint8_t)(code >> 8);
                row[y][2 * i + 1] = (uint8_t)code;
            } else
                row[y][bit / 8] |= (uint8_t)(code << (8 - p->depth - bit % 8));
        }
    }
    png_write_image(png, rows);
    png_write_end(png, NULL);
    png_destroy_write_struct(&png, &info);
}

/// Expected pixel (x, y), in 16 bits.
static void expected_pixel(const sample_picture *p, int x, int y, uint32_t out[4])
{
    const uint32_t one = (1u << p->depth) - 1;
    const uint16_t *s = p->sample[y][x];
    out[3] = 65535;
    if (p->color == PNG_COLOR_TYPE_PALETTE) {
        for (int c = 0; c < 3; c++)
            out[c] = p->palette[s[0]][c] * 257u;
        if (p->transparency)
            out[3] = p->palette_alpha[s[0]] * 257u;
        return;
    }
    const int colors = p->channels >= 3 ? 3 : 1;
    for (int c = 0; c < 3; c++)
        out[c] = s[colors == 3 ? c : 0] * 65535u / one;
    if (p->color & PNG_COLOR_MASK_ALPHA)
        out[3] = s[colors] * 65535u / one;
    else if (p->transparency && memcmp(s, p->sample[2][3], (size_t)colors * 2) == 0)
        out[3] = 0;
}

static void check_reading(const sample_picture *p)
{
    static memory_file file;
    write_samples(p, &file);
    PICTURE_CASE(f, 0);
    picture out;
    PRINTED(what, 64, "colour %d depth %d interlaced %d tRNS %d", p->color, p->depth, p->interlaced,
            p->transparency);
    cr_assert_eq(png_decode(&f.a, "x.png", (file_bytes){file.data, file.size}, &out, &f.err), ZT_OK,
                 "%s: %s", what, f.err.message);
    cr_assert(out.width == SAMPLE_WIDTH && out.height == SAMPLE_HEIGHT && out.level_count == 1);
    const bool rgb = out.format == PICTURE_RGB8; // the plain kind, as it stands in the file
    if (rgb)
        cr_expect(p->color == PNG_COLOR_TYPE_RGB && p->depth == 8 && !p->transparency);
    else
        cr_expect_eq(out.format, p->depth == 16 ? PICTURE_RGBA16 : PICTURE_RGBA8, "%s", what);
    const size_t channels = rgb ? 3 : 4;
    const size_t pitch = out.pitch ? out.pitch : SAMPLE_WIDTH * channels;
    cr_expect_eq(out.has_alpha, p->transparency || (p->color & PNG_COLOR_MASK_ALPHA) != 0);
    for (int y = 0; y < SAMPLE_HEIGHT; y++)
        for (int x = 0; x < SAMPLE_WIDTH; x++) {
            uint32_t want[4];
            expected_pixel(p, x, y, want);
            for (int c = 0; c < 4; c++) {
                const size_t wide = 4 * (size_t)(y * SAMPLE_WIDTH + x) + (size_t)c;
                const size_t at = (size_t)y * pitch + (size_t)x * channels + (size_t)c;
                const uint32_t got = out.format == PICTURE_RGBA16
                                         ? ((const uint16_t *)out.level[0])[wide]
                                     : c == 3 && rgb ? 65535u
                                                     : ((const uint8_t *)out.level[0])[at] * 257u;
                cr_assert_eq(got, want[c], "%s at %d,%d channel %d: %u, expected %u", what, x, y, c,
                             got, want[c]);
            }
        }
}

Test(png_read, every_colour_type_and_depth)
{
    static const struct {
        int color, channels, depths[6];
    } types[] = {{PNG_COLOR_TYPE_GRAY, 1, {1, 2, 4, 8, 16, 0}},
                 {PNG_COLOR_TYPE_RGB, 3, {8, 16, 0}},
                 {PNG_COLOR_TYPE_PALETTE, 1, {1, 2, 4, 8, 0}},
                 {PNG_COLOR_TYPE_GRAY_ALPHA, 2, {8, 16, 0}},
                 {PNG_COLOR_TYPE_RGB_ALPHA, 4, {8, 16, 0}}};
    static sample_picture p;
    uint32_t seed = 77;
    for (size_t t = 0; t < sizeof types / sizeof *types; t++)
        for (int d = 0; types[t].depths[d]; d++)
            for (int variant = 0; variant < 4; variant++) {
                p.color = types[t].color;
                p.channels = types[t].channels;
                p.depth = types[t].depths[d];
                p.interlaced = variant & 1;
                p.transparency = (variant & 2) != 0;
                if (p.transparency && (p.color & PNG_COLOR_MASK_ALPHA))
                    continue;
                for (int i = 0; i < SAMPLE_WIDTH * SAMPLE_HEIGHT * 4; i++)
                    (&p.sample[0][0][0])[i] =
                        (uint16_t)(next_random(&seed) >> 7 & ((1u << p.depth) - 1));
                for (int i = 0; i < 256; i++) {
                    for (int c = 0; c < 3; c++)
                        p.palette[i][c] = (uint8_t)(next_random(&seed) >> 9);
                    p.palette_alpha[i] = (uint8_t)(next_random(&seed) >> 9);
                }
                check_reading(&p);
            }
}

/// 16 bits -> 8 bits to nearest, as zt_image_read promises 8-bit pictures.
Test(png_read, sixteen_bits_are_rounded, .init = test_folder_make, .fini = test_folder_remove)
{
    static sample_picture p = {.color = PNG_COLOR_TYPE_RGB, .depth = 16, .channels = 3};
    uint32_t seed = 5;
    for (int i = 0; i < SAMPLE_WIDTH * SAMPLE_HEIGHT * 4; i++)
        (&p.sample[0][0][0])[i] = (uint16_t)next_random(&seed);
    static memory_file file;
    write_samples(&p, &file);
    const char *path = test_file("wide.png");
    FILE *out = fopen(path, "wb");
    cr_assert(out && fwrite(file.data, file.size, 1, out) == 1 && fclose(out) == 0);
    OWN_IMAGE image = {0};
    zt_error err;
    MUST(zt_image_read(path, true, NULL, &image, &err), err);
    for (int y = 0; y < SAMPLE_HEIGHT; y++)
        for (int x = 0; x < SAMPLE_WIDTH; x++)
            for (int c = 0; c < 4; c++) {
                const int want = c == 3 ? 255 : (p.sample[y][x][c] * 255 + 32767) / 65535;
                const int got = image.rgba8[(size_t)y * image.stride + (size_t)(4 * x + c)];
                cr_assert_eq(got, want, "%d,%d", x, y);
            }
}

static zt_result try_read(const uint8_t *data, size_t size, uint64_t limit, zt_error *err)
{
    PICTURE_CASE(f, limit);
    picture out;
    return png_decode(&f.a, "hostile.png", (file_bytes){data, size}, &out, err);
}

Test(png_read, truncations_and_flipped_bytes_are_errors)
{
    static sample_picture p = {
        .color = PNG_COLOR_TYPE_PALETTE, .depth = 4, .channels = 1, .transparency = true};
    static memory_file file;
    for (int i = 0; i < 16; i++)
        p.palette[i][0] = (uint8_t)(i * 16);
    for (int y = 0; y < SAMPLE_HEIGHT; y++)
        for (int x = 0; x < SAMPLE_WIDTH; x++)
            p.sample[y][x][0] = (uint16_t)((x * y) & 15);
    write_samples(&p, &file);
    zt_error err;
    cr_assert_eq(try_read(file.data, file.size, 0, &err), ZT_OK);
    for (size_t size = 0; size < file.size; size++) {
        OWN_BLOCK uint8_t *exact = picture_exact_copy(file.data, size);
        cr_expect_eq(try_read(exact, size, 0, &err), ZT_ERR_FORMAT, "cut to %zu", size);
        cr_expect(strstr(err.message, "hostile.png"));
    }
    // The CRC covers all but signature and lengths. A broken ancillary chunk is passed over.
    for (size_t chunk = 8; chunk < file.size;) {
        const size_t end = chunk + 12 + (size_t)file.data[chunk + 2] * 256 + file.data[chunk + 3];
        const bool ancillary = (file.data[chunk + 4] & 0x20) != 0;
        for (size_t at = chunk; at < end; at++) {
            const bool spared = ancillary && at >= chunk + 4 && at != chunk + 6;
            file.data[at] ^= 0x10;
            cr_expect_eq(try_read(file.data, file.size, 64 << 20, &err) == ZT_OK, spared,
                         "flipped %zu", at);
            file.data[at] ^= 0x10;
        }
        chunk = end;
    }
}

/// The file with a chunk of one byte before its last chunk. Free it.
static uint8_t *with_chunk(const memory_file *file, const char *name, size_t *out_size)
{
    enum { LAST = 12, CHUNK = 13 };
    const size_t before = file->size - LAST;
    uint8_t *whole = calloc(1, file->size + CHUNK + 1), *chunk = whole + before;
    cr_assert_not_null(whole);
    memcpy(whole, file->data, before);
    bytes_store_u32_be(chunk, 1);
    memcpy(chunk + 4, name, 4);
    bytes_store_u32_be(chunk + 9, libdeflate_crc32(0, chunk + 4, 5));
    memcpy(chunk + CHUNK, file->data + before, LAST);
    *out_size = file->size + CHUNK;
    return whole;
}

/// The fast decoder and libpng pass over the same, or memory would decide what is broken.
Test(png_read, names_of_chunks_are_letters)
{
    static const char *const names[] = {"teSt", "te5t", "%b\xff\xdd", "[est", "`est"};
    static sample_picture p = {.depth = 8};
    static memory_file file;
    for (int colors = 0; colors < 2; colors++) {
        p.color = colors ? PNG_COLOR_TYPE_RGB : PNG_COLOR_TYPE_GRAY; // fast, and left to libpng
        p.channels = colors ? 3 : 1;
        write_samples(&p, &file);
        for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
            zt_error err = {0};
            size_t size;
            OWN_BLOCK uint8_t *whole = with_chunk(&file, names[i], &size);
            cr_expect_eq(try_read(whole, size, 64 << 20, &err), i == 0 ? ZT_OK : ZT_ERR_FORMAT,
                         "%d: name %zu: %s", colors, i, err.message);
        }
    }
}

/// Mistakes that libpng forgives: bytes after the end.
Test(png_read, small_faults_are_tolerated)
{
    static sample_picture p = {.color = PNG_COLOR_TYPE_GRAY, .depth = 8, .channels = 1};
    static memory_file file;
    p.sample[0][0][0] = 99;
    write_samples(&p, &file);
    memcpy(file.data + file.size, "more", 4);
    PICTURE_CASE(f, 0);
    picture out;
    MUST(png_decode(&f.a, "x.png", (file_bytes){file.data, file.size + 4}, &out, &f.err), f.err);
    const uint8_t *pixels = out.level[0];
    cr_expect(pixels[0] == 99 && pixels[3] == 255 && pixels[4] == 0);
}

Test(png_read, sizes_are_checked_before_memory_is_taken)
{
    uint8_t header[57] = {137, 80, 78, 71, 13, 10, 26, 10, 0, 0, 0, 13, 'I', 'H', 'D', 'R'};
    header[24] = 8;
    header[25] = 6;
    zt_error err;
    header[18] = 0x40;
    header[19] = 1;
    header[23] = 1; // 16385 x 1
    cr_expect_eq(try_read(header, sizeof header, 0, &err), ZT_ERR_LIMIT);
    header[19] = 0;
    header[22] = 0x40;
    header[23] = 0; // 16384 x 16384 in 57 bytes
    cr_expect_eq(try_read(header, sizeof header, 0, &err), ZT_ERR_FORMAT);
    cr_expect(strstr(err.message, "cannot come from"), "%s", err.message);
    static sample_picture p = {.color = PNG_COLOR_TYPE_RGB, .depth = 8, .channels = 3};
    static memory_file file;
    write_samples(&p, &file);
    cr_expect_eq(try_read(file.data, file.size, 3000, &err), ZT_ERR_LIMIT, "%s", err.message);
}

// ---- Real files ---------------------------------------------------------------------------------

Test(png_read, real_files)
{
    picture_expect_assets("images/pngsuite", ".png", -1, "");
    picture_expect_assets("invalid/png", ".png", 0, "");
    picture_expect_assets("invalid/png-fuzz", ".png", 0, "");
}

Test(png_write, knows_frames_by_their_key)
{
    file_bytes file;
    const uint64_t key = UINT64_C(0x0123456789abcdef);
    PICTURE_CASE(f, 0);
    OWN_IMAGE image = make_image(40, 30);
    for (int mode = 0; mode < 2; mode++) {
        cr_assert_eq(png_encode_keyed(&image, (zt_png_mode)mode, &key, &f.a, &file, &f.err), ZT_OK);
        cr_expect(png_key_matches(file, key, 40, 30));
        cr_expect_not(png_key_matches(file, key + 1, 40, 30));
        cr_expect_not(png_key_matches(file, key, 30, 40));
        for (size_t size = 0; size < file.size; size++)
            cr_expect_not(png_key_matches((file_bytes){file.data, size}, key, 40, 30), "%zu", size);
        for (size_t i = 0; i < file.size; i++) { // any flipped bit
            uint8_t *byte = (uint8_t *)(uintptr_t)&file.data[i];
            *byte ^= 1;
            cr_expect_not(png_key_matches(file, key, 40, 30), "byte %zu", i);
            *byte ^= 1;
        }
        cr_assert_eq(png_encode(&image, (zt_png_mode)mode, &f.a, &file, &f.err), ZT_OK);
        cr_expect_not(png_key_matches(file, key, 40, 30), "a file without a key");
    }
}

/// Pictures of one pixel of a plane, decoded. Without chunks: refused.
Test(png_write, planes)
{
#define DATA "IHDR IDAT IEND "
    static const struct {
        picture_plane plane;
        float in[4];
        int32_t bits, linear;
        double unit_mm;
        const char *chunks;
        int level[3];
    } cases[] = {
        {PLANE_NORMAL, {0, 0, 1}, 0, 0, 1, DATA, {32768, 32768, 65535}},
        {PLANE_NORMAL, {0, 0, 0}, 16, 0, 1, DATA, {0, 0, 0}},
        {PLANE_NORMAL, {0, -1, 1}, 8, 0, 1, DATA, {128, 0, 255}},
        {PLANE_UV, {0.25f, 2}, 0, 0, 1, DATA, {16384, 65535, 0}},
        {PLANE_DEPTH, {1.2346f}, 0, 0, 0.1, DATA, {12346, 12346, 12346}},
        {PLANE_DEPTH, {99}, 0, 0, 1, DATA, {65535, 65535, 65535}},
        {PLANE_DEPTH, {INFINITY}, 0, 0, 1, DATA, {0, 0, 0}},
        {PLANE_DEPTH, {1}, 0, 0, 0, NULL, {0}},
        {PLANE_DEPTH, {1}, 8, 0, 1, NULL, {0}},
        {PLANE_OBJECT, {0x1.3880p-134f}, 0, 0, 1, DATA, {40000, 40000, 40000}},
        {PLANE_OBJECT, {0x1.3880p-133f}, 0, 0, 1, NULL, {0}},
        {PLANE_POSITION, {1, 2, 3}, 0, 0, 1, NULL, {0}},
        {PLANE_DISPLAY, {0.5f, 0, 1, 1}, 16, 0, 1, "IHDR sRGB IDAT IEND ", {48192, 0, 65535}},
        {PLANE_DISPLAY,
         {0.25f, 0, 0.5f, 0.5f},
         0,
         1,
         1,
         "IHDR gAMA cHRM IDAT IEND ",
         {32768, 0, 65535}},
        {PLANE_DISPLAY, {0.5f, 0, 1, 1}, 8, 1, 1, NULL, {0}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        float in[4];
        picture_planes planes = {.width = 1, .height = 1, .color8.keep_alpha = i % 2 == 1};
        planes.plane[cases[i].plane] =
            (plane_memory){memcpy(in, cases[i].in, sizeof in), sizeof in};
        const zt_encode_def def = {.png = (zt_png_mode)(i % 2),
                                   .bits = cases[i].bits,
                                   .linear = cases[i].linear,
                                   .depth_unit_mm = cases[i].unit_mm};
        const zt_result wanted = cases[i].plane == PLANE_OBJECT ? ZT_ERR_LIMIT : ZT_ERR_ARGUMENT;
        PICTURE_CASE(f, 0);
        file_bytes file;
        picture out;
        char names[128];
        cr_assert_eq(png_plane_encode(&planes, cases[i].plane, &def, &f.a, &file, &f.err),
                     cases[i].chunks ? ZT_OK : wanted, "%zu: %s", i, f.err.message);
        if (!cases[i].chunks)
            continue;
        chunk_names(file, names);
        cr_assert_str_eq(names, cases[i].chunks);
        MUST(png_decode(&f.a, "x.png", file, &out, &f.err), f.err);
        for (int k = 0; k < 3; k++)
            cr_assert_eq(out.format == PICTURE_RGBA16 ? ((const uint16_t *)out.level[0])[k]
                                                      : ((const uint8_t *)out.level[0])[k],
                         cases[i].level[k], "%zu: %d", i, k);
    }
}
