// SPDX-License-Identifier: MIT
/// JPEG: files made with TurboJPEG from known colours, pinned hashes of files in the repository
/// (the promise of one result on every processor), damage and limits.
#include "picture_fixture.h"
#include "testing.h"
#include "texture/texture_codecs.h"

#include <turbojpeg.h>

typedef struct jpeg_file {
    uint8_t data[1 << 16];
    size_t size;
} jpeg_file;

/// Colours as a file in memory of TurboJPEG's own, and the encoder, which decodes, too.
typedef struct turbo {
    tjhandle handle;
    unsigned char *data;
    unsigned long size;
} turbo;

static turbo turbo_encode(const uint8_t *pixels, int width, int height, int format, int layout,
                          int quality, int flags)
{
    turbo t = {.handle = tjInitTransform()};
    cr_assert_eq(tjCompress2(t.handle, pixels, width, 0, height, format, &t.data, &t.size, layout,
                             quality, flags),
                 0);
    return t;
}

static void turbo_end(turbo *t)
{
    tjFree(t->data);
    tjDestroy(t->handle);
}

/// Ends with its block.
#define OWN_TURBO __attribute__((cleanup(turbo_end))) turbo

/// A picture of one colour, 40 x 24; `pixel` is R, G, B or, for CMYK, ink as Adobe stores it.
static void encode_flat(const uint8_t pixel[4], int format, int subsampling, int flags,
                        jpeg_file *out)
{
    static uint8_t pixels[40 * 24 * 4];
    for (int i = 0; i < 40 * 24; i++)
        memcpy(pixels + 4 * i, pixel, 4);
    OWN_TURBO t = turbo_encode(pixels, 40, 24, format, subsampling, 95, flags);
    cr_assert(t.size <= sizeof out->data);
    memcpy(out->data, t.data, t.size);
    out->size = t.size;
}

static zt_result decode(picture_case *f, const uint8_t *data, size_t size)
{
    OWN_BLOCK uint8_t *exact = picture_exact_copy(data, size);
    return jpeg_decode(&f->a, "x.jpg", (file_bytes){exact, size}, f->need, &f->out, &f->err);
}

/// Quantisation at quality 95 moves a flat colour by at most 2.
static void expect_flat(const picture_case *f, int r, int g, int b)
{
    cr_assert(f->out.width == 40 && f->out.height == 24 && f->out.level_count == 1);
    cr_assert(f->out.format == PICTURE_RGBA8 && !f->out.has_alpha);
    const int want[4] = {r, g, b, 255};
    const uint8_t *p = f->out.level[0];
    for (int i = 0; i < 40 * 24 * 4; i++) {
        const int difference = p[i] - want[i % 4];
        cr_assert(abs(difference) <= (i % 4 == 3 ? 0 : 2), "channel %d: %d, expected %d", i % 4,
                  p[i], want[i % 4]);
    }
}

static void must_be_flat(picture_case *f, const jpeg_file *file, int r, int g, int b)
{
    MUST(decode(f, file->data, file->size), f->err);
    expect_flat(f, r, g, b);
}

Test(jpeg, colours_survive_in_every_layout)
{
    static const int layouts[] = {TJSAMP_444, TJSAMP_422, TJSAMP_420, TJSAMP_440, TJSAMP_411};
    for (int progressive = 0; progressive < 2; progressive++)
        for (size_t i = 0; i < sizeof layouts / sizeof *layouts; i++) {
            PICTURE_CASE(f, 0);
            static jpeg_file file;
            encode_flat((const uint8_t[]){200, 90, 30, 0}, TJPF_RGBX, layouts[i],
                        progressive ? TJFLAG_PROGRESSIVE : 0, &file);
            must_be_flat(&f, &file, 200, 90, 30);
            encode_flat((const uint8_t[]){60, 60, 60, 0}, TJPF_RGBX, TJSAMP_GRAY, 0, &file);
            must_be_flat(&f, &file, 60, 60, 60);
        }
}

/// Cuts the Adobe marker (APP14) out.
static void remove_adobe_marker(jpeg_file *file)
{
    for (size_t at = 2; at + 4 < file->size;
         at += 2 + (size_t)(file->data[at + 2] << 8) + file->data[at + 3])
        if (file->data[at + 1] == 0xee) {
            const size_t length = 2 + (size_t)(file->data[at + 2] << 8) + file->data[at + 3];
            memmove(file->data + at, file->data + at + length, file->size - at - length);
            file->size -= length;
            return;
        }
    cr_assert_fail("no Adobe marker");
}

Test(jpeg, cmyk_by_the_plain_formula)
{
    PICTURE_CASE(f, 0);
    static jpeg_file file;
    // Adobe stores light, not ink: 255 is none. R = 255 * 200 / 255, and so on.
    encode_flat((const uint8_t[]){255, 128, 0, 200}, TJPF_CMYK, TJSAMP_444, 0, &file);
    must_be_flat(&f, &file, 200, 100, 0);
    // Without the marker the four components are ink as it is. The encoder has turned 100 into
    // Y 155, Cb 128, Cr 128 (and K 55): R = (255 - 155) * (255 - 55) / 255.
    encode_flat((const uint8_t[]){100, 100, 100, 55}, TJPF_CMYK, TJSAMP_444, 0, &file);
    remove_adobe_marker(&file);
    must_be_flat(&f, &file, 100 * 200 / 255, 127 * 200 / 255, 127 * 200 / 255);
}

Test(jpeg, pinned_pixels_and_truncations)
{
    picture_expect_pinned("jpeg/grey.jpg", false, UINT64_C(0x864d4423599ca7a8));
    picture_expect_pinned("jpeg/rgb_444.jpg", false, UINT64_C(0x805765ef6f5dc004));
    picture_expect_pinned("jpeg/rgb_420.jpg", false, UINT64_C(0xfcdda9c44aaae56e));
    picture_expect_pinned("jpeg/progressive_422.jpg", false, UINT64_C(0xf053f6251f89224d));
    picture_expect_pinned("jpeg/ycck.jpg", false, UINT64_C(0x79afd146b86c2611));
}

Test(jpeg, stray_bytes_are_tolerated)
{
    PICTURE_CASE(f, 0);
    static jpeg_file file;
    encode_flat((const uint8_t[]){200, 90, 30, 0}, TJPF_RGBX, TJSAMP_444, 0, &file);
    memmove(file.data + 5, file.data + 2, file.size - 2); // three bytes after SOI
    memset(file.data + 2, 0, 3);
    file.size += 3;
    memcpy(file.data + 2, (uint8_t[]){0xff, 0xff, 0xff}, 3); // fill before the next marker
    must_be_flat(&f, &file, 200, 90, 30);
    memcpy(file.data + file.size, "trailing", 8);
    MUST(decode(&f, file.data, file.size + 8), f.err);
}

Test(jpeg, data_that_end_before_the_last_block)
{
    PICTURE_CASE(f, 0);
    static jpeg_file file;
    encode_flat((const uint8_t[]){200, 90, 30, 0}, TJPF_RGBX, TJSAMP_444, 0, &file);
    memcpy(file.data + file.size - 6, (const uint8_t[]){0xff, 0xd9}, 2);
    cr_assert_eq(decode(&f, file.data, file.size - 4), ZT_ERR_FORMAT);
    cr_assert_str_eq(f.err.message, "x.jpg: broken JPEG: the data ends early");
}

Test(jpeg, an_error_behind_a_warning_is_an_error)
{
    PICTURE_CASE(f, 0);
    static jpeg_file file;
    encode_flat((const uint8_t[]){200, 90, 30, 0}, TJPF_RGBX, TJSAMP_444, 0, &file);
    for (size_t at = 2; at + 11 < file.size; at++)
        if (file.data[at] == 0xff && file.data[at + 1] == 0xc0) {
            file.data[at + 12] = 3; // a quantisation table that is not there
            memmove(file.data + at + 4, file.data + at, file.size - at);
            memset(file.data + at, 0x11, 4); // "extraneous bytes": a warning
            file.size += 4;
            break;
        }
    cr_assert_eq(decode(&f, file.data, file.size), ZT_ERR_FORMAT);
    cr_assert_str_eq(f.err.message, "x.jpg: broken JPEG: Quantization table 0x03 was not defined");
}

/// Finds the frame header and changes its size.
static void set_size(jpeg_file *file, unsigned width, unsigned height)
{
    for (size_t at = 2; at + 9 < file->size;
         at += 2 + (size_t)(file->data[at + 2] << 8) + file->data[at + 3])
        if (file->data[at + 1] >= 0xc0 && file->data[at + 1] <= 0xc2) {
            file->data[at + 5] = (uint8_t)(height >> 8);
            file->data[at + 6] = (uint8_t)height;
            file->data[at + 7] = (uint8_t)(width >> 8);
            file->data[at + 8] = (uint8_t)width;
            return;
        }
    cr_assert_fail("no frame header");
}

Test(jpeg, sizes_are_checked_before_memory_is_taken)
{
    static jpeg_file file;
    encode_flat((const uint8_t[]){1, 2, 3, 0}, TJPF_RGBX, TJSAMP_420, TJFLAG_PROGRESSIVE, &file);
    static const struct {
        unsigned width, height;
        uint64_t limit;
        zt_result result;
    } cases[] = {
        {16385, 8, 0, ZT_ERR_LIMIT},         {8, 65535, 0, ZT_ERR_LIMIT},
        {16384, 16384, 0, ZT_ERR_FORMAT}, // cannot come from so few bytes
        {0, 24, 0, ZT_ERR_FORMAT},           {40, 24, 5000, ZT_ERR_LIMIT},
        {1024, 1024, 6 << 20, ZT_ERR_LIMIT}, // pixels fit, the coefficients do not
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        PICTURE_CASE(f, cases[i].limit);
        set_size(&file, cases[i].width, cases[i].height);
        cr_expect_eq(decode(&f, file.data, file.size), cases[i].result, "case %zu: %s", i,
                     f.err.message);
    }
}

static void append(jpeg_file *file, const uint8_t *bytes, size_t size)
{
    memcpy(file->data + file->size, bytes, size);
    file->size += size;
}

/// A grey picture of 1024 x 1024 of three components, each in a scan of its own, by hand.
static void craft_scans(uint8_t frame_marker, jpeg_file *file)
{
    static const uint8_t zeros[200];
    memset(file, 0, sizeof *file);
    append(file, (const uint8_t[]){0xff, 0xd8, 0xff, 0xdb, 0, 67, 0}, 7);
    memset(file->data + file->size, 1, 64);
    file->size += 64;
    append(file,
           (const uint8_t[]){0xff, frame_marker, 0, 17, 8, 4, 0, 4, 0, 3, 1, 0x11, 0, 2, 0x11, 0, 3,
                             0x11, 0},
           19);
    for (uint8_t c = 1; c <= 3; c++) {
        append(file, (const uint8_t[]){0xff, 0xda, 0, 8, 1, c, 0, 0, 63, 0}, 10);
        append(file, zeros, sizeof zeros);
    }
    append(file, (const uint8_t[]){0xff, 0xd9}, 2);
}

Test(jpeg, coefficients_of_arithmetic_coding_are_counted)
{
    static jpeg_file file;
    craft_scans(0xc9, &file);
    for (int i = 0; i < 2; i++) { // pixels take 4 MiB, coefficients 6
        PICTURE_CASE(f, i ? 64 << 20 : 6 << 20);
        cr_expect_eq(decode(&f, file.data, file.size), i ? ZT_OK : ZT_ERR_LIMIT, "%s",
                     f.err.message);
        cr_expect(!f.out.too_large);
    }
}

/// The limit holds for the frame header that the decoder finds, also when pixels are reduced.
Test(jpeg, sides_are_limited_behind_markers_without_a_length)
{
    static const uint8_t between[][4] = {
        {0xff, 0xd0, 0xff, 0xd7},
        {0xff, 0x01, 0xff, 0x01},
        {0xff, 0x00, 0x12, 0x34},
    };
    static jpeg_file plain, file;
    encode_flat((const uint8_t[]){200, 90, 30, 0}, TJPF_RGBX, TJSAMP_444, 0, &plain);
    for (size_t i = 0; i < 4 * sizeof between / sizeof *between; i++) {
        PICTURE_CASE(f, 0);
        zt_limits limits = *f.memory.limits;
        limits.texture_side = i & 1 ? 40 : 39;
        f.memory.limits = &limits;
        f.need.min_side = 4;
        file.size = 0;
        append(&file, plain.data, 2);
        append(&file, between[i / 4], 4);
        append(&file, plain.data + 2, plain.size - 2);
        picture measured;
        const file_bytes bytes = {file.data, file.size};
        const zt_result result = i & 2
                                     ? jpeg_decode(&f.a, "x.jpg", bytes, f.need, &f.out, &f.err)
                                     : picture_decode(&f.a, "x.jpg", bytes, f.need, &f.out, &f.err);
        cr_expect_eq(result, i & 1 ? ZT_OK : ZT_ERR_LIMIT, "%zu: %s", i, f.err.message);
        cr_expect_eq(f.out.too_large, !(i & 1));
        cr_expect(i & 1 || strstr(f.err.message, "40 x 24 pixels (at most 39 a side)"), "%s",
                  f.err.message);
        cr_expect(picture_measure(bytes, &measured) && measured.width == 40 &&
                  measured.height == 24);
    }
}

Test(jpeg, other_formats_are_refused)
{
    PICTURE_CASE(f, 0);
    cr_expect_eq(decode(&f, (const uint8_t *)"\x89PNG\r\n", 6), ZT_ERR_FORMAT);
    cr_expect_eq(decode(&f, (const uint8_t *)"\xff\xd8\xff", 3), ZT_ERR_FORMAT);
    cr_expect(strstr(f.err.message, "x.jpg"));
}

/// A smooth picture at a half, a quarter, an eighth is the mean of its pixels.
Test(jpeg, reduced_pictures_are_means)
{
    enum { SIDE = 64 };
    static uint8_t pixels[SIDE * SIDE * 3];
    for (int y = 0; y < SIDE; y++)
        for (int x = 0; x < SIDE; x++) {
            uint8_t *p = pixels + 3 * (y * SIDE + x);
            p[0] = (uint8_t)(x * 3 + 20);
            p[1] = (uint8_t)(y * 3 + 10);
            p[2] = (uint8_t)(x + y + 60);
        }
    static const int layouts[] = {TJSAMP_444, TJSAMP_420};
    for (int i = 0; i < 12; i++) {
        const int flags = i % 4 < 2 ? 0 : TJFLAG_PROGRESSIVE, halvings = 1 + i / 4;
        OWN_TURBO t = turbo_encode(pixels, SIDE, SIDE, TJPF_RGB, layouts[i % 2], 98, flags);
        PICTURE_CASE(f, 0);
        f.need.min_side = SIDE >> halvings;
        MUST(decode(&f, t.data, t.size), f.err);
        const int side = SIDE >> halvings, n = 1 << halvings;
        cr_assert(f.out.width == side && f.out.height == side && f.out.skip == 0);
        static uint8_t whole[SIDE * SIDE * 4];
        tjDecompress2(t.handle, t.data, t.size, whole, side, 0, side, TJPF_RGBA,
                      TJFLAG_ACCURATEDCT);
        cr_expect(halvings < 3 || memcmp(whole, f.out.level[0], 4 * 8 * 8) == 0, "%d", i);
        for (int y = 0; y < side; y++)
            for (int x = 0; x < side; x++)
                for (int c = 0; c < 3; c++) {
                    int sum = 0;
                    for (int k = 0; k < n * n; k++)
                        sum += pixels[3 * ((y * n + k / n) * SIDE + x * n + k % n) + c];
                    const int got = ((const uint8_t *)f.out.level[0])[4 * (y * side + x) + c];
                    cr_assert(abs(got - sum / (n * n)) <= 5, "%d: %d %d %d: %d, expected %d", i, x,
                              y, c, got, sum / (n * n));
                }
    }
}

/// Work that the decoder leaves to the mip chain: the last halving of colours, and sides that are
/// odd.
Test(jpeg, reductions_left_to_the_mip_chain)
{
    static jpeg_file file; // 40 x 24
    encode_flat((const uint8_t[]){200, 90, 30, 0}, TJPF_RGBX, TJSAMP_444, 0, &file);
    static const struct {
        int32_t smallest;
        bool color;
        int32_t width, skip;
    } cases[] = {
        {12, false, 20, 0}, {12, true, 40, 1}, {3, false, 5, 0},
        {3, true, 10, 1},   {1, false, 5, 1}, // an eighth, then a half
        {0, false, 40, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        PICTURE_CASE(f, 0);
        f.need = (picture_need){.min_side = cases[i].smallest, .color = cases[i].color};
        MUST(decode(&f, file.data, file.size), f.err);
        cr_expect(f.out.width == cases[i].width && f.out.skip == cases[i].skip, "%zu: %d, %d", i,
                  f.out.width, f.out.skip);
        const uint8_t *p = f.out.level[0];
        cr_expect(abs(p[0] - 200) <= 2 && abs(p[1] - 90) <= 2 && abs(p[2] - 30) <= 2);
    }
}

/// The last bit of a mean is left out where its steps are fine, and then adds half a code at most.
Test(jpeg, means_at_a_quarter)
{
    enum { SIDE = 64 };
    static uint8_t pixels[SIDE * SIDE * 3], whole[16 * 16 * 4];
    for (int i = 0; i < 64; i++) {
        for (size_t k = 0; k < sizeof pixels; k++)
            pixels[k] = (uint8_t)(60 + 2 * i + (int)(k % 3) * i % 7);
        OWN_TURBO t = turbo_encode(pixels, SIDE, SIDE, TJPF_RGB, TJSAMP_444, i % 2 ? 95 : 20,
                                   TJFLAG_PROGRESSIVE);
        PICTURE_CASE(f, 0);
        f.need.min_side = SIDE / 4;
        MUST(decode(&f, t.data, t.size), f.err);
        tjDecompress2(t.handle, t.data, t.size, whole, 16, 0, 16, TJPF_RGBA, TJFLAG_ACCURATEDCT);
        for (size_t k = 0; k < sizeof whole; k++)
            cr_assert_leq(abs(whole[k] - ((const uint8_t *)f.out.level[0])[k]), i % 2, "%d", i);
    }
}

static void damage_at_a_quarter(int layout)
{
    enum { SIDE = 64 };
    static uint8_t pixels[SIDE * SIDE * 3];
    for (size_t i = 0; i < sizeof pixels; i++)
        pixels[i] = (uint8_t)(i * i >> 5);
    OWN_TURBO t = turbo_encode(pixels, SIDE, SIDE, TJPF_RGB, layout, 70, TJFLAG_PROGRESSIVE);
    int refused = 0;
    for (unsigned long at = 0; at < t.size; at++) {
        PICTURE_CASE(f, 4 << 20);
        f.need.min_side = SIDE / 4;
        cr_assert_eq(decode(&f, t.data, at), ZT_ERR_FORMAT, "cut at %lu", at);
        arena_reset(&f.a);
        t.data[at] ^= 0x55;
        const zt_result r = decode(&f, t.data, t.size);
        cr_assert(r == ZT_OK || r == ZT_ERR_FORMAT || r == ZT_ERR_LIMIT, "%lu: %d", at, r);
        refused += r != ZT_OK;
        t.data[at] ^= 0x55;
    }
    cr_expect(refused > 20, "%d", refused);
}

/// Every cut of a progressive file is refused, and every damaged byte has an end.
Test(jpeg, damage_at_a_quarter)
{
    damage_at_a_quarter(TJSAMP_420);
    damage_at_a_quarter(TJSAMP_444); // of which scans are left out
}
