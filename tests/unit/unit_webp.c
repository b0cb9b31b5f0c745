// SPDX-License-Identifier: MIT
/// WebP: files made with libwebp from known colours, pinned hashes of files in the repository (the
/// promise of one result on every processor and with every version), damage and limits.
#include "base/picture_kind.h"
#include "picture_fixture.h"
#include "testing.h"

#include <webp/encode.h>

enum { WIDTH = 40, HEIGHT = 24 };

static zt_result decode(picture_case *f, const uint8_t *data, size_t size)
{
    OWN_BLOCK uint8_t *exact = picture_exact_copy(data, size);
    return webp_decode(&f->a, "x.webp", (file_bytes){exact, size}, &f->out, &f->err);
}

/// Smooth, so that lossy coding moves it little; alpha is 255 on the left half.
static void fill(uint8_t pixels[WIDTH * HEIGHT * 4])
{
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++) {
            uint8_t *p = pixels + 4 * (y * WIDTH + x);
            p[0] = (uint8_t)(60 + 3 * x);
            p[1] = (uint8_t)(40 + 5 * y);
            p[2] = 90;
            p[3] = x < WIDTH / 2 ? 255 : (uint8_t)(10 * y + 1);
        }
}

Test(webp, lossless_is_exact)
{
    static uint8_t pixels[WIDTH * HEIGHT * 4];
    fill(pixels);
    uint8_t *data = NULL;
    const size_t size = WebPEncodeLosslessRGBA(pixels, WIDTH, HEIGHT, WIDTH * 4, &data);
    PICTURE_CASE(f, 0);
    MUST(decode(&f, data, size), f.err);
    cr_expect(f.out.width == WIDTH && f.out.height == HEIGHT && f.out.level_count == 1);
    cr_expect(f.out.format == PICTURE_RGBA8 && f.out.has_alpha && f.out.skip == 0);
    cr_expect(memcmp(f.out.level[0], pixels, sizeof pixels) == 0);
    WebPFree(data);
}

Test(webp, lossy_colours_survive)
{
    static uint8_t pixels[WIDTH * HEIGHT * 4];
    fill(pixels);
    for (int alpha = 0; alpha < 2; alpha++) {
        for (int i = 0; i < WIDTH * HEIGHT && !alpha; i++)
            pixels[4 * i + 3] = 255;
        if (alpha)
            fill(pixels);
        uint8_t *data = NULL;
        const size_t size = WebPEncodeRGBA(pixels, WIDTH, HEIGHT, WIDTH * 4, 95, &data);
        PICTURE_CASE(f, 0);
        MUST(decode(&f, data, size), f.err);
        cr_expect_eq(f.out.has_alpha, alpha == 1);
        const uint8_t *p = f.out.level[0];
        for (int i = 0; i < WIDTH * HEIGHT * 4; i++)
            cr_assert(abs(p[i] - pixels[i]) <= (i % 4 == 3 ? 0 : 8), "byte %d: %d, expected %d", i,
                      p[i], pixels[i]);
        WebPFree(data);
    }
}

Test(webp, pinned_pixels_and_truncations)
{
    picture_expect_pinned("webp/lossy.webp", false, UINT64_C(0x4fb287f8d165bba5));
    picture_expect_pinned("webp/lossy_alpha.webp", true, UINT64_C(0x14acf811d2e84136));
    picture_expect_pinned("webp/lossless.webp", false, UINT64_C(0xea02b1c4a8d2a9d5));
    picture_expect_pinned("webp/lossless_alpha.webp", true, UINT64_C(0xa33ca5f0d387835b));
    picture_expect_pinned("webp/palette.webp", false, UINT64_C(0x7a8bfae81071ad82));
}

Test(webp, memory_is_counted_before_it_is_taken)
{
    static uint8_t pixels[512 * 512 * 4];
    uint8_t *data = NULL;
    const size_t size = WebPEncodeLosslessRGBA(pixels, 512, 512, 512 * 4, &data);
    static const struct {
        uint64_t limit;
        zt_result result;
    } cases[] = {
        {512 * 512 * 4 - 1, ZT_ERR_LIMIT}, // not even the pixels
        {512 * 512 * 6, ZT_ERR_LIMIT},     // not the decoder's plane
        {4 << 20, ZT_OK},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        PICTURE_CASE(f, cases[i].limit);
        cr_expect_eq(decode(&f, data, size), cases[i].result, "case %zu: %s", i, f.err.message);
    }
    WebPFree(data);
}

Test(webp, animations_are_refused)
{
    PICTURE_CASE(f, 0);
    cr_expect_eq(decode(&f, (const uint8_t *)"\x89PNG\r\n", 6), ZT_ERR_FORMAT);
    cr_expect(strstr(f.err.message, "x.webp:0: not a WebP"), "%s", f.err.message);
    // An extended header (VP8X) whose animation flag is set, of 3 x 2 pixels.
    static const uint8_t animated[30] = "RIFF\x16\0\0\0WEBPVP8X\x0a\0\0\0\x02\0\0\0\x02\0\0\x01";
    cr_expect_eq(decode(&f, animated, sizeof animated), ZT_ERR_FORMAT);
    cr_expect(strstr(f.err.message, "animated"), "%s", f.err.message);
}

Test(webp, other_containers_are_unknown)
{
    const file_bytes riff = {(const uint8_t *)"RIFF\x16\0\0\0WEBPVP8X", 16};
    const file_bytes rifx = {(const uint8_t *)"RIFX\x16\0\0\0WEBPVP8X", 16};
    cr_expect_str_eq(picture_kind_of(riff)->name, "WebP");
    cr_expect_null(picture_kind_of(rifx)->name);
}
